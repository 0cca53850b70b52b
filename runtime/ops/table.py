"""The whole op table: importing this module declares every family."""

from . import (  # noqa: F401 (each declares its ops)
    control,
    creation,
    draws,
    elementwise,
    floating_errors,
    gathering,
    hosted,
    kept,
    linalg,
    reductions,
    scalars,
    shapes,
)
from .opdef import TABLE, OpDef

__all__ = ["TABLE", "OpDef"]
