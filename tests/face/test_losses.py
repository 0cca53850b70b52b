"""What was lost on traces that came to nothing holds back further ones."""

import numpy as np
import pytest

import transpile
from transpile import losses as losses_module
from transpile.losses import Losses


def test_a_second_may_be_lost_and_then_as_much_as_has_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(losses_module, "perf_counter", lambda: now[0])
    losses = Losses()
    assert not losses.are_too_many
    losses.note(0.9)
    assert not losses.are_too_many
    losses.note(2.0)
    assert losses.are_too_many
    now[0] += 5.0
    assert not losses.are_too_many


def refused(x: np.ndarray, names: dict[int, str]) -> float:
    total = 0.0
    for k in names:
        total += len(names[k])
    for i in range(len(x)):
        if names[int(x[i])] in vars(np):
            total += 1.0
    return total


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
def test_calls_run_plain_where_much_was_lost_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    converted = transpile.convert(refused, device="host")
    names = dict.fromkeys(range(4), "sin")
    x = np.arange(4.0)
    assert converted(x, names) == refused(x, names)
    assert "S" in converted.explain()
    monkeypatch.setattr(losses_module, "_FREE", 0.0)
    monkeypatch.setattr(losses_module, "perf_counter", lambda: 0.0)
    converted.calls.losses._began = 1.0
    failed = dict(converted.calls.failures)
    more = names | {4: "cos"}
    assert converted(x, more) == refused(x, more)
    assert converted.calls.failures == failed
    assert "came to nothing" in converted.explain()
