"""Code that calls Python's and NumPy's C interfaces: a function as Python calls it, written line by line."""

from __future__ import annotations

import ctypes
import re
import types
from functools import cache
from typing import Any

import numpy as np

from . import symbols

# Note [Where things lie]
# Python and NumPy promise where an object has its type, an array what tells how it lies, and a tuple its items. Where a dictionary has its version they do not: that it changes
# whenever the dictionary does, and else never, is seen before it is relied on.

HEAD = object.__basicsize__
TYPE = HEAD - 8
DATA, RANK, SHAPE, STRIDES, DESCR, FLAGS = HEAD, HEAD + 8, HEAD + 16, HEAD + 24, HEAD + 40, HEAD + 48
ITEMS = tuple.__basicsize__
# Of a list: how many items there are, and where; of a cell: what it holds; of a dictionary: its version.
LENGTH, LISTED, HELD, VERSION = HEAD, HEAD + 8, HEAD, HEAD + 8

_DECLARED = """
declare void @transpile_py_Py_IncRef(ptr)
declare void @transpile_py_Py_DecRef(ptr)
declare i32 @transpile_py_PyContextVar_Get(ptr, ptr, ptr)
declare ptr @transpile_py_PyObject_GetAttr(ptr, ptr)
declare ptr @transpile_py_PyDict_GetItem(ptr, ptr)
declare i64 @transpile_py_PyDict_Size(ptr)
declare i32 @transpile_py_PyDict_Next(ptr, ptr, ptr, ptr)
declare ptr @transpile_py_PyDict_New()
declare i32 @transpile_py_PyDict_SetItem(ptr, ptr, ptr)
declare ptr @transpile_py_PyTuple_New(i64)
declare ptr @transpile_py_PyList_New(i64)
declare ptr @transpile_py_PyBytes_FromStringAndSize(ptr, i64)
declare ptr @transpile_py_PyObject_Vectorcall(ptr, ptr, i64, ptr)
declare i64 @transpile_py_PyLong_AsLongLong(ptr)
declare i64 @transpile_py_PyLong_AsLongLongAndOverflow(ptr, ptr)
declare double @transpile_py_PyFloat_AsDouble(ptr)
declare ptr @transpile_py_PyLong_FromLongLong(i64)
declare ptr @transpile_py_PyFloat_FromDouble(double)
declare ptr @transpile_py_PyBool_FromLong(i64)
declare ptr @transpile_py_PyThreadState_Get()
declare ptr @transpile_py_PyThreadState_GetInterpreter(ptr)
declare ptr @transpile_py_PyInterpreterState_ThreadHead(ptr)
declare ptr @transpile_py_PyThreadState_Next(ptr)
declare ptr @transpile_py_PyEval_SaveThread()
declare void @transpile_py_PyEval_RestoreThread(ptr)
declare void @transpile_py_PyErr_SetObject(ptr, ptr)
declare i32 @transpile_py_PyErr_ExceptionMatches(ptr)
declare void @transpile_py_PyErr_Clear()
declare void @transpile_py_PyErr_Fetch(ptr, ptr, ptr)
declare void @transpile_py_PyErr_Restore(ptr, ptr, ptr)
declare i32 @transpile_py_PyGILState_Ensure()
declare void @transpile_py_PyGILState_Release(i32)
declare ptr @transpile_result_array(ptr, ptr, i32, ptr, i32, i64)
declare ptr @transpile_py_PyArray_Scalar(ptr, ptr, ptr)
declare i32 @transpile_c_memcmp(ptr, ptr, i64)
declare {i64, i1} @llvm.smul.with.overflow.i64(i64, i64)
declare {i64, i1} @llvm.sadd.with.overflow.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.abs.i64(i64, i1)
"""
_SIGNATURES = {
    name: (returned, bool(given))
    for returned, name, given in re.findall(r"declare (.*) @([\w.]+)\((.*)\)", _DECLARED)
}
# The places of functions in NumPy's table of its interface, which are promised.
_NUMPY = {"PyArray_Scalar": 60, "PyArray_NewFromDescr": 94, "PyDataMem_SetHandler": 304}


def _address(name: str) -> int | None:
    if name in _NUMPY:
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
        table = pointer(np._core._multiarray_umath._ARRAY_API, None)  # type: ignore[attr-defined]
        return ctypes.c_void_p.from_address(table + 8 * _NUMPY[name]).value
    found = getattr(ctypes.pythonapi, name, None)
    return found and ctypes.cast(found, ctypes.c_void_p).value


symbols.provide("py", _address)


