"""Shows functions of a file at a stage: rewritten source, graph, or kernel."""

from __future__ import annotations

import sys
import types
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from transpile.runtime.arrays.current import tracing
from transpile.runtime.errors import TranspileError

from .calls import Calls
from .converting import wrap
from .hook import load
from .inspection import Inspection
from .kinds import kinds_of
from .report import signature

STAGES = ("source", "graph", "kernels")


class Observed(Calls):
    """Calls of a function of the file: each kind of arguments is shown once, and the original runs."""

    is_direct = chooses = False
    # Every call is seen, whoever else looks on.
    watches = ()

    def __init__(self, function: types.FunctionType, show: Show) -> None:
        super().__init__(function, strict=False, device="cpu", warns=False)
        self.show = show
        self._seen: set[Any] = set()

    def begin(self) -> types.CodeType | None:
        """Every call is seen."""
        return None

    def __call__(self, *values: Any) -> Any:
        """Show the trace of this call where it is of a new kind and no call that is shown is under way, then run the original."""
        show = self.show
        kinds = kinds_of(values)
        if tracing() or show.under_way or not show.wants(self.function) or kinds in self._seen:
            return self.run_plain(values)
        self._seen.add(kinds)
        shown = show.stage_of(self, values, signature(self.parameters, kinds))
        show.under_way = shown
        try:
            return self.run_plain(values)
        finally:
            show.under_way = False


class Show:
    """One request: the file, the name of a function or "" for all, the stage, and what gets the text."""

    def __init__(self, file: str, name: str, stage: str, out: Any) -> None:
        self.file = Path(file)
        self.name = name
        self.stage = stage
        self.out = out
        self.under_way = False
        self.count = 0
        self.failed: list[TranspileError] = []
        self.functions: list[types.FunctionType] = []

    def wants(self, function: types.FunctionType) -> bool:
        """Whether a function was asked for, by its name or that of its class."""
        return self.name in ("", function.__qualname__) or function.__qualname__.startswith(f"{self.name}.")

    def offer(self, function: types.FunctionType) -> types.FunctionType:
        """Return what stands for a function of the file."""
        self.functions.append(function)
        return wrap(function, Observed(function, self))

    def stage_of(self, calls: Calls, values: Sequence[Any], arguments: str = "") -> bool:
        """Print the stage of a function, for a call where the stage needs one, and tell whether there was something to print."""
        title = calls.function.__qualname__ + (f"({arguments})" if self.stage != "source" else "")
        try:
            text = self._text(calls, values)
        except TranspileError as error:
            self.failed.append(error)
            self.out(f"{title} runs as plain Python", str(error), "text")
            return False
        self.out(title, text, "text" if self.stage == "graph" else "python")
        self.count += 1
        return True

    def _text(self, calls: Calls, values: Sequence[Any]) -> str:
        looks = Inspection(calls)
        if self.stage == "source":
            return looks.source()
        args, kwargs = calls.arguments(values)
        return str(looks.graph(*args, **kwargs) if self.stage == "graph" else looks.kernels(*args, **kwargs))

    def run(self, call: str | None) -> None:
        """Import the file, or run it as a script where calls are to be seen and none is given, and print what is asked for."""
        needs_call = self.stage != "source"
        module = self._load("__main__" if needs_call and call is None else None)
        named = vars(module).get(self.name)
        if isinstance(named, types.FunctionType) and named.__name__ == "<lambda>":
            vars(module)[self.name] = self.offer(named)
            self.name = named.__qualname__
        if not needs_call:
            for function in self.functions:
                if self.wants(function):
                    self.stage_of(Calls(function, strict=True, device="cpu"), ())
        elif call is not None:
            eval(compile(call, "--call", "eval"), {"np": np, "numpy": np, **vars(module)})
        if not self.count and not self.failed:
            raise TranspileError("L100-nothing-to-show", self._missing(call), hint=self._hint(call))

    def _missing(self, call: str | None) -> str:
        names = [f.__qualname__ for f in self.functions]
        if not names:
            return f"{self.file} defines no function"
        if not any(map(self.wants, self.functions)):
            return f"{self.file} has no function {self.name}; it has {', '.join(names)}"
        what = f"the expression {call}" if call else f"{self.file}, run as a script,"
        return f"{what} does not call {self.name or 'any of its functions'}"

    def _hint(self, call: str | None) -> str:
        names = [f.__qualname__ for f in self.functions if "." not in f.__qualname__]
        if call or not names or (self.name and self.name not in names):
            return ""
        if "make_inputs" in names:
            return f"""a stage after source shows a call; give one: --call "{self.name or names[0]}(*make_inputs(...))\""""
        return (
            f"""a stage after source shows a call; give one: --call "{self.name or names[0]}(np.ones(5))\""""
        )

    def _load(self, as_name: str | None) -> types.ModuleType:
        """Execute the file: as a module of the package that it is in, or under the name given."""
        path = self.file.resolve()
        sys.argv = [str(self.file)]
        root, name = path.parent, path.stem
        if as_name is None:
            while (root / "__init__.py").is_file():
                root, name = root.parent, f"{root.name}.{name}"
        return load(path, as_name or name, root, self.offer)
