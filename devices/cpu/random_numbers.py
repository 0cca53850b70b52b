"""Random numbers that kernels draw by themselves, from NumPy's own generators."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from . import python_generators
from .generators import GAUSS, HAS_GAUSS, NEXT_DOUBLE, is_exported, symbol
from .lanes import named_intrinsic
from .symbols import c_symbol
from .toolkit import cgutils, from_dtype, ir, types

_INT32, _INT64, _DOUBLE, _FLOAT = ir.IntType(32), ir.IntType(64), ir.DoubleType(), ir.FloatType()
_BYTES = ir.IntType(8).as_pointer()
# Bound here, so that stored kernels find it.
_LOG = c_symbol("log")


class Site:
    """Where a number is drawn: LLVM's builder, numba's context, the generator's address and the parameters."""

    def __init__(self, context: Any, builder: Any, bits: Any, *parameters: Any) -> None:
        self.context, self.builder = context, builder
        self.bits = builder.inttoptr(bits, _BYTES)
        self.parameters = parameters

    def call(self, name: str, result: Any, *arguments: Any) -> Any:
        """Call a function of NumPy's on the generator."""
        kind = ir.FunctionType(result, [_BYTES, *(argument.type for argument in arguments)])
        function = cgutils.get_or_insert_function(self.builder.module, kind, symbol(name))
        return self.builder.call(function, [self.bits, *arguments])

    def at(self, base: Any, offset: int, kind: Any) -> Any:
        """Return a pointer to what lies behind an address."""
        return self.builder.bitcast(self.builder.gep(base, [ir.Constant(_INT64, offset)]), kind.as_pointer())

    def next_double(self, bits: Any) -> Any:
        """Draw from [0, 1)."""
        state = self.builder.load(self.at(bits, 0, _BYTES))
        function = self.builder.load(
            self.at(bits, NEXT_DOUBLE, ir.FunctionType(_DOUBLE, [_BYTES]).as_pointer())
        )
        return self.builder.call(function, [state])

    def log(self, x: Any) -> Any:
        """Call the C library's logarithm."""
        kind = ir.FunctionType(_DOUBLE, [_DOUBLE])
        return self.builder.call(cgutils.get_or_insert_function(self.builder.module, kind, _LOG), [x])


Formula = Callable[[Site], Any]
Fill = Callable[[Site, Any, Any], None]


@dataclass(frozen=True)
class Distribution:
    """How numbers are drawn: one by a formula, of a type of numba's; many, so many to an address, by `fill`, or else one after the other.

    `tests` are those of the generator's address and of the parameters, `{0}`, `{1}` ..., for which NumPy draws without another look; `symbols` are the functions that are needed.
    """

    formula: Formula
    kind: Any
    tests: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()
    fill: Fill | None = None


def _of_doubles(name: str, *tests: str, kind: Any = types.float64, fill: str = "") -> Distribution:
    """Return a distribution that is one function of NumPy's, all of whose parameters are doubles."""
    result = {types.float64: _DOUBLE, types.float32: _FLOAT, types.int64: _INT64}[kind]

    def formula(site: Site) -> Any:
        return site.call(name, result, *site.parameters)

    def fill_all(site: Site, count: Any, out: Any) -> None:
        site.call(fill, ir.VoidType(), count, out)

    if not fill:
        return Distribution(formula, kind, tests, (name,))
    return Distribution(formula, kind, tests, (name, fill), fill_all)


def _uniform(site: Site) -> Any:
    low, high = site.parameters
    return site.call("random_uniform", _DOUBLE, low, site.builder.fsub(high, low))


def _pythons_uniform(site: Site) -> Any:
    builder, (low, high) = site.builder, site.parameters
    drawn = python_generators.next_double(builder, site.bits)
    return builder.fadd(low, builder.fmul(builder.fsub(high, low), drawn))


