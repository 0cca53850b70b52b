"""Files that are kept for the next process: whole and one's own, or not at all."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path


def cache_folder() -> Path:
    """Return the folder of what is kept: `TRANSPILE_CACHE_DIR`, or a folder of the user's."""
    given = os.environ.get("TRANSPILE_CACHE_DIR")
    if given:
        return Path(given)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "transpile"


class Store:
    """Keeps bytes of one kind by what they were made of: a text that holds all of it."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def load(self, content: str) -> bytes | None:
        """Return what is kept, if anything is: where it is damaged, or somebody else's, there is nothing."""
        try:
            with open(self._path(content), "rb") as file:
                owner = os.fstat(file.fileno()).st_uid
                seal, data = file.read(32), file.read()
        except OSError:
            return None
        is_ours = not hasattr(os, "geteuid") or owner == os.geteuid()
        return data if is_ours and hashlib.sha256(data).digest() == seal else None

    def save(self, content: str, data: bytes) -> None:
        """Keep something, so that others see all of it or nothing; where there is no place for it, it is not kept."""
        path = self._path(content)
        draft = path.with_suffix(f".{os.getpid()}.tmp")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            draft.write_bytes(hashlib.sha256(data).digest() + data)
            draft.replace(path)
        except OSError:
            return

    def _path(self, content: str) -> Path:
        digest = hashlib.sha256(content.encode(errors="surrogatepass")).hexdigest()
        return cache_folder() / digest[:2] / f"{digest[2:32]}.{self.kind}"
