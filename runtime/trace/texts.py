"""Texts that are handed in, as any text may be: for functions that only hand them on, to files say."""

from __future__ import annotations

from transpile.runtime.arrays.handle import SymbolicObject
from transpile.runtime.graph.ir import Input
from transpile.runtime.graph.types import INT
from transpile.runtime.operators.deferred import SymbolicText

from .outside import Outside
from .path import Path


class AnyText(str):
    """A text among the arguments at hand, in the stead of which another one may be handed in."""

    __slots__ = ()


def any_text(outside: Outside, path: Path, text: str) -> SymbolicText:
    """Return what stands for a text of which nothing is known."""
    outside.guard(path, "type", str)
    value, _ = outside.inputs.input(Input("scalar", path, held=True), INT, str(path))
    outside.recorder.texts[value] = str(text)
    return SymbolicText(_itself, (SymbolicObject(value, str),), is_sure=True)


def _itself(text: str) -> str:
    return text
