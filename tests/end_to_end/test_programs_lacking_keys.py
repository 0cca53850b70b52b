"""Programs whose dictionaries have a key on some of the ways that control may take."""

from __future__ import annotations

import numpy as np
import pytest

from .programs import Program, Programs, check, name_of

programs = Programs()


def vectors(*rows):
    return [lambda row=row: (np.array(row, float),) for row in rows]


EACH_WAY = vectors((1, 1), (1, -1), (-1, 1), (-1, -1))


@programs(*EACH_WAY)
def result_with_more_where_there_is_more(x):
    result = {"n": len(x), "best": x.max()}
    if x[0] > 0:
        result["mean"] = x.mean()
    if x[1] > 0:
        result["twice"] = x * 2
    result["last"] = x[-1]
    return result


@programs(*EACH_WAY)
def another_key_on_each_way(x):
    result = {}
    if x[0] > 0:
        result["up"] = x.sum()
    else:
        result["down"] = 1
    if "up" in result and x[1] > 0:
        return result["up"]
    return result.get("down", 5), result.get("up"), "down" not in result, result


@programs(*EACH_WAY)
def keys_in_the_order_of_each_way(x):
    result = {}
    if x[0] > 0:
        result["a"] = 1
    else:
        result["b"] = 2.5
    if x[1] > 0:
        result["b"] = 3
    else:
        result["a"] = 4
    return result, list({"c": 0, **{"d": 1}})


@programs(*vectors((2, 1), (0, 1), (0, 0), ()))
def asks_for_what_may_not_be_there(x):
    found = {}
    for value in x:
        if value > 1:
            found["last"] = value
    return found["last"]


@programs(*vectors((2, 1), (0, 1), (0, 0)))
def handles_what_is_not_there(x):
    found = {}
    if x[0] > 1:
        found["first"] = x[0]
    try:
        return found["first"]
    except KeyError as error:
        return repr(error)


@programs(*vectors((0, 3, 1, 4), (0, 0), (5, 1), ()))
def two_keys_together_in_a_loop(x):
    found = {"n": 0}
    for i in range(len(x)):
        if x[i] > 2:
            found["place"] = i
            found["value"] = x[i]
            found["n"] += 1
    return found


@programs(*vectors((0, 3, 0, 3), (3, 0), (0, 0, 0), (3, 3), ()))
def keys_in_an_order_that_a_loop_decides(x):
    found = {}
    for value in x:
        if value > 2:
            found["many"] = value
        else:
            found["few"] = value
    return found


@programs(*vectors((0, 3, 0, 3, 9), (9, 0), (0, 0)))
def once_in_a_while(x):
    found = {"turns": 0}
    i = 0
    while i < len(x) and x[i] < 9:
        if x[i] > 1 and "first" not in found:
            found["first"] = i
        i += 1
    found["turns"] = i
    return found


@programs(*EACH_WAY)
def taken_out_on_one_way(x):
    found = {"a": 1, "b": x * 2, "c": 3}
    if x[0] > 0:
        del found["a"]
    if x[1] > 0:
        found.pop("b")
    found.pop("c")
    return found


@programs(*vectors((1,), (-1,)))
def takes_out_what_may_not_be_there(x):
    found = {}
    if x[0] > 0:
        found["a"] = 1
    del found["a"]
    return found


@programs(*EACH_WAY)
def copies_and_updates(x):
    found = dict(a=1)
    if x[0] > 0:
        found.update(b=x, c=3)
    other = found.copy()
    other["z"] = x[1]
    if x[1] > 0:
        found["b"] = 7
    return found, other


class Report:
    def __init__(self):
        self.notes = {}

    def note(self, name, value):
        if value > 0:
            self.notes[name] = value


@programs(*EACH_WAY)
def dictionary_of_an_object(x):
    report = Report()
    report.note("first", x[0])
    report.note("second", x[1])
    return report, report.notes, report.notes.get("first", -1.0)


@programs(*EACH_WAY)
def the_array_that_it_holds_is_written(x):
    y = x * 2
    found = {}
    if x[0] > 0:
        found["y"] = y
    y[0] = 9.0
    if "y" in found:
        found["y"][1] = 7.0
    return found, y


@programs(*EACH_WAY, gaps="S160-grows")
def changes_or_is_another_one(x):
    found = {"a": 1}
    if x[0] > 0:
        found["b"] = 2.0
    else:
        found = {"c": x}
    return found


@programs(*EACH_WAY)
def one_of_two(x):
    found, other = {"a": 1}, {"c": x}
    if x[0] > 0:
        found["b"] = 2.0
        other["b"] = 3.0
    chosen = found if x[1] > 0 else other
    return chosen.get("b", 7.0), chosen


@programs(*EACH_WAY, gaps="S160-grows")
def runs_over_keys_that_may_not_be_there(x):
    found = {}
    if x[0] > 0:
        found["a"] = x
    return [(key, value) for key, value in found.items()]


@programs(*EACH_WAY, gaps="S160-grows")
def tells_what_may_not_be_there(x):
    found = {}
    if x[0] > 0:
        found["a"] = 1
    return f"{found}"


@programs(*EACH_WAY, gaps="S160-grows")
def compares_what_may_not_be_there(x):
    found = {}
    if x[0] > 0:
        found["a"] = 1
    return found == {"a": 1}, found == {}, bool(found), len(found)


@programs(lambda: ({}, np.array([1.0])), lambda: ({"a": 2}, np.array([-1.0])), gaps="S160-grows")
def the_dictionary_of_the_caller(found, x):
    if x[0] > 0:
        found["b"] = x[0]
    return found


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("program", list(programs), ids=name_of)
def test_programs_do_what_they_did(program: Program, device: str) -> None:
    check(program, device)
