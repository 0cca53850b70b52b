"""What ways statements take to their end, told before they are rewritten."""

import gast
import pytest

from transpile.converters.completion import Completion

# The statement; whether its end may be reached, whether it may jump out of itself, and whether it may return.
COMPLETES = {
    "returns": ("return x", False, True, True),
    "raises": ("raise x", False, False, False),
    "returns on one way": ("if x: return 1", True, True, True),
    "returns on all ways": ("if x: return 1\nelse: return 2", False, True, True),
    "raises or returns": ("if x: raise x\nelse: return 2", False, True, True),
    "keeps its break": ("for i in x: break", True, False, False),
    "breaks in its else": ("while x:\n    for i in x: pass\n    else: break", True, False, False),
    "returns from a loop": ("for i in x: return i", True, True, True),
    "never ends": ("while True: x()", False, False, False),
    "ends by a break alone": ("while True:\n    if x: break", True, False, False),
    "ends by a break in a handler": ("while 1:\n    try: x()\n    except E: break", True, False, False),
    "raises in the else of a loop": ("for i in x: pass\nelse: raise x", False, False, False),
    "completes by a handler": ("try: return 1\nexcept E: pass", True, True, True),
    "returns in finally": ("try: x()\nfinally: return 1", False, True, True),
    "returns within a with": ("with x: return 1", False, True, True),
}


@pytest.mark.parametrize(("text", "completes", "jumps", "returns"), COMPLETES.values(), ids=COMPLETES)
def test_how_statements_complete(text: str, completes: bool, jumps: bool, returns: bool) -> None:
    (node,) = gast.parse(text).body
    known = Completion()
    assert (known.completes([node]), known.jumps(node), known.returns(node)) == (completes, jumps, returns)


def test_what_no_way_leads_to_is_dropped() -> None:
    tree = gast.parse("if x:\n    return 1\n    y()\nelse:\n    raise x\nz()")
    Completion().prune(tree.body)
    assert gast.unparse(tree).strip() == "if x:\n    return 1\nelse:\n    raise x"
