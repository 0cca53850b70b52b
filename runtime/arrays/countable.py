"""What is no array, but becomes one where it is an operand."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any


class Countable(ABC):
    """A sequence of numbers that NumPy makes an array of."""

    @abstractmethod
    def numbers(self) -> Any:
        """Return the array of the numbers."""
