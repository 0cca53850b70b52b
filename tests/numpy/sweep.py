"""Makes every sample call in every dtype, and every layout and shape, on a device, for as long as it takes: `python -m tests.numpy.sweep cpu [pattern] [all]`."""

from __future__ import annotations

import collections
import re
import sys

from transpile.samples import samples

from .differential import Refused, differs
from .variants import covering, variants


def main(device: str = "cpu", pattern: str = "", which: str = "") -> int:
    """Print what differs, and how many calls were compared: of each call variants that have all dtypes, layouts and shapes, or `all` that can be made of these."""
    seen: collections.Counter[str] = collections.Counter()
    for sample in samples():
        if not re.search(pattern, sample.text):
            continue
        for variant in variants() if which == "all" else covering(sample):
            try:
                text = differs(sample, variant, device)
            except Refused:
                seen["refused"] += 1
                continue
            seen["different" if text else "alike"] += 1
            if text:
                print(f"{sample.text}  [{variant}]: {text}", flush=True)
    print(dict(seen))
    return int(seen["different"] > 0)


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
