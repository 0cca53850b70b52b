"""Kernels that are kept on disk: whole, or not at all."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path
from typing import Any

from .toolkit import FunctionCache, runtime

# numba keeps a kernel's machine code beside the file of its text, and would load whatever it finds there. So the files are sealed with
# their digest once they are written, and removed where they are not what was sealed.


class Cache(FunctionCache):  # type: ignore[misc]
    """numba's cache of a function on disk, which loads without what only compiling needs: most of what numba knows of Python and NumPy."""

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """Return the machine code for a signature, if there is any."""
        runtime.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(signature, target_context)


def prepare(path: Path, text: str) -> bool:
    """Write the text of a kernel to a file, and remove machine code of it that is damaged; return whether the folder can be used."""
    try:
        if not path.exists() or path.read_text() != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            _write(path, text)
        files = _files(path)
        if files and _seal(path).read_text() != _digest(files):
            raise FileNotFoundError
    except FileNotFoundError:
        return _remove(path)
    except OSError:
        return False
    return True


def seal(path: Path) -> None:
    """Note what the machine code of a kernel is."""
    try:
        digest = _digest(_files(path))
        if not _seal(path).exists() or _seal(path).read_text() != digest:
            _write(_seal(path), digest)
    except OSError:
        return


def _remove(path: Path) -> bool:
    try:
        for file in _files(path):
            file.unlink(missing_ok=True)
    except OSError:
        return False
    return True


def _version() -> str:
    return f"py{sys.version_info.major}{sys.version_info.minor}"


def _seal(path: Path) -> Path:
    return path.with_suffix(f".{_version()}.sum")


def _files(path: Path) -> list[Path]:
    """Return the files of numba's for a kernel, for this version of Python."""
    return sorted((path.parent / "__pycache__").glob(f"{path.stem}.*{_version()}*.nb[ic]"))


def _digest(files: list[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _write(path: Path, text: str) -> None:
    """Write a file so that others see all of it or nothing."""
    draft = path.with_suffix(f".{os.getpid()}.tmp")
    draft.write_text(text)
    draft.replace(path)
