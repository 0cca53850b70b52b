"""Random programs do, plainly and converted, the same: a fixed number of them, always the same ones."""

import warnings

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from .execution import Count, check
from .fuzz import summary
from .programs import programs
from .reduce import reduced
from .workers import Task, complaint, give_up, run


@pytest.mark.parametrize("device, examples", [("host", 250), ("cpu", 8)])
def test_random_programs_do_what_they_did(device: str, examples: int) -> None:
    count = Count()

    @seed(0)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(programs())
    def run(text: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            check(text, device, count)

    run()
    summary(device, count, print)
    assert count.programs >= examples
    assert count.whole >= count.programs // 3, count.reasons
    # Programs that fail at once say little.
    assert device == "cpu" or count.raised < count.calls * 2 // 3


def test_programs_are_made_of_all_constructs() -> None:
    count = Count()

    @seed(0)
    @settings(
        max_examples=300,
        deadline=None,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(programs())
    def run(text: str) -> None:
        count.add_text(text)

    run()
    for construct in [
        "For",
        "While",
        "If",
        "IfExp",
        "Try",
        "ExceptHandler",
        "With",
        "Match",
        "FunctionDef",
        "Lambda",
        "Nonlocal",
        "Return",
        "Break",
        "Continue",
        "Raise",
        "Assert",
        "Delete",
        "AugAssign",
        "NamedExpr",
        "Starred",
        "Slice",
        "ListComp",
        "GeneratorExp",
        "JoinedStr",
        "Dict",
        "Tuple",
        "List",
        "BoolOp",
        "Compare",
        "MatMult",
        "Pow",
    ]:
        assert count.constructs[construct], construct


def test_each_program_runs_in_one_of_several_processes() -> None:
    found = list(run(Task(seed=60, programs=5, until=float("inf"), cpu=0), jobs=2))
    counts = [item["host"] for item in found if isinstance(item, dict)]
    assert sorted(count.programs for count in counts) == [2, 3]
    assert sum(count.differences for count in counts) == 0


@pytest.mark.parametrize("unfit", ["raise MemoryError", "stuck()"])
def test_a_program_that_takes_too_much_by_itself_does_not_differ(
    unfit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builtins.stuck", give_up, raising=False)
    text = f"def f(x):\n    {unfit}\n\ndef make():\n    return 1,\n\nCALLS = [make]\n"
    assert complaint(text, "host") == ""


def test_a_program_that_differs_is_made_smaller() -> None:
    text = (
        "def f(x):\n    y = x + 1\n    if y > 2:\n        y = y * 3\n        print(y, 'seen')\n    return y\n"
    )
    assert reduced(text, lambda smaller: "print(" in smaller) == "def f(x):\n    print(y, 0)"
