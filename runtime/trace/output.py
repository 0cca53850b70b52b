"""Describes what a traced function returns, and collects the values that it is rebuilt from."""

from __future__ import annotations

import collections
import enum
import pathlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.array_attributes import Attribute, as_it_was, is_new
from transpile.runtime.arrays.aspects import Aspect
from transpile.runtime.arrays.deques import StagedDeque
from transpile.runtime.arrays.handle import SymbolicObject
from transpile.runtime.arrays.hash_tables import Table
from transpile.runtime.arrays.indexing import as_dim
from transpile.runtime.arrays.lacking_dicts import LackingDict
from transpile.runtime.arrays.lists import StagedList
from transpile.runtime.arrays.numbers import lift
from transpile.runtime.arrays.object_pools import ObjectPool, pool_of
from transpile.runtime.arrays.operand import Operand
from transpile.runtime.arrays.ordered_dicts import Ordered
from transpile.runtime.arrays.pools import Pool
from transpile.runtime.arrays.rebuilt_tables import parts_of
from transpile.runtime.arrays.recorder import Recorder
from transpile.runtime.arrays.records import RecordArray
from transpile.runtime.arrays.references import is_symbolic, references
from transpile.runtime.arrays.rows import (
    Arrays,
    Instances,
    Lists,
    Mixed,
    Only,
    Record,
    Row,
    columns_of,
    holds_arrays,
    is_named,
    is_weak,
    made_as,
    number_of,
)
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.arrays.staged_tuples import StagedTuple
from transpile.runtime.arrays.table_views import TableView
from transpile.runtime.arrays.tuples import as_key, is_tuple
from transpile.runtime.arrays.undefined import Absent, Undefined
from transpile.runtime.arrays.union import Union
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import ArrayType, ScalarType
from transpile.runtime.operators.deferred import SymbolicText, deferred

from .array_output import ArrayOutputs
from .listed import (
    Chosen,
    Listed,
    ListedPart,
    Member,
    Numbered,
    ObjectsResult,
    OwnArrays,
    PoolResult,
    Sized,
    Zipped,
)
from .outside import Outside
from .returned import (
    NOTHING,
    Alternatives,
    Constant,
    Container,
    Given,
    Held,
    Instance,
    Made,
    Result,
    those_there,
)


