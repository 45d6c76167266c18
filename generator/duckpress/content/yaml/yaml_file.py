"""A YAML file -> its nodes, as in YAML 1.2, without ambiguous or unbounded constructs.

The parser's event stream is read, never its composer or constructor: libyaml's composer crashes on deep nesting, and
plain loading turns `no` into False, `3:1` into 181 and drops the first of two equal keys. A scalar stays the text that
was written; what kind of value it is, the key that it is written for decides (see `kinds`).
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, NamedTuple

from msgspec import Struct

from duckpress.content.yaml.nodes import Entry, Mapping, Node, Scalar, Sequence
from duckpress.content.yaml.syntax_errors import decode_text, explain_syntax, place_in, refused_in
from duckpress.core.limits import how_to_raise, limit, written
from duckpress.core.problems import Level, Problem, ProblemList, Read, Source

# A line that names a tag. libyaml compares each with all before it, so a file of them would take it an hour.
_TAG_LINE = re.compile(r"(?m)^%TAG\b")
_COMMENT = re.compile(r"#(?<=[ \t]#)[^\s#]")  # one that does not look like a note
_BEHIND = re.compile(r"[ \t]+(#[^\s#][^\r\n]*)")
_LONGEST_SHOWN = 40
_LONGEST_KEY = 60  # letters of it in a message


class ValueAllowance:
    """The number of values that a game's YAML files may still hold; aliases count as often as they are used."""

    def __init__(self) -> None:
        self.left = limit("yaml-values")
        self.repeated = 0  # of those that were read, by aliases
        self.is_overrun = False  # it is told, and whatever else there is need not be read


def read_yaml(path: str, data: bytes, room: ValueAllowance | None = None) -> Read[Node | None]:
    """Return the one document of a YAML file, or None if it is unusable.

    `room` is what several files may hold together.
    Problems: those of `decode_text`; `yaml-syntax`, `empty-file`, `yaml-documents`; `repeated-key` (the first value
    is kept); `merge-key`, `yaml-key`, `yaml-tag`, `yaml-alias`; `yaml-depth`, `yaml-size`, `text-too-long`;
    `comment-behind-text` as a warning.
    """
    text, refused = decode_text(path, data)
    if text is None:
        return Read(None, refused)
    if "%TAG" in text and (tag := _TAG_LINE.search(text)):
        what, fix = "'%TAG' names a tag, and tags are not supported", "delete the line"
        return Read(None, [Problem("yaml-tag", place_in(path, text, tag.start()), what, fix)])
    room = room or ValueAllowance()
    builder = _Builder(path, room)
    try:
        _read_events(text, builder)
    except _Unreadable:
        return Read(None, builder.problems)
    finally:
        room.left -= builder.count
    root = builder.roots[0] if builder.roots else None
    if (root is None or (isinstance(root, Scalar) and root.is_null)) and not builder.is_broken:
        builder.problems.add("empty-file", Source(path), "the file is empty", "write its keys and values")
        builder.is_broken = True
    return Read(None if builder.is_broken else root, builder.problems)


def _read_events(text: str, builder: _Builder) -> None:
    """Feed the builder; scalars, the commonest events, are handled here for speed."""
    make_parser, scalar_event, yaml_error = parser_of_yaml()
    parser = make_parser(text)
    next_event = parser.get_event
    new, path, longest = tuple.__new__, builder.path, builder.longest
    may_be_odd = any(sign in text for sign in "\\&!")  # escapes, anchors, tags
    has_comment = _COMMENT.search(text) is not None
    entries: dict[str, Entry] | None = None
    items: list[Node] = []
    key: str | None = None
    key_source = Source(path)
    count, left = 0, builder.left
    try:
        while True:
            event = next_event()
            if type(event) is not scalar_event:
                builder.count += count
                if builder.take(event, key, key_source):
                    return
                entries, items, key = builder.entries, builder.items, None
                count, left = 0, builder.left
                continue
            mark = event.start_mark
            value = event.value
            source = new(Source, (path, mark.line + 1, mark.column + 1))
            if may_be_odd or len(value) > longest:
                builder.check_scalar(event, source, is_key=entries is not None and key is None)
            if has_comment and not event.style:
                _check_end(event.end_mark, text, builder)
            if entries is None:
                count += 1
                items.append(new(Scalar, (value, not event.style, source)))
            elif key is not None:
                count += 1
                entries[key] = new(Entry, (new(Scalar, (value, not event.style, source)), key_source))
                key = None
            else:
                key = value
                key_source = source
                if value in entries or value == "<<" or not value:
                    key = builder.odd_key(value, source, is_plain=not event.style)
            if count > left:
                builder.refuse_size(source)
    except yaml_error as error:
        builder.problems.append(explain_syntax(error, path, text))
        raise _Unreadable from None
    finally:
        parser.dispose()


def _check_end(end: Any, text: str, builder: _Builder) -> None:
    """Warn if the text of a plain scalar may go on after its end: `card #3` is read as `card`."""
    behind = _BEHIND.match(text, end.index)
    if behind is None:
        return
    what = f"what stands behind ' #' is a comment, and not part of the text: {_cut(behind[1], _LONGEST_SHOWN)!r}"
    fix = "put the whole text in quotes, or write '# ' for a note"
    source = Source(builder.path, end.line + 1, end.column + behind.start(1) - end.index + 1)
    builder.problems.add("comment-behind-text", source, what, fix, Level.WARNING)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 3] + "..."


