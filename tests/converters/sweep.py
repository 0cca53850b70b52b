"""Chooses files of installed packages, always the same ones."""

import zlib
from pathlib import Path


def module_files(folder: Path, count: int) -> list[Path]:
    """Gives some of the Python files in a folder and the folders in it, other packages apart."""
    found = [
        file
        for file in folder.rglob("*.py")
        if not {"site-packages", "lib2to3", "test_lib2to3"} & set(file.relative_to(folder).parts)
        and not file.name.startswith("bad")
        and file.stat().st_size < 60_000
    ]
    return sorted(sorted(found, key=lambda file: zlib.crc32(file.name.encode()))[:count])
