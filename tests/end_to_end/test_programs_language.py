"""Programs that use much of the language: classes, closures, defaults, loops and their ends, prints, types that change."""

from __future__ import annotations

import math
from collections import namedtuple
from dataclasses import dataclass, field

import numpy as np
import pytest

from .programs import Program, Programs, check, counts, name_of, noise

programs = Programs()

SCALE = 2.5
TABLE = np.array([1.0, 2.0, 4.0])
LIMITS = {"low": -1.0, "high": 1.0}

Point = namedtuple("Point", "x y")


class Particle:
    mass = 2.0

    def __init__(self, position, velocity):
        self.position = position
        self.velocity = velocity

    @property
    def energy(self):
        return 0.5 * self.mass * (self.velocity**2).sum()

    def step(self, force, dt=0.1):
        self.velocity = self.velocity + force / self.mass * dt
        self.position += self.velocity * dt
        return self

    @staticmethod
    def gravity(x):
        return -x / (1 + (x * x).sum())


class Welford:
    def __init__(self):
        self.n = 0
        self.mean = self.m2 = 0.0

    def push(self, x):
        self.n += 1
        delta = x - self.mean
        self.mean += delta / self.n
        self.m2 += delta * (x - self.mean)

    def __len__(self):
        return self.n

    @property
    def variance(self):
        return self.m2 / (self.n - 1) if self.n > 1 else float("nan")


@dataclass
class Settings:
    rate: float = 0.1
    steps: int = 5
    history: list = field(default_factory=list)


@programs(lambda: (noise(3), noise(3, seed=1), 5), lambda: (noise(1), noise(1), 0))
def moving_particle(x, v, steps):
    particle = Particle(x, v)
    energies = np.zeros(steps)
    for k in range(steps):
        particle.step(Particle.gravity(particle.position))
        energies[k] = particle.energy
    return particle.position, particle.velocity, energies


@programs(lambda: (noise(3), noise(3, seed=1), 5), lambda: (noise(1), noise(1), 0))
def returned_particle(x, v, steps):
    particle = Particle(x, v)
    for _ in range(steps):
        particle.step(-particle.position, dt=0.2)
    return particle


@programs(lambda: (Particle(noise(3), noise(3)),))
def particle_is_handed_in(particle):
    return particle.energy, particle.position + Particle.gravity(particle.position), particle.mass


@programs(lambda: (Particle(noise(3), noise(3)), 3))
def particle_handed_in_is_changed(particle, steps):
    for _ in range(steps):
        particle.step(1.0)
    return particle.energy


@programs(
    lambda: (noise(8),),
    lambda: (noise(1),),
    lambda: (counts(4),),
    lambda: (noise(3, dtype="f4"),),
)
def running_variance(x):
    w = Welford()
    for value in x:
        w.push(value)
    return w.mean, w.variance, len(w)


@programs(lambda: (noise(3), Settings()), lambda: (noise(2), Settings(0.5, 0)))
def with_settings(x, settings):
    for _ in range(settings.steps):
        x = x - settings.rate * 2 * x
    return x


@programs(lambda: (noise(3), noise(3)), lambda: (1.0, 2))
def named_tuples(x, y):
    p = Point(x + y, x - y)
    q = Point(y=p.x, x=p.y)
    return p, q.x * p.y, q._replace(x=0)


@programs(lambda: (noise(3),), lambda: (noise(0),))
def dictionary_result(x):
    result = {"sum": x.sum(), "double": 2 * x, "n": len(x)}
    result["mean"] = result["sum"] / max(result["n"], 1)
    result.update(shape=x.shape, limits=LIMITS["high"])
    return result


@programs(lambda: ({"w": noise(3), "b": 1.0}, noise(3)), lambda: ({"w": noise(1), "b": 2}, noise(1)))
def dictionary_of_parameters(parameters, x):
    out = parameters["w"] @ x + parameters["b"]
    total = 0.0
    for name, value in parameters.items():
        total += np.sum(value)
    return out, total


@programs(lambda: ([noise(2), noise(3)],), lambda: ([noise(1)] * 2,), lambda: ([],))
def list_of_arrays(arrays):
    total = 0.0
    for a in arrays:
        total += a.sum()
        a *= 2
    return total, [a + 1 for a in arrays], len(arrays)


