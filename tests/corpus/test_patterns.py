"""A header claims a pattern if and only if it stands in the program, as far as syntax can tell."""

import ast
from pathlib import Path

import numpy as np
import pytest

from transpile import corpus

# See Note [Spurious flags of BLAS].
pytestmark = pytest.mark.filterwarnings("ignore:invalid value encountered in matmul:RuntimeWarning")

LOOPS = (ast.For, ast.While)
FUNCTIONS = (ast.FunctionDef, ast.Lambda)


class Source:
    """What the detectors ask of a program's text, its input makers left out."""

    def __init__(self, program):
        tree = ast.parse(Path(program.module.__file__).read_text())
        self.body = [n for n in tree.body if getattr(n, "name", "") not in ("make_inputs", "bad_inputs")]
        self.nodes = [node for statement in self.body for node in ast.walk(statement)]
        self.functions = self.of(ast.FunctionDef)
        self.entry = next(f for f in self.functions if f.name == program.entry.__name__)

    def of(self, *kinds):
        return [n for n in self.nodes if isinstance(n, kinds)]

    def calls(self, *names):
        return [n for n in self.of(ast.Call) if ast.unparse(n.func) in names]

    def methods(self, *names):
        return [n for n in self.of(ast.Attribute) if n.attr in names]

    def attributes(self, *names):
        return [n for n in self.of(ast.Attribute) if ast.unparse(n) in names]


def inside(node, *kinds):
    return [n for child in ast.iter_child_nodes(node) for n in ast.walk(child) if isinstance(n, kinds)]


def names_in(node):
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} if node is not None else set()


def has_slice(node):
    return isinstance(node, ast.Subscript) and bool(inside(node, ast.Slice))


def range_loops(node):
    return [
        n for n in inside(node, ast.For) if isinstance(n.iter, ast.Call) and "range" in names_in(n.iter.func)
    ]


def depth(node):
    """How many loops stand one in the other, those of a comprehension not counted."""
    inner = max((depth(child) for child in ast.iter_child_nodes(node)), default=0)
    return inner + isinstance(node, LOOPS)


def targets(statement):
    return statement.targets if isinstance(statement, ast.Assign) else [statement.target]


def parameters(function):
    return {a.arg for a in function.args.args} - {"self"}


def base(node):
    """The name at the bottom of x[i].y[j]."""
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return getattr(node, "id", None)


def written(function):
    """Parameters that a function stores into, by subscript or as the output of a ufunc."""
    stores = [
        t
        for s in inside(function, ast.Assign, ast.AugAssign)
        for t in targets(s)
        if isinstance(t, ast.Subscript)
    ]
    stores += [c.args[-1] for c in inside(function, ast.Call) if positional_out(c)]
    return {base(s) for s in stores} & parameters(function)


def positional_out(call):
    arity = {"np.add": 2, "np.multiply": 2, "np.subtract": 2, "np.exp": 1, "np.log": 1, "np.sqrt": 1}
    return len(call.args) > arity.get(ast.unparse(call.func), 99)


def returns(function):
    """The returns that leave this function, not one nested in it."""
    nested = {r for f in inside(function, *FUNCTIONS) for r in inside(f, ast.Return)}
    return [r for r in inside(function, ast.Return) if r not in nested]


def loop_index_slice(source):
    loops = [(names_in(n.target), n) for n in source.of(ast.For, ast.comprehension)]
    scopes = [(names, n) for names, n in loops if isinstance(n, ast.For)]
    scopes += [(names_in(c.target), n) for n in source.of(ast.ListComp) for c in n.generators]
    return any(names & names_in(s) for names, n in scopes for s in inside(n, ast.Slice))


def triangular(source):
    return any(
        names_in(outer.target) & names_in(inner.iter)
        for outer in source.of(ast.For)
        for inner in range_loops(outer)
    )


def overlapping(source):
    """x[a:b] = f(x), x[a:b] += f(x)."""
    for s in source.of(ast.Assign, ast.AugAssign):
        for t in targets(s):
            if has_slice(t) and base(t) in names_in(s.value):
                return True
    return False


def changing_shape(source):
    """In a loop, x = ...x[1:]... or x = concatenate(x, ...)."""
    for s in (s for loop in source.of(*LOOPS) for s in inside(loop, ast.Assign)):
        name = getattr(s.targets[0], "id", None)
        cuts = [n for n in inside(s, ast.Subscript) if has_slice(n) and base(n) == name]
        grows = [
            c for c in inside(s, ast.Call) if ast.unparse(c.func) == "np.concatenate" and name in names_in(c)
        ]
        if name and (cuts or grows):
            return True
    return False


def over_arrays(source):
    """A loop over a name or attribute, bare or in enumerate or zip, that is not a list made of a range."""
    lists = {t.id for s in source.of(ast.Assign) if isinstance(s.value, ast.ListComp) for t in s.targets}
    for loop in source.of(ast.For):
        over = [loop.iter]
        if isinstance(loop.iter, ast.Call) and ast.unparse(loop.iter.func) in ("enumerate", "zip"):
            over = [a.args[0] if isinstance(a, ast.Call) and a.args else a for a in loop.iter.args]
        if any(isinstance(a, (ast.Name, ast.Attribute)) and getattr(a, "id", "") not in lists for a in over):
            return True
    return False


