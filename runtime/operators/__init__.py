"""What converted code calls: the namespace `ops`."""

from transpile.runtime.arrays import advanced as _advanced  # noqa: F401 (indexing with arrays, for Operand)
from transpile.runtime.arrays import list_methods as _list_methods  # noqa: F401 (what else is done with lists)
from transpile.runtime.arrays import strided as _strided  # noqa: F401 (slices with steps of run time, for Operand)
from transpile.runtime.arrays.truth import truth
from transpile.runtime.arrays.undefined import Undefined

from . import attributes as _attributes  # noqa: F401 (declares what stands for getattr)
from . import bisections as _bisections  # noqa: F401 (declares what stands for the functions of bisect)
from . import builtins as _builtins  # noqa: F401 (declares what stands for Python's builtins)
from . import calendars as _calendars  # noqa: F401 (declares what stands for dates)
from . import copying as _copying  # noqa: F401 (declares what stands for the module copy)
from . import eigenvalues as _eigenvalues  # noqa: F401 (declares what stands for eigenvalues of any matrices)
from . import equal_lists as _equal_lists  # noqa: F401 (declares what stands for comparisons of lists)
from . import files as _files  # noqa: F401 (declares what stands for functions that handle files)
from . import folders as _folders  # noqa: F401 (declares what is asked of files, and stands for os.makedirs)
from . import heaps as _heaps  # noqa: F401 (declares what stands for the functions of heapq)
from . import index_loops as _index_loops  # noqa: F401 (declares what stands for loops over the indices of arrays)
from . import integers as _integers  # noqa: F401 (declares what stands for pow, and for bits of integers)
from . import itertools_choices as _itertools_choices  # noqa: F401 (declares what stands for choices of itertools)
from . import itertools_selected as _itertools_selected  # noqa: F401 (declares what stands for more of itertools)
from . import mathematics as _mathematics  # noqa: F401 (declares what stands for math and cmath)
from . import namespaces as _namespaces  # noqa: F401 (declares what stands for `SimpleNamespace`)
from . import parents as _parents  # noqa: F401 (declares what stands for super)
from . import paths as _paths  # noqa: F401 (declares what stands for os.path)
from . import python_random as _python_random  # noqa: F401 (declares what stands for Python's random numbers)
from . import random_generators as _random_generators  # noqa: F401 (declares what stands for generators that are made)
from . import random_numbers as _random_numbers  # noqa: F401 (declares what stands for functions that draw them)
from . import random_picks as _random_picks  # noqa: F401 (likewise)
from . import random_vectors as _random_vectors  # noqa: F401 (likewise)
from . import reports as _reports  # noqa: F401 (declares what stands for warnings, logging, files and clocks)
from . import rewritten as _rewritten  # noqa: F401 (declares what is traced in the stead of functions of NumPy's)
from . import rounding as _rounding  # noqa: F401 (declares what stands for round)
from . import settings as _settings  # noqa: F401 (declares what stands for NumPy's settings)
from . import slices as _slices  # noqa: F401 (declares what stands for slices)
from . import sorting as _sorting  # noqa: F401 (declares what stands for sorted)
from . import tapers as _tapers  # noqa: F401 (declares what stands for windows that fade out)
from . import whole_numbers as _whole_numbers  # noqa: F401 (declares what stands for functions of integers)
from .attempts import attempt
from .attributes import class_of, imported, owner
from .branches import cond
from .call import call
from .comprehensions import flatten, generator, list_, list_comp, listed, tuple_
from .effects import assert_, raise_
from .functional import decorator
from .generators import handed_on, yielding
from .iteration import for_loop
from .logic import and_, bound, compare, eq, if_exp, in_, is_, is_not, ne, not_, not_in, or_
from .managers import manager
from .patterns import matches, part
from .recursion import deeper, itself
from .tables import dict_, dict_comp, set_, set_comp
from .text import formatted, fstring, modulo
from .whiles import while_loop

__all__ = [
    "Undefined",
    "and_",
    "assert_",
    "attempt",
    "bound",
    "call",
    "class_of",
    "compare",
    "cond",
    "decorator",
    "deeper",
    "dict_",
    "dict_comp",
    "eq",
    "flatten",
    "for_loop",
    "formatted",
    "fstring",
    "generator",
    "handed_on",
    "if_exp",
    "imported",
    "in_",
    "is_",
    "is_not",
    "itself",
    "list_",
    "list_comp",
    "listed",
    "manager",
    "matches",
    "modulo",
    "ne",
    "not_",
    "not_in",
    "or_",
    "owner",
    "part",
    "raise_",
    "set_",
    "set_comp",
    "truth",
    "tuple_",
    "while_loop",
    "yielding",
]
