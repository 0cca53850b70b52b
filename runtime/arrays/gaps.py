"""How the elements of an array lie in memory, where that is not as in memory of its own."""

from __future__ import annotations

from transpile.runtime.views.view import View

from .array import Reshape, SymbolicArray


def gaps_of(array: SymbolicArray) -> str:
    """Return what `Storage.copied` is for memory without gaps that stands for an array: "gaps", "order", or nothing where the array lies so itself."""
    storage = array.storage
    shifts = array.is_view and storage.may_have_gaps
    if array.copied or (storage.contiguous and not shifts and (array.contiguous or is_turned(array))):
        return array.copied
    views = [step for step in array.chain if isinstance(step, View)]
    forward = all(step > 0 for view in views for _, terms in view.axes for _, step in terms)
    return "gaps" if forward else "order"


def is_turned(array: SymbolicArray) -> bool:
    """Whether an array shows all of its memory, at most with its axes in another order."""
    if array.copied == "gaps":
        return False
    if not array.chain:
        return True
    (step, *rest) = array.chain
    if rest or isinstance(step, Reshape) or len(step.dims) != len(step.axes):
        return False
    axes = [
        terms[0][0] for offset, terms in step.axes if offset == 0 and len(terms) == 1 and terms[0][1] == 1
    ]
    return len(set(axes)) == len(step.axes) and tuple(step.dims[axis] for axis in axes) == step.base_dims
