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

import ast
import fnmatch
import functools
import importlib.machinery
import sys
import types
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from transpile.runtime.arrays.current import tracing
from transpile.runtime.errors import FallbackWarning, StagingError
from transpile.runtime.graph.ir import Graph
from transpile.runtime.trace.libraries import note_converted

from .budget import Budget
from .calls import Calls
from .choice import extent
from .convert import check_accuracy, made_of, twin, wrap
from .estimate import COMPILE_TIMES, PAST, calls_libraries, promised_seconds
from .experience import Past, note_file, past_of
from .forecast import promised
from .frames import SUSPENDED, counts_frames
from .losses import ALL, Losses
from .turns import holds_array, loop_depth

# What a trace takes, and what makes traces to be loaded, in seconds; and how many times longer calls have to take for one to be risked.
_TRACE, _LOAD, _TIMES = 0.02, 0.1, 10.0

# Calls after which it is known how long those of a function take, without or with loops that may have seen no array yet; and
# what is next to no time.
_ENOUGH, _ENOUGH_WITH_LOOPS = 1000, 10_000
_NOTHING = 10e-6

# How many times longer than looks at them for work calls have to take for a further one; it takes so long that goes without, in seconds.
_LOOKING, _LOOK = 50.0, 0.002

# How many times more there has to be to do for a call to be looked at before others have taken as long as compiling may take.
_MORE = 4

# What is as long as anything, in seconds.
_FOREVER = 1e6

# How long calls have to have taken in an earlier process, in seconds, for a trace that has served there to be made at once. How many times longer than
# there, and than what was lost there, for one to be tried again that came to nothing; and how many times what calls took there counts where one has served.
_WORTH, _AGAIN, _KNOWN = 0.5, 2.0, 2.0

# How many times longer calls may take than a graph promises, for it to be a matter of estimates.
_LIBRARY_TIMES = 3.0

# The name under which a hooked module finds `offer` while it is imported.
_NAME = "__transpile_offer__"
# What is loaded where traces are made.
_TRACING = f"{__package__}.tracing"

Offer = Callable[[types.FunctionType], Any]

offered: list[HookedCalls] = []
_budget = Budget()


