"""Converts every function of installed packages, prints every file of the standard library, and says how it went and how long it took.

`python -m tests.converters.packages [--share N] [package...]` from the root of the checkout; `--share 10` takes one module in ten.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import gc
import importlib
import inspect
import io
import pkgutil
import sys
import time
import types
import warnings
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import transpile
from transpile.converters import convert
from transpile.converters.unparse import unparse
from transpile.runtime.errors import ConversionError

PACKAGES = ("numpy", "scipy", "numba", "hypothesis", "pygments")

# Modules that do something when they are imported, or need what is not there.
LEFT = ("__main__", "conftest", "_pyinstaller", "distutils", "cuda", "setup", "f2py", "tests", "testing")

# Functions whose source cannot be read: made of text, or by a decorator of another file.
UNREADABLE = frozenset(("C001-not-a-function", "C002-no-source", "C003-changed-source"))


@dataclass
class Tally:
    """What came of the functions of a package."""

    converted: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    lines: int = 0
    seconds: float = 0.0
    # Milliseconds for a line, and the function, of functions of 50 to 2000 lines.
    slow: list[tuple[float, str]] = field(default_factory=list)

    @property
    def functions(self) -> int:
        """How many functions have a source."""
        return self.converted + sum(n for code, n in self.refused.items() if code not in UNREADABLE)


def modules(package: str, share: int = 1) -> Iterator[types.ModuleType]:
    """Import the modules of a package, those that can be; or one in so many, always the same ones."""
    root = importlib.import_module(package)
    names = [m.name for m in pkgutil.walk_packages(root.__path__, f"{package}.", onerror=lambda name: None)]
    for name in [package, *names]:
        if set(name.split(".")) & set(LEFT) or zlib.crc32(name.encode()) % share:
            continue
        with contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()):
            yield importlib.import_module(name)


def functions(module: types.ModuleType) -> Iterator[types.FunctionType]:
    """Yield the functions and methods that a module defines."""
    pending: list[Any] = list(vars(module).values())
    seen: set[int] = set()
    while pending:
        found = pending.pop()
        if isinstance(found, property):
            pending += [found.fget, found.fset]
            continue
        if isinstance(found, (staticmethod, classmethod)):
            found = found.__func__
        with contextlib.suppress(Exception):
            found = inspect.unwrap(found) if callable(found) else found
        if getattr(found, "__module__", None) != module.__name__ or id(found) in seen:
            continue
        seen.add(id(found))
        if isinstance(found, types.FunctionType):
            yield found
        elif isinstance(found, type):
            pending += vars(found).values()


def sweep(package: str, share: int = 1) -> Tally:
    """Convert every function of a package. Raises AssertionError, with the function's name, where that fails without a code."""
    tally = Tally()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for module in modules(package, share):
            for function in functions(module):
                add(tally, function)
    return tally


def add(tally: Tally, function: types.FunctionType) -> None:
    """Convert one function, check what came of it, and count it."""
    name = f"{function.__module__}.{function.__qualname__}"
    # What a whole package leaves to collect is not the conversion's time.
    gc.disable()
    start = time.process_time()
    try:
        conversion = convert(function)
    except ConversionError as error:
        tally.refused[error.code] += 1
        assert error.location or error.code in UNREADABLE, name
        return
    except Exception as error:
        raise AssertionError(f"{name}: {type(error).__name__}: {error}") from error
    finally:
        gc.enable()
    seconds = time.process_time() - start
    tally.converted += 1
    tally.seconds += seconds
    try:
        lines = len(inspect.getsource(function).splitlines())
    except OSError:
        # Made by `dataclasses`, of text that is in no file.
        lines = len(conversion.source().splitlines())
    tally.lines += lines
    if 50 <= lines <= 2000:
        tally.slow.append((1e3 * seconds / lines, f"{name} ({lines} lines)"))
    try:
        ast.parse(conversion.source())
        # The operators are not called: what is bound has to be the same from outside.
        for other in (conversion.bind(None), transpile.convert(function)):
            assert looks(other) == looks(function), f"{name}: {looks(other)}, not {looks(function)}"
    except AssertionError:
        raise
    except Exception as error:
        raise AssertionError(f"{name}: {type(error).__name__}: {error}") from error


def looks(function: Any) -> tuple[str, ...]:
    """Return how a function presents itself: its own signature, name and documentation."""
    signature = inspect.signature(function, follow_wrapped=False)
    return (
        repr(signature),
        function.__name__,
        function.__qualname__,
        str(function.__doc__),
        str(function.__module__),
    )


def files() -> list[Path]:
    """Return the files of the standard library that Python itself can parse."""
    folder = Path(ast.__file__).parent
    left = {"site-packages", "lib2to3", "test_lib2to3", "__pycache__"}
    return sorted(file for file in folder.rglob("*.py") if not left & set(file.relative_to(folder).parts))


def printed_alike(file: Path) -> bool:
    """Whether what is printed of a file parses to the tree that it was; true of what Python cannot parse."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(file.read_bytes())
        except (SyntaxError, ValueError, RecursionError):
            return True
        return ast.dump(ast.parse(unparse(tree))) == ast.dump(tree)


def main() -> int:
    """Print a row for each package, and the files of the standard library that print as something else."""
    parser = argparse.ArgumentParser()
    parser.add_argument("packages", nargs="*", default=PACKAGES)
    parser.add_argument("--share", type=int, default=1)
    options = parser.parse_args()
    print(f"{'package':12} {'functions':>9} {'converted':>9} {'ms a line':>9} {'slowest':>9}  refused")
    for package in options.packages:
        tally = sweep(package, options.share)
        slowest = max(tally.slow, default=(0.0, ""))
        codes = ", ".join(f"{code} {count}" for code, count in tally.refused.most_common(6))
        share = 100 * tally.converted / max(tally.functions, 1)
        each = 1e3 * tally.seconds / max(tally.lines, 1)
        print(f"{package:12} {tally.functions:9} {share:7.1f} % {each:9.3f} {slowest[0]:9.3f}  {codes}")
        print(f"{'':51}  {slowest[1]}")
    found = files()[:: options.share]
    unlike = [file for file in found if not printed_alike(file)]
    print(f"\n{len(found)} files of the standard library are printed; {len(unlike)} parse to something else")
    for file in unlike:
        print(f"  {file}")
    return int(bool(unlike))


if __name__ == "__main__":
    sys.exit(main())
