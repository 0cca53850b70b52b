"""Bytes that are handed in, and read at places that run time gives."""

import zlib
from typing import Any

import numpy as np
import pytest

from transpile import convert

from ...behaviours.harness import observe
from ...end_to_end.comparison import compare


def checked(data, table):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = (crc >> 8) ^ int(table[(crc ^ byte) & 0xFF])
    return crc ^ 0xFFFFFFFF


def counted(data, table):
    found = np.zeros(256, int)
    for i in range(len(data)):
        found[data[i]] += 1
    return found, data, list(reversed(data)), sum(data), max(data, default=None)


def ends(data, table):
    total = 0
    for i, (one, other) in enumerate(zip(data, data)):
        total += one * i - other
    return total, data[0], data[-1], data[len(data)]


def in_bits(data, table):
    bits = []
    for b in data:
        for k in range(8):
            bits.append(b >> (7 - k) & 1)
    return np.array(bits, dtype=np.uint8)


def looked_into(data, table):
    total = 0
    for b in data:
        total += b
    return total, data + b"x", data[:3], data == b"abc", 3 in data, list(data)[:2], data.hex(), bytes(data)


def handed_on(data, table):
    total = 0
    for b in data:
        total ^= b
    print(data, f"{data!r}", str(data))
    return total, zlib.crc32(data), np.frombuffer(data, np.uint8), {data: 1}, int.from_bytes(data, "big")


TABLE = np.arange(256)[::-1].astype(np.uint32)
FUNCTIONS = [checked, counted, ends, in_bits, looked_into, handed_on]


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_bytes_are_those_that_they_are(function: Any, device: str) -> None:
    converted = convert(function, device=device)
    for data in (bytes(range(256)) * 2, b"abc" * 50, b"\x00\xff", b"abc", b""):
        compare(observe(function, (data, TABLE)), observe(converted, (data, TABLE)))


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function", [checked, in_bits])
def test_one_trace_serves_all_bytes(function: Any, device: str) -> None:
    converted = convert(function, strict=True, device=device)
    for data in (bytes(range(256)) * 9, b"abc" * 999, b"\x00\xff" * 300):
        compare(observe(function, (data, TABLE)), observe(converted, (data, TABLE)))
    assert len(converted.calls.entries) == 1


def packed(text, table):
    codes, found, before = {}, [], 0
    for c in text:
        key = before, ord(c)
        if key in codes:
            before = codes[key]
        else:
            codes[key] = len(codes) + 1
            found.append(before)
            before = 0
    return found


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_what_is_long_is_traced_for_any(device: str) -> None:
    converted = convert(packed, strict=True, device=device)
    for text in ("abcab" * 3000, "xyz" * 2000):
        compare(observe(packed, (text, TABLE)), observe(converted, (text, TABLE)))
    assert len(converted.calls.entries) == 1
    # Of the loop one turn is recorded, not thousands.
    assert (
        converted.calls.entries[0].trace.graph is not None
        and len(str(converted.graph("ab" * 200, TABLE))) < 20_000
    )
