"""Each program computes what it says: against known values, invariants, naive rewritings, SciPy."""

import zlib
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
import scipy.linalg
import scipy.optimize
import scipy.sparse.csgraph
import scipy.special

from transpile import corpus

# See Note [Spurious flags of BLAS].
pytestmark = pytest.mark.filterwarnings("ignore:invalid value encountered in matmul:RuntimeWarning")

BOTH = pytest.mark.parametrize(("dtype", "rtol"), [("float64", 1e-9), ("float32", 2e-4)])


def setup(name, k=None, dtype=None):
    """The entry of a program and its arguments, small or at the k-th size."""
    program = corpus.load(name)
    return program.entry, program.make(dtype=dtype) if k is None else program.make_sized(k, dtype)


# scalar loops


def test_fractal_counts_as_plain_python_complex_numbers_do():
    escape_time, (xs, ys, depth) = setup("fractal", 3)

    def turns(c):
        z = 0j
        for k in range(depth):
            z = z * z + c
            if abs(z) > 2:
                return k
        return depth

    dx, dy = xs[1] - xs[0], ys[1] - ys[0]
    for samples in (1, 2, 3):
        offsets = [(a / samples, b / samples) for b in range(samples) for a in range(samples)]
        want = [
            [np.mean([turns(complex(x + a * dx, y + b * dy)) for a, b in offsets]) for x in xs.tolist()]
            for y in ys.tolist()
        ]
        np.testing.assert_allclose(escape_time(xs, ys, depth, samples), want, rtol=1e-14)


def test_fractal_knows_inside_from_outside():
    escape_time, _ = setup("fractal")
    image = escape_time(np.array([-1.0, 0.0, 1.0]), np.array([-2.0, 0.0, 2.0]), 25, 1)
    assert image.tolist() == [[0, 1, 0], [25, 25, 2], [0, 1, 0]]


@pytest.mark.parametrize("k", [None, *range(10)])
def test_edit_distance_equals_its_recursive_definition(k):
    edit_distance, (a, b, gap, mismatch) = setup("edit_distance", k)

    @cache
    def d(i, j):
        if i == 0 or j == 0:
            return gap * (i + j)
        change = d(i - 1, j - 1) + (a[i - 1] != b[j - 1]) * mismatch
        return min(change, d(i - 1, j) + gap, d(i, j - 1) + gap)

    assert edit_distance(a, b, gap, mismatch) == d(len(a), len(b))


def test_edit_distance_of_words():
    edit_distance, _ = setup("edit_distance")

    def distance(a, b):
        return edit_distance(*(np.frombuffer(word.encode(), np.uint8) for word in (a, b)))

    assert distance("kitten", "sitting") == 3
    assert distance("intention", "execution") == 5
    assert distance("same", "same") == 0
    assert distance("abcd", "") == 4
    assert distance("ab", "axxb") == 2


@pytest.mark.parametrize("k", [None, *range(10)])
def test_sieve_equals_trial_division(k):
    primes_below, (limit,) = setup("sieve", k)
    primes, gap, last_digits = primes_below(limit)
    want = [n for n in range(2, limit) if all(n % d for d in range(2, n))]
    assert primes.tolist() == want
    assert gap == max(q - p for p, q in pairwise(want))
    assert last_digits.tolist() == [sum(p % 10 == digit for p in want) for digit in range(10)]


def test_sieve_finds_as_many_primes_as_there_are():
    primes_below, _ = setup("sieve")
    assert len(primes_below(1000)[0]) == 168
    assert len(primes_below(100_000)[0]) == 9592
    assert primes_below(1361)[1] == 22
    assert primes_below(1362)[1] == 34


@BOTH
def test_gauss_seidel_solves_the_system_and_reports(dtype, rtol, capsys):
    gauss_seidel, (A, b, x, tol) = setup("gauss_seidel", 4, dtype)
    sweeps, error = gauss_seidel(A, b, x, tol)
    lines = capsys.readouterr().out.splitlines()
    assert x.dtype == dtype
    np.testing.assert_allclose(x, np.linalg.solve(A, b), rtol=rtol * 10, atol=tol)
    assert error <= tol
    np.testing.assert_allclose(error, np.abs(A @ x - b).max(), atol=tol)
    assert [line.split(":")[0].split()[1] for line in lines] == [str(n) for n in range(4, sweeps + 1, 4)]


