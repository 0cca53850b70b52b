"""Choices that a bit decides."""

import numpy as np
import pytest

from transpile import convert
from transpile.devices.cpu.bit_tests import without_jumps
from transpile.devices.cpu.toolkit import llvm

TEXT = """
define i64 @chosen(i64 %x, i64 %a, i64 %b) {
  %bit = and i64 %x, %MASK%
  %test = icmp eq i64 %bit, 0
  %found = select i1 %test, i64 %a, i64 %b
  ret i64 %found
}
"""


@pytest.mark.parametrize("mask", [1, 8])
def test_a_choice_by_a_bit_is_marked(mask):
    marked = without_jumps(TEXT.replace("%MASK%", str(mask)))
    assert "i64 %b, !unpredictable !0\n" in marked
    assert str(llvm.parse_assembly(marked)).count("!unpredictable") == 1


def test_a_choice_by_parity_is_marked_next_to_other_marks():
    text = TEXT.replace("  %bit = and i64 %x, %MASK%\n", "").replace(
        "icmp eq i64 %bit, 0", "trunc i64 %x to i1"
    )
    marked = without_jumps(text + '!3 = !{!"other"}\n')
    assert "!unpredictable !4" in marked
    llvm.parse_assembly(marked).verify()


@pytest.mark.parametrize(
    ("what", "instead"),
    [
        ("%MASK%", "3"),
        ("icmp eq i64 %bit, 0", "icmp eq i64 %bit, %a"),
        ("icmp eq i64 %bit, 0", "trunc nuw i64 %bit to i1"),
        ("icmp eq i64 %bit, 0", "icmp slt i64 %x, 0"),
    ],
)
def test_other_choices_are_left_to_llvm(what, instead):
    assert without_jumps(TEXT.replace(what, instead).replace("%MASK%", "1")) is None


def test_a_checksum_by_bits_is_what_it_was():
    def checksum(data, polynomial=0x8408):
        crc = 0xFFFF
        for byte in data:
            rest = 0xFF & byte
            for _ in range(8):
                if (crc & 1) ^ (rest & 1):
                    crc = (crc >> 1) ^ polynomial
                else:
                    crc >>= 1
                rest >>= 1
        return crc

    data = np.random.default_rng(1).integers(0, 256, 100, np.uint8)
    assert convert(checksum, strict=True)(data) == checksum(data)
