"""Programs with layers in lists, attributes that are made in loops, and parameters under keys of text, as networks are written."""

from __future__ import annotations

from collections import OrderedDict

import numpy as np
import pytest

import transpile

from .comparison import call, compare
from .programs import Program, Programs, check, name_of, noise

programs = Programs()


class Dense:
    def __init__(self, rows, columns, rng):
        self.weights = rng.standard_normal((rows, columns)) * 0.1
        self.bias = np.zeros(columns)

    def forward(self, x):
        self.x = x
        return x @ self.weights + self.bias

    def backward(self, gradient, rate):
        before = gradient @ self.weights.T
        self.weights -= rate * (self.x.T @ gradient)
        self.bias -= rate * gradient.sum(axis=0)
        return before


class Rectifier:
    def forward(self, x):
        self.mask = x > 0
        return x * self.mask

    def backward(self, gradient, rate):
        return gradient * self.mask


class Net:
    def __init__(self, *sizes):
        rng = np.random.default_rng(1)
        self.layers = []
        for rows, columns in zip(sizes, sizes[1:], strict=False):
            self.layers += [Dense(rows, columns, rng), Rectifier()]

    def forward(self, x):
        for layer in self.layers:
            x = layer.forward(x)
        return x

    def train(self, x, y, turns):
        losses = []
        for _ in range(turns):
            error = self.forward(x) - y
            losses.append((error**2).mean())
            for layer in reversed(self.layers):
                error = layer.backward(error, 0.01)
        return losses


class Thing:
    """Something that gets attributes."""

    level = 7.0


def batch(turns, seed=0):
    return lambda: (noise(6, 4, seed=seed), noise(6, 3, seed=seed + 1), turns)


@programs(batch(4), batch(1), batch(0), batch(9, seed=3))
def trains_a_network(x, y, turns):
    net = Net(4, 5, 3)
    losses = net.train(x, y, turns)
    return losses, net.layers[0].weights, net.layers[2].bias


@programs(
    lambda: (Net(4, 5, 3), noise(6, 4), noise(6, 3), 5),
    lambda: (Net(4, 5, 3), noise(6, 4), noise(6, 3), 0),
    lambda: (Net(4, 3), noise(2, 4), noise(2, 3), 3),
)
def trains_the_network_of_the_caller(net, x, y, turns):
    return net.train(x, y, turns)


class Rectified:
    def forward(self, x):
        self.shown = x > 0
        return x * self.shown

    def backward(self, gradient, rate):
        return gradient * self.shown


class Ordered:
    def __init__(self, rows, columns, rng):
        self.layers = OrderedDict()
        self.layers["first"] = Dense(rows, 3, rng)
        self.layers["rectified"] = Rectified()
        self.layers["last"] = Dense(3, columns, rng)

    def predict(self, x):
        for layer in self.layers.values():
            x = layer.forward(x)
        return x

    def train(self, x, y, rate):
        gradient = self.predict(x) - y
        layers = list(self.layers.values())
        layers.reverse()
        for layer in layers:
            gradient = layer.backward(gradient, rate)


@programs(batch(4), batch(1), batch(0))
def trains_layers_in_order(x, y, turns):
    net = Ordered(x.shape[1], y.shape[1], np.random.default_rng(0))
    for _ in range(turns):
        net.train(x, y, 0.1)
    return net.predict(x), net.layers["first"].weights, list(net.layers)


def vector(*numbers):
    return lambda: (Thing(), np.array(numbers, float))


@programs(vector(1, 2, 3), vector(-1))
def changes_and_returns_what_is_in_order(thing, x):
    held = OrderedDict([("x", x), ("n", 0)], last=2.0)
    held["n"] += len(x)
    del held["last"]
    held["x"] = held.pop("x") * 2
    other = OrderedDict(n=5)
    one = held if x[0] > 0 else other
    one["n"] += 1
    return {"held": held, "all": [held, other]}, list(held.items()), held.get("no", one["n"]), "x" in held


