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


# -- items that lie otherwise than rows of an array ------------------------------------------------------------


def columns_of(x):
    columns = []
    for place in range(x.shape[1]):
        columns.append(x[:, place])
    return columns


WIDE = (lambda: (noise(301, 57), noise(301, seed=3)),)


@programs(*WIDE)
def columns_are_used_element_by_element(x, y):
    total = y * 0
    for column in columns_of(x):
        total = total + column * y
    return total, np.stack(columns_of(x)), np.concatenate(columns_of(x))


@programs(*WIDE, gaps="S180-dot")
def products_of_columns(x, y):
    return [column @ y for column in columns_of(x)]


@programs(*WIDE, gaps="S180-dot")
def a_product_of_the_column_that_was_appended_before(x, y):
    columns, total = [y], 0.0
    for place in range(x.shape[1]):
        total += np.dot(columns[-1], y)
        columns.append(x[:, place])
    return total


@programs(*WIDE, gaps="S180-dot")
def products_of_columns_that_went_through_other_lists(x, y):
    columns, others, total = [], [], 0.0
    for place in range(x.shape[1]):
        columns.append(x[:, place])
        if place % 3 == 0:
            columns = columns[:]
        others.extend(columns[-1:])
    while others:
        total += np.dot(others.pop(), y)
    return total


@programs(*WIDE, gaps="S180-dot")
def products_of_columns_in_lists_of_lists(x, y):
    found, total = [[y]], 0.0
    for place in range(x.shape[1]):
        total += np.dot(found[place][0], y)
        found.append([x[:, place]])
    return total


class Column:
    def __init__(self, values):
        self.values = values


@programs(lambda: (noise(301, 80), noise(301, seed=3)), gaps="S163-items")
def products_of_columns_of_objects(x, y):
    found = []
    for place in range(x.shape[1]):
        found.append(Column(x[:, place]))
    return [column.values @ y for column in found]


def turned(x):
    return [table.T * 1.5 for table in x]


TABLES = (lambda: (noise(70, 31, 57),),)


@programs(*TABLES, gaps="S185-order")
def sums_of_turned_tables(x):
    return [table.sum() for table in turned(x)]


@programs(*TABLES, gaps="S212-view")
def turned_tables_are_returned(x):
    return turned(x)


@programs(*TABLES, gaps="S185-order")
def turned_tables_are_stacked(x):
    return np.stack(turned(x))


@programs(*TABLES)
def turned_tables_become_an_array(x):
    return np.array(turned(x)), np.sum(turned(x), axis=0)


# -- arrays of several sizes ------------------------------------------------------------------------------------

# More than are written out, and few of them.
SIZED = (lambda: (noise(300), counts(90, low=1, high=9)), lambda: (noise(300), counts(70, low=0, high=2)))


def parts_of(x, sizes):
    parts, place = [], 0
    for size in sizes:
        parts.append(x[place : place + size] * 2)
        place += size
    return parts


@programs(*SIZED)
def parts_are_returned(x, sizes):
    return parts_of(x, sizes)


@programs(*SIZED)
def parts_with_numbers_are_returned(x, sizes):
    found = []
    for place in range(len(sizes)):
        found.append((place, x[: sizes[place]] + 1, sizes[place]))
    return found


@programs(*SIZED)
def tables_of_several_sizes(x, sizes):
    found, total = [], 0.0
    for size in sizes:
        found.append(np.outer(x[:size], x[size : 2 * size + 1]))
    for table in reversed(found):
        total += table.sum() - table.T[-1].sum()
    return found, total, found[3].shape, [len(table) for table in found]


@programs(*SIZED)
def parts_are_read_at_places(x, sizes):
    parts, total = parts_of(x, sizes), 0.0
    for size in sizes:
        part = parts[size * 3]
        total += part @ part + parts[-1].sum()
    return total, len(parts), parts[5].size


@programs(*SIZED)
def parts_grow_out_of_parts(x, sizes):
    parts = [x[:1] * 1]
    for size in sizes:
        if size % 2:
            parts.append(parts[-1][:3] - x[size])
        else:
            parts.append(np.append(parts[-1], x[size]))
    return parts[-1] * 1, sum(len(part) for part in parts)


@programs(*SIZED)
def lists_of_parts_change(x, sizes):
    parts = parts_of(x, sizes)
    last = parts.pop() + 1
    del parts[0]
    parts.insert(2, last)
    parts[4] = x[:7] * 3
    parts.reverse()
    some = parts[10:40:3]
    parts.extend(some)
    total = 0.0
    while parts:
        part = parts.pop(0)
        total = total * 0.5 + part.sum()
    return total, [part[-1] for part in some if len(part)]


