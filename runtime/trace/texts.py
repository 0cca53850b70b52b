"""Texts, bytes and paths that are handed in, as any may be: for functions that only hand them on, to files say."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from transpile.runtime.arrays.array import dim_scalar
from transpile.runtime.arrays.handle import SymbolicObject
from transpile.runtime.arrays.lists import StagedList
from transpile.runtime.arrays.row_buffers import column_of
from transpile.runtime.graph.ir import Input
from transpile.runtime.graph.types import INT, weak
from transpile.runtime.operators.characters import HandedBytes, HandedText
from transpile.runtime.operators.deferred import SymbolicText
from transpile.runtime.operators.paths import SymbolicPath

from .inputs import name_of
from .path import Path

if TYPE_CHECKING:
    from .outside import Outside


@dataclass(frozen=True)
class AnyText:
    """A text, bytes or path among the arguments at hand, in the stead of which another one may be handed in."""

    text: Any


def any_text(outside: Outside, path: Path, text: Any) -> SymbolicText:
    """Return what stands for a text, or a path, of which nothing is known."""
    outside.guard(path, "type", type(text))
    value, _ = outside.inputs.input(Input("scalar", path, held=True), INT, name_of(path))
    outside.recorder.texts[value] = text
    held = SymbolicObject(value, type(text))
    if isinstance(text, (str, bytes)):
        kind = HandedText if isinstance(text, str) else HandedBytes
        return kind(str(path), _itself, (held,), functools.cache(lambda: _codes(outside, path, text)))
    return SymbolicPath(_itself, held)


def _codes(outside: Outside, path: Path, text: str | bytes) -> StagedList:
    """Return the list of the code points of a text, or of what bytes there are."""
    codes = Path("columns", (codes_of, None), path).item(0)
    # They may be asked for in a loop, where what is read would be a value of the loop.
    with outside.recorder.region(outside.recorder.graph_frame):
        value = outside.inputs.array(codes, *codes_of(text)).read()
        found = StagedList()
        found.row, found.columns = weak(int), [column_of(value)]
        found.end = dim_scalar(found.columns[0].dims[0])
    return found


def codes_of(text: str | bytes, _: Any = None) -> tuple[np.ndarray[Any, Any]]:
    """Return the code points of the characters of a text, or bytes."""
    if isinstance(text, bytes):
        return (np.frombuffer(text, np.uint8).astype(np.int64),)
    return (np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.int64),)


def _itself(thing: Any) -> Any:
    return thing
