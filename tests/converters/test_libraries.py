"""Modules of the standard library, with every function converted that can be, compute what they did."""

import importlib.util
import itertools
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from transpile.converters import convert
from transpile.runtime.errors import ConversionError

from .eager import EagerOps


def converted_module(name: str) -> tuple[types.ModuleType, int]:
    """Loads a copy of a module and converts what it defines. Gives the module and the number of functions converted."""
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    original = sys.modules.pop(name, None)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    finally:
        del sys.modules[name]
        if original is not None:
            sys.modules[name] = original
    count = 0
    for space in _spaces(module):
        for key, value in list(vars(space).items()):
            function = value.__func__ if isinstance(value, staticmethod | classmethod) else value
            if not isinstance(function, types.FunctionType) or function.__module__ != module.__name__:
                continue
            try:
                other: Any = convert(function).bind(EagerOps())
            except ConversionError:
                continue
            count += 1
            setattr(space, key, other if function is value else type(value)(other))
    return module, count


def _spaces(module: types.ModuleType) -> Iterator[Any]:
    yield module
    for value in list(vars(module).values()):
        if isinstance(value, type) and value.__module__ == module.__name__:
            yield value


def decimals(decimal: Any) -> Iterator[Any]:
    decimal.setcontext(decimal.Context(prec=20, traps=[]))
    numbers = [
        decimal.Decimal(text) for text in ("1.5", "-7", "0.003", "123456789.987654321", "2E+10", "NaN", "-0")
    ]
    for a, b in itertools.product(numbers, repeat=2):
        for operator in ("__add__", "__mul__", "__truediv__", "__mod__", "compare", "max"):
            yield getattr(a, operator)(b)
    for a in numbers:
        for method in (
            "sqrt",
            "exp",
            "ln",
            "log10",
            "normalize",
            "to_eng_string",
            "as_tuple",
            "__neg__",
            "__str__",
        ):
            yield getattr(a, method)()
        yield f"{a:.3f} {a:>20,.2e}"


def fractions(module: Any) -> Iterator[Any]:
    numbers = [module.Fraction(text) for text in ("1/3", "-7", "22/7", "0.125")]
    for a, b in itertools.product(numbers, repeat=2):
        yield a + b, a * b, a / b, a // b, a % b, a < b, a == b, divmod(a, b)
    for a in numbers:
        yield a.limit_denominator(5), hash(a), round(a), str(a), a**2, a**-1


def text(module: Any) -> Iterator[Any]:
    words = "The quick  brown fox-like thing jumps over\tthe lazy dog. And then " * 4
    for width in (7, 20, 70):
        yield (
            module.wrap(words, width),
            module.fill(words, width, initial_indent="* "),
            module.shorten(words, width),
        )
    yield module.dedent("\n   a\n     b\n\n   c"), module.indent("a\n\nb", "> ")


def statistics(module: Any) -> Iterator[Any]:
    data = [1, 2.5, 3, 3, -4, 10, 7.25]
    for name in ("mean", "fmean", "median", "median_low", "mode", "multimode", "pstdev", "stdev", "variance"):
        yield getattr(module, name)(data)
    yield (
        module.quantiles(data, n=5),
        module.linear_regression(data, data[::-1]),
        module.NormalDist(1, 2).inv_cdf(0.3),
    )


def calendars(module: Any) -> Iterator[Any]:
    for year, month in ((2024, 2), (1999, 12), (2000, 1)):
        yield module.month(year, month), module.monthcalendar(year, month), module.isleap(year)
    yield module.calendar(2023), module.HTMLCalendar().formatmonth(2024, 5)


def differences(module: Any) -> Iterator[Any]:
    a, b = ["one", "two", "three", "four", "five"], ["one", "too", "three", "five", "six", "seven"]
    matcher = module.SequenceMatcher(None, a, b)
    yield matcher.get_opcodes(), matcher.ratio(), matcher.get_matching_blocks()
    yield list(module.unified_diff(a, b)), list(module.ndiff(a, b)), module.get_close_matches("thre", a)


def colours(module: Any) -> Iterator[Any]:
    for r, g, b in itertools.product((0.0, 0.3, 1.0), repeat=3):
        yield module.rgb_to_hls(r, g, b), module.rgb_to_hsv(r, g, b), module.rgb_to_yiq(r, g, b)
        yield module.hls_to_rgb(r, g, b), module.hsv_to_rgb(r, g, b)


USES: dict[str, Callable[[Any], Iterator[Any]]] = {
    "_pydecimal": decimals,
    "calendar": calendars,
    "colorsys": colours,
    "difflib": differences,
    "fractions": fractions,
    "statistics": statistics,
    "textwrap": text,
}


@pytest.mark.parametrize("name", USES)
def test_a_converted_module_computes_what_it_did(name):
    module, count = converted_module(name)
    assert count >= 5
    assert outcomes(USES[name](module)) == outcomes(USES[name](importlib.import_module(name)))


def outcomes(results: Iterator[Any]) -> list[str]:
    """Gives what is computed, up to the error that ends it."""
    found = []
    try:
        for result in results:
            found.append(repr(result))
    except Exception as error:
        found.append(repr(error))
    return found
