"""Numerical programs: linear algebra, equations, integrals, grids in time."""

from __future__ import annotations

import math

import numpy as np
import pytest

from .programs import Program, Programs, check, counts, name_of, noise

programs = Programs()


@programs(lambda: (12, 9, 30), lambda: (1, 1, 5), lambda: (0, 3, 4))
def mandelbrot(width, height, limit):
    image = np.zeros((height, width), dtype=int)
    for row in range(height):
        for column in range(width):
            c = complex(-2.0 + 3.0 * column / width, -1.2 + 2.4 * row / height)
            z = 0j
            for k in range(limit):
                z = z * z + c
                if abs(z) > 2:
                    image[row, column] = k
                    break
            else:
                image[row, column] = limit
    return image


@programs(lambda: (0.3 + 0.5j, 40), lambda: (2 + 2j, 4), lambda: (2 + 2j, 40))
def iterated_powers(c, steps):
    z = 0j
    for _ in range(steps):
        z = z**3 - z**2 + c
    return z


@programs(lambda: (0.5, 2.0, 5), lambda: (0, 3, 2), lambda: (2.0, 0.5, 4))
def grids_between_numbers(low, high, n):
    both = np.mgrid[low : high : n * 1j, low : 3 : complex(0, n + 1)]
    y, x = np.ogrid[low:high:5j, :n]
    return both, y * x, np.mgrid[low : high : n * 1j], np.mgrid[low:high:2j, low:high:1j]


@programs(lambda: (0.5, 2.0), lambda: (0, 3))
def grids_by_steps(low, high):
    return np.mgrid[low:high:0.25, 1:3], np.mgrid[low:high:0.1]


@programs(lambda: (0.0, 1.0, 1), lambda: (2.5, 1.0, 0), lambda: (1.0, 0.0, 3), lambda: (np.nan, 1.0, 2))
def grids_of_one_place_or_none(low, high, n):
    return np.mgrid[low : high : n * 1j, low : high : n * 1j], np.ogrid[low:high, :n]


@programs(lambda: (np.float32(0), 3), gaps="S147-hosted")
def a_grid_of_another_dtype(low, n):
    return np.mgrid[low : low + 1 : n * 1j]


@programs(lambda: (20, 30), lambda: (3, 4))
def mandelbrot_by_masks(n, limit):
    y, x = np.ogrid[-1.4 : 1.4 : n * 1j, -2 : 0.8 : n * 1j]
    c = x + y * 1j
    z = c
    escaped = limit + np.zeros(z.shape, dtype=int)
    for i in range(limit):
        z = z**2 + c
        diverge = z * np.conj(z) > 2**2
        now = diverge & (escaped == limit)
        escaped[now] = i
        z[diverge] = 2
    return escaped


@programs(lambda: (noise(5, 5) + 6 * np.eye(5), noise(5)), lambda: (noise(1, 1) + 3, noise(1)))
def jacobi(a, b):
    x = np.zeros_like(b)
    d = np.diag(a)
    r = a - np.diagflat(d)
    for _ in range(25):
        x = (b - np.dot(r, x)) / d
    return x


@programs(
    lambda: (noise(4, 4) + 6 * np.eye(4), noise(4), 1.1),
    lambda: (noise(2, 2, dtype="f4") + 6 * np.eye(2, dtype="f4"), noise(2, dtype="f4"), 1.0),
)
def sor(a, b, omega):
    n = len(b)
    x = np.zeros_like(b)
    for iteration in range(100):
        biggest = 0.0
        for i in range(n):
            s = 0.0
            for j in range(n):
                if j != i:
                    s += a[i, j] * x[j]
            new = (1 - omega) * x[i] + omega / a[i, i] * (b[i] - s)
            biggest = max(biggest, abs(new - x[i]))
            x[i] = new
        if biggest < 1e-10:
            break
    return x, iteration, biggest


