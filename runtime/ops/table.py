"""The whole op table: importing this module declares every family."""

from . import control, creation, elementwise, gathering, hosted, linalg, reductions, scalars, shapes
from .opdef import TABLE, OpDef

__all__ = ["TABLE", "OpDef"]

assert all((control, creation, elementwise, gathering, hosted, linalg, reductions, scalars, shapes))
