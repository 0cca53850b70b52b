"""The collector of garbage is kept from running for a while."""

import gc
from typing import Any

import pytest

from transpile import convert, tracing
from transpile.runtime.garbage import no_collections


@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_of_garbage_is_left_as_it_was(enabled: bool) -> None:
    was_enabled = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        with pytest.raises(ValueError), no_collections():
            assert not gc.isenabled()
            raise ValueError
        assert gc.isenabled() == enabled
    finally:
        (gc.enable if was_enabled else gc.disable)()


@pytest.mark.parametrize("enabled", [True, False])
def test_nothing_is_collected_while_a_call_is_traced(enabled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    trace = tracing.trace

    def traced(*given: Any, **named: Any) -> Any:
        found.append(gc.isenabled())
        return trace(*given, **named)

    monkeypatch.setattr(tracing, "trace", traced)
    was_enabled = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        assert convert(lambda x: x + 1, strict=True, device="host")(2) == 3
        assert found == [False] and gc.isenabled() == enabled
    finally:
        (gc.enable if was_enabled else gc.disable)()
