"""What the page on new ops quotes is in the files that it names."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
_QUOTED = re.compile(r"<!-- (\S+) -->\n```python\n(.*?)```", re.DOTALL)
QUOTATIONS = _QUOTED.findall((ROOT / "docs" / "how-to-add-an-op.md").read_text())


def test_page_has_quotations() -> None:
    assert len(QUOTATIONS) == 3


@pytest.mark.parametrize("file, text", QUOTATIONS)
def test_quotation_is_in_its_file(file: str, text: str) -> None:
    assert text in (ROOT / file).read_text()


@pytest.mark.parametrize(
    "page", sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]), ids=lambda p: p.name
)
def test_links_lead_to_files(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        assert "://" in target or (page.parent / target).exists(), target
