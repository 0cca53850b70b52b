"""Source, graph and kernel of programs of the corpus, as they are known to be; tests/corpus runs the same programs.

`pytest tests/goldens --accept` writes the files anew: read the difference before it is committed.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from transpile import convert
from transpile.corpus import load

FOLDER = Path(__file__).parent
PROGRAMS = (
    "black_scholes",
    "cholesky",
    "edit_distance",
    "gauss_seidel",
    "heat",
    "kalman",
    "sieve",
    "softmax",
)


@pytest.mark.parametrize("stage", ["source", "graph", "kernels"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_stage_is_as_it_was(name: str, stage: str, check_text: Callable[[Path, str], None]) -> None:
    program = load(name)
    converted = convert(program.entry, strict=True)
    arguments = () if stage == "source" else program.make("small")
    text = str(getattr(converted, stage)(*arguments)).strip("\n") + "\n"
    assert str(FOLDER.parents[1]) not in text
    check_text(FOLDER / f"{name}.{stage}.txt", text)


@pytest.mark.parametrize("name", PROGRAMS)
def test_kernel_is_the_same_however_often_it_is_traced(name: str) -> None:
    program = load(name)
    converted = convert(program.entry, strict=True)
    assert len({converted.kernels(*program.make("small")) for _ in range(4)}) == 1
