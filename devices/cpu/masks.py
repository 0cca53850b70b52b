"""The processor's floating-point status flags, as the C library numbers them."""

import platform
import sys

X86 = platform.machine() in ("x86_64", "AMD64", "i686")
_MASKS = (16, 8, 4, 2) if sys.platform == "win32" else (1, 4, 8, 16) if X86 else (1, 2, 4, 8)
INVALID, DIVIDE, OVERFLOW, UNDERFLOW = _MASKS
ALL = INVALID | DIVIDE | OVERFLOW | UNDERFLOW