def numpys(call):
    return ast.unparse(call.func).startswith("np.")


def module_global(source):
    constants = {n for s in source.body if isinstance(s, ast.Assign) for t in s.targets for n in names_in(t)}
    return any(constants & names_in(f) for f in source.functions)


def user_call(source):
    mine = {f.name for f in source.functions} | {c.name for c in source.of(ast.ClassDef)}
    return any(mine & {ast.unparse(c.func)} for f in source.functions for c in inside(f, ast.Call))


def array_swap(s):
    left, right = s.targets[0], s.value
    if not (isinstance(left, ast.Tuple) and isinstance(right, ast.Tuple)):
        return False
    return [ast.unparse(e) for e in left.elts] == [ast.unparse(e) for e in reversed(right.elts)]


DETECTORS = {
    "array-iterables": over_arrays,
    "deep-loops": lambda s: max(depth(f) for f in s.functions) >= 3,
    "triangular-loops": triangular,
    "reversed-loops": lambda s: bool(
        s.calls("reversed")
        or [c for c in s.calls("range") if len(c.args) == 3 and isinstance(c.args[2], ast.UnaryOp)]
    ),
    "while-loops": lambda s: s.of(ast.While),
    "break": lambda s: s.of(ast.Break),
    "continue": lambda s: s.of(ast.Continue),
    "loop-else": lambda s: [n for n in s.of(*LOOPS) if n.orelse],
    "early-return": lambda s: any(r is not f.body[-1] for f in s.functions for r in returns(f)),
    "enumerate": lambda s: s.calls("enumerate"),
    "zip": lambda s: s.calls("zip"),
    "lazy-guard": lambda s: [
        b for b in s.of(ast.BoolOp) if isinstance(b.op, ast.And) and inside(b.values[-1], ast.Subscript)
    ],
    "buffer-swap": lambda s: any(array_swap(a) for a in s.of(ast.Assign)),
    "changing-shapes": changing_shape,
    "list-append": lambda s: [c for c in s.of(ast.Call) if getattr(c.func, "attr", "") == "append"],
    "comprehension": lambda s: [
        c for c in s.of(ast.ListComp) if ast.unparse(c.generators[0].iter).startswith("range(")
    ],
    "conditional-expression": lambda s: s.of(ast.IfExp),
    "output-arguments": lambda s: not returns(s.entry),
    "augmented-slices": lambda s: [a for a in s.of(ast.AugAssign) if has_slice(a.target)],
    "overlapping-update": overlapping,
    "writing-helpers": lambda s: any(written(f) for f in s.functions if f is not s.entry),
    "subscript-targets": lambda s: [
        a
        for a in s.of(ast.Assign)
        if isinstance(a.targets[0], ast.Tuple)
        and any(isinstance(e, ast.Subscript) for e in a.targets[0].elts)
    ],
    "chained-stores": lambda s: [
        a
        for a in s.of(ast.Assign)
        if len(a.targets) > 1 and any(isinstance(t, ast.Subscript) for t in a.targets)
    ],
    "scatter-add": lambda s: (
        [
            a
            for a in s.of(ast.AugAssign)
            if isinstance(a.target, ast.Subscript) and isinstance(a.target.slice, ast.BinOp)
        ]
        or s.calls("np.add.at")
    ),
    "keyword-out": lambda s: [k for c in s.of(ast.Call) for k in c.keywords if k.arg == "out" and numpys(c)],
    "row-exchange": lambda s: [
        a
        for a in s.of(ast.Assign)
        if isinstance(a.targets[0], ast.Subscript) and isinstance(a.targets[0].slice, ast.List)
    ],
    "positional-out": lambda s: any(positional_out(c) for c in s.of(ast.Call)),
    "loop-index-slices": loop_index_slice,
    "strided-slices": lambda s: [n for n in s.of(ast.Slice) if n.step is not None],
    "where": lambda s: s.calls("np.where"),
    "select-choose": lambda s: s.calls("np.select", "np.choose"),
    "newaxis": lambda s: s.attributes("np.newaxis"),
    "none-axis": lambda s: [
        n
        for n in s.of(ast.Subscript)
        if isinstance(n.slice, ast.Tuple)
        and any(isinstance(e, ast.Constant) and e.value is None for e in n.slice.elts)
    ],
    "ellipsis": lambda s: [n for n in s.of(ast.Constant) if n.value is ...],
    "reshape": lambda s: s.methods("reshape"),
    "pad-roll": lambda s: s.calls("np.pad", "np.roll"),
    "shape-assignment": lambda s: [
        t for a in s.of(ast.Assign) for t in a.targets if getattr(t, "attr", "") == "shape"
    ],
    "ndarray-constructor": lambda s: s.calls("np.ndarray"),
    "concatenate-stack": lambda s: s.calls("np.concatenate", "np.stack"),
    "axis-reductions": lambda s: [
        c
        for c in s.of(ast.Call)
        if any(k.arg == "axis" for k in c.keywords)
        and getattr(c.func, "attr", "") in ("sum", "mean", "min", "max")
    ],
    "keepdims": lambda s: [k for c in s.of(ast.Call) for k in c.keywords if k.arg == "keepdims"],
    "argmin": lambda s: s.methods("argmin"),
    "argmax": lambda s: s.methods("argmax"),
    "scans": lambda s: s.methods("cumsum", "accumulate", "diff"),
    "sorts": lambda s: s.calls("np.sort", "np.argsort", "np.lexsort", "np.argpartition"),
    "searchsorted": lambda s: s.calls("np.searchsorted"),
    "unique-bincount": lambda s: s.calls("np.unique", "np.bincount"),
    "quantiles": lambda s: s.calls("np.median", "np.percentile", "np.quantile"),
    "nan-functions": lambda s: s.calls("np.isnan", "np.nanmean"),
    "random-draws": lambda s: s.calls("np.random.default_rng"),
    "outer-products": lambda s: s.calls("np.outer"),
    "contractions": lambda s: s.calls("np.einsum", "np.tensordot", "np.dot"),
    "library-solvers": lambda s: s.attributes("np.linalg"),
    "transforms": lambda s: s.attributes("np.fft"),
    "matmul": lambda s: s.of(ast.MatMult),
    "clip": lambda s: s.calls("np.clip"),
    "bit-operations": lambda s: [
        n for n in s.of(ast.BinOp, ast.AugAssign) if isinstance(n.op, (ast.LShift, ast.RShift))
    ],
    "complex": lambda s: [n for n in s.of(ast.Constant) if isinstance(n.value, complex)],
    "module-globals": module_global,
    "default-arguments": lambda s: s.entry.args.defaults,
    "keyword-only": lambda s: s.entry.args.kwonlyargs,
    "math-functions": lambda s: (
        s.attributes("math.sqrt", "math.exp", "math.log", "math.copysign")
        or [n for n in s.of(ast.ImportFrom) if n.module == "math"]
    ),
    "starred": lambda s: s.of(ast.Starred),
    "user-calls": user_call,
    "nested-functions": lambda s: any(inside(f, *FUNCTIONS) for f in s.functions),
    "classes": lambda s: [c for c in s.of(ast.ClassDef) if not c.decorator_list],
    "operator-methods": lambda s: [f for f in s.functions if f.name in ("__mul__", "__call__")],
    "property": lambda s: [
        f for f in s.functions for d in f.decorator_list if ast.unparse(d) in ("property", "staticmethod")
    ],
    "tuple-results": lambda s: any(isinstance(r.value, ast.Tuple) for r in returns(s.entry)),
    "progress-print": lambda s: [
        c for n in s.of(*LOOPS) for c in inside(n, ast.Call) if "print" in names_in(c.func)
    ],
    "validation": lambda s: s.of(ast.Assert, ast.Raise),
}


