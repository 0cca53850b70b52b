"""Python syntax in, Python syntax out: rewrites functions so that their control flow and calls become operators."""

from .convert import Conversion, convert

__all__ = ["Conversion", "convert"]
