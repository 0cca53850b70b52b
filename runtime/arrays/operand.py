"""Python's operators, for everything symbolic."""

from __future__ import annotations

from typing import Any, ClassVar


def _binary(name: str, reflected: bool = False) -> Any:
    def method(self: Operand, other: Any) -> Any:
        return Operand.operate(name, other, self) if reflected else Operand.operate(name, self, other)

    return method


def _unary(name: str) -> Any:
    def method(self: Operand) -> Any:
        return Operand.operate(name, self)

    return method


class Operand:
    """A base of symbolic values: each operator is the ufunc that NumPy has for it.

    `operate(name, *operands)` applies an operator; `attribute(self, name)` finds a method. Both are given
    by the modules that need the classes made of this one.
    """

    __slots__ = ()

    operate: ClassVar[Any]
    attribute: ClassVar[Any]
    getitem: ClassVar[Any]
    setitem: ClassVar[Any]
    getitem_advanced: ClassVar[Any]
    setitem_advanced: ClassVar[Any]
    picks: ClassVar[Any]
    getitem_picked: ClassVar[Any]
    setitem_picked: ClassVar[Any]
    is_live: ClassVar[Any]
    copied: ClassVar[Any]
    as_array: ClassVar[Any]
    stored_items: ClassVar[Any]
    matmul: ClassVar[Any]
    call: ClassVar[Any]
    each: ClassVar[Any]
    each_decided: ClassVar[Any]
    on_way: ClassVar[Any]
    when: ClassVar[Any]
    attribute_of_union: ClassVar[Any]
    pool_of: ClassVar[Any]
    # Takes a known text of one character for one that run time gives.
    character: ClassVar[Any]
    __hash__ = None  # type: ignore[assignment]
    __array_priority__ = 1000.0

    __add__, __radd__ = _binary("add"), _binary("add", True)
    __sub__, __rsub__ = _binary("subtract"), _binary("subtract", True)
    __mul__, __rmul__ = _binary("multiply"), _binary("multiply", True)
    __truediv__, __rtruediv__ = _binary("divide"), _binary("divide", True)
    __floordiv__, __rfloordiv__ = _binary("floor_divide"), _binary("floor_divide", True)
    __mod__, __rmod__ = _binary("remainder"), _binary("remainder", True)
    __pow__, __rpow__ = _binary("power"), _binary("power", True)
    __lshift__, __rlshift__ = _binary("left_shift"), _binary("left_shift", True)
    __rshift__, __rrshift__ = _binary("right_shift"), _binary("right_shift", True)
    __and__, __rand__ = _binary("bitwise_and"), _binary("bitwise_and", True)
    __or__, __ror__ = _binary("bitwise_or"), _binary("bitwise_or", True)
    __xor__, __rxor__ = _binary("bitwise_xor"), _binary("bitwise_xor", True)
    __divmod__, __rdivmod__ = _binary("divmod"), _binary("divmod", True)
    __matmul__, __rmatmul__ = _binary("matmul"), _binary("matmul", True)
    __lt__, __le__, __gt__, __ge__ = map(_binary, ("less", "less_equal", "greater", "greater_equal"))
    __eq__, __ne__ = _binary("equal"), _binary("not_equal")
    __neg__, __pos__, __abs__, __invert__ = map(_unary, ("negative", "positive", "absolute", "invert"))