class HookedCalls(Calls):
    """Calls of a function that was not asked to be converted one by one: it is once that promises to pay.

    Without a `budget` it is asked for, as a file is whose functions these are: then one with a loop is looked at in its first call with an array. It is
    compiled where the call promises to take as long as that, and otherwise once its calls have.
    """

    is_direct = False

    def __init__(
        self,
        function: types.FunctionType,
        device: str = "cpu",
        listed: bool = True,
        budget: Budget | None = None,
        accuracy: str = "numpy",
        parallel: bool = True,
        eager: bool = False,
    ) -> None:
        super().__init__(function, False, device, False, accuracy, parallel)
        self.budget = budget
        # Whether a trace may be made however short the call is.
        self._eager = eager
        self.losses = Losses(self._plain_seconds)
        # How long calls have run as plain Python; how many do so now, one in the other, and since when.
        self._plain = self._since = 0.0
        self._depth = 0
        self._taken = 0.0
        # How long they took in an earlier process in which they were compiled, as far as that was not spent on compiling in this one.
        self._earlier = 0.0
        self._calls = 0
        # How long it was looked for work in calls.
        self._looked = 0.0
        self._hot = self._begun = False
        # How long calls have to take before another trace is made, but for those with so much to do.
        self._due, self._much = 0.0, 0
        if listed:
            offered.append(self)

    def __call__(self, *values: Any) -> Any:
        """Call the function, converted where that promises to pay."""
        if not self._begun:
            self._begin()
        if self._hot or (self.budget is None and self._loops and self._sees_work(values)):
            if tracing():
                return super().run_plain(values)
            if self.pauses and sum(map(extent, values)) <= self._much:
                return self.run_plain(values)
            self._hot = True
            return super().__call__(*values)
        return self.run_plain(values)

    @functools.cached_property
    def _past(self) -> Past | None:
        return past_of(self)

    def _begin(self) -> None:
        """Go the way at once that calls went in the end in an earlier process."""
        self._begun = True
        past = self._past
        if past is None or past.taken < _WORTH or self._eager or not (past.served or past.served_in_parts):
            return
        self.losses.known = _KNOWN * past.taken
        self._earlier = past.taken
        self._hot = past.served
        if past.served_in_parts and not past.served:
            self.part()

    @property
    def _came_to_nothing(self) -> bool:
        """Whether traces have come to nothing in an earlier process, in which calls took as long or nearly so."""
        past = self._past
        if past is None or past.served or self._eager:
            return False
        return self._plain_seconds() < max(_AGAIN * past.taken, _TIMES * past.lost)

    def experience(self) -> Past | None:
        """Return what became of the function in this process, if anything was tried."""
        units = self.parts.units if self.parts is not None else []
        # What was compiled for the very last call, too.
        served = bool(self.entries) and (self.choices is None or not self.choices.measured_plain)
        in_parts = any(unit.entries for unit in units)
        lost = self.losses.lost + sum(entry.seconds for entry in self.entries) * (not served)
        if not served and not in_parts and not lost:
            return None
        taken = self._plain_seconds() + (self._past.taken if self._past is not None else 0.0) * served
        return Past(round(lost, 2), round(taken, 2), served, in_parts)

    def run_plain(self, values: Sequence[Any]) -> Any:
        """Run the original, and note how long it takes."""
        start = ALL.now()
        if not self._depth:
            self._since = start
        self._depth += 1
        try:
            return super().run_plain(values)
        finally:
            taken = ALL.now() - start
            self._depth -= 1
            self._plain += 0.0 if self._depth else taken
            self._taken += 0.0 if self._depth else taken
            self._calls += 1
            self._hot = self._hot or (self._has_taken_long() and self._pays())
            if self._calls == (_ENOUGH_WITH_LOOPS if self._loops else _ENOUGH) and not self.entries:
                self._leave()

    def _plain_seconds(self) -> float:
        """Return how long calls have run as plain Python, that under way included, but for what was lost on traces."""
        return self._plain + (ALL.now() - self._since if self._depth else 0.0)

    @functools.cached_property
    def _loops(self) -> bool:
        return loop_depth(self.function.__code__) > 0

    def _sees_work(self, values: Sequence[Any]) -> bool:
        """Whether a call that is looked at has an array, and much to do; calls are as long as that does not take more than a small share of their time."""
        if self._looked > _LOOK and self._taken < _LOOKING * self._looked:
            return False
        start = perf_counter()
        seconds = 0.0
        if any(map(holds_array, values)):
            seconds = _FOREVER if self._eager else promised(self.function, values)
        self._looked += perf_counter() - start
        self.losses.promised = seconds
        return seconds > _patience() and not self._came_to_nothing

    def _has_taken_long(self) -> bool:
        """Whether calls have taken so long that a trace may be risked."""
        enough = _patience()
        return self._taken > enough and self._taken * ALL.share > enough and not self._came_to_nothing

    def _pays(self) -> bool:
        """Whether calls have taken as long as converting the function may take."""
        if self.budget is None:
            return True
        cost = self.budget.cost(self.function.__code__)
        return self._taken > cost and self.budget.affords(cost)

    def _leave(self) -> None:
        """Leave a function to plain Python for good where its calls, of which there were many, take next to no time."""
        if self._plain < _NOTHING * self._calls:
            self.broken = StagingError("S271-nothing-to-gain", "its calls take next to no time")
            self.settle()

    def postpones(self, values: Sequence[Any]) -> bool:
        """Whether calls are still to run as plain Python for some time before another trace is made, and this one has not much more to do than they."""
        return self._taken + self._earlier < self._due and sum(map(extent, values)) <= self._much

    @property
    def postponed(self) -> str:
        taken = f"they took {self._taken:.2f} s, and"
        if 0 < self._taken < self._due:
            return f"{taken} compiling pays after {self._due:.2f} s"
        if self._looked and not self._hot:
            return f"{taken} a trace pays after {_patience():.2f} s"
        return super().postponed

    def pays(self, values: Sequence[Any], graph: Graph) -> bool:
        """Whether a call promises to take as long as it has to for its graph to be compiled, or as that lacks."""
        seconds = promised_seconds(graph, self.parameters, values)
        if seconds is None:
            return super().pays(values, graph)
        self._due = PAST * COMPILE_TIMES.expected(graph) / ALL.share
        self._much = _MORE * sum(map(extent, values))
        earned = COMPILE_TIMES.earned(graph)
        taken = self._taken + self._earlier
        in_libraries = calls_libraries(graph) and not self._earlier
        if in_libraries:
            # The rest passes there.
            taken = min(taken, _LIBRARY_TIMES * self._calls * seconds)
        if taken * earned + seconds * self._due < self._due * earned:
            self._due = max(self._due, _AGAIN * self._taken * in_libraries)
            return False
        self._earlier = max(self._earlier - self._due, 0.0)
        self._taken = 0.0
        return super().pays(values, graph)

    def wants(self, values: Sequence[Any]) -> bool:
        """Whether there is an array among these values."""
        return any(map(holds_array, values))


def _patience() -> float:
    """Return how long calls have to take, or to promise to take, in seconds, for a trace to be risked."""
    return _TIMES * (_TRACE if _TRACING in sys.modules else _TRACE + _LOAD)


def offer(function: types.FunctionType, budget: Budget | None = None, accuracy: str = "numpy") -> Any:
    """Have `function` stand for a twin of it, but where it has to be called directly: it stays the object that tables and others hold already."""
    name = function.__name__
    special = name.startswith("__") and name.endswith("__") and name != "__call__"
    if special or not can_stand_in(function):
        return function
    original = twin(function)
    return wrap(original, HookedCalls(original, budget=budget, accuracy=accuracy), function)


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


class _Decorate(ast.NodeTransformer):
    """Adds a decorator, the outermost, to the functions and methods that a module defines."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        first = node.decorator_list[0] if node.decorator_list else node
        decorator = ast.copy_location(ast.Name(_NAME, ast.Load()), first)
        decorator.end_lineno, decorator.end_col_offset = first.lineno, first.col_offset
        node.decorator_list.insert(0, decorator)
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AsyncFunctionDef:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        return node


def execute(module: types.ModuleType, source: bytes, path: str, offer_function: Offer) -> None:
    """Execute the source of a module, offering each function."""
    try:
        tree = _Decorate().visit(ast.parse(source, path))
    except SyntaxError as error:
        # It says itself where it is.
        raise error.with_traceback(None) from None
    code = compile(tree, path, "exec", dont_inherit=True)
    note_file(path, source)
    note_converted(module.__name__)
    module.__dict__[_NAME] = offering(offer_function)
    try:
        exec(code, module.__dict__)
    finally:
        module.__dict__.pop(_NAME, None)


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads a module from its source, never from bytecode, and offers its functions."""

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
