"""Texts and paths that are handed in, as any may be: for functions that only hand them on, to files say."""

from __future__ import annotations

import pathlib
from typing import TYPE_CHECKING, Any

from transpile.runtime.arrays.handle import SymbolicObject
from transpile.runtime.graph.ir import Input
from transpile.runtime.graph.types import INT
from transpile.runtime.operators.deferred import SymbolicText
from transpile.runtime.operators.paths import SymbolicPath

from .inputs import name_of
from .path import Path

if TYPE_CHECKING:
    from .outside import Outside


class AnyText(str):
    """A text among the arguments at hand, in the stead of which another one may be handed in."""

    __slots__ = ()


def any_text(outside: Outside, path: Path, text: str) -> SymbolicText:
    """Return what stands for a text of which nothing is known."""
    return SymbolicText(_itself, (_handed(outside, path, str(text)),), is_sure=True)


def any_path(outside: Outside, path: Path, thing: pathlib.Path) -> SymbolicPath:
    """Return what stands for a path of `pathlib`, of which nothing is known."""
    return SymbolicPath(_itself, _handed(outside, path, thing))


def _handed(outside: Outside, path: Path, thing: Any) -> SymbolicObject:
    outside.guard(path, "type", type(thing))
    value, _ = outside.inputs.input(Input("scalar", path, held=True), INT, name_of(path))
    outside.recorder.texts[value] = thing
    return SymbolicObject(value, type(thing))


def _itself(thing: Any) -> Any:
    return thing
