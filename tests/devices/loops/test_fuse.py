"""Which loop nests are fused, and which must not be."""

import numpy as np
import pytest

import transpile
from transpile.devices.loops.statement import Collect, Fused, Let, Nest, Reduction

X = np.linspace(-2.0, 3.0, 23)
Y = np.linspace(1.0, 2.0, 23)
A = X[:20].reshape(4, 5).copy()
B = Y[:20].reshape(4, 5).copy()


def stores(statement):
    return [part for part in statement.parts if isinstance(part, Nest)]


# -- what is fused -------------------------------------------------------------------------------------------


def test_what_is_stored_is_read_from_a_variable(scheduled):
    def function(x, y):
        x += y
        y *= x
        x -= 1.0

    found = scheduled(function, X, Y)
    (fused,) = found.nests
    assert len(stores(fused)) == 2
    assert sum(isinstance(part, Let) for part in fused.parts) >= 1


def test_updates_of_one_array_are_stored_once(scheduled):
    def function(x, y):
        x[:] = 0.0
        for _ in range(3):
            x += y
        x *= 2.0

    (fused,) = scheduled(function, X, Y).nests
    assert len(stores(fused)) == 1


def test_a_temporary_of_two_uses_takes_no_memory(scheduled):
    def function(x, y):
        t = x * y
        x[:] = t + 1.0
        y[:] = t - 1.0

    found = scheduled(function, X, Y)
    assert len(found.nests) == 1 and found.made == 0


def test_nests_of_two_axes_are_fused(scheduled):
    def function(a, b):
        a += b
        b += a

    assert len(scheduled(function, A, B).nests) == 1


def test_rows_of_an_array_are_fused_in_a_loop(scheduled):
    def function(a):
        for i in range(1, len(a)):
            a[i] -= a[i - 1]
            a[i] /= 2.0

    # Without what looks for errors, which is put together from pieces.
    with np.errstate(all="ignore"):
        assert len(scheduled(function, A).nests) == 1


def test_sizes_that_are_equal_by_assumption_are_one_extent(scheduled):
    def function(x, y, z):
        t = x + y
        z[:] = t
        return z * t

    assert len(scheduled(function, X, Y, X.copy()).nests) == 1


def test_integers_are_added_up_where_they_are_stored(scheduled):
    def function(n, m):
        n += m
        return n.sum(), n.max(), n.min()

    (fused,) = scheduled(function, np.arange(-5, 5), np.arange(10)).nests
    assert sum(isinstance(part, Reduction) for part in fused.parts) == 3


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint64", "bool"])
def test_fused_reductions_of_every_width_start_from_where_no_element_counts(scheduled, dtype):
    def function(n, m):
        n |= m
        return n.max(), n.min(), n.sum(), n.prod(), n.any(), n.all()

    n = np.array([3, 250, 7], np.uint8).astype(dtype)
    assert len(scheduled(function, n, n[::-1].copy()).nests) == 1


def test_all_is_fused_with_what_it_looks_at(scheduled):
    def function(n, m):
        same = n == m
        n[:] = m
        return same.all(), same

    for m in (np.arange(10), np.arange(10) * 2):
        assert len(scheduled(function, np.arange(10), m).nests) == 1


def test_a_check_goes_before_nests_that_are_fused(scheduled):

    def checked(x, y, k):
        x += y
        n = k * 3
        y -= x
        return n

    assert len(scheduled(checked, X, Y, 4).nests) == 1


def test_disjoint_rows_are_fused(scheduled):
    def function(a):
        a[0] = a[2]
        a[1] = a[2]

    (fused,) = scheduled(function, A).nests
    assert len(stores(fused)) == 2


def test_functions_of_numpy_run_in_blocks_of_one_nest(scheduled):
    def function(x, y):
        t = np.exp(x)
        y[:] = np.log(t + y)
        x[:] = t * y
        return t

    n = 1300  # more than two blocks
    x, y = np.linspace(-1, 1, n), np.linspace(1, 2, n)
    # Without what looks for errors, which is put together from pieces.
    with np.errstate(all="ignore"):
        assert len(scheduled(function, x, y).nests) == 1