@programs(vector(1, 2, 3), vector(4), vector())
def keeps_the_last(thing, x):
    for value in x:
        thing.last = value
        thing.double = 2 * value


@programs(vector(1, 2, 3), vector(-4, 1, 2), vector(1, -1), vector())
def keeps_what_comes_before_the_end(thing, x):
    for value in x:
        thing.last = value
        if value < 0:
            break
        thing.best = value * 2


@programs(vector(1, 2, 3), vector(5, -4, 1, 2), vector())
def stops_early(thing, x):
    made = Thing()
    for place in range(len(x)):
        made.last = x[place] + place
        if x[place] < 0:
            break
    return made.last


@programs(vector(1, 2, 3), vector(1), vector())
def reads_before_it_stores(thing, x):
    made = Thing()
    total = 0.0
    for value in x:
        total += made.last
        made.last = value
    return total


@programs(vector(1, 2, 3), vector(1), vector())
def reads_what_the_class_has(thing, x):
    made = Thing()
    total = 0.0
    for value in x:
        total += made.level
        made.level = value
    return total, made.level


@programs(vector(1, 2, 3), vector(1), vector())
def stores_over_what_the_class_has(thing, x):
    for value in x:
        thing.level = thing.level + value


def with_level(*numbers):
    def make():
        thing, x = vector(*numbers)()
        thing.level = 1.0
        return thing, x

    return make


@programs(with_level(1, 2, 3), with_level(), vector())
def stores_over_what_the_object_has(thing, x):
    for value in x:
        thing.level = thing.level + value


@programs(with_level(1), with_level(-1), vector(-1), vector(1))
def stores_on_one_way_over_what_may_be_the_class_s(thing, x):
    if x[0] > 0:
        thing.level = x[0]


@programs(vector(1, 2, 3), vector(1))
def asks_whether_it_is_there(thing, x):
    made = Thing()
    for value in x:
        if not hasattr(made, "speed"):
            made.speed = np.zeros(2)
        made.speed = 0.9 * made.speed + value
    return made.speed


@programs(vector(1, 2, 3), vector(0.5), vector(9, 9, 9, 9))
def while_there_is_something_to_do(thing, x):
    place, left = 0, x.sum()
    while left > 1:
        thing.left = left
        thing.place = place
        left = left / 2
        place += 1
    return left


@programs(vector(1, 2, 3), vector(1))
def in_loops_within_loops(thing, x):
    made = Thing()
    for turn in range(len(x)):
        made.turn = turn
        for value in x:
            made.inner = value * turn
            made.turns = made.turn + 1
    return made.turn, made.inner, made.turns


@programs(vector(1, 2, 3), vector(4, 0, 2), vector(0, 1))
def fails_amid_the_loop(thing, x):
    table = [1.0, 2.0, 3.0]
    for value in x:
        thing.last = value
        thing.found = table[int(value) - 1]
        assert value != 0, "nothing there"
    return thing.found


@programs(vector(1, 2, 3))
def keeps_the_very_array(thing, x):
    for turn in range(3):
        thing.x = x
        x[turn] += 10
    return thing.x is x


@programs(vector(1, 2, 3), gaps="S213-alias")
def keeps_views(thing, x):
    for turn in range(3):
        thing.part = x[turn:]
        x[turn] += 10


@programs(vector(1, 2, 3), vector(3))
def shows_each_turn(thing, x):
    for place in range(len(x)):
        thing.place = place
        print(place, x[place])
    return thing.place


@programs(vector(2, 1, 2), vector(0), gaps="S165-grows")
def runs_over_a_list_that_grows(thing, x):
    things = [float(value) for value in x if value > 0]
    count = 0
    for value in things:
        thing.last = value
        if value == 2 and count < 3:
            things.append(1.0)
            count += 1
    return things


# -- keys that loops make -------------------------------------------------------------------------------------


