"""What classes and functions hold is guarded where it may be read, and put back where tracing stored into it."""

from __future__ import annotations

import numpy as np

from transpile.runtime.trace.guard import Guard
from transpile.runtime.trace.selves import Selves


def _held() -> type:
    class Base:
        rate = 2.0
        items = ["a"]  # noqa: RUF012
        table = np.arange(3.0)

        def method(self):
            return self.rate

    return type("Derived", (Base,), {"size": 3})


def _labels(found):
    return [(g.path.key, g.kind) if isinstance(g, Guard) else g for g in found]


def test_only_names_that_may_be_read_are_guarded():
    class_ = _held()
    selves = Selves(lambda module: module == "builtins")
    selves.note(class_)
    assert _labels(selves.guards({"rate", "size", "method"}, set())) == [
        ("size", "equals"),
        ("rate", "equals"),
        ("method", "is"),
    ]
    assert _labels(selves.guards({"items"}, set())) == ["_held.<locals>.Base.items"]


def test_names_that_were_asked_for_in_vain_are_guarded():
    def function():
        pass

    selves = Selves(lambda module: False)
    selves.note(function)
    assert _labels(selves.guards(set(), {"scale"})) == [("__dict__", "keys")]


def test_classes_of_libraries_are_left_alone():
    selves = Selves(lambda module: True)
    selves.note(_held())
    assert list(selves.guards({"rate"}, {"scale"})) == []


def test_what_was_stored_is_taken_back():
    class_ = _held()
    selves = Selves(lambda module: module == "builtins")
    selves.note(class_)
    class_.size = 5
    class_.added = 1
    class_.items.append("b")
    class_.table[0] = 7.0
    assert sorted(selves.restore()) == [
        "Derived.added",
        "Derived.size",
        "a list that a class or function holds",
        "a ndarray that a class or function holds",
    ]
    assert (class_.size, class_.items, class_.table[0]) == (3, ["a"], 0.0)
    assert not hasattr(class_, "added")
    assert selves.restore() == []