def test_blocks_keep_variables_for_later_calls(scheduled):
    def function(x, y, n):
        x *= 2.0
        y += x
        z = np.sin(y)
        x -= np.cos(z)
        n += z > 0.5
        return n.sum()

    n = 700
    x, y = np.linspace(-1, 1, n), np.linspace(1, 2, n)
    # Another one adds up what its pieces have counted.
    with np.errstate(all="ignore"):
        nests = scheduled(function, x, y, np.arange(n)).nests
    assert [len(nest.parts) > 1 for nest in nests].count(True) == 1 and len(nests) == 2


# -- what is not ---------------------------------------------------------------------------------------------


def test_a_shifted_read_is_not_fused(scheduled):
    def function(x, y):
        y[:] = x * 2.0
        x[1:] += y[:-1]

    assert len(scheduled(function, X, Y).nests) == 2


def test_a_shifted_write_is_not_fused(scheduled):
    def function(x, y):
        y[1:] = x[1:] * 2.0
        x[:-1] = y[1:]

    assert len(scheduled(function, X, Y).nests) == 2


def test_reversed_reads_are_not_fused(scheduled):
    def function(x, y):
        y[:] = x * 2.0
        x += y[::-1]

    assert len(scheduled(function, X, Y).nests) == 2


def test_transposed_reads_are_not_fused(scheduled):
    def function(a, b):
        b[:] = a * 2.0
        a += b.T

    square = np.arange(16.0).reshape(4, 4)
    assert len(scheduled(function, square, square + 1.0).nests) == 2


def test_a_row_that_every_row_reads_is_not_fused(scheduled):
    def function(a, b):
        b[:] = a * 2.0
        a += b[0]

    assert len(scheduled(function, A, B).nests) == 2


def test_views_that_overlap_are_not_fused(scheduled):
    def function(x):
        head, tail = x[:-1], x[1:]
        head *= 2.0
        tail -= 1.0

    assert len(scheduled(function, X).nests) == 2


def test_other_dims_of_the_same_memory_are_not_fused(scheduled):
    def function(x):
        a = x.reshape(4, 5)
        a *= 2.0
        x += a.reshape(20)[::-1]
        b = x.reshape(5, 4)
        b += 1.0
        return a + x.reshape(4, 5)

    assert len(scheduled(function, X[:20].copy()).nests) >= 3


def test_the_same_dims_of_the_same_memory_are_fused(scheduled):
    def function(x):
        a = x.reshape(4, 5)
        a *= 2.0
        b = x.reshape(4, 5)
        b += 1.0

    assert len(scheduled(function, X[:20].copy()).nests) == 1


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
def test_arguments_that_share_memory_stay_right():
    def function(x, y):
        x *= 2.0
        y += x
        return x + y

    converted = transpile.convert(function)
    for shift in (0, 1, 3):
        plain, compiled = (np.arange(12.0) for _ in range(2))
        expected = function(plain[: 12 - shift], plain[shift:])
        found = converted(compiled[: 12 - shift], compiled[shift:])
        np.testing.assert_array_equal(found, expected)
        np.testing.assert_array_equal(compiled, plain)


def test_arrays_that_swap_in_a_loop_stay_apart_in_each_turn(scheduled):
    def function(x, y, steps):
        u, v = x.copy(), y.copy()
        for _ in range(steps):
            v[:] = u * 0.5
            v += u
            u, v = v, u
        return u - v

    for steps in (0, 1, 2, 5):
        found = scheduled(function, X, Y, steps)
    assert found.count(Fused) == 1


def test_a_float_sum_keeps_its_order(scheduled):
    def function(x, y):
        x += y
        return x.sum(), x.mean()

    n = 1000
    rng = np.random.default_rng(5)
    scheduled(function, rng.random(n), rng.random(n))


def test_a_sum_that_the_next_nest_uses_is_finished_first(scheduled):
    def function(n, m):
        n += m
        total = n.sum()
        m -= total
        return total

    assert len(scheduled(function, np.arange(10), np.arange(10)).nests) == 2


def test_all_alone_keeps_its_way_out(scheduled):
    def function(n, m):
        return (n < m).all(), (n > 0).any()

    assert scheduled(function, np.arange(10), np.arange(10) + 1).count(Fused) == 0