@programs(lambda: (noise(4),), lambda: (noise(0),))
def appended(x):
    out = []
    for i, v in enumerate(x):
        out.append(v * i)
    pairs = [(i, v) for i, v in enumerate(x)]
    return out, np.array(out), len(pairs)


@programs(lambda: (noise(3), 2), lambda: (noise(2),), lambda: (3.0, 4, 5.0))
def defaults(x, power=2, scale=SCALE, *, offset=0):
    return scale * x**power + offset


@programs(lambda: (noise(3),), lambda: (2,))
def keywords(x):
    return defaults(x, offset=1), defaults(scale=2, x=x), defaults(x, 3, **{"offset": x})


@programs(lambda: (noise(3), 1.0), lambda: (noise(2), 2), lambda: (1, 2))
def closures(x, k):
    def shift(y):
        return y + k

    def twice(f, y):
        return f(f(y))

    functions = [lambda y: y * k, shift]
    for f in functions:
        x = f(x)
    return twice(shift, x), twice(lambda y: y / 2, x)


@programs(lambda: (noise(6), 0.5), lambda: (noise(0), 0.5), lambda: (np.zeros(3), 5))
def first_above(x, limit):
    for i, v in enumerate(x):
        if v > limit:
            return i, v
    return None


@programs(lambda: (noise(6), 0.5), lambda: (noise(0), 0.5), lambda: (np.zeros(3), 5.0))
def index_or_none(x, limit):
    found = None
    for i in range(len(x)):
        if x[i] > limit:
            found = i
            break
    return found


@programs(lambda: (noise(6),), lambda: (noise(1),), lambda: (noise(0),))
def best_so_far(x):
    best = None
    where = -1
    for i, v in enumerate(x):
        if best is None or v > best:
            best, where = v, i
    return best, where


@programs(lambda: (3,), lambda: (-2,), lambda: (0,), lambda: (2.5,))
def different_returns(x):
    if x > 0:
        return "positive"
    elif x == 0:
        return 0
    return x * 1.0


@programs(lambda: (noise(4, 5), 1.0), lambda: (noise(1, 1), 10.0), lambda: (noise(0, 3), 0.0))
def nested_breaks(a, limit):
    found = False
    steps = 0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            steps += 1
            if a[i, j] > limit:
                found = True
                break
            if a[i, j] < -limit:
                continue
            a[i, j] = 0
        else:
            steps += 100
            continue
        break
    return found, steps


@programs(lambda: (20,), lambda: (1,), lambda: (2,))
def primes_by_for_else(n):
    primes = []
    for k in range(2, n):
        for d in range(2, k):
            if k % d == 0:
                break
        else:
            primes.append(k)
    return np.array(primes)


@programs(lambda: (10, 3), lambda: (2, 5), lambda: (0, 1))
def while_else(n, stop):
    i = 0
    while i < n:
        if i == stop:
            print("stopped at", i)
            break
        i += 1
    else:
        print("ran to the end")
        i = -1
    return i


@programs(lambda: (noise(3),), lambda: (noise(0),), lambda: (counts(2),))
def prints(x):
    for i, v in enumerate(x):
        print(i, v, end=";")
    print()
    print(f"sum = {x.sum():.3f}", f"{len(x)!r:>4}", sep="|")
    print("mean: %.2f of %d" % (x.sum() / max(len(x), 1), len(x)))
    print(x, x.shape, None, True, "text", [1, 2.5])
    print("{:.1f} and {}".format(x.sum(), len(x)))


@programs(lambda: (3, 4.5, True), lambda: (-1, 0.1, False), lambda: (10**6, 1e300, True))
def prints_of_scalars(i, f, b):
    print(i, f, b, i / 3, f * 1e-10, i + 0j, f"{f:10.3e}", f"{i:05d}", f"{b}", str(i) + "!", repr(f))
    return f"{i}:{f}:{b}", str(f)


@programs(lambda: (5,), lambda: (0,), lambda: (1,))
def integer_becomes_float(n):
    total = 0
    for i in range(n):
        if i % 2:
            total += 0.5
        else:
            total += 1
    return total, total * 2


