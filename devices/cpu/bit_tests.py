"""Has choices that a bit decides be made without a jump.

LLVM makes some choices jumps, where the processor, if it guesses right, need not wait for what decides. Nobody guesses bits of checksums, of random numbers or of hashes.

Before:
    %bit = and i64 %x, 1
    %test = icmp eq i64 %bit, 0
    %found = select i1 %test, i64 %a, i64 %b
After:
    %found = select i1 %test, i64 %a, i64 %b, !unpredictable !7
"""

from __future__ import annotations

import re

# A value in LLVM's text, and the definitions that a choice by a bit is made of.
_NAME = r'(%[-\w.$]+|%"[^"]+")'
_BIT = re.compile(rf"^ +{_NAME} = and i\d+ .*, (\d+)$", re.MULTILINE)
_TEST = re.compile(rf"^ +{_NAME} = icmp (?:samesign )?(?:eq|ne) i\d+ {_NAME}, 0$", re.MULTILINE)
# Where bits are lost: others are truths, of which nothing is known.
_PARITY = re.compile(rf"^ +{_NAME} = trunc i\d+ .* to i1$", re.MULTILINE)
_CHOICE = re.compile(rf"^ +{_NAME} = select i1 {_NAME}, i(?!1 )\d+ .*$", re.MULTILINE)
_NODE = re.compile(r"^!(\d+) = ", re.MULTILINE)


def without_jumps(text: str) -> str | None:
    """Return the text of a module with its choices by bits marked; None where there are none.

    Names are told apart within a function only, so that a choice may be marked for the sake of another function's bit: no result depends on it.
    """
    bits = {name for name, mask in _BIT.findall(text) if int(mask).bit_count() == 1}
    tests = {name for name, bit in _TEST.findall(text) if bit in bits} | set(_PARITY.findall(text))
    if not any(test in tests for _, test in _CHOICE.findall(text)):
        return None
    node = 1 + max(map(int, _NODE.findall(text)), default=-1)

    def marked(choice: re.Match[str]) -> str:
        return f"{choice[0]}, !unpredictable !{node}" if choice[2] in tests else choice[0]

    return f"{_CHOICE.sub(marked, text)}\n!{node} = !{{}}\n"
