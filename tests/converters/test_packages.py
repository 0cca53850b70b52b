"""Functions of large packages are converted or refused with a code, look as they did, and soon; files print as what they are."""

import pytest

from . import packages
from .packages import PACKAGES, Tally, add, files, looks, printed_alike, sweep


@pytest.mark.parametrize("package", PACKAGES)
def test_functions_of_packages_are_converted_or_refused_with_a_code(package: str) -> None:
    tally = sweep(package, share=24)
    assert tally.functions
    assert not {"C001-not-a-function", "C003-changed-source"} & set(tally.refused), tally.refused
    assert tally.converted > tally.functions // 5, tally.refused


def test_a_failure_names_the_function(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(function: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr(packages, "convert", fail)
    with pytest.raises(AssertionError, match=r"fresh: "):
        add(Tally(), fresh)


def fresh(x):
    """Is converted nowhere else."""
    return x + 1


def test_looks_tell_functions_apart() -> None:
    def one(x: int, *, y: float = 2) -> int: ...

    def other(x: int, y: float = 2) -> int: ...

    assert looks(one) == looks(one)
    assert looks(one) != looks(other)


def test_files_of_the_standard_library_print_as_what_they_are() -> None:
    for file in files()[::40]:
        assert printed_alike(file), file


@pytest.mark.slow
@pytest.mark.parametrize("start", range(8))
def test_all_files_of_the_standard_library_print_as_what_they_are(start: int) -> None:
    for file in files()[start::8]:
        assert printed_alike(file), file
