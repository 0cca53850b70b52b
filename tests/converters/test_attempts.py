"""`try` and `with` do what they did: who handles what, in which order, and through which jumps."""

import textwrap

import pytest

from .outcomes import module, same

COMMON = """
    class Manager:
        def __init__(self, name, swallows=False):
            self.name, self.swallows = name, swallows
        def __enter__(self):
            print("enter", self.name)
            return self
        def __exit__(self, kind, error, traceback):
            print("exit", self.name, kind)
            return self.swallows
    def g(x):
        print("g", x)
        if x == 3:
            raise ValueError(x)
        if x == 4:
            raise KeyError(x)
        return x
"""

PROGRAMS = {
    "a handler": """
        def f(x):
            try:
                y = g(x)
            except ValueError:
                y = -1
            return y
    """,
    "a name": """
        def f(x):
            error = None
            try:
                g(x)
            except (ValueError, KeyError) as error:
                print(repr(error))
                kind = type(error)
            else:
                kind = None
            return kind, error
    """,
    "classes that are computed": """
        class errors:
            Late = ValueError
        def kinds(*names):
            print("kinds", names)
            return tuple(getattr(errors, name) for name in names)
        def f(x):
            try:
                try:
                    y = g(x)
                except errors.Late:
                    y = -1
                except kinds("Late", "Gone"):
                    y = -2
            except AttributeError as error:
                y = str(error)
            except (kind := KeyError, errors.Late):
                y = kind
            return y
    """,
    "a name that is gone": """
        def f(x):
            try:
                g(x)
            except ValueError as error:
                if x:
                    print(error)
            if x > 2:
                return error
    """,
    "else and finally": """
        def f(x):
            try:
                y = g(x)
            except ValueError:
                y = -1
                print("handled")
            else:
                print("else")
                y = g(y + 1)
            finally:
                print("finally")
            return y
    """,
    "a bare clause": """
        def f(x):
            try:
                return g(x)
            except KeyError:
                return "key"
            except:
                return "any"
    """,
    "a return in every clause": """
        def f(x):
            try:
                if x == 0:
                    return "zero"
                g(x)
            except ValueError:
                return "value"
            except KeyError:
                pass
            else:
                return "else"
            finally:
                print("finally")
            return "end"
    """,
    "a return that finally replaces": """
        def f(x):
            try:
                if x:
                    return g(x)
                print("zero")
            finally:
                return "finally"
    """,
    "a return that finally may replace": """
        def f(x):
            try:
                return g(x)
            except ValueError:
                return "value"
            finally:
                if x < 2:
                    return "finally"
    """,
    "a return whose value fails": """
        def f(x):
            try:
                return 1 / x
            except ZeroDivisionError:
                return "zero"
    """,
    "break and continue": """
        def f(x):
            seen = []
            for i in range(6):
                try:
                    if i == 1:
                        continue
                    if i == x:
                        break
                    seen.append(g(i))
                except ValueError:
                    seen.append("value")
                    continue
                except KeyError:
                    break
                else:
                    seen.append("else")
                finally:
                    seen.append("finally")
                seen.append("end")
            else:
                seen.append("all")
            return seen
    """,
    "break in finally's way": """
        def f(x):
            while x < 6:
                try:
                    x += 1
                    if x == 2:
                        break
                    if x == 5:
                        return "five"
                finally:
                    print(x)
                print("turn")
            return x
    """,
    "a return through two": """
        def f(x):
            for i in range(3):
                try:
                    try:
                        if i == x:
                            return g(i + 2)
                    finally:
                        print("inner", i)
                        g(i + x)
                except ValueError:
                    print("handled")
                    continue
                print("went on")
            return "end"
    """,
    "names that a handler finds": """
        def f(x):
            if x:
                y = 0
            try:
                z = 1
                y = g(x)
                z = 2
            except KeyError:
                if x > 9:
                    y = z
            except ValueError:
                for _ in range(x - 3):
                    y = 5
                z = z + 1
            return y, z
    """,
    "names that nobody finds": """
        def f(x):
            try:
                y = g(x)
            except KeyError:
                if x > 9:
                    y = 1
            except ValueError:
                pass
            return y
    """,
    "names in finally": """
        def f(x):
            try:
                y = g(x)
            finally:
                if x < 4:
                    print(y)
            return y
    """,
    "raised again": """
        def f(x):
            try:
                g(x)
            except ValueError as error:
                raise TypeError("other") from error
            except KeyError:
                if x:
                    raise
    """,
    "raised in else": """
        def f(x):
            try:
                g(x)
            except ValueError:
                print("value")
            else:
                g(x + 1)
    """,
    "with": """
        def f(x):
            with Manager("a") as a, Manager("b"):
                y = g(x)
                print(a.name)
            return y
    """,
    "with that is left": """
        def f(x):
            for i in range(5):
                with Manager(i) as m:
                    if i == x:
                        break
                    if i == 1:
                        continue
                    if i + x == 4:
                        return "four"
                    print("turn", m.name)
            return i
    """,
    "a return in with": """
        def f(x):
            with Manager("a"):
                with Manager("b"):
                    return g(x)
    """,
    "a handler in a function inside": """
        def f(x):
            def h(y):
                try:
                    return g(y)
                except ValueError as error:
                    return str(error)
            return [h(i) for i in range(x, 4)]
    """,
    "functions in a body": """
        def f(x):
            try:
                a = x
                h = lambda: g(a)
                return h()
            except ValueError:
                return a
    """,
}


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_statements_do_what_they_did(text):
    function = module(textwrap.dedent(COMMON) + textwrap.dedent(text)).f
    # What is raised through a finally that returns is left to the tracer to refuse.
    swallows = 'return "finally"' in text
    same(function, *((x,) for x in range(6) if not (swallows and x in (3, 4))))