def _below(closed: bool) -> Formula:
    """Return what draws an integer of a range as Python does: as many bits as it has, until they are of the range."""

    def draw(site: Site) -> Any:
        builder, (low, high) = site.builder, site.parameters
        count = builder.add(builder.sub(high, low), ir.Constant(_INT64, int(closed)))
        spare = builder.sub(builder.ctlz(count, ir.Constant(ir.IntType(1), 1)), ir.Constant(_INT64, 32))
        start, end = builder.append_basic_block("draw"), builder.append_basic_block("drawn")
        builder.branch(start)
        builder.position_at_end(start)
        word = builder.lshr(builder.zext(python_generators.next_word(builder, site.bits), _INT64), spare)
        builder.cbranch(builder.icmp_unsigned("<", word, count), end, start)
        builder.position_at_end(end)
        return builder.add(low, word)

    return draw


def _binomial(site: Site) -> Any:
    # What NumPy keeps of the last parameters, to find it sooner: here of one call of the kernel.
    kept = cgutils.alloca_once(site.builder, ir.ArrayType(_INT64, 32))
    count, share = site.parameters
    return site.call("random_binomial", _INT64, share, count, site.builder.bitcast(kept, _BYTES))


def _legacy_exponential(site: Site) -> Any:
    one = ir.Constant(_DOUBLE, 1.0)
    drawn = site.builder.fneg(site.log(site.builder.fsub(one, site.next_double(site.bits))))
    return site.builder.fmul(site.parameters[0], drawn) if site.parameters else drawn


def _legacy_gauss(site: Site) -> Any:
    """Draw by the polar method, in pairs."""
    builder = site.builder
    flag, kept = site.at(site.bits, HAS_GAUSS, _INT32), site.at(site.bits, GAUSS, _DOUBLE)
    result = cgutils.alloca_once(builder, _DOUBLE)
    with builder.if_else(cgutils.is_true(builder, builder.load(flag))) as (waits, none):
        with waits:
            builder.store(builder.load(kept), result)
            builder.store(ir.Constant(_INT32, 0), flag)
            builder.store(ir.Constant(_DOUBLE, 0.0), kept)
        with none:
            bits = builder.load(site.at(site.bits, 0, _BYTES))
            start, end = builder.append_basic_block("draw"), builder.append_basic_block("drawn")
            one, two = ir.Constant(_DOUBLE, 1.0), ir.Constant(_DOUBLE, 2.0)
            builder.branch(start)
            builder.position_at_end(start)
            x, y = (builder.fsub(builder.fmul(two, site.next_double(bits)), one) for _ in range(2))
            square = builder.fadd(builder.fmul(x, x), builder.fmul(y, y))
            outside = builder.fcmp_ordered(">=", square, one)
            zero = builder.fcmp_ordered("==", square, ir.Constant(_DOUBLE, 0.0))
            builder.cbranch(builder.or_(outside, zero), start, end)
            builder.position_at_end(end)
            ratio = builder.fdiv(builder.fmul(ir.Constant(_DOUBLE, -2.0), site.log(square)), square)
            root = builder.module.declare_intrinsic("llvm.sqrt", [_DOUBLE])
            factor = builder.call(root, [ratio])
            builder.store(builder.fmul(factor, x), kept)
            builder.store(ir.Constant(_INT32, 1), flag)
            builder.store(builder.fmul(factor, y), result)
    return builder.load(result)


def _legacy_normal(site: Site) -> Any:
    loc, scale = site.parameters
    return site.builder.fadd(loc, site.builder.fmul(scale, _legacy_gauss(site)))


def _permute(site: Site, count: Any, out: Any) -> None:
    """Permute the places of an array, from the last one down to the second."""
    builder = site.builder
    places, one = builder.bitcast(out, _INT64.as_pointer()), ir.Constant(_INT64, 1)
    with cgutils.for_range(builder, count) as loop:
        builder.store(loop.index, builder.gep(places, [loop.index]))
    with cgutils.for_range(builder, builder.sub(count, one)) as loop:
        last = builder.sub(builder.sub(count, one), loop.index)
        other = site.call("random_interval", _INT64, last)
        first, second = (builder.gep(places, [place]) for place in (last, other))
        kept = builder.load(first)
        builder.store(builder.load(second), first)
        builder.store(kept, second)