class Outputs(ArrayOutputs):
    """Collects the values that the returned thing needs."""

    def __init__(self, recorder: Recorder, outside: Outside) -> None:
        super().__init__(recorder, outside)
        # Whether a list of arrays, made of the rows of one, is returned.
        self.lists_arrays = False
        # The attributes of objects in pools that are returned with their objects.
        self._held_with_objects: list[Attribute] = []

    def describe(self, thing: Any) -> Any:
        """Return the description of a returned thing; one thing met twice gets one description."""
        known = self._known.get(id(thing))
        if isinstance(thing, SymbolicArray) and thing.several:
            self.refuse_several(thing)
        if known is None:
            self._known[id(thing)] = known = (thing, self._describe(thing))
        return known[1]

    def described(self) -> list[Any]:
        """Return all that is returned, with what it holds."""
        if self.lists_arrays and self.has_listed:
            self._refuse_listed()
        for attribute in self._held_arrays:
            several = self._held_arrays.count(attribute) > 1 or id(attribute.pool) in self._known
            if several or attribute.is_known:
                self._refuse_held()
        if any(attribute.is_known for attribute in self._held_with_objects):
            self._refuse_held()
        return [thing for thing, _ in self._known.values()]

    def _either(self, alternatives: tuple[Any, ...]) -> tuple[Any, ...]:
        before, outer = set(self._known), self._others
        described = []
        for alternative in alternatives:
            self._others = outer | (self._known.keys() - before)
            described.append(self.describe(alternative))
        self._others = outer
        return tuple(described)

    def _check_listed(self, things: StagedList) -> None:
        """Refuse a list of which an array is known otherwise, or lies otherwise than the rows of an array do."""
        if things.shared:
            self._refuse_listed()
        if things.copied:
            self.recorder.unstageable(
                "S212-view",
                "a list that grows in a loop is returned, of which an array does not lie in the order of its axes",
                "append copies, or return an array",
            )

    def _refuse_listed(self) -> None:
        self.recorder.unstageable(
            "S214-listed",
            "a list that grows in a loop is returned, of which an array may be known otherwise, too",
            "append copies, or return an array",
        )

    def _describe(self, thing: Any) -> Any:
        if id(thing) in self.recorder.perhaps_handed:
            _, origins, tag = self.recorder.perhaps_handed[id(thing)]
            given = (Given(self.outside.stand_ins.origins[id(origin.thing)][0]) for origin in origins)
            return Alternatives(self._place(tag.value), (*given, self._describe_own(thing)))
        return self._describe_own(thing)

    def _describe_own(self, thing: Any) -> Any:
        if isinstance(thing, SymbolicScalar):
            return Result(self._place(thing.value), thing.type)
        if isinstance(thing, SymbolicArray):
            return self._array(thing)
        if isinstance(thing, RecordArray):
            return self._records(thing)
        if isinstance(thing, Aspect):
            return self._aspect(thing)
        if isinstance(thing, Union):
            return Alternatives(self._place(thing.tag.value), self._either(thing.alternatives))
        if isinstance(thing, Absent):
            return Constant(NOTHING)
        if isinstance(thing, Undefined):
            return Constant(None)
        if id(thing) in self.outside.stand_ins.origins:
            return Given(self.outside.stand_ins.origins[id(thing)][0])
        if isinstance(thing, SymbolicText):
            values: list[Value] = []
            make = deferred(thing, values)
            return Made(lambda given: make(tuple(given)), tuple(map(self._place, values)))
        if isinstance(thing, SymbolicObject):
            return Held(self._place(thing.value))
        if isinstance(thing, Pool):
            return self._pool(thing)
        if isinstance(thing, ObjectPool):
            return self._objects(thing)
        if id(thing) in self.recorder.pooled:
            return Member(self._place(lift(number_of(thing))), self.describe(pool_of(thing)))
        if isinstance(thing, StagedList):
            if not thing.is_staged:
                return Container(list, None, tuple(map(self.describe, thing)))
            if thing.pool is not None:
                return Member(self._place(lift(thing.handle)), self.describe(thing.pool))
            self._check_listed(thing)
            assert thing.row is not None
            self.lists_arrays |= holds_arrays(thing.row)
            return self._listed(thing.row, iter(thing.rows()))
        if isinstance(thing, StagedTuple):
            return Container(_tuple_of, None, (self.describe(thing.items),))
        if isinstance(thing, Table):
            make, parts = parts_of(thing)
            return Container(make, None, tuple(map(self.describe, parts)))
        if is_tuple(thing):
            return Container(tuple, None, tuple(map(self.describe, thing)))
        if type(thing) is list or is_named(type(thing)):
            return Container(type(thing), None, tuple(map(self.describe, thing)))
        if isinstance(thing, slice) and is_symbolic(thing):
            return Container(slice, None, tuple(map(self.describe, references(thing))))
        if isinstance(thing, LackingDict):
            keys = thing.in_order()
            held = thing.contents()
            found = Container(dict, tuple(map(as_key, keys)), tuple(self.describe(held[key]) for key in keys))
            return Container(those_there, None, (found,)) if thing.may_lack else found
        if type(thing) is dict:
            return Container(dict, tuple(map(as_key, thing)), tuple(map(self.describe, thing.values())))
        if isinstance(thing, Ordered):
            own = Container(dict, tuple(map(as_key, thing)), tuple(map(self.describe, thing.values())))
            return Container(collections.OrderedDict, None, (own,))
        if id(thing) in self.recorder.made and not isinstance(thing, (StagedDeque, TableView)):
            return self._instance(thing)
        if thing is None or isinstance(
            thing,
            (
                bool,
                int,
                float,
                complex,
                str,
                bytes,
                pathlib.PurePath,
                np.generic,
                np.dtype,
                type,
                range,
                slice,
                enum.Enum,
            ),
        ):
            return Constant(thing)
        return self.recorder.unstageable(
            "S210-result", f"an object of type {type(thing).__name__} is returned"
        )

    def _instance(self, thing: Any) -> Instance:
        found = Instance(thing.__class__, {})
        if id(thing) not in self.recorder.perhaps_handed:
            # What it holds may lead back to it.
            self._known[id(thing)] = thing, found
        found.attributes.update((name, self.describe(item)) for name, item in vars(thing).items())
        return found

    def _listed(self, row: Row, columns: Iterator[SymbolicArray]) -> ListedPart:
        if isinstance(row, Record):
            return Zipped(made_as(row.kind), tuple(self._listed(item, columns) for item in row.items))
        if isinstance(row, Mixed):
            return self._chosen(row, columns)
        if isinstance(row, Arrays):
            self._check_listed(row.pool.items)
            (elements,) = row.pool.items.rows()
            held = tuple(self.describe(Operand.copied(next(columns))) for _ in columns_of(row))
            return Sized(self.describe(Operand.copied(elements)), held)
        column = self.describe(Operand.copied(next(columns)))
        if isinstance(row, (Lists, Instances)):
            return Numbered(column, self.describe(row.pool))
        return Listed(column, is_weak(row))

    def _chosen(self, row: Mixed, columns: Iterator[SymbolicArray]) -> Chosen:
        tags = self.describe(Operand.copied(next(columns)))
        held = [None if isinstance(slot, Only) else self._listed(slot, columns) for slot in row.slots]
        kinds: list[Any] = []
        for place, kind in enumerate(row.kinds):
            part: Any = held[row.slot(place)]
            if isinstance(kind, ScalarType):
                part = Listed(part.rows, kind.weak)
            kinds.append(kind.thing if isinstance(kind, Only) else part)
        return Chosen(tags, tuple(kinds))

    def _pool(self, pool: Pool) -> PoolResult:
        own = pool.items
        if holds_arrays(own.row):
            self.lists_arrays = True
            self._check_listed(own)
        items = None if own.row is None else self._listed(own.row, iter(own.between(0, as_dim(own.end))))
        begins, ends, _ = (self.describe(Operand.copied(column)) for column in pool.spans.rows())
        given = self.outside.stand_ins.lists.pools.get(id(pool))
        return PoolResult(
            items, begins, ends, given, given is not None and self.outside.stand_ins.lists.has_changed(pool)
        )

    def _objects(self, pool: ObjectPool) -> ObjectsResult:
        own = pool.items
        assert isinstance(own.row, Record)
        # A pool may lead back to itself, by what its objects hold.
        for name, item in zip(pool.names, own.row.items, strict=True):
            if isinstance(item, ArrayType):
                self._held_with_objects.append(pool.attribute(name))
        handed = self.outside.stand_ins.lists.objects
        given, names = handed.path(pool), pool.shown_names
        all_changed = () if given is None else handed.changed(pool)
        changed = tuple(name for name in names if name in all_changed)
        if given is not None and not handed.grows(pool):
            # All that there are hold the rest already.
            names = changed
        result = ObjectsResult(pool.class_, names, [], given, changed)
        self._known[id(pool)] = (pool, result)
        columns = iter(own.between(0, as_dim(own.end)))
        known = {
            name: [next(columns) for _ in columns_of(item)]
            for name, item in zip(pool.names, own.row.items, strict=True)
        }
        for name, item in zip(pool.names, own.row.items, strict=True):
            if name in names and name in pool.handed_arrays:
                result.parts.append(self._own_arrays(pool, name, known, all_changed))
            elif name in names:
                result.parts.append(self._listed(item, iter(known[name])))
        return result

    def _own_arrays(
        self, pool: ObjectPool, name: str, columns: dict[str, list[SymbolicArray]], changed: tuple[str, ...]
    ) -> OwnArrays:
        """Return the description of what objects hold that were handed in with arrays."""
        are_new = before = None
        if is_new(name) in changed:
            are_new = self.describe(Operand.copied(columns[is_new(name)][0]))
        if are_new is not None and pool.attribute(name).is_written:
            before = self.describe(Operand.copied(columns[as_it_was(name)][0]))
        return OwnArrays(self.describe(Operand.copied(columns[name][0])), are_new, before)


def _tuple_of(things: list[Any]) -> tuple[Any, ...]:
    return tuple(things)
