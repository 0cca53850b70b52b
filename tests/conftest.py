"""What all tests share: kernels are kept between runs, and texts that are compared with files can be accepted."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

os.environ.setdefault("TRANSPILE_CACHE_DIR", str(ROOT / ".cache" / "kernels"))
# What is compiled is to be tested, however fast it is.
os.environ["TRANSPILE_ADAPTIVE"] = "0"


@pytest.fixture
def nothing_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Has all be made anew, and not be found by others: for tests that put something in the place of what makes it."""
    monkeypatch.setenv("TRANSPILE_CACHE_DIR", str(tmp_path / "kernels"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept", action="store_true", help="write the texts that are expected anew")


@pytest.fixture
def check_text(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Compares a text with a file, or writes the file under --accept."""

    def check(file: Path, text: str) -> None:
        if request.config.getoption("--accept"):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        assert file.is_file(), f"{file.name} is missing; pytest --accept writes it"
        assert text == file.read_text(), (
            f"{file.name} is not what is made now; pytest --accept writes it anew"
        )

    return check
