"""Lists and dictionaries of the caller's that a program replaces by others, on some way or from some turn on."""

from __future__ import annotations

import warnings
from collections import OrderedDict

import numpy as np
import pytest

from transpile import convert

from .programs import Program, Programs, check, name_of, noise

programs = Programs()


def weights():
    return [noise(2, 3), noise(3, seed=1)]


turns = [lambda n=n: (weights(), n) for n in (2, 0, 1)]


@programs(*turns)
def made_anew_in_a_loop(ws, n):
    for _ in range(n):
        ws = [w * 0.5 for w in ws]
    return ws


@programs(*turns)
def made_anew_on_one_way(ws, n):
    total = sum((w**2).sum() for w in ws)
    if total * n > 1:
        ws = [w / total for w in ws]
    return ws, total


@programs(*turns)
def made_anew_and_known_still(ws, n):
    old = ws
    for _ in range(n):
        ws = [w * 0.5 for w in ws]
    return ws, old[0].sum(), len(old)


@programs(*turns)
def some_arrays_stay(ws, n):
    for _ in range(n):
        ws = [ws[0], ws[1] * 2]
    return ws


@programs(*turns)
def arrays_change_places(ws, n):
    for k in range(n):
        ws = [ws[0] + k, ws[0][0] * 2]
    return ws


@programs(*turns, gaps="S110-alias")
def both_returned(ws, n):
    old = ws
    for _ in range(n):
        ws = [w * 0.5 for w in ws]
    return ws, old


@programs(*turns, gaps="S190-identity")
def asked_whether_it_is_the_callers(ws, n):
    old = ws
    for _ in range(n):
        ws = [w * 0.5 for w in ws]
    return ws is old


@programs(*turns, gaps="S110-alias")
def changed_afterwards(ws, n):
    for _ in range(n):
        ws = [w * 0.5 for w in ws]
    ws[0] = ws[1]
    return ws


@programs(*turns, gaps="S213-alias")
def changed_before_it_is_made_anew(ws, n):
    for _ in range(n):
        ws[0] = ws[0] + 1
        ws = [w * 0.5 for w in ws]
    return ws


@programs(*turns, gaps="S110-alias")
def the_callers_changed_afterwards(ws, n):
    old = ws
    for _ in range(n):
        ws = [w * 0.5 for w in ws]
    old[1] = old[1] * 2
    return [w.sum() for w in ws]


@programs(*turns, gaps="S213-alias")
def changed_and_then_made_anew(ws, n):
    ws[1] = ws[1] * 3
    for _ in range(n):
        ws = [w * 0.5 for w in ws]
    return ws


@programs(*turns, gaps="S110-alias")
def arrays_written_that_may_be_the_callers(ws, n):
    for _ in range(n):
        ws = [w * 0.5 for w in ws]
    ws[0] += 1
    return ws


@programs(*turns, gaps="S110-alias")
def appended_to_afterwards(ws, n):
    for _ in range(n):
        ws = [w * 0.5 for w in ws]
    ws.append(ws[0])
    return ws


@programs(*turns)
def copied_afterwards(ws, n):
    for _ in range(n):
        ws = [w * 0.5 for w in ws]
    ws = [*ws, ws[0] + 1]
    ws[0] = ws[0] + 2
    return ws


@programs(*turns)
def in_loops_within_loops(ws, n):
    for k in range(n):
        for j in range(k + 1):
            ws = [w * (j + 0.5) for w in ws]
        if k % 2:
            ws = [w + 1 for w in ws]
    return {"weights": ws, "again": ws}


@programs(*turns)
def kept_of_the_best_turn(ws, n):
    best, least = ws, np.inf
    for _ in range(n):
        ws = [w * 0.5 for w in ws]
        loss = sum(abs(w).sum() for w in ws)
        if loss < least:
            least = loss
            best = [w.copy() for w in ws]
    return best, least


@programs(*turns, gaps="S213-alias")
def the_best_may_be_the_last(ws, n):
    best, least = ws, np.inf
    for _ in range(n):
        ws = [w * 0.5 for w in ws]
        loss = sum(abs(w).sum() for w in ws)
        if loss < least:
            least = loss
            best = ws
    return best, ws


@programs(*turns)
def the_best_alone(ws, n):
    best, least = ws, np.inf
    for _ in range(n):
        ws = [w * 0.5 for w in ws]
        loss = sum(abs(w).sum() for w in ws)
        if loss < least:
            least = loss
            best = ws
    return best, least


@programs(*turns, gaps="S110-alias")
def one_that_stays_is_known_by_two_names(ws, n):
    other = [w + 1 for w in ws]
    for _ in range(n):
        ws = other
        other = other
    ws[0] = ws[1]
    return ws[0].sum(), other[0].sum()


