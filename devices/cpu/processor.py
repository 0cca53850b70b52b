"""What the processor can do, and whose C library there is."""

import os
import platform
from functools import cache

import llvmlite.binding as llvm


@cache
def converts_halves() -> bool:
    """Whether the processor converts to float16 and back."""
    if platform.machine() in ("x86_64", "AMD64"):
        return bool(llvm.get_host_cpu_features().get("f16c"))
    return platform.machine() in ("aarch64", "arm64")


def c_library() -> str:
    """Return the name and the version of the C library, where it tells."""
    try:
        return os.confstr("CS_GNU_LIBC_VERSION") or ""
    except (AttributeError, OSError, ValueError):
        return ""
