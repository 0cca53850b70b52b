"""A kernel as it is printed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from transpile.devices.loops.buffer import Buffer
from transpile.runtime.graph.ir import Value


@dataclass
class Kernel:
    """The text of a kernel, the namespace it runs in, and how its frame is laid out."""

    name: str
    text: str
    namespace: dict[str, Any]
    slots: int
    scalars: list[Value]
    late: list[Buffer]
