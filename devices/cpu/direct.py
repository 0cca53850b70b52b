"""Calls of a kernel by machine code that stands between Python and it: what makes arrays for its results, saves what it writes, and returns what it gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from transpile.devices.loops.buffer import Buffer
from transpile.runtime.graph.dim import DimLike, terms_of
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import ScalarType

from . import c_code
from .c_code import DATA, ITEMS, LISTED, TYPE, Code
from .direct_kernel import KernelCall
from .direct_upcalls import BUSY, HITS, MARKED, Registered, held_at, order_flags, words_for
from .executable import FRAME, Executable

# Note [Direct calls]
# What Executable does around a kernel takes some microseconds in Python. Where a call has but to make the arrays of its results, machine code does the same, with the
# same functions of NumPy's. It ends by itself where the kernel has ended well and called nothing in Python; whatever else there is, `settle` does, in Python, as ever. What it
# cannot know for certain beforehand, it leaves to the ordinary way before it has done anything.

# The largest array that is saved so.
_MOST = 1 << 15
_NOTHING = "ptr null"


class Direct:
    """Writes the call of a kernel: `arrays` and `scalars` are what it is given, by name; `sizes` those of the values that dims are over."""

    def __init__(self, code: Code, executable: Executable) -> None:
        self.code, self.executable = code, executable
        self.program, self.kernel = executable.program, executable.kernel
        self.silent = executable.is_silent
        self.call = None if self.silent else executable.new_call()
        code.words = words_for(len(self.kernel.late))
        self.inputs = [item for item in self.program.inputs if isinstance(item, Buffer)]
        self.outputs = [code.room("ptr") for _ in self.program.outputs]
        self.saved = [code.room("ptr") for _ in executable.saved]
        self.status, self.result = code.room("ptr"), code.room("ptr")
        self.again = code.room("i1")
        # The call without Python's tuples in between, where there can be one.
        self.own = KernelCall(code, executable) if KernelCall.can(executable) else None
        self.arrays: Sequence[str] = ()
        self.shares: list[str] = []
        # The numbers among the results that are made already, by place: who returns one twice returns one object.
        self._made: dict[int, str] = {}

    @staticmethod
    def can(executable: Executable) -> bool:
        """Whether a kernel can be called so."""
        buffers = [*executable.program.outputs, *executable.kernel.late]
        return c_code.is_known() and not executable.is_late and all(b.layout in ("C", "F") for b in buffers)

    # -- before the kernel -------------------------------------------------------------------------------------

    def run(
        self,
        arrays: Sequence[str],
        scalars: Sequence[str],
        counts: Sequence[str],
        sizes: dict[Value, str],
        found: Sequence[str],
    ) -> None:
        """Write what runs the kernel; `counts` are the numbers of elements of the arrays. Goes to "slow" where something else has to run the call.

        Of what was `found` elsewhere than among the arguments, the call takes a share: the arguments for the kernel are a new tuple, which may have
        garbage collected, and what is run then may put something else in its place.
        """
        code = self.code
        self.arrays = arrays
        saved = self.executable.saved
        lengths = [self._bytes(place, counts[place]) for place in saved]
        shapes = [self._shape(buffer, sizes) for buffer in self.program.outputs]
        if not self.silent:
            code.test(f"eq i64 {code.load('i64', '%words', BUSY)}, 0", "slow")
        for slot in (*self.outputs, *self.saved, self.status, self.result):
            code.line(f"store ptr null, ptr {slot}")
        for value in found:
            self.shares.append(code.room("ptr"))
            code.call("Py_IncRef", f"ptr {value}")
            code.line(f"store ptr {value}, ptr {self.shares[-1]}")
        code.line(f"store i1 0, ptr {self.again}")
        for slot, buffer, shape in zip(self.outputs, self.program.outputs, shapes, strict=True):
            self._make(slot, buffer, shape)
        for slot, place, length in zip(self.saved, saved, lengths, strict=True):
            data = code.load("ptr", arrays[place], DATA)
            copy = code.call("PyBytes_FromStringAndSize", f"ptr {data}", f"i64 {length}")
            code.line(f"store ptr {copy}, ptr {slot}")
            code.test(f"ne ptr {copy}, null", "early")
        frame = code.thing(FRAME if self.call is None else self.call.frame)
        if not self.silent:
            code.store("i64", "1", "%words", BUSY)
        outputs = [code.new(f"load ptr, ptr {slot}") for slot in self.outputs]
        given = [frame, *arrays, *outputs]
        first = self._run(given, scalars) if self.own is None else self._run_own(self.own, given, scalars)
        if not self.silent:
            code.test(f"eq i64 {code.load('i64', '%words', MARKED)}, 0", "settle")
        code.test(f"eq i64 {first}, 0", "settle")

    def _run(self, arrays: Sequence[str], scalars: Sequence[str]) -> str:
        """Write the call of what Python calls, and return the status."""
        code = self.code
        status = self.called(code.thing(self.executable.compiled), [*arrays, *scalars])
        code.line(f"store ptr {status}, ptr {self.status}")
        code.test(f"ne ptr {status}, null", "raised")
        first = code.load("ptr", status, ITEMS) if self.kernel.scalars else status
        return code.call("PyLong_AsLongLong", f"ptr {first}")

    def _run_own(self, own: KernelCall, arrays: Sequence[str], scalars: Sequence[str]) -> str:
        """Write the call of the kernel's own function, and return the status."""
        own.run(arrays, scalars)
        return own.number(0)

    def _bytes(self, place: int, count: str) -> str:
        code = self.code
        length = code.new(f"mul i64 {count}, {self.inputs[place].dtype.itemsize}")
        code.test(f"ule i64 {length}, {_MOST}", "slow")
        return length

    def _shape(self, buffer: Buffer, sizes: dict[Value, str]) -> str:
        code = self.code
        room = code.room(f"[{max(len(buffer.dims), 1)} x i64]")
        for axis, dim in enumerate(buffer.dims):
            size = code.call("llvm.smax.i64", f"i64 {self._number(dim, sizes)}", "i64 0")
            code.store("i64", size, room, 8 * axis)
        return room

    def _number(self, dim: DimLike, sizes: dict[Value, str]) -> str:
        total = "0"
        for monomial, factor in terms_of(dim):
            product = str(factor)
            for value in monomial:
                product = self._exact("smul", product, sizes[value])
            total = self._exact("sadd", total, product)
        return total

    def _exact(self, name: str, left: str, right: str) -> str:
        """Return what two numbers give, one of which is known before or not; "slow" is to run what leaves the range."""
        code = self.code
        if not (left.startswith("%") or right.startswith("%")):
            return str(int(left) + int(right) if name == "sadd" else int(left) * int(right))
        pair = code.call(f"llvm.{name}.with.overflow.i64", f"i64 {left}", f"i64 {right}")
        over = code.new(f"extractvalue {{i64, i1}} {pair}, 1")
        code.test(f"eq i1 {over}, 0", "slow")
        return code.new(f"extractvalue {{i64, i1}} {pair}, 0")

    def _make(self, slot: str, buffer: Buffer, shape: str) -> None:
        code = self.code
        dtype = code.thing(buffer.dtype)
        code.call("Py_IncRef", f"ptr {dtype}")
        given = f"ptr {code.thing(np.ndarray)}", f"ptr {dtype}", f"i32 {len(buffer.dims)}", f"ptr {shape}"
        order, size = f"i32 {order_flags(buffer)}", f"i64 {buffer.dtype.itemsize}"
        made = code.call("transpile_result_array", *given, order, size)
        code.line(f"store ptr {made}, ptr {slot}")
        code.test(f"ne ptr {made}, null", "early")

    # -- after the kernel --------------------------------------------------------------------------------------

    def given(self, place: int) -> str:
        """Write what gives a result of the graph, and return it: a share in it."""
        code = self.code
        result = self.program.results[place]
        if isinstance(result, Value):
            if place in self._made:
                code.call("Py_IncRef", f"ptr {self._made[place]}")
            else:
                self._made[place] = self._scalar(result)
            return self._made[place]
        if result in self.inputs:
            thing = self.arrays[self.inputs.index(result)]
        elif result in self.program.outputs:
            thing = code.new(f"load ptr, ptr {self.outputs[self.program.outputs.index(result)]}")
        else:
            thing = code.load("ptr", "%words", held_at(self.kernel.late.index(result)))
        code.call("Py_IncRef", f"ptr {thing}")
        return thing

    def _scalar(self, result: Value) -> str:
        code, own = self.code, self.own
        assert isinstance(result.type, ScalarType)
        place = 1 + self.kernel.scalars.index(result)
        kind = result.type.python if result.type.weak else result.type.dtype.type
        if own is not None and (kind, own.kinds[place]) in _PLAIN:
            made = own.made(place)
        elif own is not None and kind is bool:
            made = code.call("PyBool_FromLong", f"i64 {own.number(place)}")
        elif own is not None and not result.type.weak and _kept_as(kind) == own.kinds[place]:
            return self._of_numpy(np.dtype(kind), own.number(place))
        elif own is not None:
            number = own.made(place)
            made = self._of_number(result.type, kind, number)
            code.call("Py_DecRef", f"ptr {number}")
        else:
            status = code.new(f"load ptr, ptr {self.status}")
            return self._of_number(result.type, kind, code.load("ptr", status, ITEMS + 8 * place))
        code.test(f"ne ptr {made}, null", "exit")
        return made

    def _of_number(self, type_: ScalarType, kind: type, number: str) -> str:
        """Write what makes a result of a number of Python's."""
        code = self.code
        if type_.weak:
            return self._converted(number, kind)
        dtype = np.dtype(kind)
        if dtype in _READ:
            function, _ = _READ[dtype]
            return self._of_numpy(dtype, code.call(function, f"ptr {number}"))
        made = self.called(code.thing(kind), [number])
        code.test(f"ne ptr {made}, null", "exit")
        return made

    def _of_numpy(self, dtype: np.dtype[Any], number: str) -> str:
        """Write what makes one of NumPy's numbers."""
        code = self.code
        room = code.room("i64")
        code.store(_READ[dtype][1], number, room)
        made = code.call("PyArray_Scalar", f"ptr {room}", f"ptr {code.thing(dtype)}", _NOTHING)
        code.test(f"ne ptr {made}, null", "exit")
        return made

    def _converted(self, number: str, kind: type) -> str:
        """Write what makes one of Python's numbers of another, which mostly is one of that kind."""
        code = self.code
        slot, other, known = code.room("ptr"), code.name(), code.name()
        code.line(f"store ptr {number}, ptr {slot}")
        code.test(f"eq ptr {code.load('ptr', number, TYPE)}, {code.thing(kind)}", other)
        code.call("Py_IncRef", f"ptr {number}")
        code.jump(known)
        code.label(other)
        made = self.called(code.thing(kind), [number])
        code.line(f"store ptr {made}, ptr {slot}")
        code.test(f"ne ptr {made}, null", "exit")
        code.jump(known)
        code.label(known)
        return code.new(f"load ptr, ptr {slot}")

    def row(self, items: Sequence[str], kind: str = "Tuple") -> str:
        """Write what makes a tuple or list of things, of each of which there is a share."""
        code = self.code
        made = code.call(f"Py{kind}_New", f"i64 {len(items)}")
        code.test(f"ne ptr {made}, null", "exit")
        first = code.at(made, ITEMS) if kind == "Tuple" else code.load("ptr", made, LISTED)
        for place, item in enumerate(items):
            code.store("ptr", item, first, 8 * place)
        return made

    def called(self, function: str, given: Sequence[str]) -> str:
        """Write a call of one of Python's things."""
        code = self.code
        room = code.room(f"[{max(len(given), 1)} x ptr]")
        for place, thing in enumerate(given):
            code.store("ptr", thing, room, 8 * place)
        return code.call(
            "PyObject_Vectorcall", f"ptr {function}", f"ptr {room}", f"i64 {len(given)}", _NOTHING
        )

    def shared(self, things: Sequence[str]) -> str:
        """Write what makes a tuple of things, with a share in each."""
        for thing in things:
            self.code.call("Py_IncRef", f"ptr {thing}")
        return self.row(things)

    def end(
        self,
        result: str,
        settle: Callable[..., Any],
        clear: Callable[[], None],
        values: int,
        handed: Sequence[str],
        release: Callable[[], None],
    ) -> None:
        """Write what returns the result, and all other ends; `clear` makes the call ready for the next time where `settle` did not come to that, `release` writes what lets go of what was held."""
        code = self.code
        code.line(f"store ptr {result}, ptr {self.result}")
        hits = code.new(f"add i64 {code.load('i64', '%words', HITS)}, 1")
        code.store("i64", hits, "%words", HITS)
        code.jump("exit")
        code.label("settle")
        self._settle(settle, values, handed)
        if self.own is not None:
            self.own.fail()
            code.jump("raised")
        code.label("raised")
        if not self.executable.is_visible:
            memory = code.call("PyErr_ExceptionMatches", f"ptr {code.thing(MemoryError)}")
            code.test(f"eq i32 {memory}, 0", "early")
        code.jump("exit")
        code.label("early")
        code.call("PyErr_Clear")
        code.line(f"store i1 1, ptr {self.again}")
        code.jump("exit")
        code.label("exit")
        self._exit(clear, release)

    def _settle(self, settle: Callable[..., Any], values: int, handed: Sequence[str]) -> None:
        """Write the call of what does the rest in Python."""
        code = self.code
        late = [code.load("ptr", "%words", held_at(n)) for n in range(len(self.kernel.late))]
        given = [code.load("ptr", "%args", 8 * place) for place in range(values)]
        rows = []
        for things in (
            given,
            self.arrays,
            handed,
            *([code.new(f"load ptr, ptr {slot}") for slot in slots] for slots in (self.outputs, self.saved)),
            late,
        ):
            none = code.thing(None)
            shares = []
            for thing in things:
                there = code.new(f"icmp ne ptr {thing}, null")
                shares.append(code.new(f"select i1 {there}, ptr {thing}, ptr {none}"))
                code.call("Py_IncRef", f"ptr {shares[-1]}")
            rows.append(self.row(shares))
        status = self._status()
        result = self.called(code.thing(settle), [*rows, status])
        code.line(f"store ptr {result}, ptr {self.result}")
        for row in rows:
            code.call("Py_DecRef", f"ptr {row}")
        code.jump("exit")

    def _status(self) -> str:
        """Write what the kernel gives as Python has it: a status, or a tuple of it and scalars."""
        code, own = self.code, self.own
        if own is None:
            return code.new(f"load ptr, ptr {self.status}")
        numbers = [own.made(place) for place in range(len(own.kinds))]
        status = self.row(numbers) if self.kernel.scalars else numbers[0]
        code.line(f"store ptr {status}, ptr {self.status}")
        return status

    def _clear(self, clear: Callable[[], None]) -> None:
        """Write what clears the call that has called Python, and was not settled: an interrupt comes between, or memory has run out. Locks may be held."""
        code = self.code
        left, cleared = code.name(), code.name()
        marked = code.new(f"icmp ne i64 {code.load('i64', '%words', MARKED)}, 0")
        code.line(f"br i1 {marked}, label %{left}, label %{cleared}")
        code.label(left)
        error = [code.room("ptr") for _ in range(3)]
        code.call("PyErr_Fetch", *(f"ptr {slot}" for slot in error))
        code.call("Py_DecRef", f"ptr {self.called(code.thing(clear), [])}")
        code.call("PyErr_Restore", *(f"ptr {code.new(f'load ptr, ptr {slot}')}" for slot in error))
        code.jump(cleared)
        code.label(cleared)

    def _exit(self, clear: Callable[[], None], release: Callable[[], None]) -> None:
        code = self.code
        if not self.silent:
            self._clear(clear)
        for slot in (*self.outputs, *self.saved, *self.shares, self.status):
            code.call("Py_DecRef", f"ptr {code.new(f'load ptr, ptr {slot}')}")
        for number in range(len(self.kernel.late)):
            place = held_at(number)
            held = code.load("ptr", "%words", place)
            code.store("ptr", "null", "%words", place)
            code.call("Py_DecRef", f"ptr {held}")
        if not self.silent:
            # Where what Python has left behind could not be settled, it is not used again.
            code.store("i64", code.load("i64", "%words", MARKED), "%words", BUSY)
        again = code.new(f"load i1, ptr {self.again}")
        code.test(f"eq i1 {again}, 0", "slow")
        release()
        code.line(f"ret ptr {code.new(f'load ptr, ptr {self.result}')}")

    def bind(self, words: Any) -> Registered | None:
        """Fill the words that the code begins with; return what has to be kept as long as it."""
        if self.own is not None:
            self.own.bind(words)
        return Registered(self.call, self.executable, words) if self.call is not None else None


# The numbers of Python's that are made of those of a kernel at once.
_PLAIN = {(int, "i64"), (float, "double")}
# NumPy's numbers that are read of Python's.
_READ = {
    np.dtype(np.int64): ("PyLong_AsLongLong", "i64"),
    np.dtype(np.float64): ("PyFloat_AsDouble", "double"),
}


def _kept_as(kind: type) -> str:
    """Return how a number of NumPy's lies in memory, if that is known."""
    return _READ.get(np.dtype(kind), ("", ""))[1]
