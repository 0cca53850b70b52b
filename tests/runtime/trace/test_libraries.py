"""Guards of what a trace took from libraries and builtins."""

import builtins
import math
import types

import numpy as np

from transpile.runtime.converted import note_converted
from transpile.runtime.trace.libraries import Libraries, is_in_library, is_library


def guards(libraries: Libraries, *names: str) -> list[tuple[str, str, object]]:
    return [(str(guard.path), guard.kind, guard.expected) for guard in libraries.guards(set(names))]


def test_names_that_occur_are_guarded_in_modules_and_those_within() -> None:
    libraries = Libraries()
    libraries.note(np)
    libraries.note(math)
    assert guards(libraries, "linalg", "norm", "sqrt", "x") == [
        ("numpy.linalg", "is", np.linalg),
        ("numpy.sqrt", "is", np.sqrt),
        ("math.sqrt", "is", math.sqrt),
        ("numpy.linalg.norm", "is", np.linalg.norm),
    ]


def test_builtin_is_guarded_with_the_globals_that_could_hide_it() -> None:
    libraries = Libraries()
    libraries.note_missing({"__builtins__": builtins}, "len")
    libraries.note_missing({"__builtins__": {"mine": 1}}, "mine")
    libraries.note_missing({"__builtins__": builtins}, "nowhere")
    assert guards(libraries) == [
        ("len", "missing", None), ("len", "is", len), ("mine", "missing", None), ("mine", "is", 1)
    ]  # fmt: skip


def test_a_module_of_a_library_that_is_converted_is_followed_as_one_of_the_user() -> None:
    assert is_library("scipy.nowhere") and is_library("this") and not is_library("os.path")
    note_converted("scipy.nowhere")
    assert (
        is_in_library("scipy.nowhere") and not is_library("scipy.nowhere") and is_library("scipy.elsewhere")
    )


def test_modules_that_lead_to_each_other_are_kept_once() -> None:
    one, other = types.ModuleType("numpy.one"), types.ModuleType("numpy.other")
    one.other, other.one = other, one
    libraries = Libraries()
    libraries.note_names(["one", "other"])
    libraries.note(one)
    libraries.note_names(["more"])
    other.more = 1
    assert libraries.restore() == ["numpy.other.more"]
