"""The codes of errors: one number, one reason."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CODE = re.compile(r"[A-Z]\d{3}-[a-z][a-z0-9-]*")


def codes() -> Iterator[tuple[str, str]]:
    """Yield every code in the sources, with the file and line that names it."""
    for room in ("transpile", "converters", "runtime", "devices"):
        for file in sorted((ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    if CODE.fullmatch(node.value):
                        yield node.value, f"{file.relative_to(ROOT)}:{node.lineno}"


def ambiguous(found: Iterator[tuple[str, str]]) -> dict[str, dict[str, str]]:
    """Return the numbers that stand for several reasons."""
    numbers: dict[str, dict[str, str]] = {}
    for code, where in found:
        number, _, slug = code.partition("-")
        numbers.setdefault(number, {})[slug] = where
    return {number: slugs for number, slugs in numbers.items() if len(slugs) > 1}


def test_a_number_has_one_reason() -> None:
    assert not ambiguous(codes())


def test_two_reasons_of_one_number_are_seen() -> None:
    assert ambiguous(iter([("S100-one", "a.py:1"), ("S100-other", "b.py:2"), ("S101-one", "c.py:3")])) == {
        "S100": {"one": "a.py:1", "other": "b.py:2"}
    }


def test_pages_name_codes_that_exist() -> None:
    known = {code for code, _ in codes()}
    numbers = {code.partition("-")[0] for code in known}
    for page in [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md", ROOT / "CHANGELOG.md"]:
        text = page.read_text()
        assert set(re.findall(r"`([SCDL]\d{3}-[a-z0-9-]+)`", text)) <= known, page
        assert set(re.findall(r"`([SCDL]\d{3})`", text)) <= numbers, page
