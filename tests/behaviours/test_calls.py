"""Calls: behaviours 133 to 154."""

from __future__ import annotations

import abc
import contextlib
import copy
import functools
import inspect
import linecache
import operator
import pickle
from collections import namedtuple
from dataclasses import dataclass, field

import numpy as np
import pytest

import transpile

from .harness import DEVICES, Behaviour, Behaviours, arrays, check, name_of, on_each, sizes

behaviours = Behaviours()


def twice(x):
    return x + x


def factorial(n):
    return 1 if n <= 1 else n * factorial(n - 1)


@behaviours(133, "a user's function", *sizes())
def calls_function(x):
    return twice(twice(x)) + twice(x=x)


@behaviours(133, "recursion to a depth that is known", *sizes())
def calls_itself(x):
    def nested(x, depth):
        if depth == 0:
            return x
        return nested(x + depth, depth - 1)

    return nested(x, 3)


class Shape:
    """Methods of all kinds."""

    unit = 2.0

    def __init__(self, size):
        self.size = size
        self.operation = self.scaled

    def scaled(self, k):
        return self.size * k * self.unit

    @classmethod
    def unit_twice(cls, x):
        return cls.unit * x

    @staticmethod
    def plus_one(x):
        return x + 1

    @property
    def area(self):
        return self.size * self.size


class Square(Shape):
    unit = 3.0

    def scaled(self, k):
        return super().scaled(k) + 1


class Cube(Square):
    def scaled(self, k):
        inner = lambda: super(Cube, self).scaled(k)

        def deeper():
            return super(Cube, self).area

        return inner() + deeper()


@behaviours(134, "methods", *sizes())
def calls_methods(x):
    shape = Shape(x)
    bound = shape.scaled
    return (
        bound(2),
        shape.operation(3),
        Shape.scaled(shape, 4),
        shape.unit_twice(x),
        Shape.plus_one(x),
        shape.area,
    )


@behaviours(
    134,
    "methods of an object that is handed in",
    (Shape(1.5), 2),
    (Square(2), 0.5),
    (Shape(np.ones(2)), 3),
)
def calls_methods_of_argument(shape, k):
    return shape.scaled(k) + shape.area, shape.plus_one(k), shape.unit_twice(k), type(shape).unit_twice(1)


class Polynomial:
    def __init__(self, *coefficients):
        self.coefficients = coefficients

    def __call__(self, x):
        result = 0
        for c in self.coefficients:
            result = result * x + c
        return result


class Registering(type):
    """A metaclass that makes instances itself."""

    def __call__(cls, *args):
        made = super().__call__(*args)
        made.registered = True
        return made


class Registered(metaclass=Registering):
    def __init__(self, x):
        self.x = x


class Base(abc.ABC):
    @abc.abstractmethod
    def value(self, x): ...

    def twice(self, x):
        return self.value(x) * 2


class Derived(Base):
    def value(self, x):
        return x + 1


GIVEN_POLYNOMIAL = Polynomial(1, 2, 3)


@behaviours(135, "a callable object", *sizes())
def calls_object(x):
    return Polynomial(2, 1)(x) + GIVEN_POLYNOMIAL(x)


@behaviours(135, "a callable metaclass", *sizes(), gaps="S142-unknown")
def calls_metaclass(x):
    made = Registered(x)
    return made.x, made.registered


@behaviours(135, "an abstract class", *sizes())
def calls_abstract(x):
    return Derived().twice(x), isinstance(Derived(), Base)


@behaviours(135, "an abstract class cannot be made", *sizes())
def makes_abstract(x):
    return Base().twice(x)


def weighted(x, weight, *, offset=0):
    return x * weight + offset


SCALED = functools.partial(weighted, weight=3, offset=1)


@behaviours(136, "partial", *sizes())
def calls_partial(x):
    own = functools.partial(weighted, x)
    first = SCALED(x), SCALED(x, offset=2), SCALED(x, weight=1), own(2)
    return first, SCALED.keywords


triple, quadruple = lambda x: x * 3, lambda x: x * 4
added = lambda x, k=10, *, s=1: x + k * s


@behaviours(137, "lambdas", *sizes())
def calls_lambdas(x):
    double = lambda v: v * 2
    pair = [lambda v: v + 1, lambda v: v + 2]
    nested = lambda v: (lambda v: v * 5)(v + 1)
    return double(x), triple(x), quadruple(x), added(x), added(x, 1, s=2), pair[0](x), pair[1](x), nested(x)


@behaviours(138, "a closure reads", *sizes(2), *sizes(-2))
def closure_reads(x, k):
    offset = k + 1

    def inner(v):
        def innermost():
            return v * offset + k

        return innermost()

    return inner(x)


