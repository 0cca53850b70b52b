"""What things made during a trace hold."""

from collections import namedtuple

from transpile.runtime.arrays.references import references

Pair = namedtuple("Pair", "a b")


def test_containers_and_functions_hold_what_is_in_them() -> None:
    inside = object()
    for thing in ([inside], (inside,), {1: inside}, Pair(inside, inside), {inside}):
        assert inside in list(references(thing))

    def closure(default=inside):
        return inside

    cell, default = references(closure)
    assert default is inside
    assert list(references(cell)) == [inside]
