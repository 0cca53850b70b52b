"""Random programs of some families, whose function is called several times and keeps state in between."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .arguments import PARAMETERS, value
from .choices import Choices
from .expressions import Expressions
from .families.closures import CLOSURES
from .families.failures import FAILURES
from .families.lists import LISTS
from .families.modules import MODULES
from .families.objects import classes, functions
from .families.queues import QUEUES
from .families.tables import TABLES
from .families.texts import TEXTS
from .families.views import VIEWS
from .scope import Families, Family, Scope
from .statements import Statements, indented

Definer = Callable[[Choices, Scope], list[str]]
FAMILIES: dict[str, Family | Definer] = {
    "lists": LISTS, "tables": TABLES, "queues": QUEUES, "texts": TEXTS, "views": VIEWS, "failures": FAILURES, "closures": CLOSURES,
    "modules": MODULES, "objects": classes, "functions": functions,
}  # fmt: skip
WEIGHTS = [
    (4, "objects"),
    (2, "functions"),
    *((2, name) for name in FAMILIES if name not in ("objects", "functions")),
]
KEPT = ("KEPT_ONE", "KEPT_TWO")
# How many statements the function has, about.
BUDGETS = [(3, 4), (3, 7), (1, 12)]
SIZES = [(10, "5"), (6, "4"), (3, "3"), (1, "1"), (1, "0")]


def session(choices: Choices, names: Sequence[str] = ()) -> str:
    """Return the text of a program of these families, or of one to three that are chosen."""
    size = choices.weighted(BUDGETS)
    names = names or [choices.weighted(WEIGHTS) for _ in range(choices.count(1, 3))]
    chosen = [FAMILIES[name] for name in dict.fromkeys(names)]
    tables = [family for family in chosen if isinstance(family, Family)]
    families = Families(tables)
    scope = Scope(own_families=families)
    lines = [line for family in tables for line in family.preamble.splitlines()]
    kept = [name for family in tables for name in family.kept]
    for family in tables:
        for name, kind in family.names.items():
            scope.bind(name, kind)
    for define in chosen:
        if not isinstance(define, Family):
            lines += define(choices, scope)
    rows = choices.weighted(SIZES)
    lines += ["", ""]
    for name in KEPT[: choices.count(0, 2)]:
        kind = choices.weighted(_kinds(families))
        lines.append(f"{name} = {_value(choices, kind, scope, rows)}")
        scope.bind(name, kind)
        kept.append(name)
    parameters = {
        name: choices.weighted(_kinds(families)) for name in ("x", "y", "n", "t")[: choices.count(1, 4)]
    }
    lines += ["", "", *_function(choices, scope, parameters, size)]
    makers = [f"arguments_{number}" for number in range(choices.count(2, 3))]
    for place, name in enumerate(makers):
        lines += ["", "", *_maker(choices, name, parameters, scope, rows, place)]
    return "\n".join([*lines, "", "", f"CALLS = [{', '.join(makers)}]", f"KEPT = {kept}", ""])


def _kinds(families: Families) -> list[tuple[int, str]]:
    """Return kinds of arguments, with weights."""
    return [*PARAMETERS, (6, "f1"), *((3, kind) for kind in families.makes)]


def _function(choices: Choices, module: Scope, parameters: dict[str, str], size: int) -> list[str]:
    """Return the lines of the function; what the module binds, it may assign."""
    assigned = [name for name in module.kinds if name.isidentifier()]
    scope = Scope(dict(module.kinds), shared=set(assigned), own_families=module.families)
    for name, kind in parameters.items():
        scope.bind(name, kind)
    statements = Statements(choices, scope, size)
    lines = statements.block(3, 7)
    known = [name for name, kind in scope.kinds.items() if kind != "function"]
    results = dict.fromkeys(choices.among(known) for _ in range(choices.count(1, 3)))
    head = [f"global {', '.join(assigned)}"] if assigned else []
    return [f"def f({', '.join(parameters)}):", *indented([*head, *lines, f"return {', '.join(results)}"])]


def _value(choices: Choices, kind: str, scope: Scope, size: str) -> str:
    """Return the text of a value, which may be made of names in a scope."""
    if kind in scope.families.makes or kind == "dict":
        return Expressions(choices, scope).of(kind, 1)
    return value(choices, kind, size, size)


def _maker(
    choices: Choices, name: str, parameters: dict[str, str], module: Scope, rows: str, place: int
) -> list[str]:
    """Return the lines of a function that makes the arguments of a call, and perhaps changes what the module keeps."""
    size = rows if choices.chance(80) else choices.weighted(SIZES)
    scope = Scope({}, outer=module)
    lines: list[str] = []
    for parameter, kind in parameters.items():
        if place and kind[1:] in ("0", "1") and choices.chance(12):
            # A call with another kind of thing, where there may be a trace for the first one.
            kind = choices.among(["i0", "f0", "f1", "i1", "b0"])
        lines.append(f"{parameter} = {_value(choices, kind, scope, size)}")
        scope.bind(parameter, kind)
    if place and choices.chance(40) and module.kinds:
        changed = choices.among(list(module.kinds))
        kind = module.kinds[changed]
        lines.append(f"{changed} = {_value(choices, kind, module, size)}")
        if changed.isidentifier():
            lines.insert(0, f"global {changed}")
    return [f"def {name}():", *indented([*lines, f"return {', '.join(parameters)},"])]
