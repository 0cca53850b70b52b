"""The list of packages is complete, and so is the wheel."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("transpile", "converters", "runtime", "devices", "corpus")


def listed() -> tuple[list[str], dict[str, str]]:
    import configparser

    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg")
    options = config["options"]
    folders = dict(map(str.strip, line.split("=")) for line in options["package_dir"].split("\n") if line)
    return [line for line in options["packages"].split("\n") if line], folders


def modules() -> set[str]:
    """Returns the path in site-packages of every module of the checkout."""
    found = set()
    for room in ROOMS:
        for file in (ROOT / room).rglob("*.py"):
            path = file.relative_to(ROOT)
            found.add(str(path if room == "transpile" else Path("transpile") / path))
    return found


def test_package_list_equals_the_folders() -> None:
    packages, folders = listed()
    made = {
        ".".join((() if room == "transpile" else ("transpile",)) + file.parent.relative_to(ROOT).parts)
        for room in ROOMS
        for file in (ROOT / room).rglob("*.py")
    }
    assert set(packages) == made
    assert packages == list(folders)
    for name, folder in folders.items():
        assert name in ("transpile", f"transpile.{folder.removeprefix('transpile/').replace('/', '.')}")
        assert (ROOT / folder / "__init__.py").is_file()


@pytest.mark.slow
def test_wheel_contains_every_module(tmp_path: Path) -> None:
    import shutil

    # Built from a copy, so that nothing stale in build/ gets in and nothing is left behind.
    source = tmp_path / "source"
    for room in ROOMS:
        shutil.copytree(ROOT / room, source / room, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("setup.cfg", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    command = [
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        "--outdir",
        str(tmp_path),
        str(source),
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {name for name in names if name.endswith(".py")} == modules()
    assert "transpile/py.typed" in names
    assert any(name.endswith("entry_points.txt") for name in names)
