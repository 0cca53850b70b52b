"""What takes the arrays of a call apart, and what makes those of its results."""

from __future__ import annotations

import io
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import transpile
from transpile.devices.cpu.results import taker


def test_items_are_taken_in_the_order_of_their_places() -> None:
    given = ("a", "b", "c")
    assert taker([2, 0], 3)(given) == ("c", "a")
    assert taker([], 3)(given) == ()
    assert taker([0, 1, 2], 3)(given) is given


@pytest.mark.parametrize("order", ["C", "F", (1, 2, 0)])
def test_new_arrays_lie_as_numpys(order: str | tuple[int, ...]) -> None:
    x = np.arange(24.0).reshape(2, 3, 4)
    x = (
        x.copy(order)
        if isinstance(order, str)
        else np.ascontiguousarray(x.transpose(order)).transpose(2, 0, 1)
    )

    def root(x):
        return np.sqrt(x), x.sum(), x[1:]

    found, expected = transpile.convert(root, strict=True, device="cpu")(x), root(x)
    assert [np.asarray(item).strides for item in found] == [np.asarray(item).strides for item in expected]
    assert [np.asarray(item).tobytes() for item in found] == [np.asarray(item).tobytes() for item in expected]
    assert type(found[1]) is np.float64
    assert found[0].flags.owndata and found[0].base is None
    assert transpile.convert(root, strict=True, device="cpu")(x[:0])[0].shape == (0, *x.shape[1:])


def test_a_result_of_fewer_elements_than_none_is_empty() -> None:
    middle = transpile.convert(lambda x: np.zeros(len(x[2:-2])), strict=True, device="cpu")
    assert [len(middle(np.zeros(n))) for n in (9, 4, 3, 9)] == [5, 0, 0, 5]


def chosen(x):
    return x[x > 0.5], np.diff(x).max()


def test_results_whose_size_run_time_tells_belong_to_the_caller_alone() -> None:
    converted = transpile.convert(chosen, strict=True, device="cpu")
    first, _ = converted(np.linspace(0.0, 1.0, 9))
    before = first.tolist()
    second, _ = converted(np.linspace(1.0, 0.0, 9))
    assert first.tolist() == before and second.tolist() == before[::-1]
    gone = weakref.ref(first)
    del first
    assert gone() is None


def test_calls_that_make_results_run_in_several_threads() -> None:
    converted = transpile.convert(chosen, strict=True, device="cpu")
    arrays = [np.random.default_rng(size).uniform(size=size) for size in range(10, 300, 7)]
    with ThreadPoolExecutor(4) as pool:
        for found, x in zip(pool.map(converted, arrays), arrays, strict=True):
            assert found[0].tolist() == chosen(x)[0].tolist() and found[1] == chosen(x)[1]


def test_a_call_that_makes_results_may_run_in_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    class Output(io.StringIO):
        def write(self, text: str) -> int:
            if not seen:
                seen.append(text)
                seen.append(converted(x[::-1].copy()))
            return super().write(text)

    def parted(x):
        high = x[x > 0.5]
        print(len(high))
        return high, x[x < 0.5]

    converted = transpile.convert(parted, strict=True, device="cpu")
    x = np.linspace(0.0, 0.9, 10)
    monkeypatch.setattr("sys.stdout", output := Output())
    high, low = converted(x)
    assert (high.tolist(), low.tolist()) == (x[6:].tolist(), x[:5].tolist())
    assert output.getvalue().split() == ["4", "4"]
    assert seen[1][0].tolist() == x[6:][::-1].tolist()
