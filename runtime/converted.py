"""Modules of those that are converted: known before anything is traced."""

_converted: set[str] = set()


def note_converted(module: str) -> None:
    """Note that the functions of a module are converted: it is followed as one of the user's, whatever its name."""
    _converted.add(module)


def is_converted(module: str) -> bool:
    """Whether the functions of a module are converted."""
    return module in _converted
