"""The import hook: converts the functions of whole modules as they are imported.

    import transpile.hook
    transpile.hook.install("package")            # the package and all its modules
    transpile.hook.install("package.sub.*", exclude=["package.sub.slow"])

Every function and method that such a module defines at its top is offered for conversion as soon as it is made, so
that tables, aliases and decorators hold the converted one. Offering costs nothing but a thin function around it:

* A function is converted once its calls have taken as long in all as converting it may take, and all that was converted has taken less
  than the program has run for, or a second.
* What cannot be converted runs as it was; `transpile.hook.report()` says what and why.
"""

from __future__ import annotations

import functools
import importlib.machinery
import os
import sys
import types
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from transpile.runtime.converted import note_converted
from transpile.runtime.errors import FallbackWarning

from .budget import Budget
from .converting import check_accuracy, made_of, twin, wrap
from .decorated import DECORATOR, LOOP, decorated
from .experience import note_file
from .frames import SUSPENDED, counts_frames, counts_references
from .hooked_calls import HookedCalls, offered

Offer = Callable[[types.FunctionType], Any]
Run = Callable[[types.FunctionType], None]

_budget = Budget()


def offer(function: types.FunctionType, budget: Budget | None = None, accuracy: str = "numpy") -> Any:
    """Have `function` stand for a twin of it, but where it has to be called directly: it stays the object that tables and others hold already."""
    name = function.__name__
    special = name.startswith("__") and name.endswith("__") and name != "__call__"
    if special or not can_stand_in(function):
        return function
    if budget is not None and counts_references(function.__code__):
        # To find its loops takes longer than many a program runs, and what measures whether that pays would hold what it was handed.
        return function
    original = twin(function)
    return wrap(original, HookedCalls(original, budget=budget, accuracy=accuracy), function)


def run_loop(function: types.FunctionType, accuracy: str = "numpy") -> None:
    """Run a loop of a module, which is a function here, converted where that promises to pay."""
    if can_stand_in(function):
        function = wrap(function, HookedCalls(function, accuracy=accuracy))
    function()


def can_stand_in(function: types.FunctionType) -> bool:
    """Whether another function can stand for this one, which is not converted yet."""
    code = function.__code__
    return not (code.co_flags & SUSPENDED or hasattr(function, "python_function") or counts_frames(code))


def offering(offer_function: Offer) -> Callable[[Any], Any]:
    """Return a decorator that offers what other decorators have made of a function: methods of all kinds are looked into."""

    def decorate(thing: Any) -> Any:
        if type(thing) is types.FunctionType:
            return offer_function(thing)
        made = made_of(thing, decorate)
        return thing if made is None else made

    return decorate


def execute(
    module: types.ModuleType, source: bytes, path: str, offer_function: Offer, run: Run | None = None
) -> None:
    """Execute the source of a module, offering each function; loops of the module itself are left to `run`, where that is given."""
    try:
        code = decorated(source, path, loops=run is not None)
    except SyntaxError as error:
        # It says itself where it is.
        raise error.with_traceback(None) from None
    note_file(path, source)
    note_converted(module.__name__)
    names: dict[str, Any] = {DECORATOR: offering(offer_function)}
    if run is not None:
        names[LOOP] = _running(run)
    module.__dict__.update(names)
    try:
        exec(code, module.__dict__)
    finally:
        for name in names:
            module.__dict__.pop(name, None)


def load(path: Path, name: str, root: Path, offer: Any, run: Run | None = None) -> types.ModuleType:
    """Execute a file as the module `name`, importable under it, with `root` first on the search path; `offer` and `run` get its functions and loops."""
    module = types.ModuleType(name)
    module.__file__ = str(path)
    module.__loader__ = importlib.machinery.SourceFileLoader(name, str(path))
    if "." in name:
        module.__package__ = name.rpartition(".")[0]
    sys.path.insert(0, str(root))
    sys.modules[name] = module
    execute(module, path.read_bytes(), os.fspath(path), offer, run)
    return module


def _running(run: Run) -> Any:
    """Return a decorator that runs a loop at once, and leaves its own name in the place of that of the loop."""

    def decorate(loop: types.FunctionType) -> Any:
        run(loop)
        return decorate

    return decorate


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads a module from its source, or from what was made of it, never from Python's own bytecode, and offers its functions."""

    accuracy = "numpy"

    def exec_module(self, module: types.ModuleType) -> None:
        execute(
            module,
            self.get_data(self.path),
            self.path,
            functools.partial(offer, budget=_budget, accuracy=self.accuracy),
        )


class Hook:
    """Finds the modules that are to be converted, as the other finders do."""

    def __init__(self, patterns: Sequence[str], exclude: Sequence[str] = (), accuracy: str = "numpy") -> None:
        self.patterns = tuple(patterns)
        self.exclude = tuple(exclude)
        self.accuracy = accuracy

    def matches(self, name: str) -> bool:
        """Whether a module is to be converted."""
        return _matches(name, self.patterns) and not _matches(name, self.exclude)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the spec that another finder gives, with a loader of ours where it is a file of Python source."""
        if not self.matches(fullname):
            return None
        for finder in sys.meta_path:
            if isinstance(finder, Hook) or not hasattr(finder, "find_spec"):
                continue
            spec = finder.find_spec(fullname, path, target)
            if spec is not None:
                if type(spec.loader) is importlib.machinery.SourceFileLoader:
                    spec.loader = _Loader(spec.loader.name, spec.loader.path)
                    spec.loader.accuracy = self.accuracy
                return spec
        return None


def _matches(name: str, patterns: Iterable[str]) -> bool:
    import fnmatch

    return any(fnmatch.fnmatchcase(name, p) or fnmatch.fnmatchcase(name, f"{p}.*") for p in patterns)


def install(*patterns: str, exclude: Sequence[str] = (), accuracy: str = "numpy") -> Hook:
    """Convert the modules that match from now on, as they are imported: a package, its modules with it, or a pattern with `*`; `accuracy` is that of `convert`.

    Warns where one was imported before: that one stays as it is.
    """
    if not patterns:
        raise TypeError("install takes at least one name of a package or module")
    check_accuracy(accuracy)
    hook = Hook(patterns, exclude, accuracy)
    late = sorted(name for name in list(sys.modules) if hook.matches(name))
    if late:
        text = f"{', '.join(late)}: imported before the hook was installed, and not converted"
        warnings.warn(text, FallbackWarning, stacklevel=2)
    sys.meta_path.insert(0, hook)
    return hook


def uninstall(hook: Hook) -> None:
    """Leave modules that are imported from now on as they are; those that were converted stay so."""
    sys.meta_path.remove(hook)


@contextmanager
def installed(*patterns: str, exclude: Sequence[str] = (), accuracy: str = "numpy") -> Iterator[Hook]:
    """Install a hook for the imports of a `with` statement."""
    hook = install(*patterns, exclude=exclude, accuracy=accuracy)
    try:
        yield hook
    finally:
        uninstall(hook)


def report() -> str:
    """Return what became of the functions of hooked modules that were called."""
    from .report import explain

    return "\n\n".join(
        explain(calls) for calls in offered if calls.entries or calls.failures or calls.postponed
    )