@pytest.mark.parametrize("name", corpus.names())
def test_headers_claim_the_patterns_that_stand_in_the_program(name):
    program = corpus.load(name)
    source = Source(program)
    found = {pattern for pattern, detect in DETECTORS.items() if detect(source)}
    assert program.patterns & set(DETECTORS) == found


def test_detectors_have_known_names():
    assert set(DETECTORS) <= set(corpus.PATTERNS)


def changed(program, args):
    """Whether a call raises, and whether it writes into any of its arguments."""
    before = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
    try:
        program.entry(*args)
    except Exception:
        failed = True
    else:
        failed = False
    pairs = [(a, b) for a, b in zip(args, before, strict=True) if isinstance(a, np.ndarray)]
    return failed, any(not np.array_equal(a, b, equal_nan=a.dtype.kind == "f") for a, b in pairs)


@pytest.mark.parametrize("name", corpus.names())
def test_headers_say_whether_arguments_are_written(name):
    program = corpus.load(name)
    claimed = program.patterns & {"output-arguments", "updated-arguments"}
    assert changed(program, program.make()) == (False, bool(claimed))


@pytest.mark.parametrize("name", corpus.names())
def test_headers_say_whether_an_error_can_follow_a_write(name):
    program = corpus.load(name)
    outcomes = [changed(program, case.args) for case in program.error_cases()]
    assert all(failed for failed, _ in outcomes)
    assert any(wrote for _, wrote in outcomes) == ("raise-after-writes" in program.patterns)


@pytest.mark.parametrize("name", corpus.names())
def test_headers_say_whether_precisions_are_mixed(name):
    program = corpus.load(name)
    result = program.entry(*program.make(dtype="float32" if program.dtypes else None))
    args = program.make(dtype="float32" if program.dtypes else None)
    values = [*args, *(result if isinstance(result, tuple) else [])]
    kinds = {v.dtype.name for v in values if isinstance(v, np.ndarray) and v.dtype.kind == "f"}
    assert (kinds >= {"float32", "float64"}) == ("mixed-precision" in program.patterns)