class Code:
    """The text of one function `enter(self, args, count)`, as Python calls it by METH_FASTCALL; `self` is a tuple of an array of words, which change, and of things, which do not."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.before: list[str] = []
        self.things: list[Any] = []
        self.words = 0
        self._known: dict[int, str] = {}
        self._count = 0

    def name(self) -> str:
        """Return a new name."""
        self._count += 1
        return f"n{self._count}"

    def line(self, text: str) -> None:
        """Add a line."""
        self.lines.append(text)

    def new(self, text: str) -> str:
        """Add what gives a value, and return its name."""
        name = f"%{self.name()}"
        self.line(f"{name} = {text}")
        return name

    def call(self, name: str, *given: str) -> str:
        """Add a call of a declared function, and return what it gives."""
        name = name if name.startswith(("llvm.", "transpile_")) else f"transpile_py_{name}"
        returned, _ = _SIGNATURES[name]
        text = f"call {returned} @{name}({', '.join(given)})"
        if returned != "void":
            return self.new(text)
        self.line(text)
        return ""

    def room(self, kind: str) -> str:
        """Return a place in the frame of the function."""
        name = f"%{self.name()}"
        self.before.append(f"{name} = alloca {kind}")
        return name

    def slot(self) -> str:
        """Return a place in the frame of the function for something of Python's: nothing, at first."""
        slot = self.room("ptr")
        self.before.append(f"store ptr null, ptr {slot}")
        return slot

    def at(self, base: str, offset: int | str) -> str:
        """Return the address so many bytes behind another one."""
        return self.new(f"getelementptr i8, ptr {base}, i64 {offset}")

    def load(self, kind: str, base: str, offset: int = 0) -> str:
        """Return what lies so many bytes behind an address."""
        return self.new(f"load {kind}, ptr {self.at(base, offset)}")

    def store(self, kind: str, value: str, base: str, offset: int = 0) -> None:
        """Store a value so many bytes behind an address."""
        self.line(f"store {kind} {value}, ptr {self.at(base, offset)}")

    def thing(self, thing: Any) -> str:
        """Return the address of a thing that is kept."""
        place = next((k for k, known in enumerate(self.things) if known is thing), None)
        if place is None:
            place = len(self.things)
            self.things.append(thing)
        return self.load("ptr", "%self", ITEMS + 8 * (place + 1))

    def word(self) -> int:
        """Return the place of a new word, in bytes."""
        self.words += 1
        return 8 * (self.words - 1)

    def test(self, text: str, otherwise: str) -> None:
        """Go on where a comparison holds."""
        self.unless(self.new(f"icmp {text}"), otherwise)

    def unless(self, holds: str, otherwise: str) -> None:
        """Go on where a truth value holds."""
        following = self.name()
        self.line(f"br i1 {holds}, label %{following}, label %{otherwise}")
        self.label(following)

    def label(self, name: str) -> None:
        """Begin a block."""
        self.line(f"{name}:")

    def jump(self, name: str) -> None:
        """Go to a block."""
        self.line(f"br label %{name}")

    def text(self) -> str:
        """Return the module."""
        body = [
            "define ptr @enter(ptr %self, ptr %args, i64 %count) {",
            "start:",
            *self.before,
            f"%first = getelementptr i8, ptr %self, i64 {ITEMS}",
            "%array = load ptr, ptr %first",
            f"%field = getelementptr i8, ptr %array, i64 {DATA}",
            "%words = load ptr, ptr %field",
            *self.lines,
            "}",
        ]
        return f"{_DECLARED}\n" + "\n".join(body)


class Method(ctypes.Structure):
    """What Python knows of a function in C."""

    _fields_ = (
        ("name", ctypes.c_char_p), ("function", ctypes.c_void_p), ("flags", ctypes.c_int), ("text", ctypes.c_char_p),
    )  # fmt: skip


_FASTCALL = 0x80


@cache
def _method(text: str) -> Method:
    engine = symbols.machine_code(text, 1)
    made = Method(b"enter", engine.get_function_address("enter"), _FASTCALL, None)
    symbols.keep(made)
    return made


def function(text: str, own: tuple[Any, ...]) -> Any:
    """Return the function of a module as one of Python's, which has `own` for itself."""
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype = ctypes.py_object
    make.argtypes = (ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
    return make(ctypes.addressof(_method(text)), own, None)


def word(address: int) -> int:
    """Return the eight bytes at an address, as a number without a sign."""
    return ctypes.c_uint64.from_address(address).value


@cache
def has_versions() -> bool:
    """Whether dictionaries have versions."""
    things: dict[str, Any] = {"first": 1}
    seen = []
    for change in (
        lambda: None,
        lambda: things.update(first=2),
        lambda: things.update(second=3),
        lambda: things.pop("first"),
    ):
        change()
        seen += [word(id(things) + VERSION), (things.get("first"), word(id(things) + VERSION))[1]]
    return seen[::2] == seen[1::2] and len(set(seen)) == 4


@cache
def field_of(name: str) -> int | None:
    """Return where a function has what is read as one of its attributes, a null pointer for None; None where that is not known."""
    inner = 0

    def first(x: int = 1, *, y: str = "y") -> int:
        return x + inner

    def second(x: float = 1.5, *, y: str = "z") -> float:
        return x - inner

    if name not in ("__code__", "__defaults__", "__kwdefaults__", "__closure__"):
        return None
    places = range(HEAD, types.FunctionType.__basicsize__, 8)
    found = [n for n in places if all(word(id(f) + n) == id(getattr(f, name)) for f in (first, second))]
    return found[0] if len(found) == 1 else None


@cache
def order_of_bases() -> int | None:
    """Return where a class has the order in which it and those that it inherits from are asked; None where that is not known."""
    first = type("first", (), {})
    second = type("second", (first,), {})
    size: int = vars(type)["__basicsize__"].__get__(type)
    places = range(HEAD, size, 8)
    found = [n for n in places if all(word(id(kind) + n) == id(kind.__mro__) for kind in (first, second))]
    return found[0] if len(found) == 1 else None


@cache
def is_known() -> bool:
    """Whether objects lie in memory as this file has it."""
    array, cell = np.zeros((2, 3)), (lambda: array).__closure__
    assert cell is not None
    row, items = (array, cell), [array]
    found = [
        (id(array) + TYPE, id(np.ndarray)), (id(array) + DATA, array.ctypes.data), (id(array) + DESCR, id(array.dtype)),
        (word(id(array) + SHAPE) + 8, 3), (word(id(array) + STRIDES), 24), (id(row) + ITEMS + 8, id(cell)), (id(cell[0]) + HELD, id(array)),
        (id(items) + LENGTH, 1), (word(id(items) + LISTED), id(array)),
    ]  # fmt: skip
    small = ctypes.c_uint32.from_address
    return (
        HEAD == 16
        and all(word(place) == expected for place, expected in found)
        and (small(id(array) + RANK).value, small(id(array) + FLAGS).value) == (2, array.flags.num)
    )
