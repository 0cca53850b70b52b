"""NumPy functions written in ops: importing this package declares what stands for them."""

from . import attributes, creation, reductions, ufuncs

assert all((attributes, creation, reductions, ufuncs))