@cache
def parser_of_yaml() -> tuple[Any, Any, type[Exception]]:
    """Return the parser (libyaml's, else the slower pure one), its scalar event and the error it raises."""
    import yaml
    from yaml.events import ScalarEvent

    try:
        from yaml.cyaml import CParser  # type: ignore[attr-defined]  # the stubs leave it out
    except ImportError:
        return yaml.SafeLoader, ScalarEvent, yaml.YAMLError
    return CParser, ScalarEvent, yaml.YAMLError


class _Unreadable(Exception):
    """The reading of a file stops; the problem is already reported."""


class _Anchor(NamedTuple):
    node: Node
    size: int  # nodes in it, itself included
    height: int  # levels of nesting in it


class _Open(Struct):
    """A collection that has not ended yet."""

    node: Sequence | Mapping
    anchor: str | None
    first: int  # the number of its first node
    deepest: int


class _Builder:
    """The nodes so far, the open collections, and the problems."""

    def __init__(self, path: str, room: ValueAllowance) -> None:
        self.path = path
        self.problems = ProblemList()
        self._room, self._most = room, room.left
        self.longest, self._deepest = limit("text-length"), limit("yaml-depth")
        self.is_broken = False
        self.count = 0
        self.roots: list[Node] = []
        self.entries: dict[str, Entry] | None = None
        self.items: list[Node] = self.roots
        self._open: list[_Open] = []
        self._anchors: dict[str, _Anchor | None] = {}  # None: not closed yet
        self._documents = self._ignored = 0

    @property
    def left(self) -> int:
        return self._most - self.count

    def take(self, event: Any, key: str | None, key_source: Source) -> bool:
        """Handle any event but a scalar; True at the end of the document."""
        kind = type(event).__name__
        mark = event.start_mark
        source = Source(self.path, mark.line + 1, mark.column + 1)
        if self.count > self._most:
            self.refuse_size(source)
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
        """Check a scalar that has a tag or an anchor, is very long, or may hold an escape."""
        if event.tag is not None:
            self._tag(event.tag, source)
        if len(event.value) > self.longest:
            what = f"this text is {len(event.value)} characters long; {written(self.longest)} are allowed"
            self._break("text-too-long", source, what, f"shorten it; {how_to_raise('text-length')}")
        if event.style == '"' and (problem := refused_in(event.value, source)):
            self.is_broken = True
            self.problems.append(problem)
        if event.anchor is not None and not is_key:
            self._anchors[event.anchor] = _Anchor(Scalar(event.value, not event.style, source), 1, 0)

    def odd_key(self, key: str, source: Source, *, is_plain: bool) -> str:
        """Report a key that is repeated, empty or `<<`, and return a substitute key for its value."""
        if key and not (key == "<<" and is_plain) and self.entries is not None and key in self.entries:
            first = self.entries[key].source
            what = f"the key {_cut(key, _LONGEST_KEY)!r} stands in line {first.line} and again in line {source.line}"
            self.problems.add("repeated-key", source, what, "keep one of the two")
            self._stop_where_full()
        elif not key:
            self._break("yaml-key", source, "there is no key before the ':'", "write a name before the ':'")
        elif is_plain:
            self._break("merge-key", source, "merge keys ('<<') are not supported", "write the keys out")
        else:
            return key
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
        if len(self._open) >= self._deepest:
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
        self._deepen(closed.deepest)
        self._look_at(self._open[-1].node if self._open else None)

    def _look_at(self, node: Sequence | Mapping | None) -> None:
        self.entries = node.entries if isinstance(node, Mapping) else None
        self.items = node.items if isinstance(node, Sequence) else self.roots

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
        self._room.repeated += anchor.size
        if self.count > self._most:
            self.refuse_size(source)
        if len(self._open) + anchor.height > self._deepest:
            self._too_deep(source)
        self._deepen(len(self._open) + anchor.height)
        self._place(anchor.node, key, key_source)

    def _deepen(self, depth: int) -> None:
        if self._open:
            self._open[-1].deepest = max(self._open[-1].deepest, depth)

    def refuse_size(self, source: Source) -> None:
        """Report too many values; aliases are mentioned only if they are most of the values."""
        self._room.is_overrun = True
        most = limit("yaml-values")
        what = f"a game's files hold {written(most)} values at most, and here are more"
        are_repeated = self._room.repeated > most / 2
        fix = "use fewer aliases (*name)" if are_repeated else "write fewer, or put cards into a table or a family"
        self._give_up("yaml-size", source, what, f"{fix}; {how_to_raise('yaml-values')}")

    def _tag(self, tag: str, source: Source) -> None:
        what = f"the tag {_cut(tag.replace('tag:yaml.org,2002:', '!!'), _LONGEST_KEY)!r} is not supported"
        self._break("yaml-tag", source, what, "delete the tag; put text that begins with ! in quotes")

    def _too_deep(self, source: Source) -> None:
        what = f"lists and mappings are nested more than {self._deepest} deep"
        fix = f"close the brackets, or write it flatter; {how_to_raise('yaml-depth')}"
        self._give_up("yaml-depth", source, what, fix)

    def _break(self, code: str, source: Source, what: str, fix: str) -> None:
        self.is_broken = True
        self.problems.add(code, source, what, fix)
        self._stop_where_full()

    def _stop_where_full(self) -> None:
        if self.problems.is_full:
            raise _Unreadable

    def _give_up(self, code: str, source: Source, what: str, fix: str) -> None:
        self._break(code, source, what, fix)
        raise _Unreadable
