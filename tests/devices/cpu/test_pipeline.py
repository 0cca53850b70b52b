"""numba's pipeline for kernels: lean, and no trace of it is left outside."""

import types

import numba
import numpy as np

from transpile.devices.cpu import pipeline


def test_a_function_of_arrays_and_tuples_compiles() -> None:
    def total(x, y):
        result, rows = 0.0, x.shape[0]
        for i in range(rows):
            part = (x[i], y[i])
            result = result + part[0] * part[1]
        return 0, result

    signature = (numba.float64[::1], numba.float64[:])
    compiled = numba.njit(signature, pipeline_class=pipeline.Pipeline)(total)
    x = np.arange(5.0)
    assert compiled(x, x) == (0, 30.0)


def test_what_a_call_is_is_found_out_once() -> None:
    class Context:
        asked = 0

        def resolve_function_type(self, function, arguments, keywords):
            Context.asked += 1
            return None if function == "none" else (function, arguments)

    context = pipeline._remembering(Context())
    for _ in range(2):
        assert context.resolve_function_type("f", [1], {}) == ("f", [1])
    assert Context.asked == 1
    for _ in range(2):
        assert context.resolve_function_type("none", [1], {}) is None
        assert context.resolve_function_type("f", [1], {"k": 1}) == ("f", [1])
    assert Context.asked == 5


def test_a_target_looks_through_its_registries_where_there_is_something_new(monkeypatch) -> None:
    class Target:
        refreshed = 0

        def refresh(self) -> None:
            Target.refreshed += 1

    registry = types.SimpleNamespace(functions=[])
    monkeypatch.setattr(pipeline, "builtin_registry", registry)
    target = Target()
    pipeline._refresh_for_new(target)
    target.refresh()
    target.refresh()
    assert Target.refreshed == 1
    registry.functions.append(1)
    target.refresh()
    assert Target.refreshed == 2
