"""Algorithms: dynamic programming, graphs, sorting, numbers, bits."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest

from .programs import Program, Programs, check, counts, name_of, noise

programs = Programs()


@programs(
    lambda: (np.array([2, 3, 4, 5]), np.array([3, 4, 5, 6]), 5),
    lambda: (np.empty(0, int), np.empty(0, int), 3),
    lambda: (np.array([1]), np.array([1.5]), 0),
)
def knapsack(weights, values, capacity):
    n = len(weights)
    table = np.zeros((n + 1, capacity + 1))
    for i in range(1, n + 1):
        for w in range(capacity + 1):
            if weights[i - 1] <= w:
                table[i][w] = max(table[i - 1][w], table[i - 1][w - weights[i - 1]] + values[i - 1])
            else:
                table[i][w] = table[i - 1][w]
    return table[n][capacity], table


@programs(lambda: (counts(9, high=3), counts(7, high=3, seed=1)), lambda: (counts(0), counts(3)))
def longest_common_subsequence(a, b):
    m, n = len(a), len(b)
    length = np.zeros((m + 1, n + 1), dtype=np.int32)
    for i in range(m):
        for j in range(n):
            if a[i] == b[j]:
                length[i + 1, j + 1] = length[i, j] + 1
            else:
                length[i + 1, j + 1] = max(length[i + 1, j], length[i, j + 1])
    found = []
    i, j = m, n
    while i > 0 and j > 0:
        if a[i - 1] == b[j - 1]:
            found.append(a[i - 1])
            i -= 1
            j -= 1
        elif length[i - 1, j] >= length[i, j - 1]:
            i -= 1
        else:
            j -= 1
    return length[m, n], np.array(found[::-1])


@programs(lambda: (noise(6), noise(8, seed=1)), lambda: (noise(1), noise(1)))
def dynamic_time_warping(s, t):
    n, m = len(s), len(t)
    d = np.full((n + 1, m + 1), np.inf)
    d[0, 0] = 0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost = abs(s[i - 1] - t[j - 1])
            d[i, j] = cost + min(d[i - 1, j], d[i, j - 1], d[i - 1, j - 1])
    return d[n, m]


@programs(lambda: (np.where(noise(6, 6) > 0, np.inf, counts(6, 6)),), lambda: (counts(4, 4),))
def floyd_warshall(d):
    n = d.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if d[i, k] + d[k, j] < d[i, j]:
                    d[i, j] = d[i, k] + d[k, j]
    return d


@programs(lambda: (counts(7, 7, high=2), 0), lambda: (np.zeros((1, 1), int), 0))
def breadth_first(adjacency, start):
    n = len(adjacency)
    distance = -np.ones(n, dtype=int)
    queue = np.empty(n, dtype=int)
    head, tail = 0, 1
    queue[0] = start
    distance[start] = 0
    while head < tail:
        u = queue[head]
        head += 1
        for v in range(n):
            if adjacency[u, v] and distance[v] < 0:
                distance[v] = distance[u] + 1
                queue[tail] = v
                tail += 1
    return distance


@programs(lambda: (counts(5, 5, high=2), 0))
def breadth_first_by_list(adjacency, start):
    seen = {start}
    frontier = [start]
    order = []
    while frontier:
        u = frontier.pop(0)
        order.append(u)
        for v in range(len(adjacency)):
            if adjacency[u, v] and v not in seen:
                seen.add(v)
                frontier.append(v)
    return order


def find(parent, i):
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@programs(lambda: (counts(6, 2, high=8), 8), lambda: (np.empty((0, 2), int), 3))
def union_find(edges, n):
    parent = np.arange(n)
    size = np.ones(n, dtype=np.int64)
    for a, b in edges:
        a, b = find(parent, a), find(parent, b)
        if a == b:
            continue
        if size[a] < size[b]:
            a, b = b, a
        parent[b] = a
        size[a] += size[b]
    return parent, sum(1 for i in range(n) if parent[i] == i)


@programs(lambda: (50,), lambda: (2,), lambda: (3,), lambda: (1,))
def odd_sieve(n):
    sieve = np.ones(n // 3 + (n % 6 == 2), dtype=bool)
    for i in range(1, int(n**0.5) // 3 + 1):
        if sieve[i]:
            k = 3 * i + 1 | 1
            sieve[k * k // 3 :: 2 * k] = False
            sieve[k * (k - 2 * (i & 1) + 4) // 3 :: 2 * k] = False
    return np.r_[2, 3, ((3 * np.nonzero(sieve)[0][1:] + 1) | 1)]


@programs(lambda: (27,), lambda: (1,), lambda: (97,))
def collatz(n):
    steps = 0
    highest = n
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        highest = max(highest, n)
        steps += 1
    return steps, highest


@programs(lambda: (30,), lambda: (2,))
def longest_collatz(limit):
    best, longest = None, 0
    for start in range(1, limit):
        n, length = start, 1
        while n != 1:
            if n % 2:
                n = 3 * n + 1
            else:
                n //= 2
            length += 1
        if length > longest:
            best, longest = start, length
    return best, longest


@programs(lambda: (counts(9), counts(7, seed=1)), lambda: (counts(0), counts(2)))
def levenshtein(a, b):
    previous = np.arange(len(b) + 1)
    for i, x in enumerate(a):
        current = np.empty_like(previous)
        current[0] = i + 1
        for j, y in enumerate(b):
            current[j + 1] = min(previous[j + 1] + 1, current[j] + 1, previous[j] + (x != y))
        previous = current
    return previous[-1]


@programs(
    lambda: (counts(8, high=4), counts(9, high=4, seed=1)),
    lambda: (counts(1), counts(1)),
)
def smith_waterman(a, b, match=3, mismatch=-3, gap=2):
    h = np.zeros((len(a) + 1, len(b) + 1), int)
    for i in range(1, h.shape[0]):
        for j in range(1, h.shape[1]):
            s = match if a[i - 1] == b[j - 1] else mismatch
            h[i, j] = max(h[i - 1, j - 1] + s, h[i - 1, j] - gap, h[i, j - 1] - gap, 0)
    i, j = np.unravel_index(h.argmax(), h.shape)
    return h.max(), i, j


@programs(
    lambda: (counts(6, 6, high=2), 3),
    lambda: (counts(1, 1, high=2), 1),
    lambda: (counts(3, 5, high=2, dtype=bool), 2),
)
def conway(board, steps):
    for _ in range(steps):
        around = sum(
            np.roll(np.roll(board, i, 0), j, 1) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i != 0 or j != 0)
        )
        board = (around == 3) | (board & (around == 2))
    return board


@programs(lambda: (30, 11, 5), lambda: (110, 7, 3), lambda: (255, 1, 1))
def cellular_automaton(rule, width, steps):
    table = np.array([rule >> k & 1 for k in range(8)], dtype=np.uint8)
    rows = np.zeros((steps, width), dtype=np.uint8)
    rows[0, width // 2] = 1
    for t in range(1, steps):
        for i in range(width):
            left, centre, right = rows[t - 1, i - 1], rows[t - 1, i], rows[t - 1, (i + 1) % width]
            rows[t, i] = table[4 * left + 2 * centre + right]
    return rows


@programs(lambda: (counts(6, 7, high=2),), lambda: (np.zeros((2, 2), int),), lambda: (np.ones((1, 4), bool),))
def connected_components(image):
    labels = np.zeros(image.shape, dtype=int)
    rows, columns = image.shape
    stack = np.empty((image.size + 1, 2), dtype=int)
    count = 0
    for i in range(rows):
        for j in range(columns):
            if image[i, j] and labels[i, j] == 0:
                count += 1
                labels[i, j] = count
                stack[0] = i, j
                top = 1
                while top > 0:
                    top -= 1
                    y, x = stack[top]
                    for dy, dx in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                        v, u = y + dy, x + dx
                        if 0 <= v < rows and 0 <= u < columns and image[v, u] and not labels[v, u]:
                            labels[v, u] = count
                            stack[top] = v, u
                            top += 1
    return labels, count


@programs(lambda: (np.array([30, 35, 15, 5, 10]),), lambda: (np.array([3, 4]),))
def matrix_chain(p):
    n = len(p) - 1
    m = np.zeros((n, n), dtype=int)
    split = np.zeros((n, n), dtype=int)
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            m[i, j] = 10**9
            for k in range(i, j):
                cost = m[i, k] + m[k + 1, j] + p[i] * p[k + 1] * p[j + 1]
                if cost < m[i, j]:
                    m[i, j], split[i, j] = cost, k
    return m[0, -1], split


@programs(lambda: (6,), lambda: (1,), lambda: (4,))
def queens(n):
    columns = np.zeros(n, dtype=int)
    row, count = 0, 0
    columns[0] = -1
    while row >= 0:
        columns[row] += 1
        while columns[row] < n:
            for other in range(row):
                if columns[other] == columns[row] or abs(columns[other] - columns[row]) == row - other:
                    break
            else:
                break
            columns[row] += 1
        if columns[row] == n:
            row -= 1
        elif row == n - 1:
            count += 1
        else:
            row += 1
            columns[row] = -1
    return count


@programs(
    lambda: (noise(9),),
    lambda: (counts(0),),
    lambda: (counts(8, dtype="u1"),),
    lambda: (np.array([1.0, np.nan, 0.5]),),
    lambda: (noise(8)[::-2],),
)
def bubble_sort(a):
    n = len(a)
    for i in range(n):
        swapped = False
        for j in range(0, n - i - 1):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
                swapped = True
        if not swapped:
            break
    return a


@programs(lambda: (noise(9),), lambda: (counts(1),), lambda: (noise(0),))
def insertion_sort(a):
    for i in range(1, len(a)):
        key = a[i]
        j = i - 1
        while j >= 0 and a[j] > key:
            a[j + 1] = a[j]
            j -= 1
        a[j + 1] = key


@programs(lambda: (counts(10),), lambda: (noise(6),), lambda: (counts(1),))
def heap_sort(a):
    def sift(start, end):
        root = start
        while 2 * root + 1 <= end:
            child = 2 * root + 1
            if child + 1 <= end and a[child] < a[child + 1]:
                child += 1
            if a[root] < a[child]:
                a[root], a[child] = a[child], a[root]
                root = child
            else:
                return

    for start in range((len(a) - 2) // 2, -1, -1):
        sift(start, len(a) - 1)
    for end in range(len(a) - 1, 0, -1):
        a[end], a[0] = a[0], a[end]
        sift(0, end - 1)


@programs(lambda: (counts(9, high=50),))
def quick_sort(a):
    if len(a) <= 1:
        return a
    pivot = a[len(a) // 2]
    return np.concatenate([quick_sort(a[a < pivot]), a[a == pivot], quick_sort(a[a > pivot])])


@programs(lambda: (counts(11, high=5),), lambda: (counts(0),), lambda: (counts(4, high=200, dtype="u1"),))
def counting_sort(a):
    if not len(a):
        return a
    count = np.zeros(a.max() + 1, dtype=int)
    for x in a:
        count[x] += 1
    total = 0
    for i in range(len(count)):
        count[i], total = total, total + count[i]
    out = np.empty_like(a)
    for x in a:
        out[count[x]] = x
        count[x] += 1
    return out


@programs(lambda: (noise(20), 5), lambda: (noise(3, dtype="f4"), 1), lambda: (counts(12), 4))
def histogram(x, bins):
    low, high = x.min(), x.max()
    width = (high - low) / bins
    count = np.zeros(bins, dtype=int)
    for value in x:
        k = int((value - low) / width)
        if k == bins:
            k -= 1
        count[k] += 1
    return count, low + width * np.arange(bins + 1)


@programs(lambda: (counts(20, high=256, dtype="u1"),), lambda: (counts(0, dtype="u1"),))
def adler32(data):
    a, b = 1, 0
    for byte in data:
        a = (a + int(byte)) % 65521
        b = (b + a) % 65521
    return b << 16 | a


@programs(lambda: (counts(9, high=256, dtype="u1"),), lambda: (counts(0, dtype="u1"),))
def crc32(data):
    table = np.zeros(256, dtype=np.uint32)
    for n in range(256):
        c = np.uint32(n)
        for _ in range(8):
            c = (c >> np.uint32(1)) ^ np.uint32(0xEDB88320) if c & np.uint32(1) else c >> np.uint32(1)
        table[n] = c
    crc = np.uint32(0xFFFFFFFF)
    for byte in data:
        crc = table[(crc ^ byte) & 0xFF] ^ (crc >> np.uint32(8))
    return crc ^ np.uint32(0xFFFFFFFF)


@programs(
    lambda: (counts(9, high=256, dtype="u1"),), lambda: (counts(0, dtype="u1"),), gaps="S120-big-integer"
)
def fnv(data):
    h = 0xCBF29CE484222325
    for byte in data:
        h ^= int(byte)
        h = (h * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return h


@programs(
    lambda: (counts(6, high=2**31, dtype="u4"),),
    lambda: (counts(6, high=2**15, dtype="i2"),),
    lambda: (counts(3, high=2**62),),
)
def popcounts(x):
    out = np.zeros(len(x), int)
    for i in range(len(x)):
        v = x[i]
        while v:
            v &= v - 1
            out[i] += 1
    return out


@programs(lambda: (np.array([1, 2], "u8"), 5), lambda: (np.array([7, 9], "u8"), 1))
def xorshift(state, n):
    out = np.empty(n, dtype=np.uint64)
    for i in range(n):
        s1, s0 = state[0], state[1]
        state[0] = s0
        s1 ^= s1 << np.uint64(23)
        state[1] = s1 ^ s0 ^ (s1 >> np.uint64(18)) ^ (s0 >> np.uint64(5))
        out[i] = state[1] + s0
    return out


@programs(lambda: (12345, 10), lambda: (1, 3))
def linear_congruential(seed, n):
    out = np.zeros(n)
    for i in range(n):
        seed = (1103515245 * seed + 12345) % 2**31
        out[i] = seed / 2**31
    return out, seed


@programs(
    lambda: (48, 18),
    lambda: (0, 5),
    lambda: (-12, 8),
    lambda: (2**70, 2**35),
    lambda: (7, 0),
    gaps="S120-big-integer",
)
def greatest_common_divisor(a, b):
    while b:
        a, b = b, a % b
    return abs(a)


@programs(lambda: (3, 200, 1000007), lambda: (2, 10, 1), lambda: (-3, 5, 7), lambda: (5, 0, 3))
def modular_power(base, exponent, modulus):
    result = 1
    base %= modulus
    while exponent > 0:
        if exponent & 1:
            result = result * base % modulus
        exponent >>= 1
        base = base * base % modulus
    return result


@programs(lambda: (10,), lambda: (120,), lambda: (0,))
def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@programs(lambda: (10,), lambda: (25,), lambda: (0,))
def factorial(n):
    result = 1
    for k in range(2, n + 1):
        result *= k
    return result


@programs(lambda: (6,), lambda: (1,), lambda: (0,))
def pascal(n):
    rows = np.zeros((n, n), dtype=np.int64)
    for i in range(n):
        rows[i, 0] = rows[i, i] = 1
        for j in range(1, i):
            rows[i, j] = rows[i - 1, j - 1] + rows[i - 1, j]
    return rows


@programs(lambda: (np.array([1, 2, 5]), 11), lambda: (np.array([2]), 3), lambda: ([1, 3], 6))
def coin_change(coins, amount):
    ways = [1] + [0] * amount
    for coin in coins:
        for x in range(coin, amount + 1):
            ways[x] += ways[x - coin]
    return ways[amount]


@programs(lambda: (np.array([1, 2, 5]), 11), lambda: (np.array([2]), 3))
def fewest_coins(coins, amount):
    fewest = np.full(amount + 1, amount + 1)
    fewest[0] = 0
    for x in range(1, amount + 1):
        for coin in coins:
            if coin <= x:
                fewest[x] = min(fewest[x], fewest[x - coin] + 1)
    return fewest[amount] if fewest[amount] <= amount else -1


@programs(lambda: (counts(9, low=-5, high=6),), lambda: (noise(5),), lambda: (np.array([-1.0]),))
def maximum_subarray(a):
    best = current = a[0]
    start = end = here = 0
    for i in range(1, len(a)):
        if current < 0:
            current = a[i]
            here = i
        else:
            current += a[i]
        if current > best:
            best, start, end = current, here, i
    return best, start, end


@programs(
    lambda: (np.arange(0, 20, 2), 8),
    lambda: (np.arange(5), 7),
    lambda: (np.empty(0), 1.0),
    lambda: (noise(5), 0.5),
)
def binary_search(a, x):
    low, high = 0, len(a) - 1
    while low <= high:
        middle = low + (high - low) // 2
        if a[middle] == x:
            return middle
        if a[middle] < x:
            low = middle + 1
        else:
            high = middle - 1
    return -1


@programs(lambda: (np.array([2, 0, 1, 4, 3]), noise(5)), lambda: (np.arange(1), noise(1)))
def permute_in_place(permutation, x):
    p = permutation.copy()
    for i in range(len(p)):
        while p[i] != i:
            target = p[i]
            x[i], x[target] = x[target], x[i]
            p[i], p[target] = p[target], p[i]


@programs(lambda: (counts(6, 6, low=1),), lambda: (counts(1, 1),))
def dijkstra(weights):
    n = len(weights)
    distance = np.full(n, np.inf)
    done = np.zeros(n, dtype=bool)
    distance[0] = 0
    for _ in range(n):
        u, nearest = -1, np.inf
        for v in range(n):
            if not done[v] and distance[v] < nearest:
                u, nearest = v, distance[v]
        if u == -1:
            break
        done[u] = True
        for v in range(n):
            if weights[u, v] > 0:
                distance[v] = min(distance[v], distance[u] + weights[u, v])
    return distance


@programs(lambda: (4,), lambda: (0,), lambda: (2,))
def gray_codes(bits):
    codes = np.arange(1 << bits)
    return codes ^ (codes >> 1)


@programs(
    lambda: (np.array([-7, 7, -8, 8]), 3),
    lambda: (-7, 3),
    lambda: (7, -3),
    lambda: (-7.5, 2),
    lambda: (np.array([5.5, -5.5]), -2.0),
)
def floor_and_remainder(a, b):
    return a // b, a % b, divmod(a, b), -a // b, -(a // b)


@programs(lambda: (np.array([3, 1, 2]), np.array([1, 1, 1])), lambda: (noise(3, 2), noise(2)))
def lexicographic(a, b):
    order = np.argsort(a, axis=0, kind="stable")
    return order, np.sort(a, axis=0)


@programs(lambda: (4, 3), lambda: (3, 0))
def spiral(rows, columns):
    out = np.zeros((rows, columns), dtype=int)
    top, bottom, left, right = 0, rows - 1, 0, columns - 1
    k = 1
    while top <= bottom and left <= right:
        for j in range(left, right + 1):
            out[top, j] = k
            k += 1
        top += 1
        for i in range(top, bottom + 1):
            out[i, right] = k
            k += 1
        right -= 1
        if top <= bottom:
            for j in range(right, left - 1, -1):
                out[bottom, j] = k
                k += 1
            bottom -= 1
        if left <= right:
            for i in range(bottom, top - 1, -1):
                out[i, left] = k
                k += 1
            left += 1
    return out


@programs(lambda: (5,), lambda: (3,))
def magic_square(n):
    square = np.zeros((n, n), dtype=int)
    i, j = 0, n // 2
    for k in range(1, n * n + 1):
        square[i, j] = k
        a, b = (i - 1) % n, (j + 1) % n
        if square[a, b]:
            i = (i + 1) % n
        else:
            i, j = a, b
    return square


@programs(lambda: (noise(30),), lambda: (counts(9),))
def places_of_extremes_and_order(x):
    best = max(range(len(x)), key=lambda i: x[i])
    worst = min(range(len(x)), key=x.__getitem__)
    return best, worst, sorted(range(len(x)), key=lambda i: (-x[i], i))[:3]


@programs(lambda: (40,), lambda: (3,))
def prime_factors_of_each(n):
    seen, factors = set(), {}
    for i in range(2, n):
        if i not in seen:
            for j in range(i, n, i):
                seen.add(j)
                factors.setdefault(j, []).append(i)
    return [len(factors[k]) for k in sorted(factors)]


@programs(
    lambda: (counts(5, 6, high=4), (4, 5)),
    lambda: (counts(3, 3, high=4) * 0, (0, 2)),
    lambda: (counts(4, 4, high=4) * 0, (7, 7)),
)
def way_back_through_what_came_before(grid, goal):
    height, width = grid.shape
    start = (0, 0)
    waiting, came_from = deque([start]), {start: None}
    while waiting:
        here = waiting.popleft()
        if here == goal:
            break
        for dx, dy in [(1, 0), (-1, 0), (0, 1), (0, -1)]:
            x, y = here[0] + dx, here[1] + dy
            if 0 <= x < height and 0 <= y < width and grid[x, y] != 1 and (x, y) not in came_from:
                came_from[(x, y)] = here
                waiting.append((x, y))
    if goal not in came_from:
        return None, came_from.get(goal)
    way, here = [], goal
    while here is not None:
        way.append(here)
        here = came_from[here]
    return way[::-1], here


@programs(lambda: (8, 3), lambda: (1, 3))
def goes_on_to_a_key_that_is_none(n, turns):
    before = {k * k: None for k in range(1)}
    for k in range(1, n):
        before[k * k] = (k - 1) ** 2
    here, seen = (n - 1) ** 2, 0
    for _ in range(turns):
        seen += here in before
        here = before[here]
    return here, seen


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("program", programs.found, ids=name_of)
def test_a_program_converted_does_what_it_does_plainly(program: Program, device: str) -> None:
    check(program, device)
