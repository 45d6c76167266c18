"""A mapping -> typed values, asked for key by key; what was not asked for is an unknown key."""

from __future__ import annotations

from collections.abc import Iterable
from types import EllipsisType
from typing import TypeVar, overload

from duckpress.content.yaml import scalars
from duckpress.content.yaml.nodes import Mapping, Node, Scalar, Sequence
from duckpress.core.limits import how_to_raise, limit
from duckpress.core.problems import Problem, Source, did_you_mean, nearest

_Default = TypeVar("_Default")


class Reader:
    """Reads one mapping. A value that is missing or wrong is reported once and replaced by its default.

    Every method that gives a value takes `default`; without one the key is required (`missing-key`, at the mapping,
    by `finish`), and a wrong value gives an empty text, the lowest number, False, the first choice or an empty tuple.
    """

    def __init__(self, node: Mapping, what: str, problems: list[Problem]) -> None:
        self.what = what
        self.source = node.source
        self.problems = problems
        self._entries = node.entries
        self._asked: set[str] = set()
        self._missing: list[str] = []

    @classmethod
    def of(cls, node: Node, what: str, problems: list[Problem]) -> Reader | None:
        """Give a reader of a node that should be a mapping, or None after reporting `wrong-type`."""
        if isinstance(node, Mapping):
            return cls(node, what, problems)
        has = "a list" if isinstance(node, Sequence) else scalars.quoted(node.text) if node.text else "empty"
        fix = "write it as keys and values ('key: value')"
        problems.append(Problem("wrong-type", node.source, f"{what} is {has}, not a mapping", fix))
        return None

    @overload
    def text(self, key: str) -> str: ...
    @overload
    def text(self, key: str, default: _Default) -> str | _Default: ...
    def text(self, key: str, default: object = ...) -> object:
        """Give a text; any scalar is one."""
        node = self._scalar(key, default)
        value = None if node is None else scalars.text_of(node, self._label(key), self.problems)
        return _or_default(value, default, "")

    def title(self, key: str, default: str | None = None) -> str:
        """Give a text that is a title or a name: it stands on one line, in lists and at the edges of sheets.

        Without a default the key is required. Problem: `text-too-long`; the text is cut then.
        """
        text = self.text(key) if default is None else self.text(key, default)
        most = limit("title-length")
        if len(text) <= most:
            return text
        what = f"{self._label(key)} is {len(text)} letters long; {most} are allowed"
        self.report("text-too-long", key, what, f"shorten it; {how_to_raise('title-length')}")
        return text[:most]

    @overload
    def whole(self, key: str, *, low: int | None = None, high: int | None = None) -> int: ...
    @overload
    def whole(
        self, key: str, *, low: int | None = None, high: int | None = None, default: _Default
    ) -> int | _Default: ...
    def whole(self, key: str, *, low: int | None = None, high: int | None = None, default: object = ...) -> object:
        """Give a whole number within the range."""
        node = self._scalar(key, default)
        value = None if node is None else scalars.whole_of(node, self._label(key), self.problems, low, high)
        return _or_default(value, default, low or 0)

    @overload
    def number(self, key: str, *, low: float | None = None, high: float | None = None) -> float: ...
    @overload
    def number(
        self, key: str, *, low: float | None = None, high: float | None = None, default: _Default
    ) -> float | _Default: ...
    def number(self, key: str, *, low: float | None = None, high: float | None = None, default: object = ...) -> object:
        """Give a finite number within the range."""
        node = self._scalar(key, default)
        value = None if node is None else scalars.number_of(node, self._label(key), self.problems, low, high)
        return _or_default(value, default, low or 0.0)

    @overload
    def yes_no(self, key: str) -> bool: ...
    @overload
    def yes_no(self, key: str, default: _Default) -> bool | _Default: ...
    def yes_no(self, key: str, default: object = ...) -> object:
        """Give True for `yes` or `true`, False for `no` or `false`."""
        node = self._scalar(key, default)
        value = None if node is None else scalars.yes_no_of(node, self._label(key), self.problems)
        return _or_default(value, default, False)

    @overload
    def choice(self, key: str, choices: Iterable[str]) -> str: ...
    @overload
    def choice(self, key: str, choices: Iterable[str], default: _Default) -> str | _Default: ...
    def choice(self, key: str, choices: Iterable[str], default: object = ...) -> object:
        """Give one of the words allowed."""
        known = tuple(choices)
        node = self._scalar(key, default)
        value = None if node is None else scalars.choice_of(node, self._label(key), self.problems, known)
        return _or_default(value, default, known[0] if known else "")

    @overload
    def texts(self, key: str) -> tuple[str, ...]: ...
    @overload
    def texts(self, key: str, default: _Default) -> tuple[str, ...] | _Default: ...
    def texts(self, key: str, default: object = ...) -> object:
        """Return the texts of a list, none of them blank (`empty-value`)."""
        node = self._value(key, default)
        label = self._label(key)
        for item in node.items if isinstance(node, Sequence) else ():
            if isinstance(item, Scalar) and not item.is_null and not item.text.strip():
                what = f"an entry of {label} is empty"
                self.problems.append(Problem("empty-value", item.source, what, "write what it is, or delete it"))
        value = None if node is None else scalars.texts_of(node, label, self.problems)
        return _or_default(value, default, ())

    def reader(self, key: str, *, is_required: bool = False) -> Reader | None:
        """Give a reader of a mapping inside this one, or None where there is none or it is no mapping."""
        node = self._value(key, ... if is_required else None)
        return None if node is None else Reader.of(node, self._label(key), self.problems)

    def items(self, key: str, *, is_required: bool = False) -> list[Node]:
        """Give the nodes of a list; none where the key is missing or holds no list."""
        node = self._value(key, ... if is_required else None)
        if node is None:
            return []
        if isinstance(node, Sequence):
            return list(node.items)
        has = "a mapping" if isinstance(node, Mapping) else scalars.quoted(node.text) if node.text else "empty"
        what = f"{self._label(key)} is {has}, not a list"
        fix = "write each entry on a line of its own after '- '"
        self.problems.append(Problem("wrong-type", node.source, what, fix))
        return []

    def node(self, key: str) -> Node | None:
        """Give the value as it stands, whatever it is; None where the key is missing."""
        self._asked.add(key)
        entry = self._entries.get(key)
        return entry.value if entry else None

    def keys(self) -> tuple[str, ...]:
        """Give the keys in the order they were written, for mappings whose keys are names of the game's own."""
        return tuple(self._entries)

    def nodes(self) -> list[tuple[str, Node]]:
        """Give all keys with their values, for mappings whose keys are names of the game's own: none is unknown."""
        self._asked.update(self._entries)
        return [(key, entry.value) for key, entry in self._entries.items()]

    def at(self, key: str) -> Source:
        """Give the place of a key's value, or of the mapping where the key is missing."""
        entry = self._entries.get(key)
        return entry.value.source if entry else self.source

    def key_at(self, key: str) -> Source:
        """Give the place of a key itself, or of the mapping where the key is missing."""
        entry = self._entries.get(key)
        return entry.source if entry else self.source

    def sources(self) -> dict[str, Source]:
        """Give the place of every key's value."""
        return {key: entry.value.source for key, entry in self._entries.items()}

    def report(self, code: str, key: str, what: str, fix: str = "") -> None:
        """Report a problem at the place of a key's value."""
        self.problems.append(Problem(code, self.at(key), what, fix))

    def finish(self) -> None:
        """Report what is left: every key that was never asked for (`unknown-key`), every required one that is missing.

        A missing key that an unknown one was meant for is not reported as well. Always call this last.
        """
        missing = list(self._missing)
        for key, entry in self._entries.items():
            if key in self._asked:
                continue
            known = [*missing, *(name for name in self._asked if name not in self._entries)]
            if (near := nearest(key, known)) in missing:
                missing.remove(near)
            what = f"{self.what} has no key {scalars.quoted(key)}"
            fix = did_you_mean(near or key, self._asked)
            self.problems.append(Problem("unknown-key", entry.source, what, fix))
        for key in missing:
            what = f"{self.what} has no {key!r}"
            self.problems.append(Problem("missing-key", self.source, what, f"add '{key}: ...'"))

    def _label(self, key: str) -> str:
        return f"{key!r} of {self.what}"

    def _scalar(self, key: str, default: object) -> Node | None:
        """Give the value of a key, where a single one is wanted; one that is required is not blank (`empty-value`)."""
        node = self._value(key, default)
        is_blank = isinstance(node, Scalar) and (node.is_null or not node.text.strip())
        if is_blank and isinstance(default, EllipsisType):
            self.report("empty-value", key, f"{self._label(key)} is empty", f"write what it is: '{key}: ...'")
            return None
        return node

    def _value(self, key: str, default: object) -> Node | None:
        node = self.node(key)
        is_required = isinstance(default, EllipsisType)
        if node is None:
            if is_required:
                self._missing.append(key)
            return None
        return None if isinstance(node, Scalar) and node.is_null and not is_required else node


def _or_default(value: object, default: object, fallback: object) -> object:
    if value is not None:
        return value
    return fallback if isinstance(default, EllipsisType) else default
