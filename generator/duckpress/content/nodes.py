"""YAML text -> nodes that remember their place, with the meaning of YAML 1.2 and nothing that can run away.

The parser's event stream is read, never its composer or constructor: libyaml's composer crashes on deep nesting, and
plain loading turns `no` into False, `3:1` into 181 and drops the first of two equal keys. A scalar stays the text that
was written; what kind of value it is, the reader that asks for it decides (see `reading`).
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from duckpress.content.characters import decode_text, refused_in
from duckpress.content.syntax import explain_syntax
from duckpress.problems import Problem, Source

MAX_DEPTH = 50
MAX_NODES = 500_000  # aliases counted as often as they are used
MAX_SCALAR = 100_000  # characters
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})


class Scalar(NamedTuple):
    """A single value as text; `is_plain` tells that it was written without quotes and not as a block."""

    text: str
    is_plain: bool
    source: Source

    @property
    def is_null(self) -> bool:
        """Tell whether this is an empty value: nothing, `~` or `null` without quotes."""
        return self.is_plain and self.text in _NULLS


class Cell(Scalar):
    """A scalar that did not stand in YAML as it is: a table's cell, or a text whose expressions were filled in."""

    __slots__ = ()

    @property
    def is_null(self) -> bool:
        """Tell that no word of a cell means "nothing"."""
        return False


class Sequence(NamedTuple):
    """A list."""

    items: list[Node]
    source: Source


class Entry(NamedTuple):
    """A value of a mapping and the place of its key."""

    value: Node
    source: Source


class Mapping(NamedTuple):
    """Keys with their values, in the order they were written."""

    entries: dict[str, Entry]
    source: Source


Node = Scalar | Sequence | Mapping


class _UnreadableError(Exception):
    """Reading cannot go on: the problem is reported already."""


class _Anchor(NamedTuple):
    node: Node
    size: int  # nodes in it, itself included
    height: int  # levels of nesting in it


class _Open:
    """A collection whose end has not come yet."""

    __slots__ = ("anchor", "deepest", "first", "node")

    def __init__(self, node: Sequence | Mapping, anchor: str | None, first: int, depth: int) -> None:
        self.node = node
        self.anchor = anchor
        self.first = first
        self.deepest = depth


def read_yaml(path: str, data: bytes, problems: list[Problem]) -> Node | None:
    """Give the one document of a YAML file, or None after reporting why it cannot be used.

    Problems: those of `decode_text`; `yaml-syntax`, `empty-file`, `yaml-documents`; `repeated-key` (the first value
    is kept); `merge-key`, `yaml-key`, `yaml-tag`, `yaml-alias`; `yaml-depth`, `yaml-size`, `text-too-long`.
    """
    text = decode_text(path, data, problems)
    if text is None:
        return None
    builder = _Builder(path, problems)
    try:
        _read_events(text, builder)
    except _UnreadableError:
        return None
    if builder.root is None or (isinstance(builder.root, Scalar) and builder.root.is_null):
        if not builder.is_broken:
            problems.append(Problem("empty-file", Source(path), "the file is empty", "write its keys and values"))
        return None
    return None if builder.is_broken else builder.root


def _read_events(text: str, builder: _Builder) -> None:
    """Feed the builder; scalars, which are nearly all of a file, are placed right here."""
    make_parser, scalar_event, yaml_error = _parser_of_yaml()
    parser = make_parser(text)
    next_event = parser.get_event
    new, path = tuple.__new__, builder.path
    may_escape = "\\" in text
    entries: dict[str, Entry] | None = None
    items: list[Node] = []
    key: str | None = None
    key_source = Source(path)
    count = 0
    try:
        while True:
            event = next_event()
            if type(event) is not scalar_event:
                builder.count += count
                count = 0
                if builder.take(event, key, key_source):
                    return
                entries, items, key = builder.entries, builder.items, None
                continue
            mark = event.start_mark
            value = event.value
            source = new(Source, (path, mark.line + 1, mark.column + 1))
            if event.tag is not None or event.anchor is not None or len(value) > MAX_SCALAR or may_escape:
                builder.check_scalar(event, source, is_key=entries is not None and key is None)
            if entries is None:
                count += 1
                items.append(new(Scalar, (value, not event.style, source)))
                if count > MAX_NODES:
                    builder.take(event, None, source)
            elif key is not None:
                count += 1
                entries[key] = new(Entry, (new(Scalar, (value, not event.style, source)), key_source))
                key = None
            else:
                key = value
                key_source = source
                if value in entries or value == "<<" or not value:
                    key = builder.odd_key(value, source, is_plain=not event.style)
    except yaml_error as error:
        problem = explain_syntax(error, path, text)
        builder.problems.append(problem)
        raise _UnreadableError from None
    finally:
        parser.dispose()


