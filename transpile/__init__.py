"""Makes the NumPy code you have fast, as it is.

    from transpile import convert

    @convert
    def diffuse(grid, tol): ...

or, for whole packages, `transpile.hook.install("package")` before they are imported, or `transpile run script.py` from a shell.
"""

from pathlib import Path as _Path

from .version import __version__

# Note [Rooms beside the face]
# The rooms (converters/, runtime/, devices/, corpus/) lie at the top of the repository but are imported as
# transpile.converters and so on. An installation maps them (setup.cfg, package_dir); a checkout finds them because
# its root is appended to this package's search path, whichever way the checkout itself was found.
_root = _Path(__file__).resolve().parent.parent
if (_root / "setup.cfg").is_file() and (_root / "runtime").is_dir():
    __path__.append(str(_root))

from .convert import convert  # noqa: E402 (the rooms must be found first)
from .options import options  # noqa: E402
from .runtime.errors import (  # noqa: E402
    ConversionError,
    DeviceError,
    FallbackWarning,
    StagingError,
    TranspileError,
)

__all__ = [
    "ConversionError",
    "DeviceError",
    "FallbackWarning",
    "StagingError",
    "TranspileError",
    "__version__",
    "convert",
    "options",
]
