"""What all tests share: kernels that are compiled once are kept between runs."""

import os
from pathlib import Path

os.environ.setdefault("TRANSPILE_CACHE_DIR", str(Path(__file__).resolve().parents[1] / ".cache" / "kernels"))
