"""Functions of kernels that write what they do over LLVM values."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from . import toolkit


class Intrinsic:
    """A function of kernels, defined by what it is for arguments of some types: a signature, and what writes its code; None where it is nothing.

    That it is a function numba asks where it types a call itself: of most kernels nobody does, and a type for each helper takes longer than all else of it.
    """

    def __init__(
        self,
        define: Callable[..., Any],
        name: str = "",
        parameters: Sequence[str] | None = None,
        doc: str | None = None,
        prefer_literal: bool = False,
    ) -> None:
        self.define = define
        self.prefer_literal = prefer_literal
        self.__name__ = name or define.__name__.strip("_")
        self.__doc__ = doc or define.__doc__
        self._parameters = parameters

    def __deepcopy__(self, memo: Any) -> Intrinsic:
        # numba copies statements, with what they name.
        return self

    @cached_property
    def _numba_type_(self) -> Any:
        define: Any = self.define
        if self._parameters is not None:
            # numba is told to take exactly these.
            kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
            names = ["typing_context", *self._parameters]
            define.__signature__ = inspect.Signature([inspect.Parameter(name, kind) for name in names])
        template = toolkit.make_intrinsic_template(
            self, define, self.__name__, prefer_literal=self.prefer_literal, kwargs={}
        )
        return toolkit.types.Function(template)
