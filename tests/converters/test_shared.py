"""Variables that several functions see are one variable, and globals are the module's."""

import pytest

from transpile.converters import convert

from .eager import EagerOps
from .outcomes import module, same

PROGRAMS = {
    "late binding": """
        def f(x):
            g = []
            for i in range(x):
                g.append(lambda: i)
            return [h() for h in g]
    """,
    "late binding in a while": """
        def f(x):
            def g():
                return x
            while x > 0:
                x = x - 1
                print(g())
            return g()
    """,
    "late binding in a branch": """
        def f(x):
            g = lambda: x
            if x:
                x = 1
            return g()
    """,
    "late binding of a generator": """
        def f(x):
            g = (y + x for y in [1])
            if x:
                x = 5
            return list(g)
    """,
    "late binding under try": """
        def f(x):
            g = lambda: y
            try:
                y = 1 // x
            except ZeroDivisionError:
                y = "zero"
            else:
                if x == 2:
                    y = "two"
            return g()
    """,
    "not bound yet": """
        def f(x):
            def g():
                return y
            if x > 1:
                y = 1
            print(g())
            if x > 0:
                y = 2
            return g()
    """,
    "not bound any more": """
        def f(x):
            y = 1
            def g():
                return y
            if x:
                y = 2
                print(g())
            if x > 1:
                del y
            return g()
    """,
    "nonlocal": """
        def f(x):
            n = 0
            def count(by=1):
                nonlocal n
                n += by
                return n
            for i in range(x):
                if i % 2:
                    count()
                else:
                    n = count(2) + n
            return n, count()
    """,
    "nonlocal deep inside": """
        def f(x):
            n = [0]
            def g():
                def h():
                    nonlocal n
                    if x:
                        n = n + [x]
                h()
                return n
            g()
            g()
            return n
    """,
    "nonlocal of a parameter": """
        def f(x):
            def g():
                nonlocal x
                while x < 3:
                    x += 1
            y = x
            g()
            return x, y
    """,
    "nonlocal that is not bound": """
        def f(x):
            def g():
                nonlocal n
                n += 1
            if x:
                n = 0
            g()
            return n
    """,
    "nonlocal that binds first": """
        def f(x):
            def g():
                nonlocal n
                n = x
            if x:
                g()
            if x > 2:
                n = n + 1
            return n
    """,
    "nonlocal as a target of for": """
        def f(x):
            last = None
            def g():
                nonlocal last
                for last in range(x):
                    print(last)
                    if last == 1:
                        break
            g()
            return last
    """,
    "a loop's variable that is shared": """
        def f(x):
            def g():
                return i
            for i in range(x):
                if i == 1:
                    i = 7
                print(g())
            return i
    """,
    "recursion": """
        def f(x):
            def g(n):
                return g(n - 1) + 1 if n else 0
            if x:
                return g(x)
            g = None
            return g
    """,
    "one of two functions of a name": """
        def f(x):
            if x:
                def g():
                    return "a", h()
            else:
                def g():
                    return "b", h()
            def h():
                return x
            return g()
    """,
}


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_shared_variables_do_what_they_did(text):
    same(module(text).f, *((x,) for x in range(4)))


GLOBALS = {
    "a store": """
        def f(x):
            global total
            total = total + x
            return total
    """,
    "stores in branches and loops": """
        def f(x):
            global total, last
            for last in range(x):
                if last % 2:
                    total += last
            def g():
                global total
                if total:
                    total = -total
            g()
            return total
    """,
    "a function, an import and a class of errors": """
        def f(x):
            global g, math
            if x:
                import math
                def g(y):
                    return math.floor(y)
            return g(x + 0.5)
    """,
    "a walrus": """
        def f(x):
            global total
            return [total := y + x for y in range(3)], total
    """,
    "a with": """
        import contextlib
        def f(x):
            global total
            if x:
                with contextlib.nullcontext(x) as total:
                    pass
            return total
    """,
}


@pytest.mark.parametrize("text", GLOBALS.values(), ids=GLOBALS)
def test_globals_become_what_they_became(text):
    text = "total, last, g, math = 0, None, None, None\n" + __import__("textwrap").dedent(text)
    for x in range(4):
        outcomes = []
        for bind in (lambda f: f, lambda f: convert(f).bind(EagerOps())):
            function = module(text).f
            space = function.__globals__
            try:
                result = bind(function)(x)
            except Exception as error:
                result = repr(error)
            outcomes.append((result, space["total"], space["last"], callable(space["g"]), space["math"]))
        assert outcomes[0] == outcomes[1]


def test_a_variable_of_the_function_around_is_bound():
    space = module(
        """
        def make():
            n = 0
            def f(x):
                nonlocal n
                for _ in range(x):
                    n += 1
                return n
            return f
        """
    )
    function = space.make()
    assert convert(function).bind(EagerOps())(3) == 3
    assert function(2) == 5
