"""Functions made of text, whose source can be read as that of any other."""

from __future__ import annotations

import linecache
import types
from collections.abc import Mapping, Sequence
from typing import Any


def written(
    title: str, parameters: Sequence[str], result: str, named: Mapping[str, Any]
) -> types.FunctionType:
    """Return the function of that name that returns `result`, an expression over its parameters and what is `named`."""
    lines = [f"def {title}({', '.join(parameters)}):\n", f"    return {result}\n"]
    # Linecache takes what stands in angle brackets for no file, and keeps it.
    file = f"<transpile {title}({', '.join(parameters)}): {result}>"
    linecache.cache[file] = (sum(map(len, lines)), None, lines, file)
    namespace: dict[str, Any] = {**named, "__name__": __name__}
    exec(compile("".join(lines), file, "exec"), namespace)
    made: types.FunctionType = namespace[title]
    return made
