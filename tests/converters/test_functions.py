"""Functions inside functions, methods, closures and decorators keep what they are."""

import inspect
import sys
from types import CellType

import pytest

from transpile.converters import convert

from .eager import EagerOps
from .outcomes import converted, module, same

NESTED = {
    "a closure": """
        def f(x):
            y = x + 1
            def g(z):
                if z > 1:
                    return y * z
                return y
            return g(x), g(3)
    """,
    "a closure over a parameter": """
        def f(x):
            return [(lambda y: x + y)(i) for i in range(3)]
    """,
    "defined in a branch": """
        def f(x):
            if x:
                def g(y):
                    return y + x
            else:
                g = lambda y: y - 1
            return g(3)
    """,
    "defined in a loop and called there": """
        def f(x):
            out = []
            for i in range(x + 2):
                def g(y=i):
                    for j in range(y):
                        if j == 1:
                            return "one"
                    return y
                out.append(g())
            return out
    """,
    "recursion of an inner function": """
        def f(x):
            def fib(n):
                if n < 2:
                    return n
                return fib(n - 1) + fib(n - 2)
            return [fib(i) for i in range(x + 5)]
    """,
    "mutual recursion": """
        def f(x):
            def even(n):
                return True if n == 0 else odd(n - 1)
            def odd(n):
                return False if n == 0 else even(n - 1)
            return even(x), odd(x)
    """,
    "three deep": """
        def f(x):
            def g(y):
                def h(z):
                    while z < x + y:
                        z += 2
                    return z
                return h
            return g(1)(2)
    """,
    "a generator inside stays as it is": """
        def f(x):
            def g():
                for i in range(x):
                    yield i
                return
            return list(g()), sum(g())
    """,
    "a try inside stays as it is": """
        def f(x):
            def g(y):
                try:
                    return 1 / y
                except ZeroDivisionError as error:
                    return str(error)
            return [g(i) for i in range(x + 1)]
    """,
    "nonlocal of another function stays": """
        def f(x):
            def counter():
                n = 0
                def step():
                    nonlocal n
                    n += 1
                    return n
                return step
            c = counter()
            return [c() for _ in range(x)]
    """,
    "a decorated function inside": """
        def twice(g):
            return lambda *a: g(*a) * 2
        def f(x):
            @twice
            def g(y):
                return y if y else x
            return g(x)
    """,
    "defaults and keywords": """
        def f(x):
            y = x
            def g(a, b=y + 1, *c, d=[y], **e):
                return a, b, c, d, e
            y = 10
            return g(y), g(1, 2, 3, d=4, z=5)
    """,
    "annotations": """
        def f(x):
            def g(a: int, b: "text" = 1) -> x:
                c: int = a
                return c + b
            return g(x), g.__annotations__
    """,
    "lambdas on a line": """
        def f(x):
            a, b, c = lambda: x, lambda: x + 1, lambda y: (lambda: x + y)()
            return a(), b(), c(5)
    """,
    "a name reused for a function": """
        def f(x):
            def g():
                return 1
            a = g()
            def g():
                return 2
            return a, g()
    """,
    "globals are read when they are needed": """
        n = 5
        def f(x):
            global n
            return n + x, helper(x)
        def helper(x):
            return n * x
    """,
    "a comprehension in a nested function": """
        def f(x):
            def g(xs):
                return [y + x for y in xs if y != x]
            return g(range(4))
    """,
    "callbacks with defaults in a loop": """
        def f(x):
            callbacks = []
            for i in range(x):
                callbacks.append(lambda i=i: i * i)
            return [callback() for callback in callbacks]
    """,
    "sorted by a key": """
        def f(x):
            xs = [3, 1, 2]
            for sign in (1, -1):
                print(sorted(xs, key=lambda y: sign * y))
                print(max(sign * y for y in xs))
            return xs
    """,
    "defaults of the function itself": """
        def f(x, key=lambda y: [z for z in [y]], *, other=[lambda: 3 for _ in range(2)]):
            return key(x), other[0]()
    """,
    "lambdas in defaults in comprehensions": """
        def f(x):
            return [(lambda a=(lambda b=y: b): a())() for y in range(x)]
    """,
    "a class in a function inside": """
        def f(x):
            def g():
                class A:
                    class B:
                        y = x
                return A.B.__qualname__, A.B.y
            return g()
    """,
    "arguments of other names": """
        def f(ops):
            def cond(self, names=None, *, until=1):
                return self, names, until
            return cond(ops), cond(self=ops, names=2, until=3), dict(function=1, self=2)
    """,
}