@programs(*turns, gaps="S110-alias")
def one_that_stays_is_known_by_two_names_on_one_way(ws, n):
    other = [w + 1 for w in ws]
    if n > 0:
        ws = other
        other = other
    ws[0] = ws[1]
    return ws[0].sum(), other[0].sum()


@programs(lambda: ({"w": noise(3), "b": noise(2)}, 2), lambda: ({"w": noise(3), "b": noise(2)}, 0))
def dictionary_made_anew(params, n):
    for k in range(n):
        params = {name: array - 0.1 * k for name, array in params.items()}
    return params


@programs(lambda: ([[noise(2)], [noise(3)]], 2), lambda: ([[noise(2)], [noise(3)]], 0))
def lists_in_a_list(lists, n):
    for _ in range(n):
        lists = [[array * 2 for array in inner] for inner in lists]
    return lists, lists[0]


@programs(lambda: ([[noise(2)], [noise(3)]], 2), lambda: ([[noise(2)], [noise(3)]], 0))
def a_list_of_the_callers_in_a_new_one(lists, n):
    for _ in range(n):
        lists = [lists[0], [lists[1][0] * 2]]
    return lists


@programs(lambda: ([1.5, 2.5], 3), lambda: ([1.5, 2.5], 0), lambda: ([float(k) for k in range(30)], 2))
def numbers_made_anew(xs, n):
    for k in range(n):
        xs = [x * 2 + k for x in xs]
    return xs


@programs(lambda: ([float(k) for k in range(30)], 2), lambda: ([float(k) for k in range(30)], 0))
def numbers_picked_on_one_way(xs, n):
    if n > 1:
        xs = [x for x in xs if x > n]
    return xs, len(xs)


@programs(lambda: ([[], [], []],), gaps="S163-items")
def made_an_array_and_appended_to(lists):
    whole = np.array(lists)
    inner = lists[1]
    inner.append(0)
    return whole.shape


class Recorded:
    def __init__(self, *before):
        self.history, self.path, self.total = list(before), [], 0.0

    def step(self, x, k):
        self.total += (x * k).sum()
        self.history.append(float(self.total))
        if self.total > 1:
            self.path.append(x * k)


records = [
    lambda n=n, before=before: (Recorded(*before), noise(3), n) for n in (3, 0) for before in ((), (1.5,))
]


@programs(*records, lambda: (Recorded(*np.arange(30.0).tolist()), noise(3), 4))
def appended_to_in_a_loop(record, x, n):
    for k in range(n):
        record.step(x, k)
    return record.total


@programs(*records)
def appended_to_in_loops_within_loops(record, x, n):
    for k in range(n):
        for j in range(k):
            record.history.append((x[0] + j) * k)
        record.path += [x + k]
        record.path.extend([x * 2, x * k])


@programs(*records)
def appended_to_and_measured(record, x, n):
    for k in range(n):
        record.history.append(k * 0.5)
    return len(record.history)


@programs(*records, gaps="S214-listed")
def appended_the_callers_array(record, x, n):
    for k in range(n):
        record.path.append(x)
    return record.total


@programs(*records)
def appended_and_changed_afterwards(record, x, n):
    y = x * 1
    for k in range(n):
        y = y * 2
        record.path.append(y.copy())
        y[0] += k
    return y


GROWN = [
    lambda start=start, n=n: (np.arange(5.0)[5 - n :], list(start))
    for start in ((), (1, 2), (4.5,))
    for n in (5, 2)
]


@programs(*GROWN)
def appended_and_looked_at(x, found):
    for k in range(len(x)):
        found.append(x[k] * 2)
        print(k, found[-1], len(found))
        if len(found) > 5:
            break
    return len(found)


@programs(*GROWN)
def appended_and_taken_out(x, found):
    for k in range(len(x)):
        found.append(k)
        if len(found) > 3:
            found.pop(0)
    found.sort(reverse=True)
    return found


@programs(*GROWN)
def appended_by_two_names(x, found):
    other = found
    for k in range(len(x)):
        other.append(k)
        found.append(len(other))
    if len(found) > 9:
        found.append(-1)
    return other is found


@programs(*[lambda n=n: (np.arange(float(n)), []) for n in (4, 1)])
def lists_appended_and_changed(x, found):
    for k in range(len(x)):
        found.append([k, k + 1])
        found[0][0] += 1
    return len(found[-1])


@programs(*records)
def appended_between_prints(record, x, n):
    for k in range(n):
        record.history.append(x[0] * k)
        print(k)


