"""Errors are those of the original: type, message, line and columns."""

import sys

import pytest

from .outcomes import converted, module, same

FAILURES = {
    "assert": """
        def f(a, b):
            assert a
            assert (
                a <
                b)
            return a
    """,
    "assert with a message": """
        def f(a, b):
            assert a < b, f"{a} is not below {b}"
            assert b, print("never")
            if a:
                assert not a, (a, b)
    """,
    "the message is evaluated when it fails": """
        def f(a, b):
            assert a < b, print("message")
    """,
    "an error in the message": """
        def f(a, b):
            assert a < b, missing
    """,
    "raise a class": """
        def f(a, b):
            if a > b:
                raise ValueError
            return a
    """,
    "raise an instance": """
        def f(a, b):
            for i in range(a):
                if i == b:
                    raise KeyError(i, "b")
            else:
                raise OverflowError("end")
    """,
    "raise from": """
        def f(a, b):
            if a < b:
                raise ValueError("a") from KeyError("b")
            if a == b:
                raise ValueError from TypeError
            raise ValueError(a) from None
    """,
    "raise what is no exception": """
        def f(a, b):
            if a < b:
                raise a
            if a == b:
                raise ValueError(a) from b
            raise int
    """,
    "raise over lines": """
        def f(a, b):
            while True:
                a += 1
                if a > 3:
                    raise RuntimeError(
                        a,
                        b,
                    )
    """,
    "division": """
        def f(a, b):
            c = 1
            for _ in range(3):
                c = c + 1 + (1 / (a - 1)) // b % (a - 2)
            return c
    """,
    "an error in a branch": """
        def f(a, b):
            if a < b:
                return [1, 2][a + 5]
            else:
                return {}[b]
    """,
    "an error in a test": """
        def f(a, b):
            n = 4
            while a / (n - b) < 3:
                n -= 1
            return n
    """,
    "an error in an iterable": """
        def f(a, b):
            for x in [a, b][b]:
                print(x)
    """,
    "what cannot be iterated": """
        def f(a, b):
            for x in a:
                print(x)
    """,
    "unpacking in a for": """
        def f(a, b):
            for i, (x, y) in enumerate([(1, 2), (a, b), (a,)[:a]]):
                print(i, x, y)
    """,
    "unpacking": """
        def f(a, b):
            x, y = range(a)
            x, y, *z = range(b)
            return x, y, z
    """,
    "operands of logic": """
        def f(a, b):
            return a and 1 / (a - 1) or b and 1 / (b - 1) or not 1 / a
    """,
    "operands of a chain": """
        def f(a, b):
            return 1 / a <= 1 / b < 1 / (b - 2) < 9 / (a + b - 4)
    """,
    "arms of a conditional expression": """
        def f(a, b):
            return 1 / (a - 1) if 1 / a else 1 / (b - 1)
    """,
    "comparison of the incomparable": """
        def f(a, b):
            return 0 <= a < "b"
    """,
    "not in a number": """
        def f(a, b):
            return [1] if a not in b else None
    """,
    "a call of what cannot be called": """
        def f(a, b):
            return a(b)
    """,
    "a call with wrong arguments": """
        def g(x, *, y):
            return x
        def f(a, b):
            if a > 1:
                return g(a, z=b)
            return g(a) + (
                b)
    """,
    "a call inside a call": """
        def f(a, b):
            return max(a, b,
                       int("x" * a),
                       key=abs)
    """,
    "an attribute": """
        def f(a, b):
            if a:
                return a.real + b.missing
            b.x = 3
    """,
    "an attribute of a method call": """
        def f(a, b):
            return "x".join([1 / a]).upper(
            ).index("y")
    """,
    "subscripts": """
        def f(a, b):
            xs = [a]
            xs[b] = xs[a - 1]
            xs[0] += "x"
            return xs
    """,
    "an in-place operator": """
        def f(a, b):
            for i in range(2):
                a -= "x" if i + b > 2 else 1
            return a
    """,
    "in a comprehension": """
        def f(a, b):
            return [1 / (x - a) for x in range(b + 1) if 3 / (x - b)]
    """,
    "in a comprehension of several for": """
        def f(a, b):
            return {x: y for x in range(3) for y in range(x) if 1 / (x - a) < 5 // (y - b)}
    """,
    "in a generator": """
        def f(a, b):
            return sum(1 / (x - a) for x in range(b + 1))
    """,
    "in a lambda": """
        def f(a, b):
            g = lambda x: x / (a - 1)
            return g(b)
    """,
    "in a nested function": """
        def f(a, b):
            def g(x):
                if x:
                    return b / (x - 1)
                return missing
            return g(a)
    """,
    "in a caller": """
        def g(x):
            raise ValueError(x)
        def f(a, b):
            if a:
                g(b)
    """,
    "in an f-string": """
        def f(a, b):
            return f"{a:>{b}} {a:{1 / b}} {a!r:d}"
    """,
    "in a percent": """
        def f(a, b):
            return "%d %d" % a
    """,
    "in a walrus": """
        def f(a, b):
            while (c := 1 / (a - 1)) < b or (d := 1 / (b - 1)) < 0 and a < 9:
                a += 1
                b -= 1
            return c
    """,
    "after a walrus in logic": """
        def f(a, b):
            return a and (c := 1 / (a - 1)) + (d := b / (c - 1))
    """,
    "recursion": """
        def f(a, b):
            if a == 0:
                return 1 / (b - 1)
            return f(a - 1, b)
    """,
    "deletion": """
        def f(a, b):
            xs = [1, 2]
            del xs[a]
            del xs[b], xs[0]
            return xs
    """,
    "import": """
        def f(a, b):
            if a:
                import missing_module
    """,
    "a wrong import": """
        def f(a, b):
            for _ in range(1):
                from math import missing
    """,
    "return in a loop": """
        def f(a, b):
            for x in range(3):
                if x == a:
                    return 1 / (x - b)
    """,
    "wide text": """
        def f(a, b):
            return "äöü" * 2, "→" if a > 1 else "日本" + 1 / (b - 1)
    """,
}


