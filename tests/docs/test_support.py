"""The page of what is supported is what the tables say."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from transpile.support import page

PAGE = Path(__file__).resolve().parents[2] / "docs" / "numpy-support.md"


@pytest.mark.skipif(not np.__version__.startswith("2.4."), reason="the page is written with NumPy 2.4")
def test_page_is_current(check_text: Callable[[Path, str], None]) -> None:
    check_text(PAGE, page())
