"""Classes made anew for each program: fields of any kind, methods that call methods, inheritance, properties, special methods, dataclasses."""

from __future__ import annotations

from ..choices import Choices
from ..scope import Family, Scope
from ..statements import Statements, indented

FIELDS = ("total", "values", "number", "parts", "last", "state")
KINDS = [
    (5, "f1"),
    (4, "f0"),
    (4, "i0"),
    (2, "f2"),
    (2, "list"),
    (1, "b0"),
    (1, "text"),
    (1, "i1"),
    (1, "dict"),
]
NAMES = ("Cell", "Tank", "Mesh")
METHODS = ("step", "feed", "probe", "reset")
GIVEN = [(4, "f0"), (3, "f1"), (2, "i0")]


def classes(choices: Choices, scope: Scope) -> list[str]:
    """Return the text of classes, and add what programs do with their instances to the families of a scope."""
    lines: list[str] = []
    for number in range(choices.count(1, 2)):
        lines += [
            "",
            "",
            *_Class(choices, scope, NAMES[number], NAMES[number - 1] if number else None).lines(),
        ]
    return lines


class _Class:
    """Writes one class, whose methods call those written before."""

    def __init__(self, choices: Choices, scope: Scope, name: str, earlier: str | None) -> None:
        self.choices, self.scope, self.name = choices, scope, name
        self.kind = name.lower()
        families = scope.families
        kinds = [*KINDS, *((2, kind) for kind in families.makes)]
        self.base = earlier if earlier and choices.chance(40) else None
        inherited = families.fields[self.base.lower()] if self.base else {}
        own = [field for field in FIELDS if field not in inherited]
        self.own = {field: choices.weighted(kinds) for field in own[: choices.count(1, 3)]}
        self.fields = {**inherited, **self.own}
        self.is_dataclass = self.base is None and choices.chance(25)

    def lines(self) -> list[str]:
        families, choose = self.scope.families, self.choices
        body = [f'"""A {self.kind}."""', "", *self._start()]
        families.fields[self.kind] = self.fields
        self._learn(makes={self.kind: self._makes()})
        for method in METHODS[: choose.count(2, 3)]:
            body += ["", *self._method(method)]
        for special in (self._property, self._call, self._item, self._in_place, self._iteration, self._equal):
            if choose.chance(25):
                body += ["", *special()]
        self._learn(writes=[
            f"<={self.kind}:o> = <{self.kind.upper()}>\n<block>",
            f"if <b0>:\n    <{self.kind.upper()}:o> = <{self.kind}>\n<block>",
            f"for <=i0:i> in range(<size>):\n    <{self.kind.upper()}:o>.{METHODS[0]}(<i>)\n    <block>",
            f"for <={self.kind}:o> in [<{self.kind}>, <{self.kind.upper()}>]:\n    print(<o>.{METHODS[0]}(<f0>))\n    <block>",
            f"<={self.kind}:o> = copy.copy(<{self.kind.upper()}>)\n<block>",
            *(f"<{self.kind.upper()}>.{field} = <{kind}>" for field, kind in self.fields.items()),
        ])  # fmt: skip
        head = f"class {self.name}({self.base}):" if self.base else f"class {self.name}:"
        return [*["@dataclass"] * self.is_dataclass, head, *indented(body)]

    def _learn(self, **templates: object) -> None:
        self.scope.families.add(Family(**templates))  # type: ignore[arg-type]

    def _makes(self) -> list[str]:
        given = ", ".join(f"<{kind}>" for kind in self.fields.values())
        named = ", ".join(f"{field}=<{kind}>" for field, kind in self.fields.items())
        return [f"{self.name}({given})", f"{self.name}({named})"]

    def _start(self) -> list[str]:
        """Return what sets the fields."""
        if self.is_dataclass:
            return [f"{field}: object" for field in self.own]
        sets = [f"self.{field} = {field}" for field in self.own]
        if self.base is not None:
            inherited = [field for field in self.fields if field not in self.own]
            sets.insert(0, f"super().__init__({', '.join(inherited)})")
        extra = ["made = 0"] if self.choices.chance(30) else []
        return [*extra, f"def __init__(self, {', '.join(self.fields)}):", *indented(sets)]

    def _inside(self, parameters: dict[str, str]) -> Statements:
        """Return what writes the body of a method."""
        scope = Scope(dict(parameters), {"self"}, outer=self.scope)
        scope.bind("self", self.kind)
        statements = Statements(self.choices, scope, 3, repeated=True)
        statements.inner = True
        return statements

    def _method(self, name: str) -> list[str]:
        """Return a method; it calls those before it, and the one that it overrides."""
        choose = self.choices
        given = choose.weighted(GIVEN)
        default, keyword = given != "f1" and choose.chance(30), choose.chance(25)
        inside = self._inside({"v": given, **({"by": "f0"} if keyword else {})})
        first = [f"super().{name}(v)"] if self.base and choose.chance(50) else []
        body = [*first, *inside.block(1, 3)]
        result = choose.weighted([(4, "f0"), (3, "f1"), (2, "i0"), (2, self.kind), (1, "list")])
        returned = "self" if result == self.kind else inside.expressions.of(result, 2)
        header = f"def {name}(self, v{'=2' if default else ''}{', *, by=0.5' if keyword else ''}):"
        me = self.kind.upper()
        calls = [
            f"<{me}>.{name}(<{given}>)",
            *[f"<{me}>.{name}(by=<f0>, v=<{given}>)"] * keyword,
            *[f"<{me}>.{name}()"] * default,
        ]
        self._learn(reads={result: calls}, writes=calls)
        return [header, *indented([*body, f"return {returned}"])]

    def _property(self) -> list[str]:
        kind = self.choices.among(["f0", "f1", "i0"])
        self._learn(reads={kind: [f"<{self.kind.upper()}>.level"]})
        lines = ["@property", "def level(self):", f"    return {self._inside({}).expressions.of(kind, 2)}"]
        if self.choices.chance(50):
            field = self.choices.among(list(self.fields))
            lines += ["", "@level.setter", "def level(self, v):", f"    self.{field} = v"]
            self._learn(writes=[f"<{self.kind.upper()}>.level = <{self.fields[field]}>"])
        return lines

    def _call(self) -> list[str]:
        inside = self._inside({"v": "f0", "scale": "i0"})
        body = [*inside.block(1, 2), f"return {inside.expressions.of('f0', 2)}"]
        me = self.kind.upper()
        self._learn(
            reads={
                "f0": [f"<{me}>(<f0>)", f"<{me}>(<f0>, scale=<i0>)"],
                "list": [f"[<{me}>(k) for k in range(<small>)]"],
            }
        )
        return ["def __call__(self, v, scale=2):", *indented(body)]

    def _item(self) -> list[str]:
        inside = self._inside({"place": "i0"})
        self._learn(reads={"f0": [f"<{self.kind.upper()}>[<i0>]"]})
        return ["def __getitem__(self, place):", "    if place > 4:", "        raise IndexError(place)",
                f"    return {inside.expressions.of('f0', 2)}"]  # fmt: skip

    def _in_place(self) -> list[str]:
        inside = self._inside({"other": "f0"})
        body = inside.block(0, 2)
        self._learn(writes=[f"<{self.kind.upper()}> += <f0>"])
        return ["def __iadd__(self, other):", *indented([*body, "return self"])]

    def _iteration(self) -> list[str]:
        inside = self._inside({"i": "i0"})
        self._learn(
            reads={"list": [f"list(<{self.kind.upper()}>)"]},
            writes=[f"for <=f0:v> in <{self.kind.upper()}>:\n    <block>"],
        )
        return [
            "def __iter__(self):",
            "    for i in range(3):",
            f"        yield {inside.expressions.of('f0', 1)}",
        ]

    def _equal(self) -> list[str]:
        field = self.choices.among(list(self.fields))
        me = self.kind.upper()
        self._learn(reads={"b0": [f"<{me}> == <{me}>", f"<{me}:o> != <o>", f"<{me}> is <{me}>"]})
        return [
            "def __eq__(self, other):",
            f"    return isinstance(other, {self.name}) and self.{field} is other.{field}",
        ]


def functions(choices: Choices, scope: Scope) -> list[str]:
    """Return the text of functions with defaults and keyword-only arguments, and add calls of them to the families of a scope."""
    lines: list[str] = []
    for number in range(choices.count(1, 2)):
        name = f"helper{number}"
        given, result = (
            choices.weighted(GIVEN),
            choices.weighted([(3, "f0"), (3, "f1"), (1, "i0"), (1, "list")]),
        )
        inner = Scope({"v": given, "w": "f0", "by": "i0"}, outer=scope)
        statements = Statements(choices, inner, 4, repeated=True, shared=True)
        body = [*statements.block(1, 3), f"return {statements.expressions.of(result, 2)}"]
        lines += [
            "",
            "",
            f"def {name}(v, w=1.5, *, by={choices.among(['2', '0', 'LIMIT'])}):",
            *indented(body),
        ]
        calls = [
            f"{name}(<{given}>)",
            f"{name}(<{given}>, <f0>)",
            f"{name}(<{given}>, by=<i0>)",
            f"{name}(w=<f0>, v=<{given}>)",
        ]
        scope.families.add(Family(reads={result: calls}, writes=calls))
    return lines
