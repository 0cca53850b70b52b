"""Calls of the function that a kernel is for the processor, by machine code: with what lies in Python's objects, and no tuple of arguments or results in between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .c_code import DATA, SHAPE, STRIDES, Code
from .executable import Executable
from .machine_function import Lies

# Note [Functions of kernels]
# A kernel is compiled to a function as numba has them: of a place for what it returns, one for an exception, and its arguments, arrays as what tells how they lie; and to one as Python calls
# it, which takes its arguments out of a tuple, and puts its results into another. What calls the former does for itself what the latter does besides: other threads may run meanwhile. It
# fails only where memory ends.
#
# To let other threads run and to take one's turn again takes as long as a short kernel, and again for each array of results that one asks for. Where Python knows of one thread alone, only
# threads of C's could run, which call Python now and then: they wait for kernels that have little before them.

# What LLVM calls the types of numbers that are handed over, and of those that are given: what reads them of Python's, and what makes Python's of them.
_NUMBERS = {"int64": "i64", "float64": "double"}
_GIVEN = {**_NUMBERS, "bool": "i8"}
_READ = {"i64": "PyLong_AsLongLong", "double": "PyFloat_AsDouble"}
# From which number on of elements of an array, or for which integers, there may be much to do.
_MUCH = 1024
_MADE = {"i64": "PyLong_FromLongLong", "double": "PyFloat_FromDouble", "i8": "PyBool_FromLong"}


class KernelCall:
    """Writes the call of a kernel; its status and its scalars are then in a place of their own."""

    def __init__(self, code: Code, executable: Executable) -> None:
        self.code, self._made = code, executable.code
        self.kinds = [_GIVEN[kind] for kind in self._made.returned]
        self._row = f"{{{', '.join(self.kinds)}}}"
        self._results = code.room(self._row)
        self._raised = code.room("ptr")
        self._word = code.word()

    @staticmethod
    def can(executable: Executable) -> bool:
        """Whether all that a kernel takes and gives can be handed over so, and other threads may run meanwhile."""
        made = executable.code
        scalars = [kind for kind in made.arguments if not isinstance(kind, Lies)]
        # What draws Python's random numbers keeps the lock.
        is_free = "Random_" not in executable.kernel.text
        return (
            is_free
            and all(kind in _NUMBERS for kind in scalars)
            and all(kind in _GIVEN for kind in made.returned)
        )

    def bind(self, words: Any) -> None:
        """Have the code find the function in this process."""
        words[self._word // 8] = self._made.address

    def run(self, arrays: Sequence[str], scalars: Sequence[str]) -> None:
        """Write the call with arrays and numbers of Python's; goes to "failed" where there is no memory."""
        code = self.code
        kinds = self._made.arguments
        given = [f"ptr {self._results}", f"ptr {self._raised}"]
        sizes = []
        for array, kind in zip(arrays, kinds, strict=False):
            assert isinstance(kind, Lies), "arrays come first"
            lies = self._lies(array, kind)
            given += lies
            sizes.append(lies[2])
        for scalar, kind in zip(scalars, kinds[len(arrays) :], strict=True):
            assert isinstance(kind, str), "numbers come last"
            number = _NUMBERS[kind]
            given.append(f"{number} {code.call(_READ[number], f'ptr {scalar}')}")
            if number == "i64":
                sizes.append(given[-1])
        function = code.load("ptr", "%words", self._word)
        thread = self._let_others_run(sizes)
        status = code.new(f"call i32 {function}({', '.join(given)})")
        self._go_on(thread)
        code.test(f"eq i32 {status}, 0", "failed")

    def _let_others_run(self, sizes: Sequence[str]) -> str:
        """Write what lets other threads run where there are some, or much is to be done, and return the place of what ends that: of nothing, where it was not begun."""
        code = self.code
        thread, free, going = code.room("ptr"), code.name(), code.name()
        code.line(f"store ptr null, ptr {thread}")
        # All are small, and none is negative.
        together = "0"
        for size in sizes:
            together = code.new(f"or i64 {together}, {size.removeprefix('i64 ')}")
        code.test(f"ult i64 {together}, {_MUCH}", free)
        own = code.call("PyThreadState_Get")
        all_ = code.call("PyThreadState_GetInterpreter", f"ptr {own}")
        code.test(f"eq ptr {code.call('PyInterpreterState_ThreadHead', f'ptr {all_}')}, {own}", free)
        code.test(f"eq ptr {code.call('PyThreadState_Next', f'ptr {own}')}, null", free)
        code.jump(going)
        code.label(free)
        code.line(f"store ptr {code.call('PyEval_SaveThread')}, ptr {thread}")
        code.jump(going)
        code.label(going)
        return thread

    def _go_on(self, thread: str) -> None:
        """Write what waits for this thread's turn where others may run."""
        code = self.code
        held, wait, going = code.new(f"load ptr, ptr {thread}"), code.name(), code.name()
        code.test(f"eq ptr {held}, null", wait)
        code.jump(going)
        code.label(wait)
        code.call("PyEval_RestoreThread", f"ptr {held}")
        code.jump(going)
        code.label(going)

    def _lies(self, array: str, kind: Lies) -> list[str]:
        """Return how an array lies, as numba has it, but for who owns it: it is there as long as the call."""
        code = self.code
        shape, strides = (
            [code.load("i64", numbers, 8 * axis) for axis in range(kind.ndim)]
            for numbers in (code.load("ptr", array, SHAPE), code.load("ptr", array, STRIDES))
        )
        count = "1"
        for size in shape:
            count = code.new(f"mul i64 {count}, {size}")
        numbers = [count, str(kind.itemsize)]
        data = f"ptr {code.load('ptr', array, DATA)}"
        owner = ["ptr null", "ptr null"]
        return owner + [f"i64 {n}" for n in numbers] + [data] + [f"i64 {n}" for n in (*shape, *strides)]

    def number(self, place: int) -> str:
        """Return a number that the kernel gives: the status is the first. A truth value is given as an integer."""
        code, kind = self.code, self.kinds[place]
        at = code.new(f"getelementptr {self._row}, ptr {self._results}, i32 0, i32 {place}")
        number = code.new(f"load {kind}, ptr {at}")
        return code.new(f"zext i8 {number} to i64") if kind == "i8" else number

    def made(self, place: int) -> str:
        """Write what makes a number of Python's of one that the kernel gives."""
        kind = self.kinds[place]
        type_ = "i64" if kind == "i8" else kind
        return self.code.call(_MADE[kind], f"{type_} {self.number(place)}")

    def fail(self) -> None:
        """Write what raises where there is no memory."""
        code = self.code
        code.label("failed")
        error, text = code.thing(MemoryError), code.thing("Unable to allocate an array")
        code.call("PyErr_SetObject", f"ptr {error}", f"ptr {text}")
