"""Describes the arrays and records that a traced function returns, and what is asked of them."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter, itemgetter
from typing import Any, NoReturn

from transpile.runtime.arrays.array import Reshape, SymbolicArray
from transpile.runtime.arrays.array_attributes import Attribute
from transpile.runtime.arrays.aspects import Aspect
from transpile.runtime.arrays.cells import Storage
from transpile.runtime.arrays.operand import Operand
from transpile.runtime.arrays.recorder import Recorder
from transpile.runtime.arrays.records import RecordArray, RecordScalar
from transpile.runtime.composites.owners import owns_memory
from transpile.runtime.graph.dim import values_of
from transpile.runtime.graph.ir import Value

from .handed_records import HandedFields
from .outside import Outside
from .returned import (
    Alternatives,
    ArrayResult,
    Container,
    Given,
)


class ArrayOutputs:
    """Collects the values that returned arrays need."""

    def __init__(self, recorder: Recorder, outside: Outside) -> None:
        self.recorder = recorder
        self.outside = outside
        self.values: list[Value] = []
        self._known: dict[int, tuple[Any, Any]] = {}
        # What the alternatives before the one at hand are described with: of those, one alone is returned.
        self._others: set[int] = set()
        # Whether an array is returned that a list of arrays, made of the rows of one, may hold.
        self.has_listed = False
        # The attributes of objects in pools of which an array is returned by itself.
        self._held_arrays: list[Attribute] = []

    def describe(self, thing: Any) -> Any:
        """Return the description of a returned thing; one thing met twice gets one description."""
        raise NotImplementedError

    def refuse_several(self, array: SymbolicArray) -> None:
        """Refuse a view that may be, or not be, one that is returned elsewhere, too."""
        for key, (known, _) in self._known.items():
            if (
                key not in self._others
                and isinstance(known, SymbolicArray)
                and known.several
                and known.shows_same(array)
            ):
                self._refuse_several()

    def _refuse_several(self) -> NoReturn:
        self.recorder.unstageable(
            "S213-alias",
            "arrays are returned of which the way control took decides whether they are one",
            "return a copy of one of them",
        )

    def _place(self, value: Value) -> int:
        if value not in self.values:
            self.values.append(value)
        return self.values.index(value)

    def _array(self, array: SymbolicArray) -> ArrayResult | Alternatives:
        storage = array.storage
        if isinstance(storage.attribute, Attribute) and array.chain:
            return self._held_array(array, storage.attribute)
        if storage.attribute is not None:
            storage.attribute.used(array)
        self.has_listed |= storage.frozen
        if storage.seen is not None and not (array.chain or array.parts):
            source, look = storage.seen
            found = self.describe(source)
            if isinstance(found, ArrayResult):
                return replace(found, looks=(*found.looks, look))
        if storage.is_view:
            self.recorder.unstageable(
                "S213-alias",
                "an array is returned of which run time decides whether it is a view of another one",
                "return a copy of it",
            )
        for other, _ in self._known.values():
            if id(other) in self._others or not isinstance(other, Storage) or other is storage:
                continue
            if self._may_be_one(other, storage):
                self._refuse_several()
        if storage.copied:
            self.recorder.unstageable(
                "S212-view",
                "an array is returned of which the strides at run time decide whether it is a view",
                "return a copy of it",
            )
        # It repeats elements by itself, where it does.
        is_callers_own = storage.input is not None and array.region is None
        chain = tuple(
            Reshape(tuple(map(self.recorder.normal, s.base_dims)), tuple(map(self.recorder.normal, s.dims)))
            if isinstance(s, Reshape)
            else s
            for s in (() if is_callers_own else array.chain)
        )
        dims = {
            value: self._place(value)
            for step in chain
            for dim in (step.dims if isinstance(step, Reshape) else step.all_dims())
            for value in values_of(dim)
        }
        if storage.input is not None:
            return ArrayResult(
                -1,
                self.recorder.graph.inputs[storage.input].path,
                chain,
                dims,
                # The caller's own is made so when the call ends.
                array.readonly and array.region is not None,
                array.region is not None,
                array.parts,
            )
        known = self._known.get(id(storage))
        if known is None:
            self._known[id(storage)] = known = (storage, self._place(self.recorder.read(storage)))
        own = ArrayResult(known[1], None, chain, dims, array.readonly, array.viewed, array.parts)
        if not storage.origins:
            return own
        given = [self._callers_own(origin, own) for origin in storage.origins]
        return Alternatives(self._place(storage.origin.value), (*given, own))

    def _aspect(self, aspect: Aspect) -> Container:
        """Return the description of an attribute of an array, which tells whose memory that lies in."""
        array = aspect.of()
        # An array that was made one that cannot be written leaves as a view of it; the caller's own is made so when all is told.
        made_so = array.readonly and (array.region is None or owns_memory(array) is True)
        if aspect.asked in ("flags", "data") and made_so:
            self.recorder.unstageable(
                "S210-result",
                f"the {aspect.asked} of an array that was made one that cannot be written leave",
            )
        if aspect.asked == "flags":
            owns_memory(array)
        return Container(attrgetter(aspect.asked), None, (self.describe(array),))

    def _held_array(self, array: SymbolicArray, attribute: Attribute) -> ArrayResult | Alternatives:
        """Return the description of an array that an object in a pool holds, or of a view of it: a copy, where nothing else of the pool is returned."""
        if (
            attribute.pool.is_handed
            or not array.contiguous
            or array.dims != tuple(map(self.recorder.normal, array.storage.dims[1:]))
        ):
            self._refuse_held()
        self._held_arrays.append(attribute)
        return self._array(Operand.copied(array))

    def _refuse_held(self) -> None:
        self.recorder.unstageable(
            "S213-alias",
            "an array that objects in lists hold is returned, and may be known otherwise",
            "return a copy of it",
        )

    def _records(self, records: RecordArray) -> Any:
        """Return the description of a view of an array of records, or of one of them."""
        found = records.fields.seen(records.names)
        view = records.shown if found.rows is None else found.rows.then(records.shown)
        if isinstance(found.source, SymbolicArray):
            shown = self._array(found.source)
            if not view.is_identity or not isinstance(shown, ArrayResult):
                self.recorder.unstageable(
                    "S323-records", "a part of records that lie in an array is returned"
                )
            return replace(shown, looks=(*shown.looks, *found.looks))
        assert isinstance(found.source, HandedFields)
        if records is found.source.whole:
            return Given(found.source.path(()))
        if not all(map(self.recorder.visible, view.all_dims())):
            self.recorder.unstageable("S101-escaped", "records are returned that a region decides on")
        dims = {value: self._place(value) for dim in view.all_dims() for value in values_of(dim)}
        path = found.source.path(found.names)
        shown = ArrayResult(-1, path, (view,), dims, view=True, looks=found.looks)
        return Container(itemgetter(()), None, (shown,)) if isinstance(records, RecordScalar) else shown

    def _callers_own(self, storage: Storage, own: ArrayResult) -> ArrayResult:
        """Return the description of the caller's array, seen as one is seen that the function has made."""
        assert storage.input is not None
        path = self.recorder.graph.inputs[storage.input].path
        is_other = own.chain or own.parts or own.view
        return replace(own, place=-1, given=path) if is_other else ArrayResult(-1, path, (), {})

    def _may_be_one(self, one: Storage, other: Storage) -> bool:
        """Whether two arrays made by the function may be the same memory."""
        if not one.may_be(other):
            return False
        shared = {one, *one.aliases} & {other, *other.aliases}
        return any(storage.input is None for storage in shared)
