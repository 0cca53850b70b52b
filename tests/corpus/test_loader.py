"""The headers are in order, and the inputs are what the loader promises."""

import ast
import contextlib
import io
import re
from pathlib import Path

import numpy as np
import pytest

from transpile import corpus

NAMES = corpus.names()
INPUT_MAKERS = ("make_inputs", "bad_inputs")

# What the programs may ask of NumPy outside their input makers.
ALLOWED = """
    abs add all allclose any append arange arccos arcsin arctan2 argmax argmin argpartition argsort array
    array_equal average bincount choose clip column_stack concatenate cos count_nonzero cross cumsum degrees
    diag diagonal diff dot einsum empty empty_like exp eye fft flatnonzero flip float32 full full_like hypot
    inf int32 int64 int8 isfinite isnan lexsort linalg linspace log log10 log2 max maximum median minimum
    multiply nan nanmean ndarray newaxis ones ones_like outer pad percentile pi prod quantile radians random
    rint roll searchsorted select sign sin sort sqrt squeeze stack take_along_axis tanh tensordot uint32 uint8
    unique where zeros zeros_like
"""

# Note [Spurious flags of BLAS]
# OpenBLAS now and then leaves FE_INVALID set after products of finite numbers (numpy/numpy#24067), and NumPy then warns.
# It is not a fault of the program, whose results are checked for what they should be.
pytestmark = pytest.mark.filterwarnings("ignore:invalid value encountered in matmul:RuntimeWarning")


def tree_of(program):
    return ast.parse(Path(program.module.__file__).read_text())


def arrays(args):
    return [a for a in leaves(args) if isinstance(a, np.ndarray)]


def same(left, right):
    return all(
        np.array_equal(a, b, equal_nan=np.asarray(a).dtype.kind == "f")
        for a, b in zip(leaves(left), leaves(right), strict=True)
    )


def run(program, args):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        result = program.entry(*args)
    return result, out.getvalue()


def leaves(value):
    if isinstance(value, dict):
        return [x for v in value.values() for x in leaves(v)]
    if isinstance(value, (tuple, list)):
        return [x for v in value for x in leaves(v)]
    return leaves(vars(value)) if hasattr(value, "__dataclass_fields__") else [] if value is None else [value]


def test_there_are_six_programs_of_each_family():
    families = [corpus.load(name).family for name in NAMES]
    assert {family: families.count(family) for family in corpus.FAMILIES} == dict.fromkeys(corpus.FAMILIES, 6)
    assert len(NAMES) == 48


@pytest.mark.parametrize("name", NAMES)
def test_headers_use_known_words(name):
    program = corpus.load(name)
    assert program.summary.endswith((".", ":"))
    assert program.family in corpus.FAMILIES
    assert program.patterns <= set(corpus.PATTERNS)
    assert (
        set(program.growth)
        == set(program.sizes["small"])
        == set(program.sizes["medium"])
        == set(program.sizes["large"])
    )


def test_every_pattern_has_a_program():
    programs = corpus.programs()
    assert set().union(*(p.patterns for p in programs)) == set(corpus.PATTERNS)


@pytest.mark.parametrize("name", NAMES)
def test_programs_import_numpy_and_the_standard_library_alone(name):
    roots = set()
    for node in ast.walk(tree_of(corpus.load(name))):
        if isinstance(node, ast.Import):
            roots |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0
            roots.add(node.module)
    assert roots <= {"numpy", "math", "dataclasses"}


@pytest.mark.parametrize("name", NAMES)
def test_programs_keep_to_the_numpy_they_may_use(name):
    body = [n for n in tree_of(corpus.load(name)).body if getattr(n, "name", "") not in INPUT_MAKERS]
    used = {
        node.attr
        for statement in body
        for node in ast.walk(statement)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "np"
    }
    assert used <= set(ALLOWED.split())


@pytest.mark.parametrize("name", NAMES)
def test_headers_say_how_much_is_moved_and_computed_or_why_that_is_not_known(name):
    program = corpus.load(name)
    counts = [program.count_sweeps(size) for size in corpus.SIZES]
    if program.family in ("stencils", "elementwise"):
        assert (all(counts) and program.work and program.cached) or re.match("none: .", program.sweeps)
    else:
        assert not program.sweeps
    assert bool(program.work) == bool(program.cached) == all(counts)


