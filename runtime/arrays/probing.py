"""How a hash table is looked into and filled, in Python: traced as a function of the user's is, for the table at hand."""

from __future__ import annotations

from typing import Any

from .rows import items_of

# Note [Hash tables]
# A dictionary or set whose keys run time gives holds its keys as the rows of one list, in the order in which they came, and what they lead to as
# those of another. A third list, of a power of two of slots, has the number of an entry where its key's code leads, -1 where nothing was ever, and
# -2 where something was. As in CPython, all bits of a code come to decide where a key goes that finds its slot taken.


# What follows up to `find` is what it means for a table that is known. Where run time gives the keys, ops stand for these: see `hash_keys`.

# Codes are less than that, so that nothing that is computed of them leaves 64 bits.
MASK = 2**58 - 1
FACTOR = 1000003


class KnownTable:
    """The slots of a table of known keys, and its keys."""

    def __init__(self, size: int) -> None:
        self.slots = [-1] * size
        self.entries: list[Any] = []
        self.held: list[Any] = []
        self.gone = self.dead = 0


def numbers_of(key: Any) -> list[int]:
    """Return the integers that a known key is compared by."""
    parts = items_of(key)
    return [int(key)] if parts is None else [number for item in parts for number in numbers_of(item)]


def code_of(key: Any) -> int:
    """Return a number, not negative, that is the same for keys that are equal."""
    code, *others = numbers_of(key)
    for number in others:
        code = code * FACTOR ^ number
    return code & MASK


def number_at(table: Any, slot: int) -> int:
    """Return what a slot holds."""
    number: int = table.slots[slot]
    return number


def set_number(table: Any, slot: int, number: int) -> None:
    """Have a slot hold a number."""
    table.slots[slot] = number


def goes_on(table: Any, number: int, key: Any) -> bool:
    """Whether a key is to be looked for further, past a slot with this number."""
    return number == -2 or (number >= 0 and table.entries[number] != key)


def renew(table: Any, size: int) -> None:
    """Give a table so many slots, which hold nothing."""
    table.slots = [-1] * size


def keep_first(table: Any, count: int) -> None:
    """Drop the entries behind the first ones."""
    del table.entries[count:], table.held[count:]


def find(table: Any, key: Any) -> tuple[int, int]:
    """Return the slot that a key has, or would have, and the number of its entry, or -1."""
    code = code_of(key)
    mask = len(table.slots) - 1
    slot = code & mask
    number = number_at(table, slot)
    while goes_on(table, number, key):
        code = code >> 5
        slot = (slot * 5 + code + 1) & mask
        number = number_at(table, slot)
    return slot, number


def put(table: Any, slot: int, key: Any) -> None:
    """Make an entry of a key, which has none."""
    count = len(table.entries)
    set_number(table, slot, count)
    table.entries.append(key)


def make_room(table: Any) -> None:
    """Give a table more slots where a new entry has left too few. What keys lead to is complete."""
    if (len(table.entries) - 1 + table.gone) * 3 >= len(table.slots) * 2:
        enlarge(table)


def enlarge(table: Any) -> None:
    """Give a table slots so that a third of them is taken, at most, and find each key its own."""
    if table.dead > 0:
        compact(table)
    size = len(table.slots)
    if len(table.entries) * 3 >= size:
        size = size * 4
    renew(table, size)
    table.gone = 0
    for number in range(len(table.entries)):
        code = code_of(table.entries[number])
        slot = code & (size - 1)
        while number_at(table, slot) >= 0:
            code = code >> 5
            slot = (slot * 5 + code + 1) & (size - 1)
        set_number(table, slot, number)


def store(table: Any, key: Any, value: Any) -> None:
    """Have a key lead to something."""
    slot, number = find(table, key)
    if number >= 0:
        table.held[number] = value
    else:
        put(table, slot, key)
        table.held.append(value)
        make_room(table)


def add(table: Any, key: Any) -> None:
    """Have a set hold a key."""
    slot, number = find(table, key)
    if number < 0:
        put(table, slot, key)
        make_room(table)


def found_or(table: Any, key: Any, other: Any) -> Any:
    """Return what a key leads to, or something else."""
    _, number = find(table, key)
    if number >= 0:
        return table.held[number]
    return other


def found_or_made(table: Any, key: Any, make: Any) -> Any:
    """Return what a key leads to; that is made where it leads to nothing."""
    slot, number = find(table, key)
    if number < 0:
        put(table, slot, key)
        table.held.append(make())
        make_room(table)
        number = len(table.entries) - 1
    return table.held[number]


def found_or_put(table: Any, key: Any, value: Any) -> Any:
    """Return what a key leads to: something given, where it has led to nothing."""
    slot, number = find(table, key)
    if number < 0:
        put(table, slot, key)
        table.held.append(value)
        make_room(table)
        number = len(table.entries) - 1
    return table.held[number]


def taken_out(table: Any, slot: int, number: int) -> Any:
    """Take a key out of a dictionary, and return what it led to. Its entry stays, which no slot leads to any more."""
    set_number(table, slot, -2)
    table.gone = table.gone + 1
    table.dead = table.dead + 1
    return table.held[number]


def taken_out_or(table: Any, slot: int, number: int, other: Any) -> Any:
    """Take a key out of a dictionary, if it is in it, and return what it led to, or something else."""
    if number >= 0:
        return taken_out(table, slot, number)
    return other


def last_out(table: Any) -> Any:
    """Take the last key out of a dictionary that has some, and return it with what it led to."""
    last = len(table.entries) - 1
    slot, number = find(table, table.entries[last])
    while number != last:
        table.dead = table.dead - 1
        last = last - 1
        slot, number = find(table, table.entries[last])
    item = table.entries[last], table.held[last]
    set_number(table, slot, -2)
    table.gone = table.gone + 1
    keep_first(table, last)
    return item


def compact(table: Any) -> None:
    """Have no entries of keys that were taken out: those that no slot leads to."""
    count = 0
    for number in range(len(table.entries)):
        key = table.entries[number]
        slot, found = find(table, key)
        if found == number:
            table.entries[count] = key
            table.held[count] = table.held[number]
            set_number(table, slot, count)
            count = count + 1
    keep_first(table, count)
    table.dead = 0


def take_out(table: Any, slot: int, number: int) -> None:
    """Take a key out of a set, whose order does not show."""
    set_number(table, slot, -2)
    table.gone = table.gone + 1
    last = table.entries[-1]
    place, count = find(table, last)
    if count >= 0:
        set_number(table, place, number)
        table.entries[number] = last
    table.entries.pop()


def discard(table: Any, key: Any) -> None:
    """Take a key out of a set, if it is in it."""
    slot, number = find(table, key)
    if number >= 0:
        take_out(table, slot, number)