def test_other_lengths_are_not_fused(scheduled):
    def function(x, y):
        x *= 2.0
        y[1:] += x[1:]

    assert len(scheduled(function, X, Y).nests) == 2


def test_a_scatter_is_not_fused(scheduled):
    def function(x, k):
        x += 1.0
        x[k] = x[k] * 2.0
        x -= 3.0

    scheduled(function, X, np.array([3, 1, 3]))


def test_what_is_printed_is_what_was_there(scheduled, capfd):
    def function(x, y):
        x += y
        print(x[0], y[0])
        y += x
        print(x[0], y[0])

    converted = transpile.convert(function, strict=True)
    function(X.copy(), Y.copy())
    expected = capfd.readouterr().out
    converted(X.copy(), Y.copy())
    assert capfd.readouterr().out == expected


def test_an_error_between_nests_finds_the_first_done_and_the_second_not():
    def function(x, y, k):
        x += y
        print("on the way")
        if x[k] > 0:
            raise ValueError("positive")
        x *= 2.0

    converted = transpile.convert(function, strict=True)
    for k in (0, 20):
        plain, compiled = X.copy(), X.copy()
        outcomes = []
        for run, x in ((function, plain), (converted, compiled)):
            try:
                outcomes.append(run(x, Y, k))
            except ValueError as error:
                outcomes.append(str(error))
        assert outcomes[0] == outcomes[1]
        np.testing.assert_array_equal(compiled, plain)


def test_a_way_out_between_nests_leaves_the_arguments_to_the_original():
    def function(x, y, k):
        x += y
        n = k * k  # leaves 64 bits
        y -= x
        return n

    converted = transpile.convert(function, strict=True)
    for k in (3, 2**40):
        plain, compiled = (X.copy(), Y.copy()), (X.copy(), Y.copy())
        assert converted(*compiled, k) == function(*plain, k)
        np.testing.assert_array_equal(compiled, plain)


def test_no_elements_are_no_trouble(scheduled):
    def function(n, m):
        n += m
        m *= n
        return n.sum(), n.any(), n.all(), n.prod()

    for size in (0, 1, 2):
        scheduled(function, np.arange(size), np.arange(size))


# -- what a mask picks ---------------------------------------------------------------------------------------


def test_a_mask_picks_in_one_pass_without_places(scheduled):
    def function(x, mask):
        return x[mask]

    x, mask = np.arange(50.0), np.arange(50) % 3 == 1
    for chosen in (mask, ~mask, mask & False, mask | True):
        found = scheduled(function, x, chosen)
        assert found.count(Collect) == 1 and found.made == 0
        assert not any(isinstance(s, Nest) and s.indices for s in found)


def test_what_is_computed_of_what_is_picked_keeps_the_places(scheduled):
    def function(x, mask):
        return np.sqrt(x[mask] + 3.0)

    found = scheduled(function, X, X > 0.5)
    assert found.count(Collect) == 1 and len(found.nests) >= 2


def test_a_mask_of_two_axes_picks_in_order(scheduled):
    def function(a, mask):
        return a[mask]

    assert scheduled(function, A, A > 0).count(Collect) == 1


def test_a_mask_that_is_computed_picks_from_what_is_computed(scheduled):
    def function(x, y):
        return (x * y)[np.sin(x) > 0.1], np.arange(len(x))[x > y]

    scheduled(function, np.linspace(0, 30, 1500), np.linspace(1, 2, 1500))


def test_what_is_written_after_the_mask_was_read_is_not_picked(scheduled):
    def function(x):
        picked = x[x > 0]
        x[0] = 5.0
        x[x > 2] = -1.0
        return picked, x[x < 0]

    scheduled(function, X)


def test_a_diagonal_is_one_loop_and_keeps_its_place(scheduled):
    def function(a):
        t = np.zeros((len(a), len(a)))
        np.fill_diagonal(t, 2.0)
        return a - t, a - np.diagflat(np.diag(a))

    found = scheduled(function, np.arange(16.0).reshape(4, 4) + 1.0)
    for nest in found.nests:
        variables = [index for index, _ in nest.indices]
        assert len(set(variables)) == len(variables)
