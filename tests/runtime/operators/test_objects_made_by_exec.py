"""Classes of code that is run by `exec`, where no `__name__` is known, are the user's: they say that they are of the builtins."""

from __future__ import annotations

import linecache
from typing import Any

import numpy as np
import pytest

from transpile import convert

SOURCE = """
class Account:
    pass


def paid(x, y, n):
    account = Account()
    account.total = x
    account.rates = [y]
    for i in range(n):
        account.total += account.rates[0]
        if i == 1:
            account.rates[0] = account.rates[0] * 2
    return account.total, account.rates
"""


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_objects_of_classes_without_a_module_are_followed(device: str) -> None:
    file = "<accounts without a name>"
    linecache.cache[file] = (len(SOURCE), None, SOURCE.splitlines(True), file)
    names: dict[str, Any] = {}
    exec(compile(SOURCE, file, "exec"), names)
    assert names["Account"].__module__ == "builtins"
    converted = convert(names["paid"], device=device)
    for arguments in ((1, 2, 4), (1, 2, 0), (2.5, np.float32(3), 3)):
        assert repr(converted(*arguments)) == repr(names["paid"](*arguments))
