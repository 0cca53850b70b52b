"""Makes every sample call in every dtype, layout and shape on a device, for as long as it takes: `python -m tests.numpy.sweep cpu [pattern]`."""

from __future__ import annotations

import collections
import re
import sys

from transpile.samples import samples

from .differential import Refused, differs
from .variants import chosen, variants


def main(device: str = "cpu", pattern: str = "", count: str = "0") -> int:
    """Print what differs, and how many calls were compared; `count` variants of each call, or all."""
    seen: collections.Counter[str] = collections.Counter()
    for sample in samples():
        if not re.search(pattern, sample.text):
            continue
        for variant in chosen(sample, int(count)) if int(count) else variants():
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