@programs(lambda: (5,), lambda: (1,), lambda: (0,))
def float_at_last(n):
    x = 1
    while n > 0:
        x = x / 2
        n -= 1
    return x


@programs(lambda: (noise(4), 1), lambda: (counts(3), -1), lambda: (noise(0), 0))
def conditional_expressions(x, k):
    a = x.sum() if k > 0 else 0
    b = k if k else None
    c = (1 if k < 0 else 2) * (3 if len(x) > 3 else 4)
    return a, b, c, -k if k < 0 else k, [v if v > 0 else 0 for v in x]


@programs(lambda: (1, 2, 3), lambda: (3, 2, 1), lambda: (1.0, 1, 2), lambda: (float("nan"), 1, 2))
def chained_comparisons(a, b, c):
    return a < b < c, a < b > c, a <= b != c, not a < b < c, 0 < a < 10, a == b == c


@programs(lambda: (0, 2.0), lambda: (1, 0.0), lambda: (3, 5), lambda: (0, 0))
def values_of_logic(a, b):
    return a and b, a or b, not a, a or None, (a and b) or "none", bool(a) ^ bool(b)


@programs(lambda: (noise(3), noise(3, seed=1)), lambda: (1, 2.0))
def swapped(a, b):
    a, b = b, a
    (c, d), *rest = (a, b), a, b
    a, *b = rest
    return a, b, c, d, rest


@programs(lambda: (noise(2, 3),), lambda: (noise(2, 1),))
def unpacked_rows(a):
    first, second = a
    x, y = a.shape
    first += 1
    return first, second, x, y


@programs(
    lambda: (7, 3), lambda: (-7, 3), lambda: (7, -3), lambda: (7.5, -2), lambda: (True, 2), lambda: (-9, 4.0)
)
def divisions(a, b):
    return a / b, a // b, a % b, divmod(a, b), round(a / b, 2), int(a / b), math.floor(a / b), abs(a), a // -b


@programs(lambda: (5,), lambda: (-5,), lambda: (2**62,), lambda: (0,), lambda: (True,))
def integer_growth(n):
    return n + n, n * n, n**2, n << 3, -n, ~n, n ^ 255, n & 7, n - 1


@programs(
    lambda: (2, 3),
    lambda: (2, -1),
    lambda: (-2, 3),
    lambda: (2.0, 0.5),
    lambda: (-8, 2.0),
    lambda: (2, 100),
    lambda: (0, 0),
)
def powers(a, b):
    return a**b, pow(a, b)


@programs(
    lambda: (2.7,),
    lambda: (-2.5,),
    lambda: (3,),
    lambda: (1e20,),
    lambda: (np.float64(0.5),),
    lambda: (np.float32(2.5),),
)
def roundings(x):
    return round(x), int(x), math.floor(x), math.ceil(x), round(x, 1), math.trunc(x)


@programs(lambda: (0.5,), lambda: (1,), lambda: (0.0,), lambda: (np.float64(0.25),), lambda: (-1,))
def mathematics(x):
    return (
        math.sin(x),
        math.exp(x),
        math.sqrt(abs(x)),
        math.atan2(x, 2),
        math.hypot(x, 3),
        math.pi * x,
        math.fabs(x),
        math.pow(2, x),
        math.isnan(x),
        math.tanh(x),
    )


@programs(lambda: (noise(3),), lambda: (np.array([5]),))
def module_globals(x):
    return SCALE * x, TABLE[len(x) - 1], x.sum() > LIMITS["low"], TABLE


@programs(lambda: (5, 2), lambda: (0, 3), lambda: (-4, -1), lambda: (10, 1))
def ranges(n, step):
    total, last = 0, None
    for i in range(n):
        total += i
    for i in range(n, -1, -step):
        last = i
    for i in reversed(range(n)):
        total = total * 2 - i
    return total, last, len(range(0, n, abs(step))), list(range(3)), sum(range(n))


@programs(lambda: (4,), lambda: (0,), lambda: (1,))
def name_after_the_loop(n):
    i = -1
    for i in range(n):
        square = i * i
    if n:
        return i, square
    return i