@pytest.mark.parametrize("text", NESTED.values(), ids=NESTED)
def test_nested_functions_do_what_they_did(text):
    same(module(text).f, (0,), (1,), (3,))


CLASSES = module(
    """
    class Base:
        def value(self, x):
            return ("base", x)

        @classmethod
        def made(cls, x):
            return cls, x

    class Derived(Base):
        __private = 3

        def __init__(self):
            self.__hidden = 4

        def value(self, x):
            if x:
                return super().value(x) + ("derived",)
            return super(Derived, self).value(x)

        def private(self, x):
            self.__count = x
            while self.__count < 3:
                self.__count += 1
            return self.__private, self.__hidden, self.__count, Derived.__private, self.__twice(x)

        def __twice(self, x):
            if x > 10:
                return x
            return self.__twice(x * 2 + 1)

        def nested(self, x):
            def __local(y):
                return __local(y - 1) if y else self.__private
            return __local(x), [super(Derived, self).value(i) for i in range(x)]

        def in_a_branch(self, x):
            if x > 1:
                for i in range(x):
                    last = super().value(i)
                return last
            return __class__.__name__

        @classmethod
        def made(cls, x):
            return super().made(x) if x else cls

        @staticmethod
        def still(x):
            return x + 1 if x else Derived

        @property
        def half(self):
            return 0 if self.__private else 1

        def __eq__(self, other):
            return self.__private == other or False
    """
).Derived


@pytest.mark.parametrize(
    "name",
    ["value", "private", "nested", "in_a_branch", "_Derived__twice", "made", "still", "half", "__eq__"],
)
@pytest.mark.parametrize("x", [0, 1, 3])
def test_methods_do_what_they_did(name, x):
    method = vars(CLASSES)[name]
    function = getattr(method, "__func__", None) or getattr(method, "fget", None) or method
    first = [] if name == "still" else [CLASSES] if name == "made" else [CLASSES()]
    arguments = [*first, x] if name != "half" else first
    assert converted(function)(*arguments) == function(*arguments)


def test_a_method_with_a_class_in_a_function_inside_is_found():
    function = module(
        """
        class A:
            def f(self):
                def g():
                    class B:
                        y = self
                    return B
                return g()
        """
    ).A.f
    assert converted(function)(3).__qualname__ == function(3).__qualname__


def test_methods_of_modules_that_speak_of_super_are_found():
    method = module(
        """
        import math, string
        other = [super][0]
        class A(str):
            def f(self):
                return super().upper(), math.floor(2.5), string.digits.upper()
        """
    ).A.f
    assert convert(method).codes


def test_what_is_known_of_a_function_is_kept():
    function = module(
        '''
        def outer(k):
            def f(a, /, b: int = 2, *, c=3) -> str:
                """Does it."""
                return a + b + c + k
            f.note = "noted"
            return f
        '''
    ).outer(5)
    other = converted(function)
    assert other(1) == function(1) == 11
    for name in ("name", "qualname", "doc", "module", "annotations", "defaults", "kwdefaults"):
        assert getattr(other, f"__{name}__") == getattr(function, f"__{name}__")
    assert other.note == "noted"
    assert inspect.signature(other) == inspect.signature(function)
    assert other.__globals__ is function.__globals__
    assert other.__code__.co_filename == function.__code__.co_filename
    assert other.__code__.co_firstlineno == function.__code__.co_firstlineno


