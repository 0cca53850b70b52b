"""What was lost on traces that came to nothing holds back further ones."""

import numpy as np
import pytest

import transpile
from transpile import hooked_calls
from transpile import losses as losses_module
from transpile.losses import PAST, Losses

_SHARE = losses_module._All.share


@pytest.fixture(autouse=True)
def on_an_idle_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(losses_module._All, "share", 1.0)


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


def test_what_was_lost_on_all_that_nobody_asked_for_holds_back_what_has_not_earned_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(losses_module, "ALL", losses_module._All())
    taken = [0.0]
    others, asked = [Losses(lambda: 0.0) for _ in range(3)], Losses()
    hooked = Losses(lambda: taken[0])
    assert hooked.patience == 0.1 and asked.patience is None
    others[0].note(0.08)
    assert not hooked.are_too_many
    others[1].note(0.22)
    assert hooked.are_too_many and not asked.are_too_many
    # Twenty times what such a trace has cost so far.
    taken[0] = 2.5
    assert hooked.are_too_many
    taken[0] = 3.5
    assert not hooked.are_too_many
    hooked.note(0.15)
    assert hooked.are_too_many
    taken[0] = 20.0
    assert not hooked.are_too_many and hooked.patience == 2.0


def test_a_trace_that_is_to_take_little_time_is_held_back_for_less(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(losses_module, "ALL", losses_module._All())
    others, short, long = Losses(lambda: 0.0), Losses(lambda: 3.0), Losses(lambda: 3.0)
    others.note(0.25)
    short.expected, long.expected = 0.02, 0.5
    assert long.are_too_many and not short.are_too_many
    # What was lost on itself counts whatever the next one may take.
    short.note(0.15)
    assert short.are_too_many


def test_functions_that_call_each_other_do_not_each_lose_a_share_of_the_same_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(losses_module, "ALL", losses_module._All())
    around = [Losses(lambda: 10.0) for _ in range(5)]
    for losses in around[:2]:
        assert not losses.are_too_many
        losses.note(0.45)
    assert not around[2].are_too_many
    around[2].note(0.2)
    assert around[3].are_too_many and around[4].are_too_many


def test_a_program_that_has_run_for_long_may_lose_a_share_of_that(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(losses_module, "perf_counter", lambda: now[0])
    monkeypatch.setattr(losses_module, "ALL", losses_module._All())
    other, hooked = Losses(lambda: 0.0), Losses(lambda: 0.0)
    other.note(0.5)
    assert hooked.are_too_many
    now[0] += 9.5
    assert hooked.are_too_many
    now[0] += 5.5
    assert not hooked.are_too_many and hooked.patience == pytest.approx(0.25)


def test_a_trace_that_is_of_no_use_yet_counts_where_nobody_asked_for_the_function() -> None:
    asked, hooked = Losses(), Losses(lambda: 0.0)
    before = losses_module.ALL.lost
    asked.postpone(5.0)
    assert not asked.are_too_many and losses_module.ALL.lost == before
    hooked.postpone(5.0)
    assert hooked.are_too_many
    losses_module.ALL.lost -= 5.0
    losses_module.ALL.traces -= 1


def test_what_calls_have_taken_pays_for_one_unit_after_the_other() -> None:
    hooked, asked = Losses(lambda: 1.0), Losses()
    assert hooked.lacks(0.25) == 0.0
    hooked.spend(0.25)
    assert hooked.lacks(0.75) == pytest.approx(1.0 - 1.0 / PAST) and asked.lacks(100.0) == 0.0


def slow_to_trace(x: np.ndarray) -> float:
    total = 0.0
    for k in range(40):
        total += float(x[k]) * k
    for v in x:
        total += float(v)
    return total


def test_a_trace_that_takes_too_long_is_left_and_tried_again_when_calls_have_taken_longer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(losses_module, "ALL", losses_module._All())
    monkeypatch.setattr(losses_module, "_FREE", 0.0)
    monkeypatch.setattr(losses_module, "_FREE_ALL", 0.0)
    monkeypatch.setattr(losses_module, "TRUSTED", 0.0)
    monkeypatch.setattr(losses_module, "_TRUSTED_MOST", 0.0)
    monkeypatch.setattr(losses_module.ALL, "_began", float("inf"))
    converted = hooked_calls.HookedCalls(slow_to_trace, device="host", listed=False, eager=True)
    x = np.arange(50_000.0)
    monkeypatch.setattr(converted.losses, "_taken", lambda: 0.0)
    assert converted(x) == slow_to_trace(x)
    assert not converted.entries and not converted.failures and losses_module.ALL.traces == 1
    assert "came to nothing" in converted.postponed
    # It is not asked at every call whether that is still so.
    assert converted(x) == slow_to_trace(x) and converted.pauses
    converted._next_trace = converted._next_look = 0.0
    monkeypatch.setattr(converted.losses, "_taken", lambda: 1000.0)
    monkeypatch.setattr(converted.losses, "_began", -1000.0)
    converted._taken = 1000.0
    assert converted(x) == slow_to_trace(x) and not converted.pauses and converted.entries
    assert converted(x) == slow_to_trace(x)
    assert converted.entries


def test_a_trace_that_was_left_is_not_made_again_before_it_may_take_twice_as_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(losses_module, "ALL", losses_module._All())
    converted = hooked_calls.HookedCalls(slow_to_trace, device="host", listed=False, eager=True)
    x = np.arange(5000.0)
    converted.left_after = 0.2
    assert converted(x) == slow_to_trace(x)
    assert converted.misses == 0 and not converted.entries
    converted._next_trace = converted._next_look = 0.0
    converted.left_after = 0.05
    assert converted(x) == slow_to_trace(x)
    assert converted.misses == 1


def refused(x: np.ndarray, names: dict[int, str]) -> float:
    total = 0.0
    for k in names:
        total += len(names[k])
    for i in range(len(x)):
        if names[int(x[i])] in vars(np):
            total += 1.0
    return total


def doubled(x):
    for k in range(10):
        for i in range(len(x)):
            x[i] += k
    return x


def test_no_trace_is_begun_that_would_be_left_before_it_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(losses_module, "ALL", losses_module._All())
    monkeypatch.setattr(hooked_calls, "ALL", losses_module.ALL)
    promised = [0.0, 0.0]
    monkeypatch.setattr(hooked_calls, "foreseen", lambda function, values: promised)
    calls = hooked_calls.HookedCalls(doubled, device="host", listed=False)
    x = np.ones(3)
    # Of what is promised, two seconds are trusted, and a tenth of that is the most that may be lost.
    promised[:] = 8.0, 0.4
    np.testing.assert_array_equal(calls(x), np.ones(3) + 45)
    assert not calls.misses and calls.parts is None
    # Nor of one of its loops, before there is time for it.
    promised[:] = 15.0, 0.4
    np.testing.assert_array_equal(calls(x), np.ones(3) + 90)
    assert not calls.misses and calls.parts is not None
    assert not any(unit.misses for unit in calls.parts.units)
    # An eighth of what takes much longer is trusted.
    promised[:] = 40.0, 0.4
    np.testing.assert_array_equal(calls(x), np.ones(3) + 135)
    assert calls.misses == 1


def test_what_a_call_calls_is_looked_at_where_its_own_trace_would_take_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    everything = losses_module._All()
    monkeypatch.setattr(losses_module, "ALL", everything)
    monkeypatch.setattr(hooked_calls, "ALL", everything)
    promised = [8.0, 0.4]
    monkeypatch.setattr(hooked_calls, "foreseen", lambda function, values: promised)
    seen = []
    stand_in = hooked_calls.HookedCalls(lambda x: seen.append(everything.foreseen), listed=False)
    stand_in._loops = True
    stand_in(np.ones(3))
    promised[:] = 0.5, 0.4
    stand_in(np.ones(3))
    assert seen[0] == 0.0 < seen[1]


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


def test_what_is_spent_on_traces_is_no_time_of_the_program_and_waiting_for_a_processor_counts_less(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now, busy = [100.0], [1.0]
    monkeypatch.setattr(losses_module, "perf_counter", lambda: now[0])
    monkeypatch.setattr(losses_module, "process_time", lambda: busy[0])
    monkeypatch.setattr(losses_module._All, "share", _SHARE)
    everything = losses_module._All()
    monkeypatch.setattr(losses_module, "ALL", everything)
    assert everything.share == 1.0
    start = everything.now()
    now[0], busy[0] = 140.0, 11.0
    everything.pause(15.0)
    assert everything.now() - start == 25.0 and everything.share == pytest.approx(0.25, abs=0.01)
    assert everything.left == pytest.approx(25.0 * everything.share / 20)
    hooked = Losses(lambda: 8.0)
    assert hooked.lacks(1.0) == pytest.approx(1.0 - 8.0 * everything.share / PAST)


def test_the_system_is_not_asked_over_and_over_how_busy_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    now, asked = [100.0], []
    monkeypatch.setattr(losses_module, "perf_counter", lambda: now[0])
    monkeypatch.setattr(losses_module, "process_time", lambda: asked.append(now[0]) or 1.0)
    monkeypatch.setattr(losses_module._All, "share", _SHARE)
    everything = losses_module._All()
    for _ in range(1000):
        assert everything.share <= 1.0
        now[0] += 0.0001
    assert len(asked) < 15