@programs(
    lambda: (noise(4), noise(4, seed=1)),
    lambda: (noise(2), noise(3)),
    lambda: (noise(0), noise(1)),
)
def zipped(x, y):
    s = 0.0
    for a, b in zip(x, y):
        s += a * b
    return s, [a - b for a, b in zip(x, y)], max([0.0] + [abs(a) for a in x]), sum(v for v in y)


@programs(lambda: (noise(6),), lambda: (noise(0),), lambda: (counts(4, low=-3, high=3),))
def filtered(x):
    positive = [v for v in x if v > 0]
    return len(positive), any(v > 1 for v in x), all(v < 5 for v in x)


@programs(lambda: (np.array([3, 1, 2]),), lambda: (np.array([1.5]),))
def builtins(x):
    return (
        sum(x),
        max(x),
        min(x),
        len(x),
        abs(x[0]),
        sorted([3, 1, 2]),
        list(reversed([1, 2])),
        float(x[0]),
        int(x[0]),
        bool(x[0]),
        tuple(x),
        list(x),
    )


@programs(lambda: (3, "add"), lambda: (3, "double"), lambda: (2.0, "other"), gaps="S211-raises")
def dispatch_on_text(x, operation):
    if operation == "add":
        return x + 1
    if operation == "double":
        return x * 2
    raise ValueError("no operation " + operation)


@programs(lambda: (noise(3), None), lambda: (noise(3), noise(3)), lambda: (noise(3), 2.0))
def optional(x, weights=None):
    if weights is None:
        weights = np.ones_like(x)
    elif isinstance(weights, float):
        weights = np.full(len(x), weights)
    return (x * weights).sum() / weights.sum()


@programs(lambda: (noise(3), np.zeros(3)), lambda: (noise(2), np.zeros(2)))
def nothing_is_returned(x, out):
    for i in range(len(x)):
        out[i] = x[i] ** 2 if x[i] > 0 else 0


def scaled(out, factor):
    out *= factor
    return out


@programs(lambda: (noise(4), 3), lambda: (noise(1), 0))
def helper_writes(x, n):
    y = x
    for k in range(n):
        y = scaled(y[:], k + 1)
    return y is x, y


@programs(lambda: (10,), lambda: (0,))
def recursive(n):
    return 1 if n < 2 else recursive(n - 1) + recursive(n - 2)


def squares_up_to(n):
    for i in range(n):
        yield i * i


@programs(lambda: (5,), lambda: (0,))
def generated(n):
    return list(squares_up_to(n)), sum(squares_up_to(n))


@programs(lambda: (noise(3), 0), lambda: (noise(3), 5))
def caught(x, i):
    try:
        return x[i]
    except IndexError:
        return None


@programs(lambda: (noise(3),))
def walrus(x):
    if (n := len(x)) > 2:
        x = x[:2]
    total = 0
    i = 0
    while (v := x[i]) != 0 and i < len(x) - 1:
        total += v
        i += 1
    return n, total, v


@programs(lambda: (3,), lambda: (2**63,), lambda: (2**70,), lambda: (-(2**63),), gaps="S120-big-integer")
def big_integers(n):
    return n + 1, n * 2, n % 1000, n // 7


@programs(lambda: (60,), lambda: (70,), lambda: (10,))
def doubling(n):
    x = 1
    history = np.zeros(n)
    for i in range(n):
        x *= 2
        history[i] = x
    return x, history


@programs(lambda: (noise(3), 3), lambda: (noise(3), 100))
def doubling_in_place(a, n):
    x = 1
    for _ in range(n):
        a += 1
        x *= 2
    return x


@programs(lambda: (noise(3), 3), lambda: (noise(3), 60))
def doubling_with_prints(a, n):
    x = 1
    for k in range(n):
        if k % 30 == 0:
            print(k, x)
        x = x * 2
    a[0] = x
    return x


@programs(lambda: (noise(3),), lambda: (noise(1),))
def deleted(x):
    y = x + 1
    z = y * 2
    del y
    assert z is not None, "message"
    pass
    return z


