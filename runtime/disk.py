"""Files that are kept for the next process: whole and one's own, or not at all."""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from threading import get_ident
from time import time
from typing import Any

# Note [Digests of sources]
# What is kept holds as long as the code is the same that made it, so all of that is read. What its files say of themselves (size, times, number) tells
# whether they have changed since: every write sets the time of the last change of state, which nobody can set back. Only of files that were written just now,
# within the resolution of that time, it may not tell.

# Seconds after which a file that is written again has another time.
_SETTLED = 2.0

# Days without use after which something goes, and after how many it is noted that it is used.
_KEPT, _NOTED = 60, 1
_DAY = 86_400.0
# What is kept, and drafts that nobody finished.
_OURS = re.compile(r"[0-9a-f]{30}\.[a-z0-9.]+")


def sha256(data: bytes) -> Any:
    """Return what computes a digest."""
    return _algorithm()(data)


@functools.cache
def _algorithm() -> Callable[[bytes], Any]:
    """Return Python's own, where it has one: `hashlib` loads a library first, which takes longer than many a script."""
    for name in ("_sha2", "_sha256"):
        with contextlib.suppress(ImportError):
            own: Callable[[bytes], Any] = importlib.import_module(name).sha256
            return own
    import hashlib

    return hashlib.sha256


def cache_folder() -> Path:
    """Return the folder of what is kept: `TRANSPILE_CACHE_DIR`, or a folder of the user's; of a user without a home nothing is kept."""
    given = os.environ.get("TRANSPILE_CACHE_DIR")
    if given:
        return Path(given)
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "transpile"
    except RuntimeError:
        return Path(os.devnull)


class Store:
    """Keeps bytes of one kind by what they were made of: a text that holds all of it."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def load(self, content: str) -> bytes | None:
        """Return what is kept, if anything is: where it is damaged, or somebody else's, there is nothing."""
        path = self._path(content)
        try:
            with open(path, "rb") as file:
                status = os.fstat(file.fileno())
                seal, data = file.read(32), file.read()
        except OSError:
            return None
        is_ours = not hasattr(os, "geteuid") or status.st_uid == os.geteuid()
        if not is_ours or sha256(data).digest() != seal:
            return None
        if time() - status.st_mtime > _NOTED * _DAY:
            with contextlib.suppress(OSError):
                os.utime(path)
        return data

    def save(self, content: str, data: bytes) -> None:
        """Keep something, so that others see all of it or nothing; where there is no place for it, it is not kept.

        What lies beside it and was not used for long goes.
        """
        path = self._path(content)
        draft = path.with_suffix(f".{os.getpid()}.{get_ident()}.tmp")
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            draft.write_bytes(sha256(data).digest() + data)
            draft.replace(path)
            _tidy(path.parent)

    def _path(self, content: str) -> Path:
        digest: str = sha256(content.encode(errors="surrogatepass")).hexdigest()
        return cache_folder() / digest[:2] / f"{digest[2:32]}.{self.kind}"


_SOURCES = Store("sources")


def digest_of(folders: Iterable[Path]) -> str:
    """Return a digest of all Python files of folders; nothing, where there are none to be read. They are read again only once one has changed."""
    files = [
        entry
        for folder in folders
        if folder.is_dir()
        for entry in sorted(os.scandir(folder), key=lambda entry: entry.name)
        if entry.name.endswith(".py")
    ]
    if not files:
        return ""
    told = _told(files)
    kept = _SOURCES.load(told) if told else None
    if kept is not None:
        return kept.decode()
    digest: str = sha256(b"".join(Path(file).read_bytes() for file in files)).hexdigest()
    if told and told == _told(files):
        _SOURCES.save(told, digest.encode())
    return digest


def _told(files: Sequence[os.DirEntry[str]]) -> str:
    """Return what files say of themselves; nothing, where one was written just now."""
    lines, now = [], time()
    for file in files:
        status = os.stat(file)
        if max(status.st_mtime, status.st_ctime) > now - _SETTLED:
            return ""
        times = f"{status.st_mtime_ns} {status.st_ctime_ns}"
        lines.append(f"{file.path} {status.st_dev} {status.st_ino} {status.st_size} {times}")
    return "\n".join(lines)


def _tidy(folder: Path) -> None:
    """Remove what was not used for long from one of the folders: each has its turn, as names are spread over them."""
    with os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(FileNotFoundError):  # Other processes tidy too, and finish their drafts.
                if _OURS.fullmatch(entry.name) and time() - entry.stat().st_mtime > _KEPT * _DAY:
                    os.unlink(entry)