@BOTH
def test_cholesky_factors_and_solves(dtype, rtol):
    solve_in_place, (a, b) = setup("cholesky", 5, dtype)
    factor, solution = np.linalg.cholesky(a), np.linalg.solve(a, b)
    assert solve_in_place(a, b) is None
    assert a.dtype == b.dtype == dtype
    np.testing.assert_allclose(a, factor, rtol=rtol, atol=rtol)
    np.testing.assert_allclose(b, solution, rtol=rtol, atol=rtol)


@pytest.mark.parametrize("k", [None, *range(10)])
def test_checksums_equal_those_of_zlib(k):
    checksums, (data,) = setup("checksum", k)
    got = checksums(data)
    assert got["crc32"] == zlib.crc32(data.tobytes())
    assert got["crc32"].dtype == np.uint32
    assert got["adler32"] == zlib.adler32(data.tobytes())
    assert got["odd"] == (np.unpackbits(data).sum() % 2 == 1)


@pytest.mark.parametrize(("text", "value"), [("", 0x811C9DC5), ("a", 0xE40C292C), ("foobar", 0xBF9CF968)])
def test_fnv1a_has_its_published_values(text, value):
    checksums, _ = setup("checksum")
    assert checksums(np.frombuffer(text.encode(), np.uint8))["fnv1a"] == value


# stencils


@BOTH
def test_heat_follows_the_same_relaxation_cell_by_cell(dtype, rtol):
    diffuse, (plate, hot, cold, tol) = setup("heat", 2, dtype)
    rows, columns = plate.shape
    u = plate.copy()
    for i in range(rows):
        u[i, 0] = u[i, -1] = cold + (hot - cold) * i / (rows - 1)
    u[0] = u[-1] = cold

    steps, change = diffuse(plate, hot, cold, tol)
    for _ in range(steps):
        before, old = u.copy(), u.copy()
        for i in range(1, rows - 1):
            for j in range(1, columns - 1):
                u[i, j] = (old[i - 1, j] + old[i + 1, j] + old[i, j - 1] + old[i, j + 1]) / 4
            for j in range(1, columns - 1):  # u[i, j + 1] is still that of before the air moved
                u[i, j] += 0.125 * (u[i, j + 1] - u[i, j])
    np.testing.assert_allclose(plate, u, rtol=rtol, atol=rtol)
    np.testing.assert_allclose(change, np.abs(u - before).max(), rtol=1e-2)
    assert change <= tol
    assert cold <= plate.min() <= plate.max() <= hot


def test_heat_stops_at_the_steady_state_of_the_linear_system():
    diffuse, (plate, hot, cold, _) = setup("heat", 0)
    diffuse(plate, hot, cold, 1e-11)
    again = plate.copy()
    steps, _ = diffuse(again, hot, cold, 1e-9)
    assert steps == 1
    # one relaxation is u + d (right - u) with u the mean of the neighbours, so the steady state solves a linear system
    mean = (plate[:-2] + plate[2:])[:, 1:-1] / 4 + (plate[1:-1, :-2] + plate[1:-1, 2:]) / 4
    right = np.concatenate([mean[:, 1:], plate[1:-1, -1:]], axis=1)
    np.testing.assert_allclose(plate[1:-1, 1:-1], mean + 0.125 * (right - mean), atol=1e-9)


