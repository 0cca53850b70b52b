"""Ops that hold regions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from transpile.runtime.graph.types import Type

from .opdef import OpDef, define


def _given(operands: Sequence[Type], attributes: Mapping[str, Any]) -> tuple[Type, ...]:
    return tuple(attributes["types"])


# cond(test): the results of the first region where test is true, else of the second.
define(OpDef("cond", _given, family="control"))
# while_loop(initial...): carried values; regions: a test of them, and a body that gives their next values. The attribute `until` is
# the place of the carried value that, once true, ends the loop before the test.
define(OpDef("while_loop", _given, family="control"))
# for_loop(start, stop, step, initial...): the region's first argument runs over the range.
define(OpDef("for_loop", _given, family="control"))