@programs(*SIZED)
def parts_are_joined(x, sizes):
    parts, tables = parts_of(x, sizes), []
    for size in sizes:
        tables.append(np.outer(x[:size], x[-3:]).astype(np.float32))
    some = parts[::-2]
    return np.concatenate(parts), np.hstack(some), np.concatenate(tables), np.vstack(tables)


@programs(lambda: (noise(300), counts(0)), lambda: (noise(300), counts(70)))
def parts_of_which_there_may_be_none_are_joined(x, sizes):
    return np.concatenate(parts_of(x, sizes))


@programs(*SIZED)
def tables_of_several_widths_are_joined(x, sizes):
    tables = []
    for size in sizes:
        tables.append(np.outer(x[:3], x[:size]))
    return np.concatenate(tables)


@programs(*SIZED, gaps="S162-list")
def turned_tables_of_several_sizes_are_joined(x, sizes):
    tables = []
    for size in sizes:
        tables.append(np.outer(x[:3], x[:size]).T * 2)
    return np.concatenate(tables)


@programs(*SIZED)
def parts_by_group(x, sizes):
    groups = [[], [], []]
    for size in sizes:
        groups[size % 3].append(x[size:] * size)
    total = 0.0
    for group in groups:
        for part in group:
            total += part[0] * len(part)
    return total, groups


@programs(*SIZED)
def parts_are_made_in_branches(x, sizes):
    parts, others = [], []
    for size in sizes:
        if size > 2:
            parts.append(x[:size] * 1)
        elif size:
            others.append(x[-size:] * 1)
    chosen = parts if len(parts) > len(others) else others
    total = 0.0
    for part in chosen:
        total += part.max()
    return total


@programs(*SIZED, gaps="S162-list")
def a_part_is_written_that_was_appended(x, sizes):
    parts = []
    for size in sizes:
        part = x[:size] * 2
        parts.append(part)
        part += 1
    return parts


@programs(*SIZED, gaps="S162-list")
def a_part_of_what_is_written_is_appended(x, sizes):
    parts = []
    for size in sizes:
        parts.append(x[:size])
    x += 1
    total = 0.0
    for part in parts:
        total += part.sum()
    return total


@programs(*SIZED, gaps="S162-list")
def parts_that_are_views_are_returned(x, sizes):
    parts = []
    for size in sizes:
        parts.append(x[:size])
    return parts


@programs(*SIZED, gaps="S162-list")
def a_part_that_is_a_view_is_returned(x, sizes):
    parts = []
    for size in sizes:
        parts.append(x[:size])
    return parts[sizes[0]]


@programs(*SIZED, gaps="S162-list")
def one_part_is_in_two_lists(x, sizes):
    parts, others = [], []
    for size in sizes:
        part = x[:size] * 2
        parts.append(part)
        others.append(part)
    return parts, others


@programs(*SIZED, gaps="S162-list")
def a_list_of_parts_and_a_part_of_it_are_returned(x, sizes):
    parts = parts_of(x, sizes)
    return parts, parts[2:]


@programs(*SIZED, gaps="S162-list")
def an_item_of_several_sizes_is_written(x, sizes):
    parts, total = parts_of(x, sizes), 0.0
    for part in parts:
        part *= 2
    for part in parts:
        total += part.sum()
    return total


@programs(*SIZED, gaps="S162-list")
def objects_that_hold_parts(x, sizes):
    found, total = [], 0.0
    for size in sizes:
        found.append(Column(x[:size] * 2))
    for thing in found:
        thing.values += 1
        total += thing.values.sum()
    return total


@programs(*SIZED, gaps="S163-items")
def objects_that_come_to_hold_parts(x, sizes):
    found, total = [], 0.0
    for size in sizes:
        found.append(Column(x * 2))
    for size in sizes:
        found[size].values = x[:size] * 3
    for thing in found:
        total += thing.values.sum()
    return total


@programs(lambda: (noise(301, 90), noise(301, seed=3)), gaps="S162-list")
def products_of_parts_of_columns(x, y):
    parts, total = [], 0.0
    for place in range(x.shape[1]):
        parts.append(x[place:, place])
    for place, part in enumerate(parts):
        total += part @ y[place:]
    return total


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("program", list(programs), ids=name_of)
def test_programs_do_what_they_did(program: Program, device: str) -> None:
    check(program, device)
