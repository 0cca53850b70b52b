"""NumPy functions written in ops: importing this package declares what stands for them."""

from . import (
    attributes,
    axes,
    copies,
    creation,
    joining,
    ranges,
    reductions,
    reshaping,
    scalars,
    selection,
    sequences,
    ufuncs,
)

__all__ = [
    "attributes",
    "axes",
    "copies",
    "creation",
    "joining",
    "ranges",
    "reductions",
    "reshaping",
    "scalars",
    "selection",
    "sequences",
    "ufuncs",
]