@pytest.mark.parametrize("text", FAILURES.values(), ids=FAILURES)
def test_errors_are_those_of_the_original(text):
    found = same(module(text).f, (0, 0), (1, 2), (2, 1), (1, 1), (3, 2), (2, 3), (0, 3))
    assert any(outcome.failure for outcome in found)


ITERABLES = {
    "in the iterable of a comprehension": """
        def f(a, b):
            return [x for x in a]
    """,
    "the iterable of a generator": """
        def f(a, b):
            g = (x for x in a)
            print("never")
            return g
    """,
    "the second iterable of a comprehension": """
        def f(a, b):
            return [x for x in range(b) for y in a]
    """,
}


@pytest.mark.parametrize("text", ITERABLES.values(), ids=ITERABLES)
def test_what_a_comprehension_cannot_iterate_over_fails_as_in_the_original(text):
    # From 3.13 Python points at the iterable, and before at the comprehension.
    same(module(text).f, (0, 0), (1, 2), columns=sys.version_info < (3, 13))


UNBOUND = {
    "a branch": """
        def f(x):
            if x:
                y = 1
            return y
    """,
    "two branches": """
        def f(x):
            if x:
                y = 1
            else:
                z = 2
            print(y)
            return z
    """,
    "never bound before": """
        def f(x):
            print(y)
            y = 1
    """,
    "an augmented assignment": """
        def f(x):
            if x:
                y = 1
            y += print("value")
            return y
    """,
    "an augmented assignment before any other": """
        def f(x):
            y += x
            return y
    """,
    "a loop": """
        def f(x):
            for i in range(x):
                last = i
            return last, i
    """,
    "a while loop": """
        def f(x):
            while x > 0:
                x -= 1
                z = x
            return x, z
    """,
    "a test of a while loop": """
        def f(x):
            while x > 1 and y:
                y = x
                x -= 1
            return x
    """,
    "read in the loop before it is bound": """
        def f(x):
            for i in range(3):
                if i >= x:
                    print(y)
                y = i
    """,
    "deleted": """
        def f(x):
            y = x
            if x:
                del y
            return y
    """,
    "deleted in a loop": """
        def f(x):
            y = x
            for i in range(x):
                del y
            return y
    """,
    "deleted twice": """
        def f(x):
            y, z = x, 1
            if x:
                del y, z
            del (z, [y])
    """,
    "a deleted parameter": """
        def f(x):
            if x:
                del x
            print(x)
    """,
    "a nested function": """
        def f(x):
            if x:
                y = 3
            def g():
                return y
            return g()
    """,
    "a nested function of a branch": """
        def f(x):
            if x:
                def g():
                    return 1
            return g()
    """,
    "a lambda": """
        def f(x):
            if x:
                y = 3
            return (lambda: y)()
    """,
    "a lambda before": """
        def f(x):
            g = lambda: y
            if x == 1:
                g()
            y = x
            return g()
    """,
    "a generator": """
        def f(x):
            if x:
                y = 3
            return sum(y for _ in range(2))
    """,
    "the iterable of a generator": """
        def f(x):
            if x:
                y = [3]
            return sum(z for z in y)
    """,
    "an operand of logic": """
        def f(x):
            if x > 1:
                y = 3
            return x and y or x
    """,
    "an arm": """
        def f(x):
            if x > 1:
                y = 3
            return y if x else 0
    """,
    "an argument": """
        def f(x):
            if x:
                y = 3
            return print(x, y, z=missing)
    """,
    "a default": """
        def f(x):
            if x:
                y = 3
            def g(z=y):
                return z
            return g()
    """,
    "a global that is missing": """
        def f(x):
            if x:
                return missing
            return [missing for _ in range(1)]
    """,
    "after break": """
        def f(x):
            for i in range(2):
                if i == x:
                    y = i
                    break
            return y
    """,
    "bound where no way leads": """
        def f(x):
            if x:
                return (lambda: y)()
            else:
                return [y for _ in range(2)], [(lambda: y)() for _ in range(2)]
            y = 1
    """,
    "in an else": """
        def f(x):
            for i in range(x):
                y = i
                if i == 1:
                    break
            else:
                return y
            return i
    """,
    "an import": """
        def f(x):
            if x:
                import math
            return math.pi
    """,
    "a subscript target": """
        def f(x):
            if x:
                y = [0, 0]
            y[0] = print("value")
            y[1], z = y
            return y, z
    """,
    "a walrus": """
        def f(x):
            if x and (y := x):
                return y
            return y
    """,
}


@pytest.mark.parametrize("text", UNBOUND.values(), ids=UNBOUND)
def test_unbound_names_fail_as_in_the_original(text):
    found = same(module(text).f, (0,), (1,), (2,))
    assert any(outcome.failure for outcome in found)


def test_an_unbound_private_name_carries_the_class():
    text = """
        class _A:
            def f(self, x):
                if x:
                    __y = 1
                    del __y
                for __z in range(x):
                    pass
                return __z if x else __y
    """
    for function in (module(text)._A.f, converted(module(text)._A.f)):
        with pytest.raises(UnboundLocalError, match="'_A__y'"):
            function(None, 0)
        assert function(None, 1) == 0


def test_a_name_error_names_the_name():
    function = module("def f():\n    if 0:\n        y = 1\n    return (lambda: y)()").f
    for one in (function, converted(function)):
        with pytest.raises(NameError) as raised:
            one()
        assert raised.value.name == "y"


def test_an_unbound_name_is_raised_without_context():
    function = module("def f(x):\n    if x:\n        y = 1\n    return y").f
    with pytest.raises(UnboundLocalError) as raised:
        converted(function)(0)
    assert raised.value.__context__ is None
