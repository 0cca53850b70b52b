"""Records of memory: who owns what kernels make, as numba has it."""

from __future__ import annotations

import importlib.util
import sys
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, FileFinder
from typing import Any

# Note [Records]
# Memory that a kernel makes has a record with the number of its owners, of the kind that numba's compiled code has. What makes and ends records is one extension module
# of numba's, which needs nothing else of numba: it is loaded alone, under its own name, so that numba finds it there.

_PACKAGE, _NAME = "numba.core.runtime", "_nrt_python"


def _load() -> Any:
    name = f"{_PACKAGE}.{_NAME}"
    if name not in sys.modules and "numba" not in sys.modules:
        numba = importlib.util.find_spec("numba")
        for folder in (numba and numba.submodule_search_locations) or ():
            finder = FileFinder(f"{folder}/core/runtime", (ExtensionFileLoader, EXTENSION_SUFFIXES))
            found = finder.find_spec(_NAME)
            own = found and importlib.util.spec_from_file_location(name, found.origin)
            if own is not None and own.loader is not None:
                module = importlib.util.module_from_spec(own)
                own.loader.exec_module(module)
                return module
    return importlib.import_module(name)


_records: Any = _load()
MemInfo: Any = _records._MemInfo
# Gives the address of the record of memory that belongs to an object of Python's, with one share in it.
record_of: Any = _records.meminfo_new
# The addresses, by the name that compiled code has for them, of what manages memory.
helpers: dict[str, int] = {
    name if name.startswith("_") else f"NRT_{name}": address for name, address in _records.c_helpers.items()
}