def test_cells_are_shared_with_the_original():
    space = module(
        """
        def outer(k):
            def f():
                return k
            def change(value):
                nonlocal k
                k = value
            return f, change
        """
    )
    function, change = space.outer(1)
    other = converted(function)
    change(2)
    assert other() == function() == 2


def test_globals_and_cells_can_be_replaced():
    function = module(
        """
        n = 1
        def outer(k):
            def f():
                return n, k
            return f
        """
    ).outer(2)
    other = convert(function).bind(EagerOps(), {"n": 10}, {"k": CellType(20)})
    assert other() == (10, 20)
    assert function() == (1, 2)


def test_conversion_is_done_once_for_each_code_object():
    outer = module("def outer(k):\n    def f():\n        return k\n    return f").outer
    one, other = convert(outer(1)), convert(outer(2))
    assert one._rewritten is other._rewritten
    assert one.bind(EagerOps())() == 1
    assert other.bind(EagerOps())() == 2


def test_equal_functions_of_two_files_are_kept_apart():
    first, second = (module("def f(x):\n    return 1 / x").f for _ in range(2))
    assert convert(first).bind(EagerOps()).__code__.co_filename == first.__code__.co_filename
    assert convert(second).bind(EagerOps()).__code__.co_filename == second.__code__.co_filename


def test_lambdas_on_a_line_are_told_apart():
    lambdas = module("fs = [lambda x: x + 1, lambda x: x + 2, lambda x: (lambda y: y * 3)(x)]").fs
    assert [converted(one)(1) for one in lambdas] == [2, 3, 3]


def test_code_objects_know_whose_they_are():
    function = module(
        """
        def f(xs, a, b):
            def inner(x):
                while x:
                    x -= 1
                return [y for y in range(x)]
            key = lambda x: x and -x
            for x in xs:
                if x and a:
                    print(x)
            async def left():
                await (lambda: 1)
            return inner, key
        """
    ).f
    codes = convert(function).codes
    owners = set(codes.values())
    assert owners == {"f", "f.<locals>.inner", "f.<locals>.<lambda>"}
    bound = converted(function)
    assert codes[bound.__code__] == "f"
    inner, key = bound([], 1, 2)
    assert codes[inner.__code__] == inner.__qualname__ == "f.<locals>.inner"
    assert codes[key.__code__] == key.__qualname__ == "f.<locals>.<lambda>"


def test_qualified_names_are_those_of_the_original():
    function = module(
        """
        class A:
            def f(self):
                def g():
                    if self:
                        return [lambda: 0][0]
                h = lambda: g or self
                if self:
                    def k():
                        return (lambda: 0) or None
                made = (g, g(), h, k, k())
                return [(one.__qualname__, one.__code__.co_qualname) for one in made]
        """
    ).A.f
    assert converted(function)(1) == function(1)


def test_future_annotations_stay_text():
    function = module(
        """
        from __future__ import annotations
        def f(x):
            def g(y: undefined[x]) -> whatever:
                return y
            z: undefined = 1
            return g.__annotations__, z
        """
    ).f
    assert converted(function)(1) == function(1)


def test_source_is_for_people():
    text = convert(module("def f(n):\n    while n > 3:\n        n = n / 2\n    return n").f).source()
    assert "ops.while_loop(loop_test, loop_body, (n,), names=(" in text


def test_a_function_in_a_pytest_module_converts_in_spite_of_its_asserts():
    def checked(x):
        assert x > 0, "positive"
        return x

    assert converted(checked)(1) == 1
    with pytest.raises(AssertionError, match="positive"):
        converted(checked)(0)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the syntax is of 3.12")
def test_generic_functions_are_converted():
    same(
        module(
            """
            def f[T](x: T, y: list[T] = ()) -> T:
                def g[U: T](z: U) -> U:
                    return z, T.__name__
                if x:
                    return g(x)
                return T.__name__, [y for y in y]
            """
        ).f,
        (0,),
        (1,),
    )


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the syntax is of 3.12")
def test_nested_quotes_in_f_strings_are_converted():
    same(module("""def f(x):\n    return f"{'\\n'.join([f"{x + "a"}"])!r}" """).f, ("b",))
