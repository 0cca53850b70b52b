"""The code of modules that hand on each function that they define, as it is made of their source and kept for the next process."""

from __future__ import annotations

import contextlib
import functools
import marshal
import sys
import types
from pathlib import Path

from transpile.runtime import disk
from transpile.runtime.disk import Store
from transpile.runtime.quiet import noted_warnings

# The names of the decorators, which the module has to hold while it is executed: of functions, and of loops of its own, which are functions here.
DECORATOR = "__transpile_offer__"
LOOP = "__transpile_loop__"

# It takes longer to compile a large package than Python takes to load what it keeps of it, so this is kept, too.
_KEPT = Store("modules")


def decorated(source: bytes, path: str, loops: bool = False) -> types.CodeType:
    """Return the code of a module that hands its functions and methods to a decorator, and its `loops` to another one; raises SyntaxError."""
    content = "\n".join(
        [_made_by(), sys.version, f"{sys.flags.optimize} {loops}", path, disk.sha256(source).hexdigest()]
    )
    data = _KEPT.load(content)
    if data is not None:
        code: types.CodeType = marshal.loads(data)
        return code
    from .decorating import compiled

    names = DECORATOR, LOOP if loops else None
    with noted_warnings() as warned:
        code = compiled(source, path, *names)
    if warned:
        # As it warns of it without us, by the filters that there are.
        compiled(source, path, *names)
        if loops or sys.dont_write_bytecode:
            # Python keeps nothing of it either, and warns in the next process, too.
            return code
    # What is nested too deeply to be kept is made anew.
    with contextlib.suppress(ValueError):
        _KEPT.save(content, marshal.dumps(code))
    return code


@functools.cache
def _made_by() -> str:
    # What decorates is not loaded where something is kept.
    here, rooms = Path(__file__).parent, Path(disk.__file__).parents[1]
    files = (Path(__file__), here / "decorating.py", rooms / "converters" / "module_loops.py")
    digest: str = disk.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
    return digest
