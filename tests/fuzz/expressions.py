"""Random expressions, of a kind that is asked for."""

from __future__ import annotations

from . import holes
from .choices import Choices
from .scope import Scope
from .vocabulary import (
    ARITHMETIC,
    BINARY,
    COMPARISONS,
    DTYPES,
    FLOATS,
    INTEGERS,
    LARGE,
    ODD_FLOATS,
    REDUCTIONS,
    TEXTS,
    UNARY,
    UNDEFINED,
)


class Expressions:
    """Writes expressions over the names of a scope."""

    def __init__(self, choices: Choices, scope: Scope) -> None:
        self.choices = choices
        self.scope = scope
        # Whether what is written may run many times: then nothing grows by more than a constant.
        self.repeated = False

    def of(self, kind: str, depth: int = 2) -> str:
        """Return an expression of a kind."""
        if kind in self.scope.families.makes:
            return self.of_family(kind)
        if kind in ("list", "tuple", "text", "dict", "box", "pair"):
            return self.read(kind, depth) or getattr(self, kind)(depth)
        return self.array(kind[0], int(kind[1]), depth) if kind[1] != "0" else self.scalar(kind[0], depth)

    def some(self, *kinds: str) -> str | None:
        """Return a name of one of these kinds, where there is one."""
        names = self.scope.of(kinds)
        return self.choices.among(names) if names else None

    def careful(self) -> bool:
        """Whether to avoid what mostly fails: where calls leave a state behind, most of them are to get somewhere."""
        return bool(self.scope.families.reads) and not self.choices.chance(15)

    def divisor(self, letter: str, depth: int) -> str:
        """Return what a number is divided by."""
        return (
            self.choices.among(["2", "3", "-7", "2.5"][: 3 + (letter == "f")])
            if self.careful()
            else self.scalar(letter, depth)
        )

    def made(self, kind: str) -> str:
        """Return an expression that makes a value of a kind anew."""
        if kind[1:] in ("1", "2"):
            return self.new_array(kind[0], int(kind[1]))
        return self.of(kind, 1)

    def of_family(self, kind: str) -> str:
        """Return an expression of a kind that a family makes: the first template is filled without any name."""
        choose = self.choices
        known = choose.chance(30) and self.some(kind)
        makes = self.scope.families.makes[kind]
        return (
            known
            or self.read(kind, 2)
            or holes.expression(choose.among(makes), self, 1)
            or holes.expression(makes[0], self, 1)
            or "None"
        )

    def read(self, kind: str, depth: int) -> str | None:
        """Return an expression of a family's, now and then, where it has one of the kind."""
        reads = self.scope.families.reads.get(kind)
        if not reads or depth <= 0 or not self.choices.chance(25):
            return None
        return holes.expression(self.choices.among(reads), self, depth - 1)

    # -- scalars -----------------------------------------------------------------------------------------------

    def scalar(self, letter: str, depth: int) -> str:
        """Return a number or a truth."""
        found = self.read(f"{letter}0", depth)
        if found:
            return found
        if letter == "b":
            return self.truth(depth)
        if letter == "c":
            return self.complex(depth)
        return self.integer(depth) if letter == "i" else self.float(depth)

    def literal(self, letter: str) -> str:
        """Return a number written out."""
        choose = self.choices
        if letter == "i":
            return choose.among(LARGE) if choose.chance(4) else choose.among(INTEGERS)
        if letter == "f":
            return choose.among(ODD_FLOATS) if choose.chance(6) else choose.among(FLOATS)
        return (
            choose.among(["1j", "(1+2j)", "(0.5-1j)"]) if letter == "c" else choose.among(["True", "False"])
        )

    def integer(self, depth: int) -> str:
        """Return an integer."""
        choose = self.choices
        if depth <= 0 or choose.chance(25):
            return (choose.chance(70) and self.some("i0")) or self.literal("i")
        deeper = depth - 1
        form = choose.weighted([
            (8, "operation"), (2, "times"), (3, "divide"), (2, "bits"), (2, "length"), (4, "element"), (2, "reduce"),
            (1, "convert"), (2, "choose"), (2, "function"), (1, "strong"), (1, "count"), (1, "call"), (1, "power"), (1, "field"),
        ])  # fmt: skip
        if form == "operation":
            return f"({self.integer(deeper)} {choose.among(['+', '-'])} {self.integer(deeper)})"
        if form == "times":
            return f"({self.integer(deeper)} * {choose.among(INTEGERS)})"
        if form == "divide":
            return f"({self.integer(deeper)} {choose.among(['//', '%'])} {self.divisor('i', deeper)})"
        if form == "bits":
            operator = choose.among(["&", "|", "^", "<<", ">>"])
            right = choose.among(["1", "2", "0"]) if operator in ("<<", ">>") else self.integer(deeper)
            return f"({self.integer(deeper)} {operator} {right})"
        if form == "length":
            return self.length()
        if form == "element":
            return self.element("i", deeper) or self.literal("i")
        if form == "reduce":
            return self.reduction("i", deeper)
        if form == "convert":
            return f"int({choose.among([self.float, self.truth])(deeper)})"
        if form == "choose":
            return f"({self.integer(deeper)} if {self.truth(deeper)} else {self.integer(deeper)})"
        if form == "function":
            name = choose.among(
                ["abs({})", "min({}, {})", "max({}, {}, 2)", "-{}", "~{}", "round({})", "+{}"]
            )
            return name.format(self.integer(deeper), self.integer(deeper))
        if form == "strong":
            return f"{choose.among(DTYPES['i'])}({choose.among(INTEGERS[:8])})"
        if form == "count":
            return f"sum({self.comprehension('i', deeper)})"
        if form == "power" and not self.repeated:
            return f"({self.integer(deeper)} ** {choose.among(['2', '3', '0'])})"
        if form == "field":
            return self.field() or self.literal("i")
        return self.call() or self.literal("i")

    def float(self, depth: int) -> str:
        """Return a float."""
        choose = self.choices
        if depth <= 0 or choose.chance(25):
            return (choose.chance(70) and self.some("f0")) or self.literal("f")
        deeper = depth - 1
        form = choose.weighted([
            (8, "operation"), (3, "divide"), (3, "mixed"), (5, "element"), (4, "reduce"), (2, "math"), (2, "choose"),
            (1, "convert"), (2, "function"), (1, "strong"), (1, "power"), (1, "sum"), (1, "dot"),
        ])  # fmt: skip
        if form == "operation":
            return f"({self.float(deeper)} {choose.among(ARITHMETIC)} {self.float(deeper)})"
        if form == "divide":
            return f"({self.float(deeper)} {choose.among(['/', '//', '%'])} {self.divisor('f', deeper)})"
        if form == "mixed":
            return f"({self.float(deeper)} {choose.among([*ARITHMETIC, '/'])} {self.integer(deeper)})"
        if form == "element":
            return self.element("f", deeper) or self.literal("f")
        if form == "reduce":
            return self.reduction("f", deeper)
        if form == "math":
            name = choose.among(["sqrt", "floor", "exp", "sin", "fabs", "log", "atan", "hypot"])
            second = f", {self.float(0)}" if name == "hypot" else ""
            return f"math.{name}({self.float(deeper)}{second})"
        if form == "choose":
            return f"({self.float(deeper)} if {self.truth(deeper)} else {self.float(deeper)})"
        if form == "convert":
            return f"float({self.integer(deeper)})"
        if form == "function":
            name = choose.among(
                [
                    "abs({})",
                    "min({}, {})",
                    "max({}, {})",
                    "-{}",
                    "round({}, 2)",
                    "np.sqrt({})",
                    "np.maximum({}, {})",
                ]
            )
            return name.format(self.float(deeper), self.float(deeper))
        if form == "strong":
            return f"{choose.among(['np.float64', 'np.float32'])}({choose.among(FLOATS[:9])})"
        if form == "power":
            return f"({self.float(deeper)} ** {choose.among(['2', '0.5', '-1', '3', '2.0'])})"
        if form == "sum":
            return f"sum({self.comprehension('f', deeper)})"
        one = self.some("f1")
        return f"np.dot({one}, {one})" if one else self.literal("f")

    def complex(self, depth: int) -> str:
        """Return a complex number."""
        choose = self.choices
        if depth <= 0:
            return self.some("c0") or self.literal("c")
        form = choose.among(["literal", "operation", "element", "make", "conjugate"])
        if form == "operation":
            return f"({self.complex(depth - 1)} {choose.among(ARITHMETIC)} {self.scalar(choose.among('ifc'), depth - 1)})"
        if form == "element":
            return self.element("c", depth - 1) or self.literal("c")
        if form == "make":
            return f"complex({self.float(depth - 1)}, {self.float(0)})"
        return f"({self.complex(depth - 1)}).conjugate()" if form == "conjugate" else self.literal("c")

    def truth(self, depth: int) -> str:
        """Return a truth."""
        choose = self.choices
        if depth <= 0:
            known = choose.chance(40) and self.some("b0")
            return known or f"{self.integer(0)} {choose.among(COMPARISONS)} {self.integer(0)}"
        deeper = depth - 1
        form = choose.weighted([
            (8, "compare"), (3, "logic"), (2, "not"), (2, "reduce"), (2, "element"), (1, "chain"), (1, "member"), (1, "none"),
            (1, "instance"), (2, "number"),
        ])  # fmt: skip
        if form == "compare":
            letter = choose.among("iff")
            return f"({self.scalar(letter, deeper)} {choose.among(COMPARISONS)} {self.scalar(choose.among('if'), deeper)})"
        if form == "logic":
            return f"({self.truth(deeper)} {choose.among(['and', 'or'])} {self.truth(deeper)})"
        if form == "not":
            return f"(not {self.truth(deeper)})"
        if form == "reduce":
            return f"{self.array('b', 1, deeper)}.{choose.among(['any', 'all'])}()"
        if form == "element":
            return self.element("b", deeper) or "True"
        if form == "chain":
            return f"({self.integer(0)} <= {self.integer(deeper)} < {self.integer(0)})"
        if form == "member":
            return f"({self.integer(deeper)} {choose.among(['in', 'not in'])} {choose.among(['(1, 2, 3)', '[0, 5]', '{2: 1}'])})"
        if form == "none":
            name = self.any_name()
            return f"({name} is {choose.among(['None', 'not None'])})" if name else "True"
        if form == "instance":
            name = self.any_name()
            return (
                f"isinstance({name}, {choose.among(['int', 'float', 'np.ndarray', '(int, np.integer)', 'bool'])})"
                if name
                else "True"
            )
        return f"bool({self.scalar(choose.among('if'), deeper)})"

    # -- parts -------------------------------------------------------------------------------------------------

    def any_name(self) -> str | None:
        """Return any name of a value."""
        names = [n for n in self.scope.kinds if self.scope.kinds[n] != "function"]
        return self.choices.among(names) if names else None

    def length(self) -> str:
        """Return an integer that a shape or length gives."""
        name = self.some(*(f"{letter}{ndim}" for letter in "fibc" for ndim in (1, 2)))
        if name is None:
            other = self.some("list", "tuple", "dict", "text")
            return f"len({other})" if other else "2"
        return self.choices.among(
            [f"len({name})", f"{name}.shape[0]", f"{name}.size", f"{name}.ndim", f"{name}.shape[-1]"]
        )

    def size(self) -> str:
        """Return an integer that is small, and mostly not negative."""
        choose = self.choices
        known = self.some("i0") if choose.chance(30) else None
        if known:
            return f"{known} % {choose.among(['5', '4', '3'])}"
        return (
            self.length()
            if choose.chance(40)
            else choose.among(["3", "2", "4", "5"] if self.careful() else ["1", "0"])
        )

    def index(self, array: str) -> str:
        """Return an index, which is mostly in range."""
        choose = self.choices
        rash = 0 if self.careful() else 1
        form = choose.weighted(
            [(6, "literal"), (3 * rash, "name"), (4, "modulo"), (rash, "expression"), (1, "end")]
        )
        name = self.some("i0") or "0"
        if form == "literal":
            return choose.among(["0", "1", "-1", "0", "2", "-2"])
        if form == "name":
            return name
        if form == "modulo":
            return f"{name} % len({array})"
        return f"len({array}) - 1" if form == "end" else self.integer(1)

    def slice(self) -> str:
        """Return a slice."""
        choose = self.choices
        name = self.some("i0") or "1"
        return choose.among([
            ":", "1:", ":-1", "::2", "::-1", "1:-1", "2:", ":2", f"{name}:", f":{name}", f"1:{name}", "-3:", "-1::-2", "1:5:2",
            f"{name}:{name} + 2", f"-{name}:",
        ])  # fmt: skip

    def element(self, letter: str, depth: int) -> str | None:
        """Return an element of an array or list."""
        choose = self.choices
        name = self.some(f"{letter}1", f"{letter}2")
        if name is None:
            other = self.some("list", "tuple")
            return f"{other}[{self.index(other)}]" if other else None
        if name in self.scope.of([f"{letter}2"]):
            if choose.chance(30):
                return f"{name}[{self.index(name)}][{choose.among(['0', '1', '-1'])}]"
            return f"{name}[{self.index(name)}, {choose.among(['0', '1', '-1', self.index(name)])}]"
        text = f"{name}[{self.index(name)}]"
        return f"{text}.item()" if choose.chance(5) else text

    def reduction(self, letter: str, depth: int) -> str:
        """Return a reduction of an array to a number."""
        choose = self.choices
        source = self.array(
            choose.among([letter, letter, "i" if letter == "f" else "f"]) if letter in "if" else letter,
            1,
            depth,
        )
        name = choose.among(REDUCTIONS[letter])
        form = choose.among(["method", "function", "builtin"])
        if form == "builtin" and letter in "if" and name in ("sum", "max", "min"):
            return f"{name}({source})"
        return f"np.{name}({source})" if form == "function" else f"{source}.{name}()"

    def comprehension(self, letter: str, depth: int) -> str:
        """Return a generator expression, without its parentheses."""
        choose = self.choices
        source = choose.among([f"range({self.size()})", self.some(f"{letter}1") or "(1, 2, 3)"])
        inner = Expressions(
            choose, Scope({"v": "i0" if source.startswith("range") else f"{letter}0"}, outer=self.scope)
        )
        inner.repeated = True
        test = f" if {inner.truth(1)}" if choose.chance(40) else ""
        return f"{inner.scalar(letter, depth)} for v in {source}{test}"

    def call(self) -> str | None:
        """Return a call of a function that the program defines."""
        name = self.some("function")
        if name is None:
            return None
        return f"{name}({self.scalar(self.choices.among('if'), 1)})"

    def field(self) -> str | None:
        """Return a field of an object."""
        name = self.some("box", "pair")
        if name is None:
            return None
        if name in self.scope.of(["box"]):
            return self.choices.among(
                [f"{name}.value", f"{name}.doubled()", f"{name}.next", f"({name} + 1).value"]
            )
        return self.choices.among([f"{name}.a", f"{name}[0]", f"{name}._replace(a=2).a"])

    # -- containers --------------------------------------------------------------------------------------------

    def list(self, depth: int) -> str:
        """Return a list of numbers."""
        choose = self.choices
        letter = choose.among("if")
        form = choose.among(["display", "comprehension", "empty", "name", "convert", "sorted", "map"])
        if form == "comprehension":
            return f"[{self.comprehension(letter, depth - 1)}]"
        if form == "name":
            known = self.some("list")
            if known:
                return choose.among([known, f"{known}[{self.slice()}]", f"{known}[::-1]", f"list({known})"])
        if form == "convert":
            source = self.some("f1", "i1")
            if source:
                return choose.among([f"list({source})", f"{source}.tolist()", f"[*{source}, 1]"])
        if form == "sorted":
            source = self.some("list", "i1")
            if source:
                return f"{choose.among(['sorted({})', 'list(reversed({}))', 'sorted({}, reverse=True)']).format(source)}"
        if form == "map":
            return f"list(map(abs, [{self.scalar(letter, depth - 1)}, {self.scalar(letter, depth - 1)}]))"
        if form == "empty":
            return "[]"
        return "[" + ", ".join(self.scalar(letter, depth - 1) for _ in range(choose.count(1, 3))) + "]"

    def tuple(self, depth: int) -> str:
        """Return a tuple."""
        choose = self.choices
        if choose.chance(15):
            return f"divmod({self.integer(depth - 1)}, {self.integer(0)})"
        parts = [
            self.of(choose.among(["i0", "f0", "b0", "f1"]), depth - 1) for _ in range(choose.count(1, 3))
        ]
        return "(" + ", ".join(parts) + ",)"

    def dict(self, depth: int) -> str:
        """Return a dictionary."""
        return f"{{'a': {self.integer(depth - 1)}, 'b': {self.of(self.choices.among(['f0', 'f1', 'i0']), depth - 1)}}}"

    def box(self, depth: int) -> str:
        """Return an instance of a class."""
        return f"Box({self.scalar(self.choices.among('if'), depth - 1)})"

    def pair(self, depth: int) -> str:
        """Return a named tuple."""
        return f"Pair({self.scalar('i', depth - 1)}, {self.scalar('f', depth - 1)})"

    def text(self, depth: int) -> str:
        """Return text."""
        choose = self.choices
        form = choose.among(["literal", "fstring", "join", "percent", "name", "str"])
        if form == "fstring":
            return self.fstring(depth)
        if form == "join":
            return f"{self.text(0)} + {self.text(0)}"
        if form == "percent":
            return f"'%d %s' % ({self.integer(0)}, {self.float(0)})"
        if form == "str":
            return f"{choose.among(['str', 'repr'])}({self.scalar(choose.among('ifb'), 1)})"
        known = self.some("text") if form == "name" else None
        return known or choose.among(TEXTS)

    def fstring(self, depth: int) -> str:
        """Return an f-string."""
        choose = self.choices
        parts = []
        for _ in range(choose.count(1, 2)):
            letter = choose.among("ifb")
            value = self.some(f"{letter}0") or self.literal(letter)
            specification = choose.among(
                [
                    "",
                    "",
                    "!r",
                    "!s",
                    ":>8",
                    ":.3f" if letter != "b" else "",
                    ":5d" if letter == "i" else ":<6",
                ]
            )
            parts.append(choose.among(["", "x=", " "]) + f"{{{value}{specification}}}".replace("'", '"'))
        return "f'" + "".join(parts) + "'"

    # -- arrays ------------------------------------------------------------------------------------------------

    def array(self, letter: str, ndim: int, depth: int, whole: bool = False) -> str:
        """Return an array; a whole one has the size that all whole arrays of the program have, unless sizes are mixed on purpose."""
        choose = self.choices
        found = self.read(f"{letter}{ndim}", depth)
        if found:
            return found
        known = self.some(f"{letter}{ndim}")
        if not whole and choose.chance(20):
            known = self.some(f"{letter}{ndim}?") or known
        if depth <= 0:
            return known or self.new_array(letter, ndim, whole)
        deeper = depth - 1
        form = choose.weighted([
            (5, "name"), (7, "operation"), (4, "unary"), (3, "binary"), (2, "new"), (2, "choose"), (2, "convert"), (1, "conditional"),
        ])  # fmt: skip
        if not whole and choose.chance(50):
            return self.part(letter, ndim, known, deeper)
        if form == "name":
            return known or self.new_array(letter, ndim, whole)
        if form == "new":
            return self.new_array(letter, ndim, whole)
        # What stands beside another array has its size, but for one time in ten.
        whole = not choose.chance(8)
        if form == "unary":
            return f"{choose.among(UNARY[letter])}({self.array(letter, ndim, deeper, whole)})"
        if form == "binary":
            return f"{choose.among(BINARY[letter])}({self.array(letter, ndim, deeper, whole)}, {self.beside(letter, ndim, deeper, whole)})"
        if form == "choose":
            test = self.array("b", ndim, deeper, whole)
            return f"np.where({test}, {self.array(letter, ndim, deeper, whole)}, {self.beside(letter, ndim, deeper, whole)})"
        if form == "convert":
            given = self.array(choose.among("if"), ndim, deeper, whole)
            return f"{given}.astype({choose.among(DTYPES[letter]).replace(*UNDEFINED)})"
        if form == "conditional":
            one, other = self.array(letter, ndim, deeper, whole), self.array(letter, ndim, deeper, whole)
            return f"({one} if {self.truth(deeper)} else {other})"
        if letter == "b":
            own = choose.among("if")
            left, right = self.array(own, ndim, deeper, whole), self.beside(own, ndim, deeper, whole)
            return f"({left} {choose.among(COMPARISONS)} {right})"
        operators = {
            "f": [*ARITHMETIC, "/", "**"],
            "i": [*ARITHMETIC, "//", "%", "&", ">>"],
            "c": ARITHMETIC,
        }[letter]
        operator = choose.among(operators)
        if operator == "**":
            return f"({self.array(letter, ndim, deeper, whole)} ** {choose.among(['2', '0.5', '3', '-1', self.float(0)])})"
        left, right = self.array(letter, ndim, deeper, whole), self.beside(letter, ndim, deeper, whole)
        return f"({left} {operator} {right})" if choose.chance(80) else f"({right} {operator} {left})"

    def part(self, letter: str, ndim: int, known: str | None, depth: int) -> str:
        """Return an array of a size of its own: a view, elements, a reduction along an axis, several arrays joined."""
        choose = self.choices
        form = choose.weighted([(5, "slice"), (3, "shifted"), (2, "mask"), (2, "take"), (2, "reshape"), (2, "axis"), (1, "join"),
                                (1, "product"), (1, "list")])  # fmt: skip
        if form == "shifted" and known and letter in "ifc":
            one, other = choose.among(
                [(":-1", "1:"), ("2:", ":-2"), ("::-1", ":"), (":2", "-2:"), ("1:-1", "2:")]
            )
            return f"({known}[{one}] {choose.among(ARITHMETIC)} {known}[{other}])"
        if form == "mask" and known and ndim == 1:
            return f"{known}[{self.mask(known, depth)}]"
        if form == "take" and known and ndim == 1:
            return f"{known}[{choose.among(['[0, 1]', '[0, -1, 0]', self.array('i', 1, 0), f'np.argsort({known})'])}]"
        if form == "axis" and ndim == 1 and letter in "if":
            return f"{self.array(letter, 2, depth)}.{choose.among(['sum', 'max', 'min', 'mean'])}(axis={choose.among(['0', '1', '-1'])})"
        if form == "join" and ndim == 1 and not self.repeated:
            parts = f"{self.array(letter, 1, depth)}, {self.array(letter, 1, 0)}"
            return choose.among(
                [f"np.concatenate(({parts}))", f"np.append({parts})", f"np.hstack([{parts}])"]
            )
        if form == "product" and letter in "if":
            if ndim == 1:
                return f"{self.array(letter, 2, 0, True)} @ {self.array(letter, 1, 0, True)}"
            if choose.chance(50):
                return f"np.outer({self.array(letter, 1, 0)}, {self.array(letter, 1, 0)})"
            return f"{self.array(letter, 2, depth, True)} @ {self.array(letter, 2, 0, True)}"
        if form == "list" and ndim == 1 and letter in "if":
            return f"np.array({self.list(depth)})"
        if form == "reshape":
            source = self.array(letter, 2 if ndim == 1 else choose.among([1, 1, 2]), depth)
            if ndim == 1:
                return choose.among(
                    [
                        f"{source}.ravel()",
                        f"{source}.reshape(-1)",
                        f"{source}[0]",
                        f"{source}[:, -1]",
                        f"np.diag({source})",
                    ]
                )
            return choose.among(
                [
                    f"np.atleast_2d({source}).T",
                    f"{source}.reshape(-1, 1)",
                    f"{source}.reshape(1, -1)",
                    f"np.atleast_2d({source})",
                ]
            )
        if not known:
            return self.new_array(letter, ndim)
        if ndim == 2 and choose.chance(60):
            return f"{known}[{self.slice()}, {self.slice()}]"
        return f"{known}[{self.slice()}]"

    def beside(self, letter: str, ndim: int, depth: int, whole: bool = True) -> str:
        """Return an operand beside an array: another, or a number, of a letter before it or its own."""
        choose = self.choices
        other = choose.among(
            [letter, letter, "i" if letter in "fc" else letter, "f" if letter in "c" else letter]
        )
        if choose.chance(50):
            return self.scalar(other, depth)
        return self.array(other, ndim if choose.chance(80) else 1, depth, whole)

    def mask(self, array: str, depth: int) -> str:
        """Return a mask for an array."""
        return f"{array} {self.choices.among(COMPARISONS)} {self.scalar(self.choices.among('if'), depth - 1)}"

    def new_array(self, letter: str, ndim: int, whole: bool = False) -> str:
        """Return an array that is made anew, a whole one in the size of others."""
        choose = self.choices
        dtype = choose.among(DTYPES[letter])
        like = self.some(f"f{ndim}", f"i{ndim}", f"{letter}{ndim}")
        if like and (whole or choose.chance(35)):
            return choose.among([f"np.zeros_like({like}, dtype={dtype})", f"np.ones_like({like}, {dtype})", f"{like}.astype({dtype.replace(*UNDEFINED)})",
                                 f"np.full_like({like}, {self.literal('i' if letter == 'b' else letter)}, dtype={dtype})"])  # fmt: skip
        if ndim == 2:
            shape = f"({self.size()}, {self.size()})"
            return choose.among([f"np.zeros({shape}, {dtype})", f"np.ones({shape}, dtype={dtype})", f"np.eye({self.size()}, dtype={dtype})",
                                 f"np.full({shape}, {self.scalar(letter, 0)})", f"np.arange(6).reshape(2, 3).astype({dtype})"])  # fmt: skip
        size = self.size()
        options = [
            f"np.zeros({size}, {dtype})",
            f"np.ones({size}, dtype={dtype})",
            f"np.full({size}, {self.scalar(letter, 0)})",
        ]
        if letter in "if":
            options += [
                f"np.arange({size}, dtype={dtype})",
                f"np.array([{self.scalar(letter, 0)}, {self.scalar(letter, 0)}])",
            ]
        if letter == "f":
            options.append(
                f"np.linspace({choose.among(['0', '-1.5'])}, {choose.among(['1', '2.5'])}, {size})"
            )
        return choose.among(options)