_PLACES = Distribution(lambda site: ir.Constant(_INT64, 0), types.int64, (), ("random_interval",), _permute)
_POSITIVE, _SHARE = "{0} > 0.0", "0.0 < {0} < 1.0"
_SCALE, _BOTH = ("{1} > 0.0",), ("{0} > 0.0", "{1} > 0.0")
_RANGE = Distribution(
    _uniform, types.float64, (f"0.0 < {{1}} - {{0}} <= {sys.float_info.max!r}",), ("random_uniform",)
)
# So many integers that a word of 32 bits tells one from the others.
_WORDS = (f"{-(2**62)} <= {{0}}", f"{{1}} <= {2**62}", f"{{1}} - {{0}} < {2**32 - 1}")
_FAMILIES = {
    **dict.fromkeys(("normal", "laplace", "logistic", "gumbel", "lognormal", "vonmises"), _SCALE),
    **dict.fromkeys(("gamma", "beta", "wald", "f"), _BOTH),
    **dict.fromkeys(("exponential", "standard_gamma", "chisquare", "rayleigh", "pareto", "power", "weibull", "standard_t"), (_POSITIVE,)),
    "standard_cauchy": (),
    "triangular": ("{0} <= {1} <= {2}", "{0} < {2}"),
}  # fmt: skip
_COUNTS = {
    "poisson": "0.0 < {0} < 1e9",
    "geometric": _SHARE,
    "logseries": _SHARE,
    "zipf": "1.0 < {0} < 1024.0",
}
_FILLED = ("standard_normal", "standard_exponential")
_DRAWN = Distribution(lambda site: site.next_double(site.bits), types.float64)
_GAUSSIAN = Distribution(_legacy_gauss, types.float64)

# By the class of the generator and the method's name, with 32 behind it for numbers of float32.
DISTRIBUTIONS: dict[str, Distribution] = {
    "Generator.random": _DRAWN,
    "Generator.uniform": _RANGE,
    "Generator.permutation": _PLACES,
    "RandomState.permutation": _PLACES,
    "Generator.binomial": Distribution(_binomial, types.int64, ("{0} > 0", "0.0 < {1} < 1.0"), ("random_binomial",)),
    **{f"Generator.{name}": _of_doubles(f"random_{name}", *tests) for name, tests in _FAMILIES.items()},
    **{f"Generator.{name}": _of_doubles(f"random_{name}", test, kind=types.int64) for name, test in _COUNTS.items()},
    **{f"Generator.{name}": _of_doubles(f"random_{name}", fill=f"random_{name}_fill") for name in _FILLED},
    **{
        f"Generator.{name}32": _of_doubles(f"random_{name}_f", kind=types.float32, fill=f"random_{name}_fill_f")
        for name in _FILLED
    },
    "Generator.random32": _of_doubles("random_standard_uniform_f", kind=types.float32, fill="random_standard_uniform_fill_f"),
    "Random.random": Distribution(lambda site: python_generators.next_double(site.builder, site.bits), types.float64),
    "Random.uniform": Distribution(_pythons_uniform, types.float64),
    "Random.randrange": Distribution(_below(False), types.int64, ("{0} < {1}", *_WORDS)),
    "Random.randint": Distribution(_below(True), types.int64, ("{0} <= {1}", *_WORDS)),
    **{f"RandomState.{name}": _DRAWN for name in ("random", "random_sample", "sample", "ranf", "rand")},
    "RandomState.uniform": _RANGE,
    "RandomState.standard_exponential": Distribution(_legacy_exponential, types.float64),
    "RandomState.exponential": Distribution(_legacy_exponential, types.float64, (_POSITIVE,)),
    "RandomState.standard_normal": _GAUSSIAN,
    "RandomState.randn": _GAUSSIAN,
    "RandomState.normal": Distribution(_legacy_normal, types.float64, _SCALE),
    **{f"RandomState.{name}": _of_doubles(f"random_{name}", *_FAMILIES[name]) for name in ("laplace", "logistic", "gumbel", "triangular")},
}  # fmt: skip
if np.dtype("l").itemsize == 8:
    # Where it has 32 bits, the old generators draw other numbers than the new ones.
    DISTRIBUTIONS["RandomState.poisson"] = DISTRIBUTIONS["Generator.poisson"]

