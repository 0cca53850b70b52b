"""Makes the NumPy code you have fast, as it is.

    from transpile import convert

    @convert
    def diffuse(grid, tol): ...

or, for whole packages, `transpile.hook.install("package")` before they are imported, or `transpile run script.py` from a shell.
"""

from pathlib import Path as _Path
from typing import TYPE_CHECKING, Any

from .version import __version__

# Note [Rooms beside the face]
# The rooms (converters/, runtime/, devices/, corpus/) lie at the top of the repository but are imported as
# transpile.converters and so on. An installation maps them (setup.cfg, package_dir); a checkout finds them because
# its root is appended to this package's search path, whichever way the checkout itself was found.
_root = _Path(__file__).resolve().parent.parent
if (_root / "setup.cfg").is_file() and (_root / "runtime").is_dir():
    __path__.append(str(_root))

from .options import options  # noqa: E402 (the rooms must be found first)
from .runtime.errors import (  # noqa: E402
    ConversionError,
    DeviceError,
    FallbackWarning,
    StagingError,
    TranspileError,
)

if TYPE_CHECKING:
    from .converting import convert

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


def __getattr__(name: str) -> Any:
    # Converting takes NumPy, without which many a script runs to its end.
    if name != "convert":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .converting import convert

    globals()[name] = convert
    return convert


def __dir__() -> list[str]:
    return sorted({*globals(), "convert"})
