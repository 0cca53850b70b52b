# Everything starts here, with Python 3.11 to 3.13, gcc and make. `make help` lists the targets.

SHELL := /bin/sh
VENV := .venv
RUN := $(VENV)/bin/python
# Tests and benchmarks run plain, with kernels kept between them.
export TRANSPILE_CACHE_DIR := $(CURDIR)/.cache/kernels

.DEFAULT_GOAL := help
.PHONY: help setup demo test check fuzz sweep rooms format types bench bench-convert bench-fallback bench-functions docs wheel clean

help:  ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# -- setting up --------------------------------------------------------------------------------------------

setup: $(VENV)/ready  ## Make .venv and install the project with what its tests and tools need

# Installed anew when setup.cfg changes. PYTHON=... chooses the interpreter, otherwise the newest that is supported and works.
$(VENV)/ready: setup.cfg
	@test -x $(RUN) || { \
	  for python in $(PYTHON) python3.13 python3.12 python3.11 python3 python; do \
	    $$python -c 'import ensurepip, sys, venv; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' \
	      >/dev/null 2>&1 && exec $$python -m venv $(VENV); \
	  done; \
	  echo "No Python 3.11, 3.12 or 3.13 is found; name one with make PYTHON=/path/to/python" >&2; exit 1; }
	$(RUN) -m pip install --quiet --editable '.[test,dev]'
	@touch $@

# -- using it ----------------------------------------------------------------------------------------------

demo: setup  ## Convert the corpus, show one program at every stage, check results, print times
	$(RUN) -m transpile demo

bench: setup  ## Time the corpus in NumPy, transpile, numba, Pythran, and torch.compile where it is; goes on where it stopped; writes a page of docs/
	$(RUN) -c 'import matplotlib, pythran' 2>/dev/null || $(RUN) -m pip install --quiet --editable '.[bench]'
	$(RUN) -m transpile bench --json .cache/bench.json --page docs/bench.md --plot docs/bench.svg

bench-convert: setup  ## Time each step from source to kernel, and conversion of long functions and of whole packages
	$(RUN) -m transpile bench --steps
	$(RUN) -m tests.converters.measure_linearity
	$(RUN) -m tests.converters.packages

bench-fallback: setup  ## Compare calls that run as plain Python after all with plain ones
	$(RUN) -m transpile bench --fallback

bench-functions: setup  ## Time single functions of NumPy's, compiled, and compare the bits they give; write both pages of docs/
	$(RUN) -m transpile bench --functions > docs/functions.md
	$(RUN) -m transpile bench --bits > docs/bits.md

# -- testing it --------------------------------------------------------------------------------------------

test: setup rooms  ## Run all tests
	$(RUN) -m pytest -n 2 $(TESTS)

check: setup rooms  ## Format, lint, types, import rules, packages, fast tests: under a minute
	$(RUN) -m ruff format --check
	$(RUN) -m ruff check
	$(RUN) -m mypy
	$(RUN) -m pytest -n 2 -q -m "not slow" tests/packaging tests/face tests/converters tests/runtime

# SECONDS=... or PROGRAMS=... says how long; KEEP=... is a folder for programs that differ; WIDE=1 has idioms of real programs in them.
fuzz: setup  ## Compare random programs with themselves converted
	$(RUN) -m tests.fuzz.fuzz $(if $(SECONDS),--seconds $(SECONDS)) $(if $(PROGRAMS),--programs $(PROGRAMS)) $(if $(SEED),--seed $(SEED)) $(if $(KEEP),--keep $(KEEP)) $(if $(WIDE),--wide) $(if $(FAMILIES),--families $(FAMILIES))

# CALLS=... is a pattern for the calls, DEVICE=host the interpreter.
sweep: setup  ## Compare sample calls of every function of NumPy's in every dtype, and every layout and shape; takes an hour, with WHICH=all two days
	$(RUN) -m tests.numpy.sweep $(or $(DEVICE),cpu) '$(CALLS)' $(WHICH)

rooms: setup
	@$(RUN) tests/packaging/rooms.py

format: setup  ## Format the code
	$(RUN) -m ruff format
	$(RUN) -m ruff check --fix

types: setup rooms  ## Check the types alone
	$(RUN) -m mypy

# -- the rest ----------------------------------------------------------------------------------------------

docs: setup  ## Write the generated pages of docs/ anew
	$(RUN) -m transpile support > docs/numpy-support.md

wheel: setup  ## Build the wheel into dist/
	rm -rf build dist
	$(RUN) -m build --wheel --no-isolation
	rm -rf build

clean:  ## Remove all that was made
	rm -rf $(VENV) .cache .rooms build dist *.egg-info
