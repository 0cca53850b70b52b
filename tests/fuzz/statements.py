"""Random statements: they end, whatever the arguments."""

from __future__ import annotations

from . import idioms
from .choices import Choices
from .expressions import Expressions
from .scope import Scope
from .vocabulary import ARITHMETIC, ERRORS

NAMES = ("a", "b", "c", "d", "e", "g", "h", "m", "n", "p", "q", "r", "s", "t", "u", "w", "x", "y", "z")
KINDS = [(6, "i0"), (6, "f0"), (3, "b0"), (1, "c0"), (8, "f1"), (4, "i1"), (2, "b1"), (1, "c1"), (4, "f2"), (2, "i2"), (3, "list"),
         (2, "tuple"), (2, "text"), (1, "dict"), (1, "box"), (1, "pair")]  # fmt: skip


class Statements:
    """Writes the body of a function, statement after statement, as lines."""

    def __init__(
        self,
        choices: Choices,
        scope: Scope,
        budget: int,
        repeated: bool = False,
        shared: bool = False,
        wide: bool = False,
    ) -> None:
        self.choices = choices
        self.scope = scope
        self.expressions = Expressions(choices, scope)
        self.expressions.repeated = repeated
        self.budget = budget
        self.loops = 0
        self.counters = 0
        self.functions = 0
        self.inner = shared
        # Whether idioms are among the statements.
        self.wide = wide

    def inside(self, depth: int, most: int = 4) -> list[str]:
        """Return the lines of a nested block, whose new names are mostly not used after it."""
        before = set(self.scope.kinds)
        lines = self.block(depth, most)
        if self.choices.chance(97 if self.scope.families.reads else 85):
            self.forget(before)
        return lines

    def forget(self, before: set[str]) -> None:
        """Leave names alone that were not there before."""
        for name in [name for name in self.scope.kinds if name not in before]:
            del self.scope.kinds[name]

    def block(self, depth: int, most: int = 4) -> list[str]:
        """Return the lines of a block."""
        lines: list[str] = []
        for _ in range(self.choices.count(1, most)):
            if self.budget <= 0 and lines:
                break
            self.budget -= 1
            lines += self.statement(depth)
        return lines

    def statement(self, depth: int) -> list[str]:
        """Return the lines of a statement, with blocks nested up to a depth."""
        rash = 0 if self.expressions.careful() else 1
        simple = [
            (10, self.assign), (6, self.augment), (7, self.store), (4, self.store_augmented), (3, self.print), (2, self.unpack),
            (2, self.append), (rash, self.fail), (rash, self.check), (1, self.method), (1, self.delete), (1, self.alias), (1, self.attribute),
            (1, self.globals_), (1, self.log), (1, self.walrus),
        ]  # fmt: skip
        if self.wide:
            simple.append((16, self.short))
        if self.scope.families.writes:
            simple.append((40, self.of_family))
        if self.loops:
            simple.append((3, self.jump))
        elif depth < 3:
            simple.append((1, self.return_))
        compound = [
            (8, self.if_), (7, self.for_), (4, self.while_), (3, self.try_), (2, self.with_), (2, self.define), (1, self.match),
        ]  # fmt: skip
        if self.wide:
            compound.append((10, self.long))
        if self.scope.families.writes:
            compound.append((20, self.of_family))
        if depth <= 0 or self.choices.chance(60):
            return self.choices.weighted(simple)()
        return self.choices.weighted(compound)(depth - 1)

    # -- simple ------------------------------------------------------------------------------------------------

    def bind(self, name: str, kind: str) -> None:
        """Note what a name has now."""
        self.scope.bind(name, kind)

    def counter(self) -> str:
        """Return a new name that only its loop assigns."""
        self.counters += 1
        name = f"k{self.counters}"
        self.scope.kinds[name] = "i0"
        self.scope.reserved.add(name)
        return name

    def target(self, kind: str, local: bool = False) -> str:
        """Return a name to assign to: mostly one that has the same kind, or is new outside of blocks."""
        free = self.scope.local() if local else self.scope.assignable()
        same = [name for name in free if self.scope.kinds[name] == kind]
        if same and self.choices.chance(60):
            return self.choices.among(same)
        if free and self.choices.chance(10):
            return self.choices.among(free)
        new = [
            name
            for name in NAMES
            if name not in self.scope.kinds and not (self.scope.outer and name in self.scope.outer.kinds)
        ]
        return self.choices.among(new[:3]) if new else self.choices.among(free or ["a"])

    def assign(self) -> list[str]:
        kind = self.choices.weighted([*KINDS, *((4, kind) for kind in self.scope.families.makes)])
        part = kind[1:] in ("1", "2") and self.choices.chance(25)
        if kind[1:] in ("1", "2"):
            value = self.expressions.array(kind[0], int(kind[1]), 3, whole=not part)
        else:
            value = self.expressions.of(kind, 3)
        name = self.target(kind)
        self.bind(name, kind + "?" * part)
        return [f"{name} = {value}"]

    def short(self) -> list[str]:
        return idioms.short(self)

    def long(self, depth: int) -> list[str]:
        return idioms.long(self, depth)

    def of_family(self, depth: int = 0) -> list[str]:
        writes = self.scope.families.writes
        fitting = [text for text in writes if depth > 0 or "<block>" not in text]
        return idioms.filled(self.choices.among(fitting or writes), self, depth)

    def walrus(self) -> list[str]:
        value = self.expressions.integer(2)
        name = self.target("i0", local=True)
        self.bind(name, "i0")
        return [f"print(({name} := {value}) > 1, {name})"]

    def augment(self) -> list[str]:
        choose, write = self.choices, self.expressions
        names = [n for n in self.scope.assignable() if self.scope.kinds[n][1:2] in ("0", "1", "2")]
        if not names:
            return self.assign()
        name = choose.among(names)
        letter, ndim = self.scope.kinds[name][:2]
        if letter == "b":
            return [f"{name} {choose.among(['&=', '|=', '^='])} {write.of('b' + ndim, 1)}"]
        operators = {
            "i": ["+=", "-=", "*=", "//=", "%=", "&=", "<<=", "/="],
            "f": ["+=", "-=", "*=", "/=", "**=", "%="],
        }
        if self.expressions.careful():
            operators = {}
        operator = choose.among(operators.get(letter, ["+=", "-=", "*="]))
        if operator == "*=" and letter == "i":
            value = choose.among(["2", "3", "-1", "7"])
        elif operator == "<<=":
            value = choose.among(["1", "2"])
        elif operator == "**=":
            value = choose.among(["2", "0.5"])
        else:
            value = (
                write.scalar(choose.among([letter, "i"]), 1)
                if ndim == "0" or choose.chance(50)
                else write.beside(letter, int(ndim), 1)
            )
        if ndim == "0" and operator == "/=":
            self.bind(name, "f0")
        return [f"{name} {operator} {value}"]

    def place(self) -> tuple[str, str] | None:
        """Return a place in an array or list, and the letter of what it holds."""
        choose, write = self.choices, self.expressions
        name = write.some("f1", "f1", "i1", "b1", "f2", "i2", "c1", "list")
        if name is None:
            return None
        kind = self.scope.kinds.get(name) or "f1"
        if kind == "list":
            return f"{name}[{write.index(name)}]", choose.among("if")
        letter = kind[0]
        if kind[1] == "2":
            form = choose.among(
                [
                    "{0}[{1}, {2}]",
                    "{0}[{1}]",
                    "{0}[:, {2}]",
                    "{0}[{1}, {3}]",
                    "{0}[{3}, {4}]",
                    "{0}[...]",
                    "{0}.T[0]",
                    "{0}[{1}][0]",
                ]
            )
        else:
            form = choose.among(
                [
                    "{0}[{1}]",
                    "{0}[{1}]",
                    "{0}[{3}]",
                    "{0}[{4}]",
                    "{0}[{5}]",
                    "{0}[[0, -1]]",
                    "{0}[::-1][{1}]",
                    "{0}[1:][{3}]",
                ]
            )
        place = form.format(
            name,
            write.index(name),
            choose.among(["0", "1", "-1"]),
            write.slice(),
            write.slice(),
            write.mask(name, 1),
        )
        return place, letter

    def store(self) -> list[str]:
        found = self.place()
        if found is None:
            return self.assign()
        place, letter = found
        letter = self.choices.weighted([(8, letter), (1, "i"), (1, "f")])
        if self.choices.chance(70):
            return [f"{place} = {self.expressions.scalar(letter, 2)}"]
        if place.endswith("]") and self.choices.chance(50):
            array = place.partition("[")[0]
            return [
                f"{place} = {place if self.choices.chance(50) else array + place[len(array) :]} {self.choices.among(ARITHMETIC)} {self.expressions.scalar(letter, 1)}"
            ]
        return [f"{place} = {self.expressions.array(letter, 1, 2, whole=True)}"]

    def store_augmented(self) -> list[str]:
        found = self.place()
        if found is None:
            return self.augment()
        place, letter = found
        operator = self.choices.among(
            ["+=", "-="]
            if letter != "b" and self.expressions.careful()
            else ["+=", "-=", "*=", "//="]
            if letter == "i"
            else ["|=", "&="]
            if letter == "b"
            else ["+=", "-=", "*=", "/="]
        )
        value = "2" if letter == "i" and operator == "*=" else self.expressions.scalar(letter, 2)
        if self.choices.chance(15):
            value = self.expressions.array(letter, 1, 1, whole=True)
        return [f"{place} {operator} {value}"]

    def print(self) -> list[str]:
        choose = self.choices
        parts = [self.expressions.of(choose.weighted([(3, "i0"), (3, "f0"), (2, "text"), (2, "b0"), (1, "f1"), (1, "list")]), 1)
                 for _ in range(choose.count(1, 2))]  # fmt: skip
        tail = choose.weighted([(6, ""), (1, ", end=' '"), (1, ", sep='|'")])
        return [f"print({', '.join(parts)}{tail})"]

    def unpack(self) -> list[str]:
        choose = self.choices
        kind = choose.among(["i0", "f0", "f1"])
        names = [n for n in self.scope.assignable() if self.scope.kinds[n] == kind]
        if len(names) >= 2 and choose.chance(60):
            return [
                f"{names[0]}, {names[1]} = {names[1]}, {choose.among([names[0], self.expressions.of(kind, 1)])}"
            ]
        one, other = self.target("i0"), self.target("f0")
        if one == other:
            return self.assign()
        value = self.expressions.some("tuple", "list") if choose.chance(20) else None
        self.bind(one, "i0")
        self.bind(other, "f0")
        if value and choose.chance(50):
            self.bind(other, "list")
            return [f"{one}, *{other} = {value}"]
        return [
            f"{one}, {other} = {value or self.expressions.scalar('i', 1) + ', ' + self.expressions.scalar('f', 1)}"
        ]

    def append(self) -> list[str]:
        name = self.expressions.some("list")
        if name is None or name not in self.scope.kinds:
            value = self.expressions.list(1)
            name = self.target("list")
            self.bind(name, "list")
            return [f"{name} = {value}"]
        form = self.choices.among(
            [
                "append({})",
                "append({})",
                "insert(0, {})",
                "extend([{}])",
                "pop()",
                "remove({})",
                "reverse()",
                "sort()",
            ]
        )
        return [f"{name}.{form.format(self.expressions.scalar(self.choices.among('if'), 1))}"]

    def fail(self) -> list[str]:
        error = self.choices.among(
            [
                "ValueError('bad')",
                "Wrong(1, 'two')",
                f"ValueError({self.expressions.integer(1)})",
                "IndexError",
            ]
        )
        return [f"if {self.expressions.truth(1)}:", f"    raise {error}"]

    def check(self) -> list[str]:
        message = f", {self.expressions.text(1)}" if self.choices.chance(50) else ""
        return [f"assert {self.expressions.truth(1)}{message}"]

    def method(self) -> list[str]:
        name = self.expressions.some("f1", "i1", "f2")
        if name is None:
            return self.assign()
        return [
            f"{name}.{self.choices.among(['sort()', 'fill(1)', 'fill(0)', f'fill({self.expressions.integer(1)})'])}"
        ]

    def delete(self) -> list[str]:
        names = self.scope.local()
        if len(names) < 4:
            return self.print()
        name = self.choices.among(names)
        del self.scope.kinds[name]
        return [f"del {name}"]

    def alias(self) -> list[str]:
        """Give what a name has, or a view of it, a second name."""
        name = self.expressions.some("f1", "f1", "i1", "f2", "list")
        if name is None:
            return self.assign()
        kind = self.scope.kinds.get(name)
        if kind is None:
            return self.assign()
        views = (
            [name]
            if kind == "list"
            else [
                name,
                f"{name}[{self.expressions.slice()}]",
                f"{name}[:]",
                f"{name}.view()",
                f"np.asarray({name})",
            ]
        )
        value = self.choices.among([*views, f"{name}.T"] if kind[1:] == "2" else views)
        other = self.target(kind)
        self.bind(other, kind + "?" if value.endswith("]") and kind != "list" else kind)
        return [f"{other} = {value}"]

    def attribute(self) -> list[str]:
        name = self.expressions.some("box")
        if name is None:
            return self.assign()
        operator = self.choices.among(["=", "+="])
        return [f"{name}.value {operator} {self.expressions.scalar(self.choices.among('if'), 1)}"]

    def globals_(self) -> list[str]:
        return [
            f"print({self.choices.among(['LIMIT', 'TABLE[1]', 'WEIGHTS.sum()', 'LIMIT + 1', 'scale(2)'])})"
        ]

    def log(self) -> list[str]:
        """Do something that is seen outside."""
        return [self.choices.among(["events.append({})", "print({}, file=sys.stderr)", "totals['sum'] = {}", "warnings.warn('seen')"]).format(
            self.expressions.scalar(self.choices.among("if"), 1)
        )]  # fmt: skip

    def jump(self) -> list[str]:
        jump = self.choices.among(["break", "continue", "break", "continue", self.return_()[0]])
        return [f"if {self.expressions.truth(1)}:", f"    {jump}"]

    def return_(self) -> list[str]:
        jump = f"return {self.expressions.of(self.choices.among(['i0', 'f0', 'f1', 'tuple', 'b0']), 1)}"
        return [jump] if self.loops else [f"if {self.expressions.truth(1)}:", f"    {jump}"]

    # -- compound ----------------------------------------------------------------------------------------------

    def if_(self, depth: int) -> list[str]:
        lines = [f"if {self.expressions.truth(2)}:", *indented(self.inside(depth))]
        if self.choices.chance(20):
            lines += [f"elif {self.expressions.truth(2)}:", *indented(self.inside(depth, 3))]
        if self.choices.chance(50):
            lines += ["else:", *indented(self.inside(depth, 3))]
        return lines

    def body(self, depth: int, first: list[str] | None = None) -> list[str]:
        """Return the block of a loop."""
        self.loops += 1
        before = self.expressions.repeated
        self.expressions.repeated = True
        lines = indented([*(first or []), *self.inside(depth)])
        self.expressions.repeated = before
        self.loops -= 1
        return lines

    def otherwise(self, depth: int) -> list[str]:
        return ["else:", *indented(self.inside(depth, 2))] if self.choices.chance(12) else []

    def for_(self, depth: int) -> list[str]:
        choose, write = self.choices, self.expressions
        vector, table, items = write.some("f1", "i1"), write.some("f2", "i2"), write.some("list", "tuple")
        size = write.size()
        headers: list[tuple[str, str, dict[str, str]]] = [("i", f"range({size})", {"i": "i0"})] * 3
        headers += [
            ("j", f"range({choose.among(['1', '-1', '2'])}, {size})", {"j": "i0"}),
            ("i", f"range(int({size}) - 1, -1, -1)", {"i": "i0"}),
            ("k", f"range(0, {size}, 2)", {"k": "i0"}),
            ("v", "(1, 2.5, 3)", {"v": "f0"}),
            ("i, v", "enumerate([3, 4])", {"i": "i0", "v": "i0"}),
            ("v", f"steps({size})", {"v": "i0"}),
        ]
        if vector:
            letter = "f" if vector in self.scope.of(["f1"]) else "i"
            headers += [("v", vector, {"v": f"{letter}0"})] * 3
            headers += [
                ("i, v", f"enumerate({vector})", {"i": "i0", "v": f"{letter}0"}),
                ("i", f"range(len({vector}))", {"i": "i0"}),
                ("i", f"range(1, len({vector}) - 1)", {"i": "i0"}),
                ("v, o", f"zip({vector}, {vector}[1:])", {"v": f"{letter}0", "o": f"{letter}0"}),
                ("v", f"reversed({vector})", {"v": f"{letter}0"}),
            ]
        if table:
            letter = "f" if table in self.scope.of(["f2"]) else "i"
            headers += [("row", table, {"row": f"{letter}1"}), ("i", f"range({table}.shape[0])", {"i": "i0"})]
        if items:
            headers.append(("v", f"{items}[:4]", {"v": "f0"}))
        target, source, kinds = choose.among(headers)
        before = set(self.scope.kinds)
        self.scope.kinds.update(kinds)
        lines = [f"for {target} in {source}:", *self.body(depth), *self.otherwise(depth)]
        if choose.chance(80):
            self.forget(before)
        return lines

    def while_(self, depth: int) -> list[str]:
        name = self.counter()
        test = (
            f" {self.choices.among(['and', 'and', 'and not'])} {self.expressions.truth(1)}"
            if self.choices.chance(50)
            else ""
        )
        size = self.expressions.size() if self.choices.chance(40) else self.choices.among(["3", "5", "2"])
        return [
            f"{name} = 0",
            f"while {name} < min({size}, 6){test}:",
            *self.body(depth, [f"{name} += 1"]),
            *self.otherwise(depth),
        ]

    def try_(self, depth: int) -> list[str]:
        choose = self.choices
        lines = ["try:", *indented(self.inside(depth))]
        form = choose.weighted([(5, "except"), (1, "finally"), (2, "both")])
        if form != "finally":
            error = choose.among(ERRORS)
            if choose.chance(50):
                lines += [f"except {error} as error:", "    print(type(error).__name__, error)"]
            else:
                lines += [f"except {error}:"]
            lines += indented(self.inside(depth, 2))
            if choose.chance(20):
                lines += ["else:", *indented(self.inside(depth, 2))]
        if form != "except":
            lines += ["finally:", *indented(self.inside(0, 2))]
        return lines

    def with_(self, depth: int) -> list[str]:
        manager = self.choices.among([
            "np.errstate(all='ignore')", "suppress(ZeroDivisionError)", "Guard('one')", "Guard('two') as guard", "np.errstate(divide='raise')",
        ])  # fmt: skip
        return [f"with {manager}:", *indented(self.inside(depth))]

    def match(self, depth: int) -> list[str]:
        subject = self.expressions.of(self.choices.among(["i0", "f0", "tuple"]), 1)
        case = self.choices.among(["0", "1 | 2", "int()", "(1, _)", "-1"])
        return [
            f"match {subject}:", f"    case {case}:", *indented(indented(self.inside(depth, 2))),
            "    case _:", *indented(indented(self.inside(depth, 2))),
        ]  # fmt: skip

    def define(self, depth: int) -> list[str]:
        """Write a nested function that reads names around it, and perhaps writes one."""
        choose = self.choices
        self.functions += 1
        name = f"f{self.functions}"
        inner = Scope({"v": "f0"}, outer=self.scope)
        if choose.chance(35):
            write = Expressions(choose, inner)
            write.repeated = True
            lines = [f"{name} = lambda v{choose.among(['', ', o=2'])}: {write.scalar(choose.among('if'), 2)}"]
        else:
            body = Statements(choose, inner, 4, repeated=True, shared=True, wide=self.wide)
            lines = []
            free = [
                n for n in self.scope.local() if self.scope.kinds[n] in ("i0", "f0") and n not in ("v", "o")
            ]
            if free and choose.chance(30) and not self.inner:
                shared = choose.among(free)
                lines += [
                    f"nonlocal {shared}",
                    f"{shared} {choose.among([f'{o}=' for o in ARITHMETIC[:2]])} v",
                ]
            lines += body.block(min(depth, 1), 3)
            lines += [f"return {body.expressions.scalar(choose.among('if'), 1)}"]
            lines = [f"def {name}(v{choose.among(['', ', o=1'])}):", *indented(lines)]
        self.scope.kinds[name] = "function"
        self.scope.reserved.add(name)
        return lines


def indented(lines: list[str]) -> list[str]:
    """Return lines one block deeper."""
    return ["    " + line for line in lines]