class _Builder:
    """The nodes so far, the collections still open, and what is wrong."""

    def __init__(self, path: str, problems: list[Problem]) -> None:
        self.path = path
        self.problems = problems
        self.is_broken = False
        self.count = 0
        self._roots: list[Node] = []
        self.entries: dict[str, Entry] | None = None
        self.items: list[Node] = self._roots
        self._open: list[_Open] = []
        self._anchors: dict[str, _Anchor | None] = {}  # None: not closed yet
        self._documents = 0
        self._ignored = 0

    @property
    def root(self) -> Node | None:
        return self._roots[0] if self._roots else None

    def take(self, event: Any, key: str | None, key_source: Source) -> bool:
        """Take any event but a scalar; True at the end of the document."""
        kind = type(event).__name__
        mark = event.start_mark
        source = Source(self.path, mark.line + 1, mark.column + 1)
        if self.count > MAX_NODES:
            what = f"the file holds more than {MAX_NODES} values"
            self._give_up("yaml-size", source, what, "split it, or use fewer aliases (*name)")
        if kind == "MappingStartEvent":
            self._start(Mapping({}, source), event, key, key_source)
        elif kind == "SequenceStartEvent":
            self._start(Sequence([], source), event, key, key_source)
        elif kind in ("MappingEndEvent", "SequenceEndEvent"):
            self._end()
        elif kind == "AliasEvent":
            self._alias(event.anchor, source, key, key_source)
        elif kind == "DocumentStartEvent":
            self._documents += 1
            if self._documents == 2:
                what = "a second document begins here ('---')"
                self._give_up("yaml-documents", source, what, "keep one document in a file: delete the '---'")
        return kind == "StreamEndEvent"

    def check_scalar(self, event: Any, source: Source, *, is_key: bool) -> None:
        """Look closer at a scalar that carries a tag or an anchor, is very long, or may hold an escape."""
        if event.tag is not None:
            self._tag(event.tag, source)
        if len(event.value) > MAX_SCALAR:
            what = f"this text is {len(event.value)} characters long; {MAX_SCALAR} are allowed"
            self._break("text-too-long", source, what, "shorten it")
        if event.style == '"' and (problem := refused_in(event.value, source)):
            self.is_broken = True
            self.problems.append(problem)
        if event.anchor is not None and not is_key:
            self._anchors[event.anchor] = _Anchor(Scalar(event.value, not event.style, source), 1, 0)

    def odd_key(self, key: str, source: Source, *, is_plain: bool) -> str:
        """Report a key that is repeated, empty or `<<`, and give a key to keep its value under, out of the way."""
        if key and not (key == "<<" and is_plain) and self.entries is not None and key in self.entries:
            first = self.entries[key].source
            what = f"the key {key!r} stands in line {first.line} and again in line {source.line}"
            self.problems.append(Problem("repeated-key", source, what, "keep one of the two"))
            return self._out_of_the_way()
        if not key:
            self._break("yaml-key", source, "there is no key before the ':'", "write a name before the ':'")
            return self._out_of_the_way()
        if is_plain:
            self._break("merge-key", source, "merge keys ('<<') are not supported", "write the keys out")
            return self._out_of_the_way()
        return key

    def _out_of_the_way(self) -> str:
        # The value has to go somewhere until its end; `_end` takes it out again. No file can hold a NUL.
        self._ignored += 1
        return f"\0{self._ignored}"

    def _place(self, node: Node, key: str | None, key_source: Source) -> None:
        if self.entries is None:
            self.items.append(node)
        elif key is not None:
            self.entries[key] = Entry(node, key_source)
        else:
            kind = "a list" if isinstance(node, Sequence) else "a mapping"
            fix = "a key is a word; text that begins with { [ or * has to stand in quotes"
            self._give_up("yaml-key", node.source, f"{kind} stands where a key should", fix)

    def _start(self, node: Sequence | Mapping, event: Any, key: str | None, key_source: Source) -> None:
        if len(self._open) >= MAX_DEPTH:
            self._too_deep(node.source)
        if event.tag is not None:
            self._tag(event.tag, node.source)
        if event.anchor is not None:
            self._anchors[event.anchor] = None
        self._place(node, key, key_source)
        self.count += 1
        self._open.append(_Open(node, event.anchor, self.count, len(self._open) + 1))
        self._look_at(node)

    def _end(self) -> None:
        closed = self._open.pop()
        if self._ignored and isinstance(closed.node, Mapping):
            for key in [key for key in closed.node.entries if key.startswith("\0")]:
                del closed.node.entries[key]
        if closed.anchor is not None:
            size, height = self.count - closed.first + 1, closed.deepest - len(self._open)
            self._anchors[closed.anchor] = _Anchor(closed.node, size, height)
        if self._open:
            around = self._open[-1]
            around.deepest = max(around.deepest, closed.deepest)
        self._look_at(self._open[-1].node if self._open else None)

    def _look_at(self, node: Sequence | Mapping | None) -> None:
        self.entries = node.entries if isinstance(node, Mapping) else None
        self.items = node.items if isinstance(node, Sequence) else self._roots

    def _alias(self, name: str, source: Source, key: str | None, key_source: Source) -> None:
        anchor = self._anchors.get(name)
        if anchor is None:
            if name in self._anchors:
                self._give_up("yaml-alias", source, f"*{name} stands inside the value it repeats", "write it out")
            what = f"*{name} repeats a value marked &{name}, and there is none before it"
            self._break("yaml-alias", source, what, "put text that begins with * in quotes, or mark the value")
            anchor = _Anchor(Scalar("", False, source), 1, 0)
        if self.entries is not None and key is None:
            self._give_up("yaml-key", source, f"*{name} stands where a key should", "write the key out")
        self.count += anchor.size
        if len(self._open) + anchor.height > MAX_DEPTH:
            self._too_deep(source)
        if self._open:
            around = self._open[-1]
            around.deepest = max(around.deepest, len(self._open) + anchor.height)
        self._place(anchor.node, key, key_source)

    def _tag(self, tag: str, source: Source) -> None:
        shown = tag.replace("tag:yaml.org,2002:", "!!")
        what = f"the tag {shown!r} is not supported"
        self._break("yaml-tag", source, what, "delete the tag; put text that begins with ! in quotes")

    def _too_deep(self, source: Source) -> None:
        what = f"lists and mappings are nested more than {MAX_DEPTH} deep"
        self._give_up("yaml-depth", source, what, "close the brackets, or write it flatter")

    def _break(self, code: str, source: Source, what: str, fix: str) -> None:
        self.is_broken = True
        self.problems.append(Problem(code, source, what, fix))

    def _give_up(self, code: str, source: Source, what: str, fix: str) -> None:
        self._break(code, source, what, fix)
        raise _UnreadableError


@cache
def _parser_of_yaml() -> tuple[Any, Any, type[Exception]]:
    """Give the parser (libyaml's, else the slower pure one), its scalar event and the error it raises."""
    import yaml
    from yaml.events import ScalarEvent

    try:
        from yaml.cyaml import CParser  # type: ignore[attr-defined]  # the stubs leave it out
    except ImportError:
        return yaml.SafeLoader, ScalarEvent, yaml.YAMLError
    return CParser, ScalarEvent, yaml.YAMLError
