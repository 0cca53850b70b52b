"""`convert`, as a user meets it: what it takes, what the converted function offers, and what it says when it falls back."""

import inspect
import pickle
import traceback
import warnings

import numpy as np
import pytest

import transpile
from transpile import ConversionError, FallbackWarning, StagingError, convert, tracing


@convert
def dot(x, y, *, start=0.0):
    """Adds products."""
    for i in range(len(x)):
        start += x[i] * y[i]
    return start


def looks(x):
    return sorted(locals()), x


def asks(x, what):
    return x.sum() if isinstance(what, int) else what.thing(x)


class Thing(bytearray):
    __slots__ = ()

    def thing(self, x):
        return x.size


def test_public_names_are_there() -> None:
    assert all(hasattr(transpile, name) for name in transpile.__all__)
    assert transpile.__version__


def test_converted_function_looks_as_it_did() -> None:
    assert (dot.__name__, dot.__doc__) == ("dot", "Adds products.")
    assert str(inspect.signature(dot)) == "(x, y, *, start=0.0)"
    assert pickle.loads(pickle.dumps(dot)) is dot
    assert dot(np.arange(3.0), np.arange(3.0), start=1.0) == dot.python_function(
        np.arange(3.0), np.arange(3.0), start=1.0
    )


def test_wrong_arguments_raise_what_python_raises() -> None:
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'y'"):
        dot(np.zeros(2))
    with pytest.raises(TypeError, match="takes 2 positional arguments but 3 were given"):
        dot(1, 2, 3)


def test_one_trace_serves_all_sizes_and_is_counted() -> None:
    function = convert(dot)
    for n in (2, 3, 50):
        assert function(np.ones(n), np.ones(n)) == n
    info = function.cache_info()
    assert (info.hits, info.misses, info.currsize) == (2, 1, 1)
    function.cache_clear()
    assert function.cache_info().currsize == 0


def test_stages_can_be_looked_at() -> None:
    x = np.zeros(3)
    assert "ops.for_loop(" in dot.source()
    assert str(dot.graph(x, x)).startswith("graph dot:")
    assert "def kernel(" in dot.kernels(x, x)
    traced = dot.trace(x, x)
    assert traced(np.ones(4), np.ones(4)) == 4.0


def test_explain_names_what_is_compiled() -> None:
    function = convert(dot)
    assert "not called yet" in function.explain()
    x = np.ones(3, np.float32)
    assert "x: float32[:]" in function.explain(x, x)
    assert "compiled whole for cpu" in function.explain()


def test_function_that_cannot_be_converted_runs_and_says_why_once() -> None:
    function = convert(looks)
    with pytest.warns(FallbackWarning, match=r"looks runs as plain Python: \[C017-frame\]"):
        assert function(1) == (["x"], 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert function(1) == (["x"], 1)
    assert "hint:" in function.explain() and "all other calls run as plain Python" in function.explain()


def test_fallback_is_for_the_kind_of_arguments_that_needs_it() -> None:
    function = convert(asks)
    with pytest.warns(FallbackWarning, match="S201"):
        assert function(np.ones(3), Thing()) == 3
    assert function(np.ones(3), 1) == 3.0
    assert function.cache_info().currsize == 1


def test_strict_raises_instead_of_falling_back() -> None:
    with pytest.raises(ConversionError) as refused:
        convert(looks, strict=True)(1)
    assert refused.value.code == "C017-frame" and refused.value.hint
    with pytest.raises(StagingError):
        convert(asks, strict=True)(np.ones(3), Thing())


@pytest.mark.parametrize("strict", [False, True])
def test_errors_are_the_programs_own(strict: bool) -> None:
    function = convert(dot, strict=strict)
    with pytest.raises(IndexError, match="index 2 is out of bounds for axis 0 with size 2") as caught:
        function(np.ones(3), np.ones(2))
    assert traceback.extract_tb(caught.value.__traceback__)[-1].line == "start += x[i] * y[i]"
    assert caught.value.__context__ is None


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
def test_no_trace_takes_longer_than_anybody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    def halved(x):
        total = 0.0
        for k in range(40):
            total += float(x[k]) * 0.5
        return total

    x = np.arange(50.0)
    monkeypatch.setattr(tracing, "_LONGEST", 0.0)
    converted = convert(halved, device="host")
    for _ in range(3):
        assert converted(x) == halved(x)
    assert converted.cache_info().misses == 1 and "S321" in converted.explain()
    assert convert(halved, device="host", strict=True)(x) == halved(x)


def test_calls_that_go_on_raising_are_not_traced_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def stacked(x):
        return np.stack([x * 2.0, x] if x.ndim < 2 else [])

    converted = convert(stacked)
    traced = []
    trace = converted.calls.traced
    monkeypatch.setattr(converted.calls, "traced", lambda *given: traced.append(1) or trace(*given))
    converted.calls.pace = 10_000.0
    for _ in range(20):
        with pytest.raises(ValueError, match="need at least one array"):
            converted(np.ones((3, 4)))
    assert len(traced) == 4
    converted.cache_clear()
    converted(np.ones(9))
    assert converted.cache_info().currsize == 1


@pytest.mark.parametrize("thing", [len, np.sin, 3, Thing()], ids=lambda thing: type(thing).__name__)
def test_what_is_not_made_of_functions_is_refused(thing: object) -> None:
    with pytest.raises(TypeError, match="convert takes a Python function, or what is made of one, not"):
        convert(thing)


def test_options_can_be_given_before_the_function() -> None:
    decorated = convert(device="host", strict=True)(dot)
    assert decorated(np.ones(3), np.ones(3)) == 3.0
