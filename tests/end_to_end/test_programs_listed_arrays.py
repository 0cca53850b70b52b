"""Programs with lists of arrays, and lists of lists of arrays, that grow as run time says."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from .programs import Program, Programs, check, counts, name_of, noise

programs = Programs()


def grouped(kinds=3, size=40):
    return lambda: (counts(size, high=kinds), noise(size, 2))


GROUPED = (grouped(), grouped(2), grouped(1, 5))


def groups_of(labels, x, kinds=3):
    groups = [[] for _ in range(kinds)]
    for place in range(len(labels)):
        groups[labels[place]].append(x[place])
    return groups


@programs(grouped(), grouped(2))
def means_of_groups(labels, x):
    return np.array([np.mean(group, axis=0) for group in groups_of(labels, x) if group])


@programs(*GROUPED)
def sums_of_groups(labels, x):
    total, groups = 0.0, groups_of(labels, x)
    for kind in range(3):
        for row in groups[kind]:
            total += row[0] * kind + row.sum()
    return total, [len(group) for group in groups]


@programs(*GROUPED)
def copies_in_groups_are_returned(labels, x):
    groups = [[], [], []]
    for place in range(len(labels)):
        groups[labels[place]].append(x[place] * 2)
    return groups


@programs(*GROUPED, gaps="S214-listed")
def views_in_groups_are_returned(labels, x):
    return groups_of(labels, x)


@programs(*GROUPED, gaps="S214-listed")
def one_of_two_lists_of_views_is_returned(labels, x):
    first, second = [], []
    for place in range(len(labels)):
        first.append(x[place])
        if labels[place]:
            second.append(x[place])
    return first if labels[0] else second


@programs(*GROUPED, gaps="S214-listed")
def one_of_two_lists_of_lists_of_views_is_returned(labels, x):
    first, second = groups_of(labels, x), groups_of(labels, x[::-1])
    return first if labels[0] else second


def rows_of(x):
    items = []
    for place in range(len(x)):
        items.append(x[place])
    return items


@programs(*GROUPED, gaps="S213-alias")
def an_item_is_returned(labels, x):
    return rows_of(x)[0]


@programs(*GROUPED, gaps="S213-alias")
def the_last_of_the_items_is_returned(labels, x):
    best = None
    for item in rows_of(x):
        if item[0] > 0:
            best = item
    return best


@programs(*GROUPED, gaps="S213-alias")
def an_item_that_was_taken_out_is_returned(labels, x):
    return rows_of(x).pop()


@programs(*GROUPED, gaps="S111-frozen")
def an_item_that_was_taken_out_is_written(labels, x):
    last = rows_of(x).pop()
    last[0] = 7.0


@programs(*GROUPED)
def an_item_of_its_own_is_written_and_returned(labels, x):
    items = []
    for place in range(len(labels)):
        items.append(x[place] * 2)
    last = items.pop()
    last[0] = 7.0
    return last, items[0] if items else None


@programs(*GROUPED, gaps="S213-alias")
def an_item_of_a_group_is_returned(labels, x):
    return groups_of(labels, x)[labels[0]][0]


@programs(*GROUPED, gaps="S111-frozen")
def the_array_is_written_afterwards(labels, x):
    groups = groups_of(labels, x)
    x[:] = 0
    return groups[labels[0]][0].sum()


@programs(*GROUPED, gaps="S111-frozen")
def an_item_is_written(labels, x):
    groups = groups_of(labels, x)
    groups[labels[0]][0][0] = 7.0


@programs(*GROUPED)
def tuples_with_arrays(labels, x):
    groups = [[], [], []]
    for place in range(len(labels)):
        groups[labels[place]].append((place, x[place]))
    return sum(place * row[0] for group in groups for place, row in group)


@programs(grouped())
def clusters(labels, x):
    centres = x[:3].copy()
    for _ in range(4):
        groups = [[] for _ in range(3)]
        for point in x:
            groups[np.argmin([np.linalg.norm(point - centres[i]) for i in range(3)])].append(point)
        for i, group in enumerate(groups):
            if group:
                centres[i] = np.mean(group, axis=0)
    return centres


@programs(*GROUPED)
def tracks(labels, x):
    found = []
    for place in range(len(labels)):
        if labels[place] == 0:
            found.append([x[place] * 1])
        elif found:
            found[-1].append(x[place] * 3)
    return [len(track) for track in found], sum(track[-1][0] for track in found)


@programs(grouped(), grouped(3, 60))
def moves_lists_and_items(labels, x):
    groups = groups_of(labels, x)
    groups[0], groups[1] = groups[1], groups[0]
    del groups[0][0]
    last = groups[0].pop().sum()
    groups[1].extend(groups[2])
    groups[2] = []
    return last, [sum(group) for group in groups[:2]], np.vstack(groups[1]), len(groups[2])


@programs(grouped())
def clusters_in_a_dictionary(labels, x):
    centres = x[:3].copy()
    for _ in range(4):
        groups = {kind: [] for kind in range(3)}
        for point in x:
            distances = [np.linalg.norm(point - centre) for centre in centres[:3]]
            groups[distances.index(min(distances))].append(point)
        for kind in groups:
            if groups[kind]:
                centres[kind] = np.average(groups[kind], axis=0)
    return centres


@programs(grouped(), grouped(2))
def groups_by_key(labels, x):
    groups = defaultdict(list)
    for label, row in zip(labels, x):
        groups[int(label)].append(row)
    total = 0.0
    for label, rows in groups.items():
        total += label * np.mean(rows, axis=0)[0]
    return total


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("program", list(programs), ids=name_of)
def test_programs_do_what_they_did(program: Program, device: str) -> None:
    check(program, device)
