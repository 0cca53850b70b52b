"""The operators are those that the design lists, here and in the tracer."""

import re
from pathlib import Path

import pytest

from transpile.runtime import operators

from .eager import EagerOps

DESIGN = Path(__file__).parents[2] / "docs" / "design.md"
NAMES = {name for name in vars(EagerOps) if not name.startswith("__")}


def test_the_design_lists_every_operator():
    table = (
        DESIGN.read_text(encoding="utf-8").partition("This is the whole protocol")[2].partition("\n## ")[0]
    )
    assert set(re.findall(r"\bops\.(\w+)", table)) == NAMES


def test_the_tracer_has_every_operator():
    assert set(operators.__all__) == NAMES


@pytest.mark.parametrize("free", [False, True])
def test_the_tracer_reads_unbound_names_alike(free):
    for ops in (EagerOps, operators):
        assert ops.bound(3, free=free) == 3
        with pytest.raises(NameError) as raised:
            ops.bound(ops.Undefined("x"), free=free)
        assert isinstance(raised.value, UnboundLocalError) is not free
        assert "'x'" in str(raised.value)
