"""Texts and paths that are handed in, as any may be: for functions that only hand them on, to files say."""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True)
class AnyText:
    """A text or path among the arguments at hand, in the stead of which another one may be handed in."""

    text: Any


def any_text(outside: Outside, path: Path, text: Any) -> SymbolicText:
    """Return what stands for a text, or a path, of which nothing is known."""
    outside.guard(path, "type", type(text))
    value, _ = outside.inputs.input(Input("scalar", path, held=True), INT, name_of(path))
    outside.recorder.texts[value] = text
    held = SymbolicObject(value, type(text))
    if isinstance(text, str):
        return SymbolicText(_itself, (held,), is_sure=True)
    return SymbolicPath(_itself, held)


def _itself(thing: Any) -> Any:
    return thing
