"""The benches of single functions measure what they say."""

import numpy as np
import pytest

from transpile import bench_bits, bench_functions


def test_functions_are_at_least_sixty_and_run_on_the_arrays_named() -> None:
    calls = [call for text in bench_functions.FUNCTIONS.values() for call in text.split(";")]
    known = bench_functions.arrays()
    assert len(calls) >= 60
    for call in calls:
        names = set(compile(call.strip(), "", "eval").co_names)
        assert names & set(known) and "np" in names


def test_a_function_is_timed_both_ways_and_shown() -> None:
    small = {name: array[:50] for name, array in bench_functions.arrays().items()}
    timed = bench_functions.measure("elementwise", "np.maximum(x, y)", small)
    assert timed.numpy > 0 and timed.compiled > 0 and not timed.calls_whole and not timed.fails
    refused = bench_functions.measure("shapes", "np.asmatrix(x)", small)
    assert "S142-unknown" in refused.fails
    page = bench_functions.page([timed, refused])
    assert "`np.maximum(x, y)`" in page and "S142-unknown" in page


def test_bits_are_compared_for_every_dtype_and_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    count = bench_bits.Count()
    bench_bits.compare(count, "elementwise", "np.negative({a})", ["i2", "f8", "?"])
    assert (count.rows, count.equal, count.differ, count.left) == (4, 4, [], [])
    bench_bits.compare(count, "elementwise", "np.exp({a})", ["i1"], "fast")
    assert (count.rows, count.equal, len(count.left)) == (6, 6, 0)
    # What has other bits is found.
    monkeypatch.setattr(
        bench_bits, "_results", lambda call, given, _: {dtype: a + 1 for dtype, (a, b) in given.items()}
    )
    bench_bits.compare(count, "elementwise", "np.negative({a})", ["f8"])
    assert len(count.differ) == 2
    page = bench_bits.page({"numpy": {"elementwise": count}, "fast": {"elementwise": count}})
    assert page.count("| elementwise | 8 | 6 | 75.00% | ") == 2
    assert bench_bits.PROMISES["elementwise"] in page and bench_bits.FAST["elementwise"] in page


def test_every_family_has_its_promise() -> None:
    assert set(bench_bits.PROMISES) == {"elementwise", *bench_bits.ROWS} >= set(bench_bits.FAST)


def test_bits_tell_zeros_apart_and_take_all_nans_for_one() -> None:
    one, other = np.array([0.0, np.nan]), np.array([0.0, -np.nan])
    assert bench_bits._bits(one) == bench_bits._bits(other)
    assert bench_bits._bits(one) != bench_bits._bits(-one)
    assert bench_bits._bits(np.float64(1)) != bench_bits._bits(np.array(1.0))


def test_rows_cover_every_elementwise_ufunc() -> None:
    rows = list(bench_bits.rows())
    assert sum(family == "elementwise" for family, _, _ in rows) >= 80
    assert {family for family, _, _ in rows} == {"elementwise", *bench_bits.ROWS}
