"""Names that values are about to be given are read out of the code."""

from __future__ import annotations

import dis
import textwrap
from types import CodeType

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
