"""What stands, while tracing, for the module `sys` and for the modules that it holds."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NoReturn

from transpile.runtime.arrays.handle import is_object

from .path import Path

if TYPE_CHECKING:
    from .outside import Outside


class System:
    """Stands for the module `sys`, whose streams are those of the call, and whose lists and dictionaries change as others do."""

    _outside: Outside
    _path: Path

    def __init__(self, outside: Outside, path: Path) -> None:
        vars(self).update(_outside=outside, _path=path)

    def __setattr__(self, name: str, value: Any) -> None:
        self._outside.recorder.unstageable("S200-store", f"sys.{name} is stored to")

    def __delattr__(self, name: str) -> None:
        self._outside.recorder.unstageable("S200-store", f"sys.{name} is deleted")

    def __getattr__(self, name: str) -> Any:
        thing = getattr(sys, name)
        if thing is sys.modules:
            return Modules(self._outside)
        changes = is_object(thing) or isinstance(thing, (list, dict, set))
        return self._outside.wrap(self._path.attribute(name), thing) if changes else thing


class Modules(Mapping[str, Any]):
    """Stands for `sys.modules`: each module is found by its name; what else there is changes while others are loaded."""

    def __init__(self, outside: Outside) -> None:
        self._outside = outside

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return dict

    def __getitem__(self, name: str) -> Any:
        if not isinstance(name, str) or sys.modules.get(name) is None:
            self._refuse()
        return self._outside.module(name)

    def get(self, name: str, default: Any = None) -> Any:
        """Return the module of a name; where there is none, there may be one on the next call."""
        return self[name]

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        self._outside.recorder.unstageable("S277-import", "it is asked which modules there are")

    def __iter__(self) -> Iterator[str]:
        self._refuse()

    __len__ = __contains__ = _refuse
    __setitem__ = __delitem__ = __ior__ = __or__ = __ror__ = copy = _refuse
    clear = pop = popitem = setdefault = update = _refuse
    items = keys = values = _refuse
