"""Ordered dictionaries: dictionaries, but for what they have to say about their order."""

from __future__ import annotations

import collections
from typing import Any, NoReturn

from .recorder import recorder


class Ordered(collections.OrderedDict[Any, Any]):
    """Stands for an ordered dictionary. Its keys may not change places, which nobody would notice."""

    stands_for = collections.OrderedDict
    # It is no container of which a branch could make another one: a name may stand for this one or that.
    __can_choose__ = True

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        recorder().unstageable("S204-decides", "an ordered dictionary is asked for more than its items")

    move_to_end = popitem = copy = fromkeys = _refuse
    __eq__ = __ne__ = __or__ = __ror__ = __ior__ = __repr__ = __reduce__ = __copy__ = _refuse
    __hash__ = None  # type: ignore[assignment]