@programs(lambda: (Recorded(), 3), lambda: (Recorded(1.5), -1), lambda: (Recorded(), 0))
def appended_on_one_way(record, n):
    if n > 0:
        record.history.append(n * 2)
        record.history.append(n)
    record.history.append(0)


@programs(lambda: ([], [], 3), lambda: (*2 * [[]], 2), lambda: ([], [1.0], 0))
def two_lists_or_one(one, other, n):
    for k in range(n):
        one.append(k)
        other.append(k * 2)


@programs(lambda: ([], 3), lambda: ([], 0), lambda: ([True], 2))
def things_of_several_types(found, n):
    for k in range(n):
        found.append(k if k % 2 else k * 0.5)
    found.append(None)


class Network:
    def __init__(self):
        self.weights, self.best = weights(), None

    def step(self, rate):
        gradients = [np.zeros_like(w) for w in self.weights]
        for k in range(len(self.weights)):
            gradients[k] = self.weights[k] * 2
        self.weights = [w - rate * g for w, g in zip(self.weights, gradients, strict=True)]


networks = [lambda n=n: (Network(), n) for n in (2, 0, 1)]


@programs(lambda: ([], np.arange(7.0), 3), lambda: ([], np.arange(7.0), 0), gaps="S214-listed")
def an_array_of_the_callers_is_appended_to_an_empty_list(found, x, n):
    for _ in range(n):
        found.append(x)
    return len(found)


@programs(lambda: ([], np.arange(7.0), 3), gaps="S214-listed")
def views_are_appended_to_an_empty_list(found, x, n):
    for _ in range(n):
        found.append(x[1:4])
        found[-1].sum()


@programs(lambda: ([], np.arange(7.0), 3))
def new_arrays_are_appended_to_an_empty_list(found, x, n):
    for i in range(n):
        found.append(x * i)
    return len(found)


@programs(*networks)
def weights_of_an_object(net, n):
    for _ in range(n):
        net.step(0.1)
    return net.weights


@programs(*networks, gaps="S110-alias")
def weights_kept_beside(net, n):
    net.best = net.weights
    for _ in range(n):
        net.step(0.1)


@programs(lambda: (3,), lambda: (0,))
def weights_of_an_object_made_here(n):
    net = Network()
    for _ in range(n):
        net.step(0.1)
    return net.weights, net


def layers():
    return OrderedDict(b=np.ones(2), a=np.arange(2.0), c=2.5)


ordered = [lambda s=s: (layers(), noise(2, seed=s)) for s in (0, 1, 2)]


@programs(*ordered)
def ordered_and_read(named, x):
    for name, held in named.items():
        x = x * held + len(name)
    found = [name for name in reversed(named) if "a" in named]
    return (
        x,
        found,
        dict(named),
        named["c"],
        named.get("d"),
        list(named.values())[0],
        type(named) is OrderedDict,
    )


@programs(*ordered)
def ordered_and_stored_into(named, x):
    named["c"] = x
    named.update(d=x * 2, a=3)
    named["b"] += x
    for v in x:
        if v > 0:
            named["a"] = named["a"] + v
    return named, list(named)


@programs(*ordered)
def ordered_and_chosen(named, x):
    others = {"one": named, "two": named["b"]}
    found = None
    if x[0] > 0:
        found = named
    return found is named, found is None, others


@programs(*ordered, gaps="S204-decides")
def ordered_otherwise(named, x):
    named.move_to_end("b")
    return named, x * named["a"]


@programs(*ordered, gaps="S202-container")
def ordered_and_deleted_from(named, x):
    del named["b"]
    return named, x


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("program", programs.found, ids=name_of)
def test_a_program_converted_does_what_it_does_plainly(program: Program, device: str) -> None:
    check(program, device)


def test_what_may_be_the_callers_is_the_callers_own_where_it_is() -> None:
    converted = convert(made_anew_in_a_loop, strict=True)
    ws = weights()
    assert converted(ws, 0) is ws
    assert converted(ws, 1) is not ws
    stored = convert(weights_of_an_object, strict=True)
    net = Network()
    ws = net.weights
    assert stored(net, 0) is ws
    assert net.weights is ws
    assert stored(net, 2) is net.weights is not ws


@pytest.mark.parametrize("program", [p for p in programs.found if not p.gaps], ids=name_of)
def test_what_compiles_serves_all_calls(program: Program) -> None:
    converted = convert(program.function, strict=True)
    with warnings.catch_warnings():
        # What shows text is left to the original where a warning may be an error.
        warnings.resetwarnings()
        for make in program.inputs:
            converted(*make())
    assert not any(entry.deoptimised for entry in converted.calls.entries)
