"""Names that values are about to be given are read out of the code, and where tracing stands out of the frames."""

from __future__ import annotations

import dis
import gc
import textwrap
from collections.abc import Iterator
from types import CodeType
from typing import Any

import numpy as np
import pytest

from transpile import convert
from transpile.runtime.errors import StagingError
from transpile.runtime.operators import program


def names_in(text: str) -> dict[str, str]:
    """Return, for each name that is stored to, the kind of the instruction whose result it is given."""
    module = compile(textwrap.dedent(text), "<test>", "exec")
    (code,) = (each for each in module.co_consts if isinstance(each, CodeType))
    program.register(code, "f", frozenset())
    found = program._stored_names(code)
    kinds = {each.offset: each.opname for each in dis.get_instructions(code)}
    return {name: kinds[place] for place, name in found.items() if place in kinds}


def test_a_name_goes_with_the_instruction_before_it_is_stored() -> None:
    found = names_in("""
        def f(x):
            global there
            y = x + 1
            there = x[0]
            kept = -y
            return lambda: kept
    """)
    assert list(found) == ["y", "there", "kept"]
    assert found["y"] == "BINARY_OP"
    assert found["kept"] == "UNARY_NEGATIVE"


def test_names_behind_the_first_256_are_read_too() -> None:
    lines = "".join(f"    v{place} = x + {place}\n" for place in range(300))
    found = names_in(f"def f(x):\n{lines}")
    assert {f"v{place}" for place in range(300)} == found.keys()
    assert found["v299"] in ("BINARY_OP", "EXTENDED_ARG")


def halved(x: Any) -> Any:
    return x / 2


def summed(x: Any) -> Any:
    total = 0.0
    for value in x:
        if value > 1:
            total += halved(value) - 3
        else:
            for k in range(x.shape[0]):
                total += halved(halved(value) * k)
    return halved(total)


def lines_of(block: Any) -> Iterator[tuple[str, list[tuple[str, int]]]]:
    first = summed.__code__.co_firstlineno
    for op in block.walk():
        if op.name in ("divide", "subtract", "multiply"):
            yield op.name, [(place.function, place.line - first) for place in op.location]


def test_ops_in_regions_and_calls_say_by_which_lines_they_were_reached() -> None:
    graph = convert(summed, strict=True, device="host").graph(np.arange(3.0))
    own = halved.__code__.co_firstlineno - summed.__code__.co_firstlineno + 1
    found = list(lines_of(graph.block))
    assert ("divide", [("summed", 4), ("halved", own)]) in found
    assert ("subtract", [("summed", 4)]) in found
    assert found.count(("divide", [("summed", 7), ("halved", own)])) == 2
    assert ("multiply", [("summed", 7)]) in found
    assert ("divide", [("summed", 8), ("halved", own)]) in found
    assert len({str(each) for each in found}) == 5
    assert not program._regions


def test_nothing_is_left_of_regions_that_cannot_be_traced() -> None:
    def refused(x: Any) -> Any:
        for value in x:
            if value > 0:
                gc.isenabled()
        return x

    with pytest.raises(StagingError):
        convert(refused, strict=True, device="host")(np.arange(3.0))
    assert not program._regions
