"""The operators that converted code calls, as plain Python: what every other implementation has to agree with."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "is": lambda a, b: a is b,
    "is not": lambda a, b: a is not b,
    "in": lambda a, b: a in b,
    "not in": lambda a, b: a not in b,
}

CONVERSIONS: dict[str | None, Callable[[Any], Any]] = {
    None: lambda value: value,
    "r": repr,
    "s": str,
    "a": ascii,
}


WHOLE = (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)


class Undefined:
    """The state of a name that is not bound."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __bool__(self) -> bool:
        raise SystemError(f"{self.name} is unbound and was used")

    __eq__ = __call__ = __iter__ = __getitem__ = __add__ = __radd__ = __bool__  # type: ignore
    __hash__ = None  # type: ignore


class Attempt:
    """A ``try`` statement in which nothing is special."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        pass

    def catches(self, classes: Any = BaseException, *, late: Callable[[], Any] | None = None) -> Any:
        return classes if late is None else late()

    def ends(self, *, replaces: bool = False) -> bool:
        return True


class EagerOps:
    """The whole protocol of ``docs/design.md``, and nothing else. Checks that it is kept."""

    Undefined = Undefined

    def __init__(self) -> None:
        self.calls: list[str] = []

    def __getattribute__(self, name: str) -> Any:
        if name != "calls":
            self.calls.append(name)
        return object.__getattribute__(self, name)

    @staticmethod
    def cond(
        test: Any,
        if_true: Callable[..., Any],
        if_false: Callable[..., Any],
        inputs: tuple[Any, ...],
        *,
        names: tuple[str, ...],
    ) -> Any:
        result = (if_true if test else if_false)(*inputs)
        return _result(_values(result, names))

    @staticmethod
    def while_loop(
        test: Callable[..., Any],
        body: Callable[..., Any],
        values: tuple[Any, ...],
        *,
        names: tuple[str, ...],
        until: str | None = None,
    ) -> Any:
        assert len(values) == len(names)
        while test(*values):
            values = _values(body(*values), names)
            if until is not None and values[names.index(until)]:
                break
        return _result(values)

    @staticmethod
    def for_loop(
        iterable: Iterable[Any],
        body: Callable[..., Any],
        values: tuple[Any, ...],
        *,
        names: tuple[str, ...],
        until: str | None = None,
    ) -> Any:
        assert len(values) == len(names)
        for element in iterable:
            values = _values(body(element, *values), names)
            if until is not None and values[names.index(until)]:
                break
        return _result(values)

    @staticmethod
    def bound(value: Any, *, free: bool = False) -> Any:
        if not isinstance(value, Undefined):
            return value
        name = value.name
        if free:
            message = f"cannot access free variable '{name}' where it is not associated with a value in enclosing scope"
            raise NameError(message, name=name)
        raise UnboundLocalError(
            f"cannot access local variable '{name}' where it is not associated with a value"
        )

    @staticmethod
    def if_exp(test: Any, if_true: Callable[[], Any], if_false: Callable[[], Any]) -> Any:
        return if_true() if test else if_false()

    @staticmethod
    def and_(value: Any, *others: Callable[[], Any]) -> Any:
        for other in others:
            if not value:
                return value
            value = other()
        return value

    @staticmethod
    def or_(value: Any, *others: Callable[[], Any]) -> Any:
        for other in others:
            if value:
                return value
            value = other()
        return value

    @staticmethod
    def truth(value: Any) -> Any:
        return bool(value)

    @staticmethod
    def not_(value: Any) -> Any:
        return not value

    @staticmethod
    def compare(left: Any, *links: Any) -> Any:
        assert len(links) > 2
        result = None
        for number in range(0, len(links), 2):
            right = links[number + 1]()
            result = COMPARISONS[links[number]](left, right)
            if number + 2 < len(links) and not result:
                return result
            left = right
        return result

    eq = staticmethod(COMPARISONS["=="])
    ne = staticmethod(COMPARISONS["!="])
    is_ = staticmethod(COMPARISONS["is"])
    is_not = staticmethod(COMPARISONS["is not"])
    in_ = staticmethod(COMPARISONS["in"])
    not_in = staticmethod(COMPARISONS["not in"])

    @staticmethod
    def call(function: Any, /, *arguments: Any, **keywords: Any) -> Any:
        assert not any(isinstance(value, Undefined) for value in (*arguments, *keywords.values()))
        return function(*arguments, **keywords)

    @staticmethod
    def imported(thing: Any, module: str, name: str | None = None, level: int = 0) -> Any:
        return thing

    @staticmethod
    def decorator(function: Any) -> Any:
        return function

    @staticmethod
    def assert_(test: Any, *message: Callable[[], Any]) -> None:
        if not test:
            raise AssertionError(*(make() for make in message))

    @staticmethod
    def raise_(exception: Any, *cause: Any) -> None:
        if cause:
            raise exception from cause[0]
        raise exception

    @staticmethod
    def attempt() -> "Attempt":
        return Attempt()

    @staticmethod
    def deeper(depth: int) -> int:
        return depth + 1

    @staticmethod
    def itself(method: Any) -> None:
        pass

    @staticmethod
    def manager(thing: Any) -> Any:
        return thing

    @staticmethod
    def matches(subject: Any, kind: str, *details: Any) -> bool:
        if kind == "sequence":
            count, starred = details
            if isinstance(subject, str | bytes | bytearray) or not isinstance(subject, Sequence):
                return False
            return len(subject) >= count if starred else len(subject) == count
        if kind == "mapping":
            return isinstance(subject, Mapping)
        if kind == "attribute":
            return hasattr(subject, details[0])
        class_, count = details
        if not isinstance(subject, class_):
            return False
        names = getattr(class_, "__match_args__", ())
        if class_ not in WHOLE and len(names) < count:
            plural = "" if len(names) == 1 else "s"
            raise TypeError(
                f"{class_.__name__}() accepts {len(names)} positional sub-pattern{plural} ({count} given)"
            )
        return class_ in WHOLE or all(hasattr(subject, name) for name in names[:count])

    @staticmethod
    def part(subject: Any, kind: str, *details: Any) -> Any:
        if kind == "rest":
            return {key: item for key, item in subject.items() if key not in details[0]}
        if kind == "attribute":
            return getattr(subject, *details)
        class_, number = details
        return subject if class_ in WHOLE else getattr(subject, class_.__match_args__[number])

    @staticmethod
    def dict_(*pairs: tuple[Any, Any]) -> dict[Any, Any]:
        return dict(pairs)

    @staticmethod
    def set_(*elements: Any) -> set[Any]:
        return set(elements)

    @staticmethod
    def tuple_(*elements: Any) -> tuple[Any, ...]:
        return elements

    @staticmethod
    def list_(*elements: Any) -> list[Any]:
        return list(elements)

    @staticmethod
    def list_comp(
        iterable: Iterable[Any], element: Callable[[Any], Any], test: Callable[[Any], Any] | None
    ) -> list[Any]:
        return [element(item) for item in iterable if test is None or test(item)]

    @staticmethod
    def set_comp(
        iterable: Iterable[Any], element: Callable[[Any], Any], test: Callable[[Any], Any] | None
    ) -> set[Any]:
        return {element(item) for item in iterable if test is None or test(item)}

    @staticmethod
    def dict_comp(
        iterable: Iterable[Any],
        element: Callable[[Any], tuple[Any, Any]],
        test: Callable[[Any], Any] | None,
    ) -> dict[Any, Any]:
        return dict(element(item) for item in iterable if test is None or test(item))

    @staticmethod
    def generator(
        iterable: Iterable[Any], element: Callable[[Any], Any], test: Callable[[Any], Any] | None
    ) -> Iterator[Any]:
        return (element(item) for item in iterable if test is None or test(item))

    @staticmethod
    def flatten(parts: Iterable[Iterable[Any]]) -> Iterator[Any]:
        return (item for part in parts for item in part)

    @staticmethod
    def listed(items: Iterable[Any]) -> list[Any]:
        return list(items)

    @staticmethod
    def yielding(
        pulled: Callable[..., Any], pushed: Callable[..., Any] | None, arguments: tuple[Any, ...]
    ) -> Any:
        return pulled(*arguments)

    @staticmethod
    def handed_on(hand_on: Callable[[Any], Any], item: Any) -> Any:
        return hand_on(item)

    @staticmethod
    def formatted(value: Any, conversion: str | None, specification: str) -> str:
        return format(CONVERSIONS[conversion](value), specification)

    @staticmethod
    def fstring(*pieces: str) -> str:
        return "".join(pieces)

    @staticmethod
    def class_of(thing: Any) -> Any:
        return thing.__class__

    @staticmethod
    def owner(thing: Any, name: str) -> Any:
        return thing

    @staticmethod
    def modulo(left: str, right: Any) -> Any:
        return left % right


def _values(result: Any, names: tuple[str, ...]) -> tuple[Any, ...]:
    """Checks that a function returned what ``names`` says, and gives it as a tuple."""
    assert isinstance(names, tuple)
    if not names:
        assert result is None
        return ()
    if len(names) == 1:
        return (result,)
    assert isinstance(result, tuple)
    assert len(result) == len(names)
    return result


def _result(values: tuple[Any, ...]) -> Any:
    return values[0] if len(values) == 1 else values or None
