"""NumPy functions written in ops: importing this package declares what stands for them."""

from . import attributes, creation, ranges, reductions, reshaping, sequences, ufuncs

assert all((attributes, creation, ranges, reductions, reshaping, sequences, ufuncs))