class Momentum:
    def __init__(self, rate):
        self.rate, self.speeds, self.turns = rate, {}, 0

    def step(self, name, weights, gradient):
        self.turns += 1
        if name not in self.speeds:
            self.speeds[name] = np.zeros_like(weights)
        self.speeds[name] = 0.9 * self.speeds[name] - self.rate * gradient
        weights += self.speeds[name]


@programs(
    lambda: (noise(3, 2), noise(4), 5), lambda: (noise(3, 2), noise(4), 1), lambda: (noise(3, 2), noise(4), 0)
)
def keeps_speeds_by_name(weights, bias, turns):
    optimizer = Momentum(0.1)
    for _ in range(turns):
        optimizer.step("weights", weights, weights * 0.5)
        optimizer.step("bias", bias, bias**2)
    return optimizer.speeds, optimizer.turns


@programs(lambda: ({}, np.arange(3.0)), lambda: ({"last": 5.0}, np.arange(2.0)), lambda: ({}, np.zeros(0)))
def gives_the_dictionary_of_the_caller_keys(table, x):
    for value in x:
        table["count"] = table.get("count", 0) + 1
        table["last"] = value
    return list(table)


@programs(lambda: (np.arange(3.0),), lambda: (np.arange(1.0),), lambda: (np.zeros(0),))
def misses_a_key_in_the_first_turn(x):
    table = {"first": 1.0}
    for value in x:
        table["first"] += value
        table["second"] = table["second"] + value if value else 2.0
    return table


@programs(lambda: (np.arange(4.0),), lambda: (-np.arange(3.0),))
def makes_keys_on_one_way(x):
    table = {}
    for value in x:
        table["first"] = value
        if value > 1:
            table["second"] = value
    return table


@programs(lambda: (np.arange(4.0),), lambda: (np.arange(1.0),))
def runs_over_keys_as_they_are(x):
    table = {"a": 0.0}
    for value in x:
        for key in list(table):
            table[key] += value
        table["b"] = table["a"] * 2
    return table, list(table)


class Smoother:
    def forward(self, x):
        self.last = x
        self.mean = x.mean() if x.size else 0.0
        return self.last * self.mean


@programs(
    lambda: (np.arange(12.0), 0, 12, 5),
    lambda: (np.arange(12.0), 11, 0, -4),
    lambda: (np.arange(3.0), 3, 0, 2),
    lambda: (np.arange(3.0), 0, 3, -2),
)
def makes_attributes_in_steps(x, first, last, step):
    smoother = Smoother()
    total = 0.0
    for start in range(first, last, step):
        total += smoother.forward(x[start : start + abs(step)]).sum()
    return total, smoother.mean if total else None


# -- lists of what is no row -----------------------------------------------------------------------------------


class Particle:
    def __init__(self, place, speed):
        self.place = place
        self.speed = speed

    def move(self, time):
        self.place = self.place + self.speed * time
        if self.place > 3:
            self.speed = -self.speed


@programs(lambda: (4, 6), lambda: (0, 2), lambda: (3, 0), lambda: (70, 1))
def moves_particles(count, turns):
    particles = []
    for number in range(count):
        particles.append(Particle(float(number), 1.0 / (number + 1)))
    for _ in range(turns):
        for particle in particles:
            particle.move(0.5)
    return [(particle.place, particle.speed) for particle in particles]


@programs(lambda: (np.arange(12.0), 5), lambda: (np.arange(7.0), 7), lambda: (np.zeros(0), 3))
def parts_in_batches(x, size):
    batches = []
    for start in range(0, len(x), size):
        batches.append((x[start : start + size], start))
    total = 0.0
    for batch, start in batches:
        total += batch.mean() * start
        batch *= 2
    return batches, total


@programs(lambda: (np.arange(4.0), 2), lambda: (np.arange(3.0), 0))
def fails_amid_a_list_of_parts(x, missing):
    parts = []
    for end in range(1, len(x)):
        if end == missing:
            raise ValueError(f"no {end} after {len(parts)}")
        parts.append(x[:end])
        x[end] += 1
    return parts