@pytest.mark.parametrize("k", [None, *range(10)])
def test_life_follows_the_rules_cell_by_cell(k):
    evolve, (cells, columns, generations) = setup("life", k)
    rows = len(cells) // columns
    world = {(i, j) for i in range(rows) for j in range(columns) if cells[i * columns + j]}
    population = [len(world)]
    for _ in range(generations):
        count = {}
        for i, j in world:
            for di, dj in ((a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b):
                at = (i + di) % rows, (j + dj) % columns
                count[at] = count.get(at, 0) + 1
        world = {at for at, n in count.items() if n == 3 or (n == 2 and at in world)}
        population.append(len(world))

    got = evolve(cells, columns, generations).tolist()
    assert got == population[: len(got)]
    assert set(population[len(got) :]) <= {got[-1]}
    assert {divmod(int(i), columns) for i in np.arange(len(cells))[cells > 0]} == world


def test_life_knows_a_glider_a_blinker_and_a_block():
    evolve, _ = setup("life")

    def after(world, generations):
        cells = np.array(world, np.uint8).ravel()
        history = evolve(cells, len(world[0]), generations)
        return cells.reshape(len(world), -1), history

    glider = np.zeros((6, 7), np.uint8)
    glider[[0, 1, 2, 2, 2], [1, 2, 0, 1, 2]] = 1
    np.testing.assert_array_equal(after(glider, 4)[0], np.roll(glider, (1, 1), (0, 1)))

    blinker = np.zeros((5, 5), np.uint8)
    blinker[2, 1:4] = 1
    np.testing.assert_array_equal(after(blinker, 1)[0], blinker.T)

    block = np.zeros((4, 6), np.uint8)
    block[1:3, 1:3] = 1
    assert after(block, 50)[1].tolist() == [4]


# elementwise


@BOTH
def test_black_scholes_prices_are_those_of_the_exact_normal_distribution(dtype, rtol):
    value_book, (spot, strike, years) = setup("black_scholes", 9, dtype)
    call, put, premium = value_book(spot, strike, years)
    assert (years < 0).any()
    s, x, t = (a.astype(float) for a in (spot, strike, years))
    live = t > 0
    sd = 0.3 * np.sqrt(np.where(live, t, 1))
    d1 = (np.log(s / x) + 0.02 * t) / sd + sd / 2
    exact = s * scipy.special.ndtr(d1) - x * np.exp(-0.02 * t) * scipy.special.ndtr(d1 - sd)
    np.testing.assert_allclose(call[live], exact[live], atol=1e-4)
    np.testing.assert_allclose((call - put)[live], (s - x * np.exp(-0.02 * t))[live], atol=1e-4)
    np.testing.assert_array_equal(call[~live], np.maximum(spot - strike, 0)[~live])
    np.testing.assert_array_equal(put[~live], np.maximum(strike - spot, 0)[~live])
    assert -0.05 < premium < 1


def test_black_scholes_tree_tends_to_the_published_american_put():
    # Hull's example: S = K = 50, r = 10 %, sigma = 40 %, five months: 4.49 with five steps, 4.28 in the limit
    american_put = corpus.load("black_scholes").module.american_put
    assert round(american_put(50.0, 50.0, 5 / 12, 0.10, 0.40, 5), 2) == 4.49
    assert round(american_put(50.0, 50.0, 5 / 12, 0.10, 0.40, 500), 2) == 4.28


@pytest.mark.parametrize("causal", [True, False])
def test_softmax_weights_are_those_of_scipy(causal):
    attend, (q, k, v, scores) = setup("softmax", 3)
    prior = scores.copy()
    mixed, entropy = attend(q, k, v, scores, 0.5, 2.0, causal)
    assert (mixed.dtype, scores.dtype) == (np.float32, np.float64)
    logits = q.astype(float) @ k.transpose(0, 2, 1) / np.sqrt(q.shape[2]) + 0.5 * prior
    if causal:
        logits = np.where(np.tril(np.ones(logits.shape[1:], bool)), logits, -np.inf)
    weights = scipy.special.softmax(logits / 2, axis=2)
    np.testing.assert_allclose(scores, weights, rtol=1e-5, atol=1e-12)
    np.testing.assert_allclose(mixed, np.maximum(weights @ v, 0), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(entropy, scipy.special.entr(weights).sum(axis=2), rtol=1e-4, atol=1e-6)


# broadcasting


@BOTH
def test_nbody_keeps_energy_and_momentum_and_runs_backwards(dtype, rtol):
    simulate, (x, v, m, duration, steps) = setup("nbody", 4, dtype)
    x0, v0 = x.copy(), v.copy()
    frames, drift, evaluations = simulate(x, v, m, duration, steps)
    assert evaluations == 2 * steps
    assert abs(drift) < 100 * rtol
    np.testing.assert_allclose(m @ v, m @ v0, rtol=rtol, atol=rtol)
    np.testing.assert_array_equal(frames[0], x0)
    v *= -1
    simulate(x, v, m, duration, steps)
    np.testing.assert_allclose(x, x0, atol=10 * rtol)
    np.testing.assert_allclose(v, -v0, atol=10 * rtol)


def test_nbody_holds_two_bodies_on_their_circle():
    simulate, _ = setup("nbody")
    radius, soft = 0.5, 0.05
    speed = np.sqrt(2 * radius * 0.5 * radius / ((2 * radius) ** 2 + soft**2) ** 1.5)
    x = np.array([[radius, 0, 0], [-radius, 0, 0]])
    v = np.array([[0, speed, 0], [0, -speed, 0]])
    period = 2 * np.pi * radius / speed
    frames, *_ = simulate(x, v, np.array([0.5, 0.5]), period / 2, 2000, 4)
    np.testing.assert_allclose(np.sqrt((frames**2).sum(axis=2)), radius, atol=1e-5)
    np.testing.assert_allclose(frames[2], [[0, radius, 0], [0, -radius, 0]], atol=1e-4)
    np.testing.assert_allclose(x, [[-radius, 0, 0], [radius, 0, 0]], atol=1e-4)


@BOTH
@pytest.mark.parametrize("k", [None, 0, 5, 9])
def test_kmeans_ends_where_nothing_moves(k, dtype, rtol):
    kmeans, (points, n) = setup("kmeans", k, dtype)
    got = kmeans(points, n)
    d2 = np.array([[((p - c) ** 2).sum() for c in got.centres] for p in points.astype(float)])
    assert 0 < got.turns < 49
    np.testing.assert_array_equal(got.labels, d2.argmin(axis=1))
    np.testing.assert_allclose(got.inertia, d2.min(axis=1).sum(), rtol=rtol)
    for j, centre in enumerate(got.centres):
        mean = points[got.labels == j].mean(axis=0)
        np.testing.assert_allclose(centre, mean, rtol=100 * rtol, atol=rtol)


def test_kmeans_leaves_a_centre_without_points_where_it_is():
    kmeans, (points, n) = setup("kmeans")
    np.testing.assert_array_equal(points[0], points[1])
    got = kmeans(points, n, 1)
    assert (got.labels != 1).all()
    np.testing.assert_array_equal(got.centres[1], points[1])


@BOTH
def test_logistic_ends_at_the_minimum_that_scipy_finds(dtype, rtol, capsys):
    fit, (x, y) = setup("logistic", 9, dtype)
    got = fit(x, y, 2000)
    capsys.readouterr()
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    z = np.concatenate([z, np.ones((len(y), 1))], axis=1).astype(float)

    def loss(w):
        return np.logaddexp(0, -(2 * y.astype(float) - 1) * (z @ w)).mean() + 0.0005 * w @ w

    best = scipy.optimize.minimize(loss, np.zeros(z.shape[1]), tol=1e-12)
    np.testing.assert_allclose(got["losses"][-1], best.fun, rtol=1e-4)
    np.testing.assert_allclose(got["weights"], best.x, rtol=0.02, atol=0.02)
    np.testing.assert_allclose(got["losses"][0], np.log(2), rtol=1e-5)
    assert got["accuracy"] == ((z @ got["weights"] > 0) == (y == 1)).mean()


def test_logistic_prints_the_losses_it_returns(capsys):
    fit, (x, y) = setup("logistic")
    losses = fit(x, y)["losses"]
    want = [f"epoch {40 * i} loss {round(float(loss), 4)}" for i, loss in enumerate(losses)]
    assert capsys.readouterr().out.splitlines() == want
    assert len(losses) == 6
    fit(x, y, verbose=False)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("k", [None, *range(10)])
def test_shortest_paths_are_those_of_bellman_ford(k):
    shortest_paths, (n, edges, lengths) = setup("shortest_paths", k)
    distance, previous, eccentricity = shortest_paths(n, edges, lengths)
    length_of = {}
    for (i, j), w in zip(edges.tolist(), lengths.tolist()):
        length_of[i, j] = min(w, length_of.get((i, j), np.inf))

    for i in range(n):
        d = np.full(n, np.inf)
        d[i] = 0
        for _ in range(n):
            for (a, b), w in length_of.items():
                d[b] = min(d[b], d[a] + w)
        np.testing.assert_allclose(distance[i], d, atol=1e-12)
        assert eccentricity[i] == distance[i][np.isfinite(d)].max()
        for j in range(n):
            p = int(previous[i, j])
            assert (p == -1) == (i == j or np.isinf(d[j]))
            if p >= 0:
                np.testing.assert_allclose(d[p] + length_of[p, j], d[j], atol=1e-12)


def test_shortest_paths_of_a_dense_graph_are_those_of_scipy():
    shortest_paths, _ = setup("shortest_paths")
    n = 25
    weights = np.random.default_rng(1).uniform(1, 10, (n, n))
    edges = np.argwhere(~np.eye(n, dtype=bool))
    want = scipy.sparse.csgraph.floyd_warshall(weights)
    np.testing.assert_allclose(shortest_paths(n, edges, weights[tuple(edges.T)])[0], want, atol=1e-12)


# recurrences


@pytest.mark.parametrize("k", [None, *range(10)])
def test_kalman_equals_the_filter_in_information_form(k):
    track, (z,) = setup("kalman", k)
    dt, r, q, weight = 0.1, 0.25, 0.5, 0.3
    F = np.array([[1, dt], [0, 1]])
    Q = q * np.array([[dt**3 / 3, dt**2 / 2], [dt**2 / 2, dt]])
    h = np.array([1.0, 0.0])
    x, P, states, sigmas = np.zeros(2), 100 * np.eye(2), [], []
    for value in z:
        x, P = F @ x, F @ P @ F.T + Q
        if not np.isnan(value):
            information = np.linalg.inv(P) + np.outer(h, h) / r
            x = np.linalg.solve(information, np.linalg.solve(P, x) + h * value / r)
            P = np.linalg.inv(information)
        states.append(x)
        sigmas.append(np.sqrt(P[0, 0]))

    position, sigma, smooth = track(z)
    np.testing.assert_allclose(position, [s[0] for s in states], rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(sigma, sigmas, rtol=1e-8)
    assert smooth[-1] == position[-1]
    for i in range(len(z) - 1):
        back = smooth[i + 1] - dt * states[i][1]
        np.testing.assert_allclose(
            smooth[i], (1 - weight) * states[i][0] + weight * back, rtol=1e-8, atol=1e-9
        )


def test_kalman_closes_in_on_a_target_at_constant_velocity():
    track, _ = setup("kalman")
    truth = 2 + 0.7 * 0.1 * np.arange(400)
    z = truth + np.random.default_rng(8).normal(0, 0.5, 400)
    position, sigma, _ = track(z)
    assert np.abs(position - truth)[100:].std() < np.abs(z - truth).std()
    assert (sigma[1:] < sigma[:-1] + 1e-12).all()


@BOTH
@pytest.mark.parametrize("k", [None, 0, 4, 9])
def test_moving_statistics_are_those_of_each_window(k, dtype, rtol):
    moving_statistics, (x,) = setup("moving", k, dtype)
    n, width = len(x), 8
    table, profile, roughness, coefficients = moving_statistics(x, width)
    assert {a.dtype.name for a in (table, profile, roughness, coefficients)} == {dtype}

    x = x.astype(float)
    padded = np.concatenate([x[: width // 2][::-1], x, x[-(width // 2) :][::-1]])
    level = x[0]
    for i in range(n):
        window = padded[i : i + width]
        mean, spread = window.mean(), window.std()
        value = min(max(x[i], window.min() + spread / 2), window.max() - spread / 2)
        level += 0.2 * (value - level)
        want = [mean, spread, window.min(), window.max(), level]
        np.testing.assert_allclose(table[:, i], want, rtol=rtol, atol=rtol)

    want = [np.mean([x[i] for i in range(phase, n // 12 * 12, 12)]) for phase in range(12)]
    np.testing.assert_allclose(profile, want, rtol=rtol, atol=rtol)

    c = x - x.mean()
    r = np.array([(c[lag:] * c[: n - lag]).sum() for lag in range(7)])
    np.testing.assert_allclose(
        coefficients, scipy.linalg.solve_toeplitz(r[:-1], -r[1:]), rtol=50 * rtol, atol=rtol
    )

    scale = x
    for value in roughness:
        np.testing.assert_allclose(value, np.mean(np.diff(scale) ** 2), rtol=rtol)
        scale = scale[: len(scale) // 2 * 2].reshape(-1, 2).mean(axis=1)
    assert len(scale) < 8