@behaviours(138, "a closure writes", *sizes(2), *sizes(-2))
def closure_writes(x, k):
    total = 0

    def add(v):
        nonlocal total
        total = total + v

    add(k)
    add(x)
    return total


@behaviours(139, "closures that are made in a loop see the last turn", *sizes())
def late_binding(x):
    functions = []
    for k in range(3):
        functions.append(lambda v: v * k)
    bound = [lambda v, k=k: v * k for k in range(3)]
    return [f(x) for f in functions], [f(x) for f in bound]


@behaviours(139, "closures see what a name is bound to later", *sizes(1), *sizes(-1))
def sees_later(x, k):
    y = x
    f = lambda: y * 2
    if k > 0:
        y = x + 1
    return f()


Point = namedtuple("Point", "x y")


class Vector(Point):
    def norm(self):
        return self.x * self.x + self.y * self.y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)


@behaviours(140, "a named tuple", *sizes())
def named_tuples(x):
    p = Point(x, y=2.0)
    q = p._replace(y=x)
    a, b = q
    return p, q.x + q.y, a is b, p[0], len(p), p._fields


@behaviours(140, "a subclass of a named tuple, with methods", *sizes())
def named_subclass(x):
    v = Vector(x, 1) + Vector(2, x)
    return v.norm(), v, type(v).__name__


@behaviours(140, "a named tuple is carried by a loop", (3, 1.5), (0, 1.5), (2, np.ones(2)))
def named_tuple_in_loop(n, x):
    p = Point(x, 0)
    for k in range(n):
        p = Point(p.x * 2, p.y + k)
    return p


@dataclass
class Particle:
    position: float
    velocity: float = 1.0
    history: list = field(default_factory=list)

    def moved(self, dt):
        return Particle(self.position + self.velocity * dt, self.velocity)


@dataclass(frozen=True)
class Frozen:
    a: float
    b: float = 2.0

    def __post_init__(self):
        if not isinstance(self.b, float):
            raise TypeError("b")

    @property
    def total(self):
        return self.a + self.b


@behaviours(141, "a dataclass", *sizes())
def dataclasses_made(x):
    p = Particle(x).moved(0.5)
    p.velocity = p.velocity * x
    p.history.append(x)
    return p, p.position


@behaviours(141, "a frozen dataclass", *sizes())
def frozen_dataclass(x):
    f = Frozen(x)
    return f.total, f


@behaviours(141, "a dataclass is handed in", (Particle(1.5, 2.0), 0.5), (Particle(np.ones(2)), 2))
def dataclass_given(p, dt):
    return p.moved(dt).position + p.position


@behaviours(141, "a dataclass is carried by a loop", (3, 1.5), (0, 1.5), (2, np.ones(2)))
def dataclass_in_loop(n, x):
    p = Particle(x)
    for _ in range(n):
        p = p.moved(0.5)
    return p.position


@behaviours(142, "super()", *sizes())
def calls_super(x):
    return Square(x).scaled(2), Cube(x).scaled(2)


class OneArgument(Shape):
    def scaled(self, k):
        unbound = super(OneArgument)
        return unbound.__get__(self, OneArgument).scaled(k)


@behaviours(142, "super() of one argument", *sizes(), gaps="S248-super")
def calls_super_of_one(x):
    return OneArgument(x).scaled(2)


@behaviours(143, "eval in the function's own scope", *sizes(), gaps="C017-frame")
def evaluates(x):
    k = 3
    return eval("x * k + twice(x)")


@behaviours(143, "locals and globals", *sizes(), gaps="C017-frame")
def looks_around(x):
    k = 3
    return sorted(locals()), "twice" in globals()


class Mangled:
    __factor = 3

    def __init__(self, x):
        self.__x = x

    def value(self):
        def inner():
            return self.__x * self.__factor

        return inner()


@behaviours(144, "a mangled attribute", *sizes())
def mangled(x):
    m = Mangled(x)
    return m.value(), m._Mangled__x


class Grid:
    def __init__(self, n, x):
        self.points = np.linspace(0, 1, n)
        self.values = np.zeros((n, 2)) + x
        self.n = n

    def total(self):
        return (self.points[:, None] * self.values).sum()


@behaviours(145, "a constructor makes arrays", (3, 1.5), (1, 2), (4, np.array([1.0, 2.0])))
def constructor_of_arrays(n, x):
    grid = Grid(n, x)
    grid.values[0] = 7
    return grid.total(), grid


