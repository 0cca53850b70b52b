"""What is not understood is refused with a code, a place and a hint."""

import itertools
import linecache
import types

import pytest

from transpile.converters import convert
from transpile.converters.refusals import REASONS
from transpile.runtime.errors import ConversionError

from .outcomes import module, same

REFUSED = {
    # code, text of f, the text that is pointed at, or none where there is no place
    "yield in an expression": ("C010-yield", "def f(x):\n    return [(yield x)]", "yield x"),
    "yield from in a test": ("C010-yield", "def f(x):\n    while (yield from x): pass", "yield from x"),
    "yield in a lambda": ("C010-yield", "f = lambda x: (yield x)", "yield x"),
    "async for": ("C011-async", "async def f(x):\n    async for y in x: pass", "async for y in x: pass"),
    "async comprehension": ("C011-async", "async def f(x):\n    return [y async for y in x]", "x"),
    "await": ("C011-async", "async def f(x):\n    await x", "await x"),
    "async with": ("C011-async", "async def f(x):\n    async with x: pass", "async with x: pass"),
    "return taken back in finally": (
        "C013-taken-back",
        "def f(x):\n    try: return 1\n    finally:\n        while x:\n            try: return 2\n            finally: break",
        None,
    ),
    "except star": ("C012-except-star", "def f(x):\n    try: x()\n    except* OSError: pass", None),
    "class": ("C014-class", "def f(x):\n    class A: pass", "class A: pass"),
    "global deletion": ("C015-global", "def f(x):\n    global y\n    del y", None),
    "locals": ("C017-frame", "def f(x):\n    return locals()", "locals"),
    "eval": ("C017-frame", "def f(x):\n    return eval('x')", "eval"),
    "exec": ("C017-frame", "def f(x):\n    g = exec\n    g('x')", "exec"),
    "vars": ("C017-frame", "def f(x):\n    return [vars() for _ in x]", "vars"),
    "dir in a lambda": ("C017-frame", "def f(x):\n    return (lambda: dir())()", "dir"),
    "reraise": ("C018-reraise", "def f(x):\n    if x:\n        raise", "raise"),
    "match": (
        "C020-match",
        "def f(x):\n    match x:\n        case [a, 1] | [1, a]: return a",
        "[1, a]",
    ),
    "late binding in a comprehension": (
        "C031-late-binding-in-comprehension",
        "def f(x):\n    return [lambda: y for y in x]",
        "lambda: y",
    ),
    "a generator in a comprehension": (
        "C031-late-binding-in-comprehension",
        "def f(x):\n    return [(y + z for z in x) for y in x]",
        "(y + z for z in x)",
    ),
    "walrus in a lazy place": ("C032-walrus", "def f(x):\n    x[0 and (y := 1)] = 2\n    return y", "y := 1"),
    "walrus of a name that was read": ("C032-walrus", "f = lambda x: x + (y := x or y)", "y := x or y"),
    "walrus in a lambda": ("C032-walrus", "f = lambda x: [x and (y := 1), y]", "y := 1"),
    "walrus in a generator": (
        "C032-walrus",
        "def f(x):\n    return any((y := z) for z in x) and y",
        "y := z",
    ),
    "walrus in a message": ("C032-walrus", "def f(x):\n    assert x, (y := 1)", "y := 1"),
    "captured by what stays": (
        "C033-maybe-unbound",
        "def f(x):\n    if x:\n        y = 1\n    async def g():\n        await y\n    return g()",
        None,
    ),
    "attribute target": (
        "C034-comprehension-target",
        "def f(x):\n    return [1 for x.a, y in x if y]",
        "x.a",
    ),
}


@pytest.mark.parametrize(("code", "text", "at"), REFUSED.values(), ids=REFUSED)
def test_what_is_not_understood_is_refused(code, text, at):
    function = module(text).f
    with pytest.raises(ConversionError) as raised:
        convert(function)
    error = raised.value
    assert error.code == code
    assert error.why
    assert error.hint or code == "C019-type-alias"
    assert "{" not in str(error)
    (place,) = error.location
    assert place.file == function.__code__.co_filename
    assert place.function == function.__qualname__
    lines = linecache.getlines(place.file)
    assert 1 <= place.line <= len(lines)
    if at is not None:
        assert lines[place.line - 1][place.column : place.end_column] == at
        assert place.line == place.end_line


