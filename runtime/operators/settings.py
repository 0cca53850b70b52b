"""NumPy's settings, asked for and changed: while tracing they are what they are at that place of the program, and the call changes them at run time."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

import numpy as np

from transpile.runtime.arrays.cells import STDOUT
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.recorder import Recorder, recorder
from transpile.runtime.arrays.references import is_symbolic
from transpile.runtime.ops.floating_errors import USUAL_BUFFER, call_for_warnings, told
from transpile.runtime.ops.journal import journal

from .attempts import Attempt
from .hosts import host_call

# Note [Settings]
# What the settings are when a call begins is guarded, by traces that ask. So all that they are later is known while tracing: a function that changes one
# changes it in the trace as well, which gives it back at its end. What NumPy does about floating-point errors shows in nothing that a call does
# otherwise, and is set when it ends: until then, whatever fails is left to the original. How arrays are printed shows in what is printed: that is
# set in order, and text that is made later than it is asked for is made as things were then.


def _refuse(reason: str) -> None:
    recorder().unstageable("S312-setting", reason)


def _changing(name: str, values: tuple[Any, ...]) -> Recorder:
    """Return the recorder, of a trace that changes a setting here, on every way."""
    record = recorder()
    if record.frame is not record.graph_frame or record.in_errstate:
        _refuse(f"numpy.{name} in a branch or a loop, or within numpy.errstate")
    _check_known(name, values)
    return record


def _check_known(name: str, values: Iterable[Any]) -> None:
    if any(is_symbolic(value) or isinstance(value, dict) or callable(value) for value in values):
        _refuse(f"numpy.{name} of what run time gives, or of functions")


# -- floating-point errors -----------------------------------------------------------------------------------------


@implements(np.geterr)
def geterr() -> Any:
    """Stand for `numpy.geterr`."""
    recorder().rests_on("errors")
    return told()


@implements(np.seterr)
def seterr(
    all: Any = None, divide: Any = None, over: Any = None, under: Any = None, invalid: Any = None
) -> Any:
    """Stand for `numpy.seterr`, which tells NumPy to warn of errors, or to be silent."""
    kinds = {"all": all, "divide": divide, "over": over, "under": under, "invalid": invalid}
    record = _changing("seterr", tuple(kinds.values()))
    if any(kind not in ("ignore", "warn", None) for kind in kinds.values()):
        _refuse("numpy.seterr asks for floating-point errors to be raised, called, printed or logged")
    before = geterr()
    np.seterr(**kinds)
    call_for_warnings()
    record.changes_errors = True
    record.ends.append(functools.partial(np.seterr, **told()))
    return before


@implements(np.geterrcall)
def geterrcall() -> Any:
    """Stand for `numpy.geterrcall`."""
    if recorder().rests_on("error_call") is not None:
        _refuse("numpy.geterrcall gives what the trace does not know")
    return None


@implements(np.seterrcall)
def seterrcall(func: Any) -> Any:
    """Stand for `numpy.seterrcall` of nothing, where nothing is called as it is."""
    if func is not None:
        _refuse("numpy.seterrcall of something")
    return geterrcall()


@implements(np.getbufsize)
def getbufsize() -> Any:
    """Stand for `numpy.getbufsize`."""
    return recorder().rests_on("buffer_size")


@implements(np.setbufsize)
def setbufsize(size: Any) -> Any:
    """Stand for `numpy.setbufsize`, where it is that which kernels take for given."""
    record = _changing("setbufsize", (size,))
    before = getbufsize()
    if type(size) is not int or size != USUAL_BUFFER:
        _refuse("numpy.setbufsize to another size than the usual one")
    record.ends.append(functools.partial(np.setbufsize, size))
    return before


# -- printing ------------------------------------------------------------------------------------------------------


@implements(np.get_printoptions)
def get_printoptions() -> Any:
    """Stand for `numpy.get_printoptions`."""
    recorder().rests_on("printing")
    return np.get_printoptions()


@implements(np.set_printoptions)
def set_printoptions(*values: Any, **options: Any) -> None:
    """Stand for `numpy.set_printoptions`."""
    _print(_changing("set_printoptions", (*values, *options.values())), values, options)


def _print(record: Recorder, values: tuple[Any, ...], options: dict[str, Any]) -> None:
    """Have arrays printed otherwise from here on: while tracing, and by the call."""
    if record.made_text and record.printing is None:
        _refuse("numpy.set_printoptions after text was made that may be needed later")
    if options.get("legacy"):
        _refuse("numpy.set_printoptions with legacy=")
    record.rests_on("printing")
    np.set_printoptions(*values, **options)
    printing: Any = np.get_printoptions()
    record.printing = printing
    change = functools.partial(np.set_printoptions, **printing)

    def noted() -> None:
        before = np.get_printoptions()
        journal().keep_setting("printing", lambda: np.set_printoptions(**before))
        change()

    host_call(STDOUT, change, (), noted=noted)


class Printing(Attempt):
    """Stands for `numpy.printoptions`: what may fail within is left to the original."""

    def __init__(self, values: tuple[Any, ...], options: dict[str, Any]) -> None:
        super().__init__()
        self.values, self.options = values, options

    def __enter__(self) -> Any:
        _check_known("printoptions", (*self.values, *self.options.values()))
        record = recorder()
        self.printing, self.before = record.printing, get_printoptions()
        _print(record, self.values, self.options)
        super().__enter__()
        return get_printoptions()

    def __exit__(self, *failure: object) -> None:
        super().__exit__()
        if failure[1] is None:
            _print(recorder(), (), self.before)
        else:
            np.set_printoptions(**self.before)
            recorder().printing = self.printing


@implements(np.printoptions)
def printoptions(*values: Any, **options: Any) -> Any:
    """Stand for `numpy.printoptions`."""
    return Printing(values, options)