@programs(lambda: (30, 50), lambda: (3, 4))
def fdtd(size, steps):
    ez, hy = np.zeros(size), np.zeros(size)
    probe = np.empty(steps)
    for t in range(steps):
        hy[:-1] += 0.5 * (ez[1:] - ez[:-1])
        ez[1:] += 0.5 * (hy[1:] - hy[:-1])
        ez[size // 2] += math.exp(-((t - 30.0) ** 2) / 100.0)
        probe[t] = ez[size // 4]
    return ez, hy, probe


@programs(lambda: (8, 6, 12), lambda: (4, 4, 3))
def lattice_boltzmann(nx, ny, steps):
    c = np.array([[0, 0], [1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1], [-1, -1], [1, -1]])
    w = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)
    rho0 = 1 + 0.1 * np.sin(2 * np.pi * np.arange(nx) / nx)[:, None] * np.ones(ny)
    f = w[:, None, None] * rho0
    for _ in range(steps):
        rho = f.sum(axis=0)
        ux = (f * c[:, 0, None, None]).sum(axis=0) / rho
        uy = (f * c[:, 1, None, None]).sum(axis=0) / rho
        for k in range(9):
            cu = 3 * (c[k, 0] * ux + c[k, 1] * uy)
            feq = w[k] * rho * (1 + cu + 0.5 * cu**2 - 1.5 * (ux**2 + uy**2))
            f[k] += -(f[k] - feq) / 0.6
        for k in range(9):
            f[k] = np.roll(np.roll(f[k], c[k, 0], axis=0), c[k, 1], axis=1)
    return f, rho


@programs(
    lambda: (noise(8) + 0j,),
    lambda: (noise(1) + 1j,),
    lambda: (noise(16, seed=1).astype("c16"),),
    gaps="S141-recursion",
)
def fft_by_recursion(x):
    n = len(x)
    if n <= 1:
        return x
    even = fft_by_recursion(x[0::2])
    odd = fft_by_recursion(x[1::2])
    t = np.exp(-2j * np.pi * np.arange(n // 2) / n) * odd
    return np.concatenate([even + t, even - t])


@programs(
    lambda: (noise(4, 4) + 4 * np.eye(4),),
    lambda: (noise(1, 1),),
    lambda: (np.asfortranarray(noise(3, 3) + 3 * np.eye(3)),),
)
def lu(a):
    n = a.shape[0]
    lower, upper = np.eye(n), a.copy()
    for k in range(n - 1):
        for i in range(k + 1, n):
            lower[i, k] = upper[i, k] / upper[k, k]
            upper[i, k:] -= lower[i, k] * upper[k, k:]
    return lower, upper


@programs(lambda: (noise(5, 5),), lambda: (noise(2, 2),), lambda: (np.zeros((3, 3)),))
def lu_with_pivots(a):
    a = np.array(a, dtype=float)
    n = len(a)
    pivots = np.arange(n)
    sign = 1
    for k in range(n - 1):
        p = k + np.argmax(np.abs(a[k:, k]))
        if a[p, k] == 0:
            return a, pivots, 0
        if p != k:
            a[[k, p]] = a[[p, k]]
            pivots[k], pivots[p] = pivots[p], pivots[k]
            sign = -sign
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
    return a, pivots, sign


@programs(lambda: (noise(6, 4),), lambda: (noise(3, 3, dtype="f4"),), lambda: (noise(1, 1),), gaps="S180-dot")
def gram_schmidt(a):
    m, n = a.shape
    q = np.zeros((m, n))
    r = np.zeros((n, n))
    for j in range(n):
        v = a[:, j]
        for i in range(j):
            r[i, j] = np.dot(q[:, i], a[:, j])
            v = v - r[i, j] * q[:, i]
        r[j, j] = np.sqrt(np.dot(v, v))
        q[:, j] = v / r[j, j]
    return q, r


@programs(lambda: (noise(6, 4),), lambda: (noise(4, 4),))
def householder(a):
    r = a.copy()
    m, n = r.shape
    q = np.eye(m)
    for k in range(n):
        x = r[k:, k]
        e = np.zeros_like(x)
        e[0] = math.copysign(np.linalg.norm(x), -a[k, k])
        u = x - e
        norm = np.linalg.norm(u)
        if norm < 1e-12:
            continue
        v = u / norm
        r[k:, :] -= 2.0 * np.outer(v, np.dot(v, r[k:, :]))
        q[:, k:] -= 2.0 * np.outer(np.dot(q[:, k:], v), v)
    return q, r


@programs(lambda: (noise(5, 5), 40), lambda: (np.eye(1), 3))
def power_iteration(a, steps):
    a = a @ a.T
    b = np.ones(a.shape[1])
    for _ in range(steps):
        b1 = np.dot(a, b)
        b = b1 / np.linalg.norm(b1)
    return b @ a @ b, b


@programs(lambda: (noise(5, 5) @ noise(5, 5).T + 5 * np.eye(5), noise(5)), lambda: (np.eye(2), np.zeros(2)))
def conjugate_gradients(a, b):
    x = np.zeros_like(b)
    r = b - a @ x
    p = r.copy()
    rs = r @ r
    steps = 0
    while rs > 1e-20 and steps < 2 * len(b):
        ap = a @ p
        alpha = rs / (p @ ap)
        x += alpha * p
        r -= alpha * ap
        new = r @ r
        p = r + (new / rs) * p
        rs = new
        steps += 1
    return x, steps


def lorenz(s, t, sigma=10.0, rho=28.0, beta=8 / 3):
    x, y, z = s
    return np.array([sigma * (y - x), x * (rho - z) - y, x * y - beta * z])


@programs(
    lambda: (np.array([1.0, 1.0, 1.0]), 0.01, 40),
    lambda: (np.array([1, 2, 3]), 0.01, 1),
)
def runge_kutta(s, h, steps):
    path = np.zeros((steps + 1, 3))
    path[0] = s
    t = 0.0
    for n in range(steps):
        k1 = lorenz(s, t)
        k2 = lorenz(s + h * k1 / 2, t + h / 2)
        k3 = lorenz(s + h * k2 / 2, t + h / 2)
        k4 = lorenz(s + h * k3, t + h)
        s = s + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        t += h
        path[n + 1] = s
    return path, t


@programs(
    lambda: (noise(5, 2), noise(5, 2, seed=1) / 10, 0.01, 10), lambda: (noise(1, 2), noise(1, 2), 0.1, 2)
)
def verlet(x, v, dt, steps):
    def forces(x):
        d = x[:, None, :] - x[None, :, :]
        r2 = (d**2).sum(-1) + 0.1
        return -(d / r2[..., None] ** 1.5).sum(1)

    a = forces(x)
    for _ in range(steps):
        x += v * dt + 0.5 * a * dt**2
        new = forces(x)
        v += 0.5 * (a + new) * dt
        a = new
    return 0.5 * (v**2).sum()


@programs(lambda: (np.where(noise(6, 6) > 0, 1, -1), np.random.default_rng(1).random((5, 6, 6)), 2.0))
def ising(spins, random, temperature):
    n, m = spins.shape
    magnetisation = []
    for sweep in random:
        for i in range(n):
            for j in range(m):
                around = spins[(i + 1) % n, j] + spins[i, (j + 1) % m] + spins[i - 1, j] + spins[i, j - 1]
                de = 2 * spins[i, j] * around
                if de <= 0 or sweep[i, j] < np.exp(-de / temperature):
                    spins[i, j] *= -1
        magnetisation.append(spins.mean())
    return np.array(magnetisation)


@programs(
    lambda: (2.0,), lambda: (2,), lambda: (0.0,), lambda: (1e300,), lambda: (-1.0,), lambda: (np.float32(3),)
)
def newton_root(a):
    if a < 0:
        raise ValueError(f"no root of {a}")
    if a == 0:
        return 0.0
    x = a
    for _ in range(2000):
        new = (x + a / x) / 2
        if abs(new - x) <= 1e-15 * abs(new):
            return new
        x = new
    return x


@programs(lambda: (0.0, 2.0), lambda: (0, 2), lambda: (2.0, 3.0))
def bisection(a, b, tol=1e-9):
    def f(x):
        return x**3 - x - 1

    if f(a) * f(b) > 0:
        raise ValueError("f(a) and f(b) have the same sign")
    steps = 0
    while (b - a) / 2 > tol:
        c = (a + b) / 2
        if f(c) == 0:
            break
        elif f(a) * f(c) < 0:
            b = c
        else:
            a = c
        steps += 1
    return (a + b) / 2, steps


@programs(
    lambda: (noise(6), 0.3),
    lambda: (counts(4), 2),
    lambda: (noise(3), noise(5)),
    lambda: (np.array([1.5]), 2.0),
)
def horner(coefficients, x):
    result = 0
    for c in coefficients[::-1]:
        result = result * x + c
    return result


@programs(lambda: (6, np.linspace(-1, 1, 5)), lambda: (0, np.array([0.5])), lambda: (1, np.array([0.5, 1])))
def chebyshev(n, x):
    if n == 0:
        return np.ones_like(x)
    a, b = np.ones_like(x), x
    for _ in range(2, n + 1):
        a, b = b, 2 * x * b - a
    return b


@programs(lambda: (0.0, np.pi, 10), lambda: (0, 1, 2), lambda: (0.0, 1.0, 3), lambda: (0.0, 1.0, 0))
def simpson(a, b, n):
    if n % 2:
        raise ValueError("n must be even, not %d" % n)
    h = (b - a) / n
    x = np.linspace(a, b, n + 1)
    y = np.sin(x)
    return h / 3 * np.sum(y[0:-1:2] + 4 * y[1::2] + y[2::2])


@programs(lambda: (5,), lambda: (1,))
def romberg(n):
    r = np.zeros((n, n))
    h = 1.0
    r[0, 0] = 0.5 * (1.0 + math.e)
    for i in range(1, n):
        h /= 2
        s = sum(math.exp((2 * k - 1) * h) for k in range(1, 2 ** (i - 1) + 1))
        r[i, 0] = 0.5 * r[i - 1, 0] + h * s
        for j in range(1, i + 1):
            r[i, j] = r[i, j - 1] + (r[i, j - 1] - r[i - 1, j - 1]) / (4**j - 1)
    return r


@programs(
    lambda: (noise(7), noise(7) + 5, noise(7), noise(7)), lambda: (noise(1), noise(1), noise(1), noise(1))
)
def thomas(a, b, c, d):
    n = len(d)
    c, d = c.copy(), d.copy()
    c[0] /= b[0]
    d[0] /= b[0]
    for i in range(1, n):
        m = b[i] - a[i] * c[i - 1]
        c[i] = c[i] / m
        d[i] = (d[i] - a[i] * d[i - 1]) / m
    x = np.zeros(n)
    x[-1] = d[-1]
    for i in range(n - 2, -1, -1):
        x[i] = d[i] - c[i] * x[i + 1]
    return x


@programs(
    lambda: (np.arange(6.0), np.arange(6.0) ** 2, np.array([0.5, 4.9, -3.0, 9.0])),
    lambda: (np.arange(3.0), noise(3), np.empty(0)),
)
def linear_spline(xs, ys, at):
    out = np.empty_like(at)
    for k, x in enumerate(at):
        if x <= xs[0]:
            out[k] = ys[0]
        elif x >= xs[-1]:
            out[k] = ys[-1]
        else:
            low, high = 0, len(xs) - 1
            while high - low > 1:
                middle = (low + high) // 2
                if xs[middle] > x:
                    high = middle
                else:
                    low = middle
            t = (x - xs[low]) / (xs[high] - xs[low])
            out[k] = (1 - t) * ys[low] + t * ys[high]
    return out


@programs(lambda: (np.random.default_rng(0).random((50, 2)),), lambda: (np.zeros((1, 2)),))
def monte_carlo_pi(samples):
    inside = 0
    for x, y in samples:
        if x * x + y * y < 1:
            inside += 1
    return 4 * inside / len(samples), 4 * np.mean((samples**2).sum(axis=1) < 1)


@programs(lambda: (100.0, 95.0, 0.05, 0.2, 1.0, 20), lambda: (100, 100, 0.0, 0.3, 1, 1))
def binomial_tree(s, k, r, sigma, t, n, american=True):
    dt = t / n
    u = math.exp(sigma * math.sqrt(dt))
    d = 1 / u
    p = (math.exp(r * dt) - d) / (u - d)
    discount = math.exp(-r * dt)
    prices = s * d ** np.arange(n, -1, -1) * u ** np.arange(0, n + 1)
    values = np.maximum(k - prices, 0)
    for i in range(n - 1, -1, -1):
        values = discount * (p * values[1 : i + 2] + (1 - p) * values[0 : i + 1])
        if american:
            prices = s * d ** np.arange(i, -1, -1) * u ** np.arange(0, i + 1)
            values = np.maximum(values, k - prices)
    return values[0]


@programs(lambda: (noise(8, 8), 5), lambda: (noise(3, 3), 1))
def wave(u, steps):
    previous = u.copy()
    for _ in range(steps):
        new = np.zeros_like(u)
        new[1:-1, 1:-1] = (
            2 * u[1:-1, 1:-1]
            - previous[1:-1, 1:-1]
            + 0.2 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])
        )
        previous, u = u, new
    return u


@programs(lambda: (np.random.default_rng(0).random((40, 2)), np.array([2.0, -3.0])))
def annealing(random, x):
    def energy(x):
        return np.sum(x**2) + np.sum(np.cos(3 * x))

    best, lowest = x.copy(), energy(x)
    current = lowest
    temperature = 1.0
    accepted = 0
    for step, uniform in random:
        candidate = x + (step - 0.5)
        e = energy(candidate)
        if e < current or uniform < math.exp(-(e - current) / temperature):
            x, current = candidate, e
            accepted += 1
            if e < lowest:
                best, lowest = candidate, e
        temperature *= 0.95
    return best, lowest, accepted


@programs(
    lambda: (noise(4, 4),), lambda: (noise(1, 1),), lambda: (np.zeros((2, 2)),), lambda: (counts(3, 3),)
)
def determinant(a):
    a = a.astype(float)
    n = a.shape[0]
    det = 1.0
    for c in range(n):
        p = c
        while p < n and a[p, c] == 0:
            p += 1
        if p == n:
            return 0.0
        if p != c:
            tmp = a[c].copy()
            a[c] = a[p]
            a[p] = tmp
            det = -det
        det *= a[c, c]
        for r in range(c + 1, n):
            a[r] -= a[c] * (a[r, c] / a[c, c])
    return det


@programs(
    lambda: (noise(3, 4), noise(4, 2)),
    lambda: (noise(2, 0), noise(0, 2)),
    lambda: (counts(2, 3), noise(3, 1)),
)
def matrix_product(a, b):
    c = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]
    return c


@programs(lambda: (20, 20, 10), lambda: (5, 5, 1))
def burgers(nx, nt, skip):
    nu, dx, dt = 0.07, 2.0 / (nx - 1), 0.001
    u = np.ones(nx)
    u[int(0.5 / dx) : int(1 / dx + 1)] = 2
    saved = []
    for n in range(nt):
        un = u.copy()
        for i in range(1, nx - 1):
            u[i] = (
                un[i]
                - un[i] * dt / dx * (un[i] - un[i - 1])
                + nu * dt / dx**2 * (un[i + 1] - 2 * un[i] + un[i - 1])
            )
        if n % skip == 0:
            saved.append(u.sum())
    return u, np.array(saved)


@programs(
    lambda: (np.abs(noise(37))[::-1], 3),
    lambda: (np.abs(noise(75))[::-2], 2.5),
    lambda: (np.abs(noise(37, dtype=np.float32))[::-1], 7),
    lambda: (np.abs(noise(9)), -1),
)
def powers_of_what_lies_backwards(x, exponent):
    return x**exponent


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("program", programs.found, ids=name_of)
def test_a_program_converted_does_what_it_does_plainly(program: Program, device: str) -> None:
    check(program, device)
