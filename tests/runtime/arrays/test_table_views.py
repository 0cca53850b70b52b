"""Views of dictionaries whose keys run time gives, and loops over what loses keys meanwhile: as Python's are, errors included."""

from typing import Any

import numpy as np
import pytest

from transpile import convert

from ...behaviours.harness import observe
from ...end_to_end.comparison import compare


def of_keys(x):
    d = {}
    for v in x.tolist():
        d[v] = v * 0.5
    return d


def asked(x):
    d = of_keys(x)
    d.pop(int(x[0]))
    keys, values = d.keys(), d.values()
    d[77] = 1.0
    return (
        3 in keys,
        77 in keys,
        0.5 in values,
        100.0 in values,
        len(keys),
        len(values),
        max(keys),
        sum(values),
    )


def of_known_keys(x):
    d = {3: 2.5, 7: -1.0, 0: 0.25}
    total = d.get(int(x[0]), 1.0)
    for k, w in d.items():
        total = total * 0.5 + k * w
    return total, max(d.values()), min(d), sorted(d), d.get(int(x[1])), list(d.items())


def loses_a_key(x):
    d = of_keys(x)
    for k in d:
        if k == 3:
            del d[k]
    return d


def loses_the_last_key(x):
    d = of_keys(x)
    last = list(d)[-1]
    for k, v in d.items():
        if k == last:
            d.pop(k, v)
    return d


def gains_as_many_as_it_loses(x):
    d = of_keys(x)
    for k in d:
        if k == 3:
            del d[3]
            d[1003] = 1.0
    return d


def loses_a_key_and_stops(x):
    d = of_keys(x)
    for k, v in d.items():
        if v > 1:
            del d[k]
            break
    return d, len(d)


def loses_a_key_beside_others(x):
    d = of_keys(x)
    total = 0
    for k, v in zip(x.tolist(), d.items()):
        total += k * v[0]
        if k == 3:
            del d[3]
    return d, total


CALLS = [
    asked,
    of_known_keys,
    loses_a_key,
    loses_the_last_key,
    loses_a_key_and_stops,
    loses_a_key_beside_others,
]


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function", CALLS)
@pytest.mark.parametrize("x", [np.arange(20) * 7 % 11, np.arange(3), np.arange(9) + 4])
def test_views_and_loops_over_them_are_what_pythons_are(function: Any, x: Any, device: str) -> None:
    converted = convert(function, strict=True, device=device)
    compare(observe(function, (x,)), observe(converted, (x,)))


def test_what_python_makes_of_other_keys_of_the_same_number_it_makes_itself() -> None:
    x = np.arange(9)
    compare(
        observe(gains_as_many_as_it_loses, (x,)),
        observe(convert(gains_as_many_as_it_loses, device="host"), (x,)),
    )
