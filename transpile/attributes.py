"""The attributes of converted functions, and which of them others take over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

# `functools.lru_cache` has methods of these names, which those of the function in it must not hide.
_OWN = frozenset(("cache_clear", "cache_info"))


class Attributes(dict[str, Any]):
    """The dictionary of a function, of which `functools.wraps` takes over all but what speaks of this function alone.

    `given` is what it holds because the function stands for another one, until the program stores its own under such a name.
    """

    given: Mapping[str, Any] = MappingProxyType({})

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def keys(self) -> Any:
        """Return the names that others take over."""
        return [name for name in super().__iter__() if name not in _OWN]

    def __reduce__(self) -> Any:
        return dict, (list(self.items()),)
