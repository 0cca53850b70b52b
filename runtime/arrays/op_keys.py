"""What tells ops apart: those on the same scalars with the same attributes give the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import ScalarType


def are_scalars(values: Sequence[Value]) -> bool:
    """Whether all values are scalars."""
    # Asked for each op: without a generator.
    for value in values:  # noqa: SIM110
        if type(value.type) is not ScalarType:
            return False
    return True


def key_of(attributes: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return what tells attributes apart."""
    return tuple(sorted((k, hashable(v)) for k, v in attributes.items())) if attributes else ()


def hashable(attribute: Any) -> Any:
    """Return what tells an attribute apart, numbers by their bits: 0.0 is not -0.0, and NaN has a sign."""
    if isinstance(attribute, (float, complex, np.inexact)):
        return (type(attribute), np.asarray(attribute).tobytes())
    return (type(attribute), attribute)


def stands_for_something(option: Any) -> bool:
    """Whether an attribute of an op is, or holds, what stands for a thing of which only run time knows."""
    if type(option) is tuple:
        return any(map(stands_for_something, option))
    return hasattr(type(option), "stands_for")
