"""What may happen when an op is computed, besides its results: it may fail, or NumPy may warn."""

from __future__ import annotations

import numpy as np

from transpile.runtime.graph.ir import Op, Value
from transpile.runtime.graph.types import COMPLEX128, FLOAT64, ArrayType, ScalarType, TokenType, element
from transpile.runtime.ops.errors_by_numbers import ORDERINGS
from transpile.runtime.ops.quiet import QUIET
from transpile.runtime.ops.table import TABLE

# Note [Warnings]
# NumPy warns of what its floating-point status flags say, with the position of the line. Passes keep whether there are warnings of what is not watched, but not how often one
# comes: an op that may warn can be merged with its like, and moved out of a loop that runs at least once. What is watched is reported as often as it was.

# Those that leave the range of an integer scalar, which NumPy warns of, but never that of a float.
_SIGNS = frozenset(("negative", "absolute"))
# Those that wrap around in integer arrays, silently.
_WRAPS = _SIGNS | {"add", "subtract", "multiply", "square"}
# Python's float arithmetic that gives infinities and NaN without a word.
_FLOAT_ARITHMETIC = _SIGNS | {"add", "subtract", "multiply"}
_TESTS = frozenset(
    (
        "slice_bound",
        "slice_length",
        "leaves_int64",
        "math_fails",
        "power_leaves_floats",
        "make_complex",
        "bit_generator",
    )
)
# What has no errors, whatever the floats, but underflow.
TAME = frozenset(("clip", "tanh", "arctan", "arctan2", "arcsinh", "cbrt", "deg2rad", "radians"))
_SILENT_REDUCTIONS = frozenset(("maximum", "minimum", "fmax", "fmin"))


def may_warn(op: Op) -> bool:
    """Whether NumPy may warn when it computes an op."""
    family = TABLE[op.name].family
    if family == "linalg":
        return element(op.operands[0].type).kind in "fc"
    if op.name == "reduce":
        return op.attributes["dtype"].kind in "fc" and op.attributes["ufunc"] not in _SILENT_REDUCTIONS
    if op.name == "cast":
        source, target = element(op.operands[0].type), element(op.results[0].type)
        # Of Python's numbers, too. All integers of 64 bits fit into floats, but for those of 16 bits.
        fits = source.kind in "biu" and (target.kind in "biu" or target.itemsize > 2)
        return not (fits or target.kind == "b" or np.can_cast(source, target))
    if family != "elementwise" or _is_python(op):
        return False
    kinds = {element(operand.type).kind for operand in op.operands}
    arrays = any(isinstance(operand.type, ArrayType) for operand in op.operands)
    if op.name.removeprefix("scalar_") in QUIET:
        # NumPy's scalars are compared without a word.
        return op.name in ORDERINGS and arrays and "c" in kinds
    if op.name in _SIGNS and kinds <= set("bf"):
        return False
    return not (op.name in _WRAPS and arrays and kinds <= set("biu"))


def is_tame(op: Op) -> bool:
    """Whether an op on real floats has no error but underflow: it never has, or a known operand is not large, or does not make the other one larger."""
    types = [element(value.type) for value in (*op.operands, *op.results)]
    if any(type_.kind != "f" for type_ in types):
        return False
    if op.name not in ("add", "subtract", "multiply", "divide"):
        return op.name in TAME
    first, second = (known_float(operand) for operand in op.operands)
    if op.name == "divide":
        return second is not None and 1 <= second < np.inf
    if op.name == "multiply":
        return any(number is not None and 0 < number <= 1 for number in (first, second))
    # Less than half of what lies between the largest numbers.
    info = np.finfo(types[-1].char)
    least = float(info.max) * float(info.eps) / 8
    return any(number is not None and number <= least for number in (first, second))


def known_float(value: Value) -> float | None:
    """Return the magnitude of a float that is known, None where it is not."""
    known = value.op is not None and value.op.name == "constant"
    return abs(float(value.op.attributes["value"])) if known and value.op is not None else None


def is_harmless(op: Op) -> bool:
    """Whether an op on scalars can be computed although the program does not ask for it: it cannot fail, leave 64 bits, or warn."""
    types = [value.type for value in (*op.operands, *op.results)]
    if not all(isinstance(type_, ScalarType) for type_ in types) or not op.results:
        return False
    if op.name in QUIET or op.name in _TESTS or op.name == "constant":
        return True
    if op.name == "cast":
        source, target = types[0], types[-1]
        assert isinstance(source, ScalarType) and isinstance(target, ScalarType)
        wide = (
            target.dtype in (FLOAT64, COMPLEX128)
            and source.dtype.kind in "biuf"
            and source.dtype.itemsize <= 8
        )
        return source.dtype == target.dtype or source.dtype.kind == "b" or target.dtype.kind == "b" or wide
    floats = all(type_ == ScalarType(FLOAT64, True) for type_ in types)
    return (op.name in _FLOAT_ARITHMETIC and floats) or (
        op.name in _SIGNS and all(element(type_).kind == "f" for type_ in types)
    )


def is_pure(op: Op) -> bool:
    """Whether an op is nothing but its results, so that equal operands give equal results."""
    definition = TABLE[op.name]
    if definition.effect or definition.family == "control" or op.name == "token":
        return False
    return not any(isinstance(value.type, TokenType) for value in op.operands)


def may_fail(op: Op) -> bool:
    """Whether an op, its regions included, may leave the function, or do something that is seen outside."""
    if op.regions:
        return op.name == "while_loop" or any(
            may_fail(inner) for region in op.regions for inner in region.ops
        )
    definition = TABLE[op.name]
    if definition.fails or definition.effect:
        return True
    if definition.writes is not None:
        return op.attributes["input"] is not None
    # Python's operators raise, or leave 64 bits.
    return definition.family in ("elementwise", "scalar") and _is_python(op) and not is_harmless(op)


def _is_python(op: Op) -> bool:
    """Whether an op is one of Python's own operators on Python's own numbers."""
    return all(isinstance(operand.type, ScalarType) and operand.type.weak for operand in op.operands)