@programs(lambda: (noise(3), 1), lambda: (noise(3), 2), lambda: (noise(3), 5))
def matched(x, kind):
    match kind:
        case 1:
            return x + 1
        case 2:
            return x * 2
        case _:
            return x


@programs(lambda: (3,), lambda: (4,))
def sets_and_dictionaries(n):
    squares = {k: k * k for k in range(3)}
    letters = {"a", "b"}
    return squares[2] * n, "a" in letters, len(letters), n in (3, 5), n not in [1, 4], squares.get(7, n)


@programs(lambda: (noise(2, 3),), lambda: (noise(1, 1),), lambda: (noise(0, 2),))
def nested_lists(a):
    table = [[0.0] * a.shape[1] for _ in range(a.shape[0])]
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            table[i][j] = a[i, j] * 2
    return np.array(table), table


@programs(lambda: (1,), lambda: (2.5,), lambda: (noise(2),))
def turns_that_must_be_known(x):
    seen, last, counter = [], {}, Welford()
    for k in range(3):
        seen.append(k)
        last["k"] = k
        counter.n += 1
        x = x + (1, 2, 3)[k]
    return seen, last, counter.n, x


@programs(*(lambda v=v: (v, 1, 9) for v in (-1, 1, 4, 8, 9, 2.0, True, np.int64(3))))
def ranges_that_hold(value, low, high):
    down = value in range(high, low, -2)
    return (
        value in range(low, high),
        value in range(low, high, 3),
        down,
        value not in range(5),
        3 in range(high),
    )


@programs(
    lambda: (2.345, 2),
    lambda: (1e300, 9),
    lambda: (25, -1),
    lambda: (-1, 70),
    lambda: (0.5, 5000),
    lambda: (math.nan, 2),
)
def what_python_computes_at_run_time(x, n):
    return round(x, n), math.ldexp(x, n), hash(x), hash(n), hash((x, n, 2.5))


_PARTLY_NAN = complex(1.5, math.nan)


@programs(lambda: (1.5 - 2j,), lambda: (_PARTLY_NAN,))
def hashes(z):
    return hash(z), hash((z, 1))


@programs(lambda: (1,), lambda: (noise(2),))
def functions_in_a_list(x):
    functions = []
    for k in range(3):
        functions.append(lambda v, k=k: v * k)
    return [f(x) for f in functions]


class Walker:
    def __init__(self, goal):
        self.place = (0, 0)
        self.goal = goal

    def step(self, move):
        row, column = self.place
        self.place = (row + int(move), column + 1)
        return self.place == self.goal


@programs(
    lambda: (np.array([1, 0, 2, 1]), (3, 3)), lambda: (np.array([1, 0]), (1.0, 2)), lambda: (np.ones(2), (1,))
)
def walks_until_there(moves, goal):
    walker = Walker(goal)
    for move in moves:
        if walker.step(move):
            return walker.place
    return None


@programs(lambda: (np.arange(5), 2), lambda: (np.arange(5), 7))
def compares_named_and_nested_tuples(x, n):
    found = 0
    last = ((0, 0), Point(1, 2))
    for value in x:
        now = ((int(value), n), Point(int(value), 2))
        if now != last:
            found += 1
        if now[1] == last[1]:
            found += 10
        last = now
    return found, last == ((4, n), Point(4, 2))


@programs(lambda: (np.array([1.0, np.nan, 2.0]), True), lambda: (np.array([1.0, 1.0, np.nan]), False))
def compares_tuples_of_floats(x, keeps):
    count = 0
    kept = other = (x[1], 1.0)
    for value in x:
        if value > 1.0:
            kept = other if keeps else (value, 1.0)
        if kept == other:
            count += 1
    return count


@programs(
    lambda: (np.zeros((2, 3)), np.ones((2, 3))),
    lambda: (np.zeros((2, 3)), np.ones((3, 2))),
    gaps="S211-raises",
)
def compares_shapes(x, y):
    if x.shape != y.shape:
        raise ValueError(f"{x.shape} is not {y.shape}")
    return x + y


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("program", programs.found, ids=name_of)
def test_a_program_converted_does_what_it_does_plainly(program: Program, device: str) -> None:
    check(program, device)
