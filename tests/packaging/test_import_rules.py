"""Imports go down only. Every import is read, those inside functions too."""

import ast
import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("transpile", "converters", "runtime", "devices", "corpus")

# What a room may import from the others: whole rooms, or parts of one.
ALLOWED = {
    "transpile": ("converters", "devices", "runtime", "corpus"),
    "converters": ("runtime.errors", "runtime.positions", "runtime.quiet"),
    "devices": (
        "runtime.graph", "runtime.views", "runtime.ops", "runtime.errors", "runtime.positions", "runtime.tracebacks",
        "runtime.disk", "runtime.garbage", "runtime.recipes",
    ),
    "runtime": (),
    "corpus": (),
}  # fmt: skip

# The layers of runtime, the lowest first; a layer imports what is below it.
LAYERS = (
    {
        "attributes",
        "converted",
        "errors",
        "positions",
        "frames",
        "tracebacks",
        "disk",
        "garbage",
        "quiet",
        "recipes",
        "room",
    },
    {"graph"},
    {"views"},
    {"ops"},
    {"arrays"},
    {"composites"},
    {"operators"},
    {"trace"},
    {"cache", "passes"},
)
HEIGHT = {name: height for height, layer in enumerate(LAYERS) for name in layer}

# The layers of devices.
DEVICES = {"host": (), "loops": (), "cpu": ("loops",)}


def modules(room: str) -> list[Path]:
    return sorted((ROOT / room).rglob("*.py"))


def name_of(file: Path) -> str:
    """Returns the name below `transpile.`; modules of the face are in the room `transpile`."""
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(file: Path, text: str | None = None) -> Iterator[str]:
    """Yields what a file imports of the project: room, folder or module, then name."""
    package = name_of(file).split(".")
    if file.name != "__init__.py":
        package.pop()
    for node in ast.walk(ast.parse(file.read_text() if text is None else text)):
        if isinstance(node, ast.Import):
            yield from (below(alias.name) for alias in node.names if alias.name.split(".")[0] == "transpile")
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if node.level:
                base = package[: len(package) - node.level + 1]
                yield from (".".join([*base, *filter(None, [module]), alias.name]) for alias in node.names)
            elif module.split(".")[0] == "transpile":
                yield from (below(f"{module}.{alias.name}") for alias in node.names)


def below(absolute: str) -> str:
    """Returns an absolute name as it is within the checkout: a room's, or the face's."""
    rest = absolute.split(".")[1:]
    return ".".join(rest) if rest and rest[0] in ROOMS else absolute


def violations(file: Path, text: str | None = None) -> list[str]:
    source = name_of(file).split(".")
    return [name for name in imports(file, text) if not permitted(source, name.split("."))]


def permitted(source: list[str], target: list[str]) -> bool:
    room, other = source[0], target[0]
    if room != other:
        return any(
            ".".join(target).startswith(f"{name}.") or ".".join(target) == name for name in ALLOWED[room]
        )
    if len(source) < 2 or len(target) < 2:
        return True
    if room == "runtime":
        return source[1] == target[1] or HEIGHT[source[1]] >= HEIGHT[target[1]]
    if room == "devices":
        return source[1] == target[1] or target[1] in DEVICES[source[1]]
    return True


@pytest.mark.parametrize("room", ROOMS)
def test_imports_go_down_only(room: str) -> None:
    found = {name_of(file): wrong for file in modules(room) if (wrong := violations(file))}
    assert not found


def test_every_part_of_runtime_has_a_layer() -> None:
    parts = {file.relative_to(ROOT / "runtime").with_suffix("").parts[0] for file in modules("runtime")}
    assert parts - {"__init__"} == set(HEIGHT)
    assert sum(len(layer) for layer in LAYERS) == len(HEIGHT)


def test_relative_imports_stay_within_a_room() -> None:
    wrong = []
    for file in itertools.chain.from_iterable(map(modules, ROOMS)):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom) and node.level:
                depth = len(name_of(file).split(".")) - (file.name != "__init__.py")
                if node.level > depth:
                    wrong.append(f"{file.relative_to(ROOT)}:{node.lineno}")
    assert not wrong


@pytest.mark.parametrize(
    "file, line, refused",
    [
        ("runtime/graph/ir.py", "from transpile.runtime.trace.tracer import trace", True),
        ("runtime/graph/ir.py", "def f():\n    from transpile.runtime.trace import tracer", True),
        ("runtime/trace/tracer.py", "from transpile.runtime.graph.ir import Graph", False),
        ("runtime/errors.py", "import transpile.devices", True),
        ("runtime/errors.py", "from transpile import convert", True),
        ("converters/convert.py", "from transpile.runtime.graph.ir import Graph", True),
        ("converters/convert.py", "from transpile.runtime.errors import ConversionError", False),
        ("devices/loops/schedule.py", "from ..cpu import emit", True),
        ("devices/cpu/emit.py", "from transpile.devices.loops.schedule import schedule", False),
        ("devices/cpu/emit.py", "from transpile.runtime.arrays.array import SymbolicArray", True),
        ("corpus/heat.py", "import transpile", True),
        ("transpile/calls.py", "from transpile.runtime.passes import optimise", False),
    ],
)
def test_rules_tell_wrong_imports_from_right_ones(file: str, line: str, refused: bool) -> None:
    assert bool(violations(ROOT / file, line)) is refused