def test_every_reason_has_a_text():
    for code, reason in REASONS.items():
        assert code[0] == "C"
        assert code[1:4].isdigit()
        assert reason.message
        assert reason.why


@pytest.mark.parametrize("thing", [len, 3, None, "f", type, [].append, types.SimpleNamespace])
def test_only_python_functions_are_converted(thing):
    with pytest.raises(ConversionError) as raised:
        convert(thing)
    assert raised.value.code == "C001-not-a-function"


def test_a_function_without_a_source_is_refused():
    space = {}
    exec("def f(x): return x", space)
    with pytest.raises(ConversionError) as raised:
        convert(space["f"])
    assert raised.value.code == "C002-no-source"


def test_a_function_whose_file_has_changed_is_refused():
    text = "def f(x):\n    return x + 1\n"
    function = module(text).f
    file = function.__code__.co_filename
    changed = text.replace("1", "2")
    linecache.cache[file] = (len(changed), None, changed.splitlines(keepends=True), file)
    with pytest.raises(ConversionError) as raised:
        convert(function)
    assert raised.value.code == "C003-changed-source"


def test_a_function_that_is_not_in_its_file_any_more_is_refused():
    function = module("def f(x):\n    return x + 1\n").f
    file = function.__code__.co_filename
    linecache.cache[file] = (1, None, ["x = (\n"], file)
    with pytest.raises(ConversionError) as raised:
        convert(function)
    assert raised.value.code == "C003-changed-source"


@pytest.mark.parametrize(
    "body",
    ["return " + "(" * 80 + "x" + "+ 1)" * 80, "return " + "+".join(["x"] * 900)],
    ids=["deep", "long"],
)
def test_deep_expressions_are_converted_or_refused(body):
    function = module(f"def f(x):\n    {body}\n").f
    try:
        same(function, (1,))
    except ConversionError as error:
        assert error.code in ("C040-too-deep", "C003-changed-source")


def test_deep_nesting_is_converted_or_refused():
    lines = ["def f(x):"]
    for depth in range(18):
        lines.append("    " * (depth + 1) + f"for i{depth} in range(1):")
    lines.append("    " * 19 + "x += 1")
    lines.append("    return x")
    same(module("\n".join(lines)).f, (1,))


ALLOWED = {
    "vars of an object": "def f(x):\n    return vars(x) if x else dir(3)[0]",
    "eval with globals": "def f(x):\n    return eval('1 + 1', {})",
    "a parameter called vars": "def f(x, vars=3):\n    return vars",
    "a global called eval": "eval = len\ndef f(x):\n    return eval([x])",
    "a lambda that is called at once": "def f(x):\n    for i in range(3):\n        print(max([1, 2], key=lambda y: y * i))",
    "a generator that is summed": "def f(x):\n    return [sum(y for _ in range(y)) for y in range(3)]",
    "a capture of what does not change": "def f(x):\n    y = 2\n    return [g() for g in [lambda: y, lambda: x]]",
    "break of a loop in finally": "def f(x):\n    try: pass\n    finally:\n        while True:\n            break",
    "reraise in a handler": "def f(x):\n    try: x()\n    except TypeError:\n        if x == 0:\n            return x\n        raise",
    "global that is read": "import math\ndef f(x):\n    global math\n    return math.sqrt(4)",
    "await inside": "def f(x):\n    async def g():\n        await x\n    return g.__name__",
    "class in a function inside": (
        "def f(x):\n    def g():\n        class A:\n            y = x\n        return A.y\n    return g()"
    ),
}


@pytest.mark.parametrize("text", ALLOWED.values(), ids=ALLOWED)
def test_what_looks_alike_is_converted(text):
    same(module(text).f, (0,))


def test_codes_are_unique():
    numbers = [code[:4] for code in REASONS]
    assert all(len(list(group)) == 1 for _, group in itertools.groupby(sorted(numbers)))
