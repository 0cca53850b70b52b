"""How a hash table is looked into and filled is plain Python, too: it finds what a dictionary and a set find."""

import random

import pytest

from transpile.runtime.arrays import probing


def keys_of(kind, count, seed):
    draws = random.Random(seed)
    if kind == "close":
        return [draws.randrange(40) for _ in range(count)]
    if kind == "far":
        return [draws.randrange(-(2**62), 2**62) for _ in range(count)]
    if kind == "of one slot":
        return [8**6 * draws.randrange(30) for _ in range(count)]
    return [(draws.randrange(5), (draws.randrange(3), -draws.randrange(4))) for _ in range(count)]


KINDS = ["close", "far", "of one slot", "tuples"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_leads_to_what_a_dictionary_leads_to(kind):
    table, plain = probing.KnownTable(8), {}
    for number, key in enumerate(keys_of(kind, 300, 1)):
        assert probing.found_or(table, key, None) == plain.get(key)
        if number % 3:
            probing.store(table, key, number)
            plain[key] = number
        else:
            assert probing.found_or_put(table, key, -number) == plain.setdefault(key, -number)
    assert table.entries == list(plain)
    assert table.held == list(plain.values())
    assert len(table.slots) >= len(plain) * 3 / 2


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_holds_what_a_set_holds(kind):
    table, plain = probing.KnownTable(8), set()
    draws = random.Random(2)
    for key in keys_of(kind, 600, 3):
        change, other = (probing.add, plain.add) if draws.random() < 0.6 else (probing.discard, plain.discard)
        change(table, key)
        other(key)
        assert (probing.find(table, key)[1] >= 0) == (key in plain)
    assert sorted(table.entries) == sorted(plain)
    assert all(table.entries[probing.find(table, key)[1]] == key for key in plain)


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_keeps_the_order_in_which_keys_came_where_others_are_taken_out(kind):
    table, plain = probing.KnownTable(8), {}
    draws = random.Random(3)
    for number, key in enumerate(keys_of(kind, 900, 4)):
        if draws.random() < 0.6:
            probing.store(table, key, number)
            plain[key] = number
        elif plain and draws.random() < 0.2:
            assert probing.last_out(table) == plain.popitem()
        else:
            assert probing.taken_out_or(table, *probing.find(table, key), None) == plain.pop(key, None)
        assert len(table.entries) - table.dead == len(plain)
    probing.compact(table)
    assert table.entries == list(plain)
    assert table.held == list(plain.values())
