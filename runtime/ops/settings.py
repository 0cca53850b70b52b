"""NumPy's settings: what it does about floating-point errors, and how it prints arrays."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np


class Settings:
    """What the settings are when an attribute is asked for."""

    @property
    def errors(self) -> Any:
        """What is done about each kind of floating-point errors."""
        return np.geterr()

    @property
    def error_call(self) -> Any:
        """What is called of such errors, or written to."""
        return np.geterrcall()

    @property
    def buffer_size(self) -> int:
        """How many elements are cast at a time."""
        return np.getbufsize()

    @property
    def printing(self) -> Any:
        """How arrays are printed."""
        return np.get_printoptions()


SETTINGS = Settings()
NAMES = tuple(name for name, thing in vars(Settings).items() if isinstance(thing, property))


@contextmanager
def kept_settings() -> Iterator[None]:
    """Have all settings be afterwards what they were before."""
    # Those that are not named would be reset.
    with np.errstate(), np.printoptions(**np.get_printoptions()):
        yield