def grows_by_parts(x):
    parts = []
    for end in range(1, len(x)):
        parts.append(x[:end] * 2)
    return parts


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
def test_a_few_sizes_have_traces_of_their_own() -> None:
    converted = transpile.convert(grows_by_parts, device="host")
    for size in (3, 4, 5, 6, 7, 8, 3):
        compare(call(grows_by_parts, (np.arange(size),)), call(converted, (np.arange(size),)))
    # The fifth one has a list that holds arrays of whatever size.
    assert len(converted.calls.entries) == 5
    assert not converted.calls.failures
    # It is the slower one, and serves what the others do not.
    assert [entry.trace.for_one_size for entry in converted.calls.entries] == [True] * 4 + [False]
    assert sum(entry.hits for entry in converted.calls.entries[:4]) >= 1


def test_what_would_become_long_is_not_written_out() -> None:
    def sorts_parts(x):
        parts = []
        for end in range(1, len(x)):
            part = x[:end]
            for _ in (1, 2, 3, 4):
                part = np.sqrt(np.abs(part + part[-1])) - part[0] / (part @ part)
            parts.append(part)
        return parts

    assert len(transpile.convert(sorts_parts, strict=True, device="host")(np.ones(5))) == 4
    converted = transpile.convert(sorts_parts, strict=True, device="host")
    for size in (60, 70, 2):
        compare(call(sorts_parts, (np.ones(size),)), call(converted, (np.ones(size),)))
    assert len(converted.calls.entries) == 1


# -- keys of text ----------------------------------------------------------------------------------------------


def parameters(*sizes):
    layers = range(1, len(sizes))
    return {f"W{layer}": noise(sizes[layer], sizes[layer - 1], seed=layer) for layer in layers} | {
        f"b{layer}": np.zeros((sizes[layer], 1)) for layer in layers
    }


@programs(
    lambda: (parameters(4, 5, 2), noise(4, 7)),
    lambda: (parameters(4, 5, 3, 2), noise(4, 7)),
    lambda: (parameters(4, 2), noise(4, 1)),
)
def goes_through_layers(given, x):
    layers = len(given) // 2
    kept = {"A0": x}
    for layer in range(1, layers + 1):
        kept["Z" + str(layer)] = (
            given["W" + str(layer)] @ kept["A" + str(layer - 1)] + given["b" + str(layer)]
        )
        kept[f"A{layer}"] = np.maximum(kept[f"Z{layer}"], 0)
    return kept["A%d" % layers], list(kept)


@programs(lambda: (parameters(4, 5, 2), 3), lambda: (parameters(3, 2), 0))
def steps_down(given, turns):
    speed = {}
    for layer in range(len(given) // 2):
        speed["W" + str(layer + 1)] = np.zeros_like(given["W" + str(layer + 1)])
    for turn in range(1, turns + 1):
        for layer in range(len(given) // 2):
            key = "W" + str(layer + 1)
            speed[key] = 0.9 * speed[key] + given[key] ** 2
            given[key] -= 0.1 * speed[key] / (1 - 0.9**turn)
    return speed


@programs(lambda: (parameters(4, 5, 2), 2), lambda: (parameters(3, 2), 3))
def misses_a_key(given, layers):
    total = 0.0
    for layer in range(1, layers + 1):
        total += given["W" + str(layer)].sum()
    return total


@programs(lambda: ({"n1": 1.0, "n2": 2.0}, 2), lambda: ({"n1": 1.0, "n2": 2.0}, 1), lambda: ({"n1": 1.0}, 3))
def looks_up_a_text_of_an_argument(table, n):
    return table.get("n" + str(n), -1.0), f"n{n}" in table, len(str(n))


@programs(lambda: ({"0": 1.0, "1": 2.0}, np.array([0, 1, 1])), gaps="S232-text")
def looks_up_a_text_of_elements(table, x):
    total = 0.0
    for value in x:
        total += table[str(value)]
    return total


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("program", list(programs), ids=name_of)
def test_programs_do_what_they_did(program: Program, device: str) -> None:
    check(program, device)
