"""Finds the inputs that a kernel writes and never reads: they need not be as they were when the original runs the call anew, which writes the same there."""

from __future__ import annotations

from .accesses import accesses
from .buffer import Buffer
from .program import Program
from .sharing import Sharing


def note_unread(program: Program, sharing: Sharing) -> None:
    """Note, in a program, the inputs that are written and never read, and save them no more.

    Where a clock that is read anew may lead elsewhere, or an error may end the original sooner, what was written does not always come again: so all are saved where effects
    are noted, and these where a warning may be an error.
    """
    if program.noted:
        return
    read = {access.buffer for access in accesses(*program.body).reads}
    for place in program.saved:
        buffer = program.inputs[place]
        assert isinstance(buffer, Buffer)
        if not any(sharing.may_share(buffer, other) for other in read):
            program.unread.add(place)
    program.saved = [place for place in program.saved if place not in program.unread]
