"""``match``, as a chain of ``if``."""

from collections.abc import Iterator
from typing import Any

import gast

from .converter import Converter
from .names import mangled
from .syntax import assign, constant, load, place

Capture = tuple[str, gast.expr]


class Patterns(Converter):
    """Makes tests of patterns. Names are bound once a whole pattern has matched, before its guard.

    Before:
        def f(x):
            match x:
                case 0 | 1:
                    return "small"
                case [a, *_] if a:
                    return a
                case {"n": n}:
                    return n
                case Point(y=0):
                    return "flat"
                case other:
                    return other

    After:
        def f(x):
            subject = x
            if subject == 0 or subject == 1:
                return "small"
            else:
                matched = ops.matches(subject, "sequence", 1, True)
                if matched:
                    a = subject[0]
                    matched = a
                if matched:
                    return a
                elif ops.matches(subject, "mapping") and "n" in subject:
                    n = subject["n"]
                    return n
                elif ops.matches(subject, "class", Point, 0) and ops.matches(subject, "attribute", "y") and subject.y == 0:
                    return "flat"
                else:
                    other = subject
                    return other
    """

    def visit(self, node: gast.AST) -> Any:
        """Looks at statements and ``except`` clauses only."""
        return super().visit(node) if isinstance(node, gast.stmt | gast.ExceptHandler) else node

    def visit_FunctionDef(self, node: gast.FunctionDef) -> Any:
        """Leaves a function inside alone: it is converted by itself."""
        return node

    def visit_Match(self, node: gast.Match) -> list[gast.stmt]:
        """Rewrites a ``match``."""
        subject = self.context.names.fresh("subject")
        for case in node.cases:
            case.body = self.block(case.body)
        return [assign(subject, node.subject, node.subject), *self._cases(subject, node.cases)]

    def _cases(self, subject: str, cases: list[gast.match_case]) -> list[gast.stmt]:
        if not cases:
            return []
        case, *others = cases
        pattern = case.pattern
        tests = list(self._tests(pattern, load(subject)))
        body = [
            *(assign(name, value, pattern) for name, value in self._captures(pattern, load(subject))),
            *case.body,
        ]
        bound = len(body) - len(case.body)
        rest = self._cases(subject, others)
        if case.guard is None:
            return [place(gast.If(_all(tests, pattern), body, rest), pattern)] if tests else body
        if not bound:
            return [place(gast.If(_all([*tests, case.guard], pattern), body, rest), pattern)]
        if not tests:
            return [*body[:bound], place(gast.If(case.guard, case.body, rest), pattern)]
        matched = self.context.names.fresh("matched")
        guarded = [*body[:bound], assign(matched, case.guard, case.guard)]
        return [
            assign(matched, _all(tests, pattern), pattern),
            place(gast.If(place(load(matched), pattern), guarded, []), pattern),
            place(gast.If(place(load(matched), pattern), case.body, rest), pattern),
        ]

    def _tests(self, pattern: gast.AST, subject: gast.expr) -> Iterator[gast.expr]:
        """Gives the tests of a pattern, in order; none where it matches anything."""
        match pattern:
            case gast.MatchValue(value=value):
                yield place(gast.Compare(subject, [gast.Eq()], [value]), pattern)
            case gast.MatchSingleton(value=value):
                yield place(gast.Compare(subject, [gast.Is()], [constant(value)]), pattern)
            case gast.MatchAs(pattern=inner):
                if inner is not None:
                    yield from self._tests(inner, subject)
            case gast.MatchOr(patterns=patterns):
                # The last may match anything; those before it are asked all the same, and may raise.
                ways = [list(self._tests(way, subject)) or [constant(True)] for way in patterns]
                yield place(gast.BoolOp(gast.Or(), [_all(way, pattern) for way in ways]), pattern)
            case gast.MatchSequence(patterns=patterns):
                starred = any(isinstance(item, gast.MatchStar) for item in patterns)
                details = constant(len(patterns) - starred), constant(starred)
                yield self._operator("matches", pattern, subject, "sequence", *details)
            case gast.MatchMapping(keys=keys):
                yield self._operator("matches", pattern, subject, "mapping")
                for key in keys:
                    yield place(gast.Compare(key, [gast.In()], [subject]), pattern)
            case gast.MatchClass(cls=class_, patterns=patterns, kwd_attrs=names):
                yield self._operator("matches", pattern, subject, "class", class_, constant(len(patterns)))
                for name in names:
                    yield self._operator("matches", pattern, subject, "attribute", constant(name))
        for inner, part in self._parts(pattern, subject):
            yield from self._tests(inner, part)

    def _captures(self, pattern: gast.AST, subject: gast.expr) -> Iterator[Capture]:
        """Gives the names that a pattern binds, each with what it is bound to."""
        match pattern:
            case gast.MatchAs(pattern=inner, name=name):
                if inner is not None:
                    yield from self._captures(inner, subject)
                if name is not None:
                    yield name, subject
            case gast.MatchStar(name=name):
                if name is not None:
                    yield name, place(gast.List([gast.Starred(subject, gast.Load())], gast.Load()), pattern)
            case gast.MatchOr(patterns=[first, *others]):
                captures = list(self._captures(first, subject))
                for other in others:
                    if _dumped(self._captures(other, subject)) != _dumped(captures):
                        raise self.context.refuse("C020-match", other)
                yield from captures
            case gast.MatchMapping(keys=keys, rest=str(name)):
                yield name, self._operator("part", pattern, subject, "rest", gast.Tuple(keys, gast.Load()))
        for inner, part in self._parts(pattern, subject):
            yield from self._captures(inner, part)

    def _parts(self, pattern: gast.AST, subject: gast.expr) -> Iterator[tuple[gast.AST, gast.expr]]:
        """Gives the patterns inside one, each with the part of the subject that it is for."""
        match pattern:
            case gast.MatchSequence(patterns=patterns):
                count, star = len(patterns), _place_of_star(patterns)
                for number, inner in enumerate(patterns):
                    if number == star:
                        end = constant(star + 1 - count) if star + 1 < count else None
                        index: gast.expr = gast.Slice(constant(star), end, None)
                    else:
                        index = constant(number if number < star else number - count)
                    yield inner, place(gast.Subscript(subject, index, gast.Load()), inner)
            case gast.MatchMapping(keys=keys, patterns=patterns):
                for key, inner in zip(keys, patterns, strict=True):
                    yield inner, place(gast.Subscript(subject, key, gast.Load()), inner)
            case gast.MatchClass(cls=class_, patterns=patterns, kwd_attrs=names, kwd_patterns=named):
                for number, inner in enumerate(patterns):
                    yield inner, self._operator("part", inner, subject, "position", class_, constant(number))
                for name, inner in zip(names, named, strict=True):
                    if mangled(name, self.context.class_name) == name:
                        yield inner, place(gast.Attribute(subject, name, gast.Load()), inner)
                    else:
                        # In a pattern it is the name as it stands.
                        yield inner, self._operator("part", inner, subject, "attribute", constant(name))

    def _operator(
        self, name: str, at: gast.AST, subject: gast.expr, kind: str, *details: gast.expr
    ) -> gast.expr:
        return place(self.context.operator(name, subject, constant(kind), *details), at)


def _place_of_star(patterns: list[gast.AST]) -> int:
    return next((n for n, inner in enumerate(patterns) if isinstance(inner, gast.MatchStar)), len(patterns))


def _all(tests: list[gast.expr], at: gast.AST) -> gast.expr:
    return tests[0] if len(tests) == 1 else place(gast.BoolOp(gast.And(), tests), at)


def _dumped(captures: Any) -> dict[str, str]:
    return {name: gast.dump(value) for name, value in captures}