def test_arguments_that_lie_in_the_caches_are_those_of_a_size_but_for_some():
    program = corpus.load("wave")
    (velocity, *_, steps), times = program.make_cached("large")
    assert velocity.shape == (80, 80) and steps == 100
    assert times == (700 / 80) ** 2


@pytest.mark.parametrize("name", NAMES)
def test_programs_are_short(name):
    lines = Path(corpus.load(name).module.__file__).read_text().splitlines()
    assert 40 <= len(lines) <= 130


@pytest.mark.parametrize("name", NAMES)
def test_inputs_are_the_same_each_time_and_made_afresh(name):
    program = corpus.load(name)
    first, second = program.make(), program.make()
    assert same(first, second)
    assert not any(np.shares_memory(a, b) for a, b in zip(arrays(first), arrays(second)))


@pytest.mark.parametrize("name", NAMES)
def test_ten_sizes_differ_in_size_alone(name):
    program = corpus.load(name)
    for dtype in program.dtypes or (None,):
        calls = [program.make_sized(k, dtype) for k in range(10)]
        kinds = {
            tuple((type(a), getattr(a, "dtype", None), np.ndim(a)) for a in leaves(args)) for args in calls
        }
        sizes = {tuple(a.shape if isinstance(a, np.ndarray) else a for a in leaves(args)) for args in calls}
        assert len(kinds) == 1
        assert len(sizes) == 10
        assert not any(1 in a.shape for args in calls for a in arrays(args))
        for args in calls:
            run(program, args)


@pytest.mark.parametrize("name", NAMES)
def test_results_are_deterministic(name):
    program = corpus.load(name)
    for dtype in program.dtypes or (None,):
        first, second = program.make(dtype=dtype), program.make(dtype=dtype)
        (a, printed), (b, printed_again) = run(program, first), run(program, second)
        assert same(a, b)
        assert same(first, second)
        assert printed == printed_again


@pytest.mark.parametrize("name", [n for n in NAMES if corpus.load(n).dtypes])
def test_dtypes_reach_the_arrays_and_the_first_is_the_default(name):
    program = corpus.load(name)
    for dtype in program.dtypes:
        floats = [a for a in arrays(program.make(dtype=dtype)) if a.dtype.kind == "f"]
        assert {a.dtype.name for a in floats} == {dtype}
    assert same(program.make(), program.make(dtype=program.dtypes[0]))
    with pytest.raises(ValueError, match="no inputs of dtype 'float16'"):
        program.make(dtype="float16")


@pytest.mark.parametrize("name", NAMES)
def test_error_cases_raise_what_they_say(name):
    for case in corpus.load(name).error_cases():
        with pytest.raises(case.error) as caught:
            run(corpus.load(name), case.args)
        assert caught.type is case.error, case.label


def test_error_cases_cover_the_ways_to_fail():
    cases = [(p.name, case.error) for p in corpus.programs() for case in p.error_cases()]
    assert len({name for name, _ in cases}) >= 8
    assert {
        ValueError,
        IndexError,
        TypeError,
        ZeroDivisionError,
        UnboundLocalError,
        AssertionError,
        RuntimeError,
    } <= {error for _, error in cases}


def test_header_faults_are_named():
    with pytest.raises(ValueError, match="corpus program x: no family, exercises"):
        corpus._read_header("x", "Title.\n\nentry: f\n")
    with pytest.raises(ValueError, match="cannot read 'n='"):
        corpus._pairs("x", "n=")
    with pytest.raises(ValueError, match="cannot read '2n'"):
        corpus._linear("x", "2n")


@pytest.mark.parametrize(
    ("rule", "line"), [("7", (7, 0)), ("7+3k", (7, 3)), ("40-k", (40, -1)), ("5+k", (5, 1))]
)
def test_growth_rules_are_linear_in_k(rule, line):
    assert corpus._linear("x", rule) == line
