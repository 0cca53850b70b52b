"""How much memory the system lets this process take: what is free, and what the control groups that it is in leave of their limits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

# Where Linux tells it. Of a group: its limit, what is in use, and the part of that which holds files that can be read again.
_MEMORY, _GROUPS, _ROOT = Path("/proc/meminfo"), Path("/proc/self/cgroup"), Path("/sys/fs/cgroup")
_UNIFIED = ("memory.max", "memory.current", "inactive_file")
_SEPARATE = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")


def free_memory() -> int | None:
    """Return how many bytes this process may still take without anything being swapped or ended; None where the system does not tell."""
    found = [*_of_system(), *_of_groups()]
    return max(min(found), 0) if found else None


def _of_system() -> Iterator[int]:
    number = _numbers(_MEMORY).get("MemAvailable:")
    if number is not None:
        yield 1024 * number


def _of_groups() -> Iterator[int]:
    for line in _text(_GROUPS).splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers and "memory" not in controllers.split(","):
            continue
        root, names = (_ROOT / "memory", _SEPARATE) if controllers else (_ROOT, _UNIFIED)
        own = PurePosixPath(path.lstrip("/"))
        for group in (own, *own.parents):
            yield from _of_group(root / group, *names)


def _of_group(folder: Path, limit: str, used: str, files: str) -> Iterator[int]:
    texts = [_text(folder / name).strip() for name in (limit, used)]
    if all(text.isdecimal() for text in texts):
        yield int(texts[0]) - int(texts[1]) + _numbers(folder / "memory.stat").get(files, 0)


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""


def _numbers(path: Path) -> dict[str, int]:
    """Return the numbers in a file whose lines each have a name and a number."""
    words = (line.split() for line in _text(path).splitlines())
    return {row[0]: int(row[1]) for row in words if len(row) > 1 and row[1].isdecimal()}
