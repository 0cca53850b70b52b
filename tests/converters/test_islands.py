"""Functions in parts: which pieces units stand for, what these take and give, and that the whole does what it did."""

import ast
import importlib
import inspect
import itertools
import textwrap
import types
import weakref
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from transpile.converters.islands import partition
from transpile.converters.locate import locate
from transpile.runtime.errors import ConversionError

from .outcomes import module
from .programs import NAMES, _for, _indented, _while, expressions
from .test_random_programs import run, visible

BEFORE_AND_AFTER = {
    "names that a loop reads and binds go in, those that are live come out": (
        """
        def f(x, g):
            total = 0.0
            yield total
            for i in range(3):
                t = x[i]
                total += t
            yield total
        """,
        """
        def f(x, g):
            total = 0.0
            yield total
            result = unit(x, total)
            if result is None:
                for i in range(3):
                    t = x[i]
                    total += t
            else:
                total, = result
                del result
            yield total
        """,
    ),
    "globals are declared, and go neither in nor out": (
        """
        def f(x):
            global last
            yield
            for last in x:
                x[0] += last
        """,
        """
        def f(x):
            global last
            yield
            result = unit(x)
            if result is None:
                for last in x:
                    x[0] += last
            else:
                del result
        """,
    ),
    "inner loops of a loop that stays": (
        """
        def f(x):
            for name in x:
                yield name
                for i in range(3):
                    x[i] += 1
        """,
        """
        def f(x):
            for name in x:
                yield name
                result = unit(x)
                if result is None:
                    for i in range(3):
                        x[i] += 1
                else:
                    del result
        """,
    ),
    "a run with all around its loops, then each loop with what it starts from": (
        """
        def f(x):
            yield
            a = g(x)
            out = []
            for i in x:
                out.append(i + a)
            b = g(out)
            yield b
        """,
        """
        def f(x):
            yield
            result = unit(x)
            if result is None:
                a = g(x)
                result = unit_1(x, a)
                if result is None:
                    out = []
                    for i in x:
                        out.append(i + a)
                else:
                    out, = result
                    del result
                b = g(out)
            else:
                b, = result
                del result
            yield b
        """,
    ),
    "a return in the middle": (
        """
        def f(x):
            yield
            for i in x:
                if i:
                    return i
            yield
        """,
        """
        def f(x):
            yield
            result = unit(x)
            if result is None:
                for i in x:
                    if i:
                        return i
            else:
                if result[0]:
                    return result[1]
                del result
            yield
        """,
    ),
    "a return at the end": (
        """
        def f(x):
            yield
            while x:
                x -= 1
            return x
        """,
        """
        def f(x):
            yield
            result = unit(x)
            if result is None:
                result = unit_1(x)
                if result is None:
                    while x:
                        x -= 1
                else:
                    x, = result
                    del result
                return x
            else:
                return result[0]
        """,
    ),
    "a name that may be unbound before": (
        """
        def f(x):
            if x:
                y = yield
            for i in range(3):
                y += 1
            yield y
        """,
        """
        def f(x):
            if x:
                y = (yield)
            try:
                y
            except:
                result = None
            else:
                result = unit(y)
            if result is None:
                for i in range(3):
                    y += 1
            else:
                y, = result
                del result
            yield y
        """,
    ),
}

STAY = {
    "yield in the loop": "def f(x):\n    for i in x: yield i",
    "break to a loop around": "def f(x):\n    for i in x:\n        yield\n        if i:\n            break",
    "no loop": "def f(x):\n    yield\n    a = [i for i in x]\n    return a",
    "own variables": "def f(x):\n    yield locals()\n    for i in x: i()",
    "super": "def f(x):\n    yield\n    for i in x: super().f()",
    "name captured and bound": "def f(x):\n    yield\n    for i in x: g = i\n    return lambda: g",
    "name bound by a function inside": "def f(x):\n    c = 0\n    yield\n    def g():\n        nonlocal c\n        c = 1\n"
    "    for i in x: i(c)",
    "function made in the loop": "def f(x):\n    yield\n    a = 0\n    for i in x: x[i] = lambda: a\n    a = 1\n    yield",
    "deleted in the loop": "def f(x):\n    yield\n    a = 1\n    for i in x:\n        del a\n    yield a",
    "lambda": "f = lambda x: [i for i in x]",
}


@pytest.mark.parametrize("claim", BEFORE_AND_AFTER)
def test_units_are_called_where_loops_stood(claim: str) -> None:
    before, after = BEFORE_AND_AFTER[claim]
    found = partition(module(before).f)
    assert found is not None
    assert found.source().strip() == textwrap.dedent(after).strip()


@pytest.mark.parametrize("claim", STAY)
def test_what_depends_on_its_function_stays_in_it(claim: str) -> None:
    assert partition(module(STAY[claim]).f) is None


def test_errors_that_are_handled_are_known_to_the_piece() -> None:
    text = """
        def f(x):
            a = b = 0
            try:
                for i in x:
                    a += 1
            except ValueError:
                yield a
            try:
                for i in x:
                    b += 1
            finally:
                yield
            for c in x:
                pass
            yield b, c
    """
    found = partition(module(text).f)
    assert found is not None
    assert [(piece.caught, piece.hopes) for piece in found.pieces] == [
        (True, False),
        (False, False),
        (False, True),
    ]


