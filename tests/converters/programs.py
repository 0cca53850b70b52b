"""Random programs of statements, branches, loops and jumps, for Hypothesis."""

from hypothesis import strategies as st

NAMES = ("a", "b", "c", "d")

_small = st.integers(-2, 3).map(str)
_name = st.sampled_from(NAMES)
_atom = st.one_of(_name, _name, _small)


def _operations(inner):
    return st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "and", "or", "<", "==", "%"]), inner).map(
            lambda parts: "({} {} {})".format(*parts)
        ),
        st.tuples(inner, inner, inner).map(lambda parts: "({} if {} else {})".format(*parts)),
        st.tuples(inner, inner, inner).map(lambda parts: "({} < {} <= {})".format(*parts)),
        inner.map(lambda value: f"(not {value})"),
        inner.map(lambda value: f"see({value})"),
        st.tuples(_name, inner).map(lambda parts: "({} := {})".format(*parts)),
        st.tuples(inner, _name, inner).map(lambda parts: "sum([{} for {} in range({} % 3)])".format(*parts)),
        st.tuples(_name, inner, inner).map(
            lambda parts: "len([({} := k + {}) for k in range(2) if {}])".format(*parts)
        ),
        inner.map(lambda value: f"(lambda e: e + {value})(1)"),
        st.tuples(inner, inner).map(lambda parts: "sum({} for e in range(2) if {})".format(*parts)),
    )


expressions = st.recursive(_atom, _operations, max_leaves=4)


def _indented(block):
    return ["    " + line for line in block]


def _statements(depth: int, loop: bool):
    simple = [
        st.tuples(_name, expressions).map(lambda parts: ["{} = {}".format(*parts)]),
        st.tuples(_name, st.sampled_from(["+", "-", "*"]), expressions).map(
            lambda parts: ["{} {}= {}".format(*parts)]
        ),
        st.tuples(_name, _name, expressions, expressions).map(
            lambda parts: ["{}, {} = {}, {}".format(*parts)]
        ),
        expressions.map(lambda value: [f"see({value})"]),
        expressions.map(lambda value: [f"return {value}"]),
        _name.map(lambda name: [f"del {name}"]),
        st.tuples(_name, expressions).map(lambda parts: ["g = lambda {0}: {0} or {1}".format(*parts)]),
        st.tuples(_name, expressions).map(lambda parts: ["{} = g({})".format(*parts)]),
        st.tuples(_name, expressions).map(
            lambda parts: [
                "def g(e):",
                "    if e:",
                "        {} = e".format(*parts),
                "    return {1}".format(*parts),
            ]
        ),
        st.tuples(_name, _name, expressions).map(
            lambda parts: ["for {}, {} in [(1, 2), (0, {})]: turn()".format(*parts)]
        ),
        st.tuples(expressions, _name).map(lambda parts: ["assert {}, {}".format(*parts)]),
        expressions.map(lambda value: [f"if {value}: raise ValueError({value})"]),
        st.tuples(_name, expressions, expressions).map(
            lambda parts: [
                "def g(e):",
                "    nonlocal {}".format(*parts),
                "    if {1}:".format(*parts),
                "        {} = e".format(*parts),
                "    return {2}".format(*parts),
            ]
        ),
    ]
    if loop:
        simple += [st.just(["break"]), st.just(["continue"])] * 2
    if not depth:
        return st.one_of(simple)
    block, body = blocks(depth - 1, loop), blocks(depth - 1, True)
    orelse = st.one_of(st.none(), block)
    compound = [
        st.tuples(expressions, block, orelse).map(_if),
        st.tuples(_name, st.integers(0, 3), body, orelse).map(_for),
        st.tuples(expressions, body, orelse).map(_while),
        st.tuples(block, _handlers, block, orelse, st.one_of(st.none(), _final)).map(_try),
        st.tuples(expressions, _name, block).map(
            lambda parts: ["with held({}) as {}:".format(*parts), *_indented(parts[2])]
        ),
        st.tuples(expressions, _name, expressions, block, block).map(_match),
    ]
    return st.one_of(simple + compound * 3)


def _if(parts):
    test, body, orelse = parts
    tail = [] if orelse is None else ["else:", *_indented(orelse)]
    return [f"if {test}:", *_indented(body), *tail]


def _for(parts):
    target, count, body, orelse = parts
    tail = [] if orelse is None else ["else:", *_indented(orelse)]
    return [f"for {target} in range({count}):", *_indented(["turn()", *body]), *tail]


def _while(parts):
    test, body, orelse = parts
    tail = [] if orelse is None else ["else:", *_indented(orelse)]
    return [f"while turn() and {test}:", *_indented(body), *tail]


_handlers = st.sampled_from(
    (
        "except ValueError:",
        "except (TypeError, ArithmeticError) as {}:",
        "except Exception as {}:",
        "except:",
        None,
    )
)
_final = st.lists(
    st.one_of(expressions.map(lambda value: f"see({value})"), _name.map("{0} = see({0})".format)),
    min_size=1,
    max_size=2,
)


def _try(parts):
    body, clause, handler, orelse, final = parts
    lines = ["try:", *_indented(body)]
    if clause is None and final is None:
        final = ["see(0)"]
    if clause is not None:
        lines += [clause.format(NAMES[len(handler) % 4]), *_indented(handler)]
        lines += [] if orelse is None else ["else:", *_indented(orelse)]
    return lines + ([] if final is None else ["finally:", *_indented(final)])


def _match(parts):
    value, name, guard, one, other = parts
    lines = [
        "case 0 | 1:",
        *_indented(one),
        f"case int({name}) if {guard}:",
        *_indented(other),
        "case [_, *_]:",
        "    pass",
    ]
    return [f"match {value}:", *_indented(lines)]


def blocks(depth: int, loop: bool):
    """Gives lists of lines."""
    statement = st.deferred(lambda: _statements(depth, loop))
    return st.lists(statement, min_size=1, max_size=4).map(
        lambda parts: [line for part in parts for line in part]
    )


_HELD = [
    "class held:",
    "    def __init__(self, value):",
    "        self.value = value",
    "    def __enter__(self):",
    "        return self.value",
    "    def __exit__(self, *failure):",
    "        print(failure[0])",
]

programs = blocks(3, False).map(
    lambda lines: (
        "\n".join([*_HELD, "def f(a, b, see, turn):", *_indented(lines), *_indented(["return a, b, c, d"])])
        + "\n"
    )
)
"""The text of a function ``f`` of two numbers, a function that notes what it sees, and one that counts turns."""