def logged(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        print("call", function.__name__)
        return function(*args, **kwargs)

    return wrapper


@logged
def decorated(x, k=2):
    return x * k


@functools.lru_cache(maxsize=None)
def cached(k):
    return k * k


@contextlib.contextmanager
def block(name):
    print("enter", name)
    yield name
    print("leave", name)


@behaviours(146, "a function that is wrapped", *sizes())
def calls_wrapped(x):
    return decorated(x) + decorated(x, k=3)


@behaviours(146, "a function with a cache, on what is known", *sizes())
def calls_cached(x):
    return x * cached(3)


@behaviours(146, "a function with a cache, on a value", *on_each(3, 2.5), gaps="S139-cached")
def calls_cached_on_value(x):
    return cached(x) + 1


@behaviours(146, "a context manager made of a generator", *sizes())
def uses_block(x):
    with block("a") as name:
        x = x + len(name)
    return x


def pairs(n):
    for k in range(n):
        yield k, k * 2


@behaviours(147, "a generator function is called", *sizes())
def calls_generator(x):
    for a, b in pairs(3):
        x = x + a * b
    return x


@behaviours(148, "functions made in C", *sizes())
def calls_native(x):
    return operator.add(x, 1), operator.mul(x, x), operator.itemgetter(1)([1, x]), operator.neg(x)


MADE = "def made_by_exec(x, k=2):\n    return x * k + 1\n"
exec(MADE)


@behaviours(149, "a function made by exec", *sizes(), gaps="S140-callee")
def calls_exec_made(x):
    return made_by_exec(x) + 1


@behaviours.test(149, "a function made by exec runs as it is", gaps="C002-no-source")
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
def test_a_function_made_by_exec_runs(device: str) -> None:
    assert transpile.convert(made_by_exec, device=device)(3) == 7


already = transpile.convert(twice, device="host")


@behaviours(150, "a function that is converted already is called", *sizes())
def calls_converted(x):
    return already(x) + already(x)


@behaviours.test(150, "a function is converted twice")
@pytest.mark.parametrize("device", DEVICES)
def test_a_function_converted_twice_is_converted_once(device: str) -> None:
    once = transpile.convert(weighted, strict=True, device=device)
    again = transpile.convert(once, strict=True, device=device)
    assert again.python_function is once.python_function is weighted
    assert again(np.ones(2), 3, offset=1).tolist() == [4, 4]
    assert again.calls.entries


@behaviours.test(151, "a converted function looks and pickles as the original")
@pytest.mark.parametrize("device", DEVICES)
def test_a_converted_function_looks_as_the_original(device: str) -> None:
    converted = transpile.convert(weighted, strict=True, device=device)
    assert inspect.signature(converted) == inspect.signature(weighted)
    assert inspect.getsource(converted) == inspect.getsource(weighted)
    for name in (
        "__name__",
        "__qualname__",
        "__doc__",
        "__module__",
        "__annotations__",
        "__defaults__",
        "__kwdefaults__",
    ):
        assert getattr(converted, name) == getattr(weighted, name)
    assert pickle.loads(pickle.dumps(already_by_name)) is already_by_name
    assert copy.copy(converted) is converted
    assert copy.deepcopy(converted) is converted
    assert converted(2, 3) == weighted(2, 3)


@transpile.convert
def already_by_name(x):
    return x + 1


@behaviours(152, "recursion whose end is known at run time", *on_each(5, 0, 1))
def recursion(n):
    return factorial(n)


@behaviours(153, "a callback is handed to a library that is not converted", *arrays())
def hands_callback(x):
    def key(value):
        return -value

    return functools.reduce(lambda a, b: a + b, [x, x, x]), np.apply_along_axis(lambda v: v.sum(), 0, x)


@behaviours.test(154, "a function that is defined again in a cell of a notebook")
@pytest.mark.parametrize("device", DEVICES)
def test_a_function_defined_again_is_converted_anew(device: str) -> None:
    namespace: dict = {}
    results = []
    for number, text in enumerate(("def cell(x):\n    return x + 1\n", "def cell(x):\n    return x * 10\n")):
        name = f"<ipython-input-{number}-{device}>"
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
        exec(compile(text, name, "exec"), namespace)
        converted = transpile.convert(namespace["cell"], strict=True, device=device)
        results.append(converted(np.arange(3)).tolist())
        assert converted.calls.entries
    assert results == [[1, 2, 3], [0, 10, 20]]


@behaviours.test(154, "a function that another one calls is defined again")
@pytest.mark.parametrize("device", DEVICES)
def test_a_callee_defined_again_is_met(device: str) -> None:
    namespace: dict = {}
    name = f"<ipython-input-callee-{device}>"

    def run(text: str) -> None:
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
        exec(compile(text, name, "exec"), namespace)

    run("def helper(x):\n    return x + 1\n\ndef cell(x):\n    return helper(x) * 2\n")
    converted = transpile.convert(namespace["cell"], strict=True, device=device)
    assert converted(2.5) == 7.0
    run("def helper(x):\n    return x - 1\n")
    assert converted(2.5) == 3.0


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("behaviour", behaviours.functions, ids=name_of)
def test_behaviour(behaviour: Behaviour, device: str) -> None:
    check(behaviour, device)