def test_units_are_found_by_the_tree_they_were_made_of() -> None:
    function = module("def f(x):\n    yield\n    for i in x:\n        x[i] = 1").f
    (piece,) = partition(function).pieces
    unit = piece.bind(function)
    assert (piece.first_line, piece.last_line, piece.repeated) == (3, 4, False)
    assert (unit.__name__, unit.__code__.co_qualname, unit.__code__.co_firstlineno) == ("f", "f", 3)
    assert isinstance(locate(unit).node, ast.FunctionDef)


# -- that nothing changes --------------------------------------------------------------------------------------


class Link:
    """A unit that runs its piece as it is, or leaves it to the function every other time."""

    function = None

    def __init__(self, piece, original):
        self.live = True
        runs = piece.bind(original)
        may = not (piece.caught or piece.hopes)
        turns = itertools.cycle((True, False))
        self._call = lambda *values: runs(*values) if may and next(turns) else None
        self.to = weakref.ref(self._call)


def in_parts(function):
    """Gives the function in parts, whose units run the pieces as they are; None where it has none."""
    found = partition(function)
    if found is None:
        return None
    code = found.code_with({piece.name: Link(piece, function) for piece in found.pieces})
    assert code.co_freevars == function.__code__.co_freevars
    return types.FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )


def _plain(loop):
    """Gives statements that capture nothing: then most loops are pieces."""
    name = st.sampled_from(NAMES)
    made = [
        st.tuples(name, expressions).map(lambda parts: ["{} = {}".format(*parts)]),
        st.tuples(name, expressions).map(lambda parts: ["{} += {}".format(*parts)]),
        expressions.map(lambda value: [f"see({value})"]),
        expressions.map(lambda value: [f"return {value}"]),
        expressions.map(lambda value: [f"if {value}: raise ValueError({value})"]),
        name.map(lambda name: [f"del {name}"]),
        name.map(lambda name: [f"see({name})"]),
    ]
    if loop:
        made += [st.just(["break"]), st.just(["continue"])]
    return st.one_of(made)


def _mixed(depth, loop):
    """Gives blocks with handlers, managers and patterns among loops and branches."""
    plain = _plain(loop)
    if not depth:
        return plain
    inner, body = _mixed(depth - 1, loop), _mixed(depth - 1, True)
    perhaps = st.one_of(st.none(), inner)
    name = st.sampled_from(NAMES)
    compound = st.one_of(
        st.tuples(inner, name, inner, perhaps, perhaps).map(_try),
        st.tuples(inner, inner).map(_finally),
        st.tuples(inner, name).map(_with),
        st.tuples(expressions, name, inner, inner).map(_match),
        st.tuples(name, st.integers(0, 3), body, perhaps).map(_for),
        st.tuples(expressions, body, perhaps).map(_while),
    )
    return st.lists(st.one_of(plain, compound), min_size=1, max_size=3).map(
        lambda found: [line for lines in found for line in lines]
    )


def _try(made):
    body, name, handler, orelse, final = made
    lines = ["try:", *_indented(body), f"except (ValueError, NameError, TypeError) as {name}:"]
    lines += [*_indented([f"see(repr({name}))"]), *_indented(handler)]
    lines += ["else:", *_indented(orelse)] if orelse else []
    return lines + (["finally:", *_indented(final)] if final else [])


def _finally(made):
    body, final = made
    return ["try:", *_indented(body), "finally:", *_indented(final)]


def _with(made):
    body, name = made
    return [f"with suppress(ValueError, NameError) as {name}:", *_indented(body)]


def _match(made):
    value, name, one, other = made
    return [
        f"match {value}:",
        *_indented(["case 0 | 1:", *_indented(one), f"case {name}:", *_indented(other)]),
    ]


def _program(lines):
    return "\n".join(["def f(a, b, see, turn):", *_indented([*lines, "return a, b, c, d"])]) + "\n"


many = settings(
    derandomize=True, max_examples=300, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
parted = []


@pytest.mark.slow
@many
@given(_mixed(3, False).map(_program))
def test_random_programs_in_parts_do_what_they_did(text):
    try:
        function = module(text, suppress=suppress).f
    except SyntaxError:
        return
    file = function.__code__.co_filename
    other = in_parts(function)
    parted.append(other is not None)
    if other is None:
        return
    for a, b in ((0, 1), (2, -1), (3, 3), (2, -1)):
        expected, expected_events = run(function, a, b, file)
        found, found_events = run(other, a, b, file)
        # Errors, which handlers give names, are equal only to themselves.
        assert list(map(repr, found_events)) == list(map(repr, expected_events)), partition(function).source()
        assert visible(found) == visible(expected), partition(function).source()


@pytest.mark.slow
def test_many_random_programs_have_pieces():
    # Which programs are drawn depends on the constants in the modules that are imported by then: some 40 to 60 of 290 have pieces.
    assert not parted or sum(parted) >= 30


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["argparse", "ast", "asyncio.base_events", "configparser", "difflib", "statistics", "textwrap", "typing"],
)
def test_functions_of_libraries_are_parted(name: str) -> None:
    library = importlib.import_module(name)
    classes = [thing for thing in vars(library).values() if inspect.isclass(thing)]
    functions = {
        id(thing): thing
        for holder in (library, *classes)
        for thing in vars(holder).values()
        if inspect.isfunction(thing) and thing.__module__ == name
    }
    count = 0
    for function in functions.values():
        try:
            found = partition(function)
        except ConversionError:
            continue
        if found is not None:
            count += 1
            code, own = found.code, function.__code__
            for attribute in ("co_freevars", "co_flags", "co_name", "co_qualname", "co_argcount"):
                assert getattr(code, attribute) == getattr(own, attribute)
            for piece in found.pieces:
                piece.bind(function)
    assert count
