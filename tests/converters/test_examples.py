"""Every converter shows what it does, and does what it shows."""

import importlib
import inspect
import pkgutil

import pytest

import transpile.converters
from transpile.runtime.errors import ConversionError

from .examples import RUN, examples, normal, run

EXAMPLES = [(kind, *example) for kind in RUN for example in examples(kind)]


@pytest.mark.parametrize(
    ("kind", "before", "after"), EXAMPLES, ids=[kind.__name__ for kind, _, _ in EXAMPLES]
)
def test_a_converter_does_what_its_docstring_shows(kind, before, after):
    if after.startswith("C0"):
        with pytest.raises(ConversionError) as raised:
            run(kind, before)
        assert raised.value.code == after.strip()
    else:
        assert run(kind, before) == normal(after)


def test_every_docstring_with_an_example_is_run():
    shown = set()
    for info in pkgutil.iter_modules(transpile.converters.__path__):
        name = f"transpile.converters.{info.name}"
        for kind in vars(importlib.import_module(name)).values():
            if inspect.isclass(kind) and kind.__module__ == name and "Before:" in (kind.__doc__ or ""):
                shown.add(kind)
    assert shown == set(RUN)
    assert all(examples(kind) for kind in RUN)