# Integers of a range: whether they are drawn as the old generators do, by a mask, and whether the range holds its end.
_INTEGERS = {
    "Generator.integers": (False, False),
    "Generator.integers_closed": (False, True),
    "RandomState.randint": (True, False),
}
DRAWS = frozenset(draw for draw in (*DISTRIBUTIONS, *_INTEGERS) if not draw.endswith(("32", "_closed")))


def _bounded(masked: bool, closed: bool, dtype: np.dtype[Any]) -> Distribution:
    """Return the distribution of integers of a dtype in a range."""
    kind, width = from_dtype(dtype), 8 * dtype.itemsize
    name = "random_bounded_bool_fill" if dtype.kind == "b" else f"random_bounded_uint{width}_fill"
    lowest, highest = (0, 1) if dtype.kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    tests = ["{0} <= {1}" if closed else "{0} < {1}"]
    if lowest > -(2**63):
        tests.append(f"{{0}} >= {lowest}")
    if highest < 2**63 - 1:
        tests.append(f"{{1}} <= {highest + (not closed)}")

    def fill(site: Site, count: Any, out: Any) -> None:
        builder = site.builder
        low, high = site.parameters
        last = high if closed else builder.sub(high, ir.Constant(_INT64, 1))
        bounds = [low, builder.sub(last, low)]
        if width < 64:
            bounds = [builder.and_(bound, ir.Constant(_INT64, 2**width - 1)) for bound in bounds]
            bounds = [builder.trunc(bound, _INT32) for bound in bounds]
        site.call(name, ir.VoidType(), *bounds, count, ir.Constant(_INT32, int(masked)), out)

    def formula(site: Site) -> Any:
        out = cgutils.alloca_once(site.builder, ir.IntType(width))
        fill(site, ir.Constant(_INT64, 1), site.builder.bitcast(out, _BYTES))
        place = site.builder.bitcast(out, site.context.get_data_type(kind).as_pointer())
        return site.context.unpack_value(site.builder, kind, place)

    return Distribution(formula, kind, tuple(tests), (name,), fill)


# -- functions for kernels ----------------------------------------------------------------------------------------


@cache
def distribution(draw: str, dtype: np.dtype[Any]) -> Distribution | None:
    """Return how the numbers of a draw are drawn, None where Python is called for them."""
    found = _bounded(*_INTEGERS[draw], dtype) if draw in _INTEGERS else DISTRIBUTIONS.get(draw)
    if found is None or not all(map(is_exported, found.symbols)):
        return None
    return found


@cache
def drawing(found: Distribution, name: str, count: int) -> Any:
    """Return ``name(bits, parameters...)``: a number."""

    def define(typing_context: Any, *kinds: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
            return found.formula(Site(context, builder, *values))

        return found.kind(*kinds), generate

    return named_intrinsic(name, define, ["bits", *(f"x{place}" for place in range(count))])


@cache
def filling(found: Distribution, name: str, count: int) -> Any:
    """Return ``name(bits, parameters..., array)``: numbers for all elements of an array in C order."""

    def define(typing_context: Any, *kinds: Any) -> Any:
        if not isinstance(kinds[-1], types.Array) or kinds[-1].layout != "C" or kinds[-1].dtype != found.kind:
            return None

        def generate(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
            site = Site(context, builder, *values[:-1])
            array = context.make_array(signature.args[-1])(context, builder, values[-1])
            if found.fill is not None:
                found.fill(site, array.nitems, builder.bitcast(array.data, _BYTES))
                return context.get_dummy_value()
            with cgutils.for_range(builder, array.nitems) as loop:
                builder.store(found.formula(site), builder.gep(array.data, [loop.index]))
            return context.get_dummy_value()

        return types.void(*kinds), generate

    return named_intrinsic(name, define, ["bits", *(f"x{place}" for place in range(count)), "array"])
