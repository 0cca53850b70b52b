"""From a graph to a program: the scheduler with all that it can lower, and what is then done to the program."""

from __future__ import annotations

from transpile.runtime.graph.ir import Graph

from . import lower_arrays, lower_control, lower_effects, lower_errors, lower_reductions, lower_updates
from .alignment import check_alignment
from .collapse import Collapser
from .cross import Crosser
from .dead_stores import drop_dead_stores
from .follow import Follower
from .fuse import Fuser
from .interleave import Interleaver
from .jam import Jammer
from .peel import peel
from .program import Program
from .recompute import recompute
from .rims import store_rims
from .rows import RowFuser
from .scheduler import Scheduler
from .sharing import Sharing
from .sink import sink_allocations
from .spread import Spreader
from .strips import Strips
from .take_over import take_over
from .tile import Tiler
from .turns import TurnTiler
from .unread import note_unread
from .unroll import unroll
from .unroll_columns import unroll_columns
from .unroll_rows import unroll_rows

__all__ = [
    "lower_arrays",
    "lower_control",
    "lower_effects",
    "lower_errors",
    "lower_reductions",
    "lower_updates",
    "schedule",
]


def schedule(graph: Graph) -> Program:
    """Schedule a graph.

    Raises CannotDeoptimise where the original would have to take over after an effect that cannot be undone.
    """
    scheduler = Scheduler(graph)
    program = scheduler.run()
    check_alignment(program)
    program.body = unroll_rows(unroll(program.body))
    sharing = Sharing(program, scheduler.memory, scheduler.bounds)
    unroll_columns(program.body, sharing)
    program.body = Fuser(sharing).body(program.body)
    drop_dead_stores(program, sharing)
    store_rims(program.body, sharing)
    take_over(program, sharing)
    RowFuser(sharing).program(program.body)
    Follower(sharing, scheduler.name).program(program)
    recompute(program, sharing)
    Collapser(sharing.equal, scheduler.name).program(program.body)
    Tiler(sharing).program(program.body)
    TurnTiler(sharing, scheduler.name, graph.parallel).program(program.body)
    Strips(program, sharing, scheduler.name).run()
    program.body = sink_allocations(program.body)
    note_unread(program, sharing)
    if graph.parallel:
        Spreader(sharing, scheduler.name).body(program.body)
    Crosser(sharing, scheduler.name).program(program.body)
    Interleaver(sharing).program(program.body)
    Jammer(sharing).program(program.body)
    peel(program.body)
    return program
