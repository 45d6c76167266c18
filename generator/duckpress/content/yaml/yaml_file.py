"""A YAML file -> its nodes, with the meaning of YAML 1.2 and nothing that can run away.

The parser's event stream is read, never its composer or constructor: libyaml's composer crashes on deep nesting, and
plain loading turns `no` into False, `3:1` into 181 and drops the first of two equal keys. A scalar stays the text that
was written; what kind of value it is, the key that it is written for decides (see `kinds`).
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from duckpress.content.yaml.characters import decode_text, place_in
from duckpress.content.yaml.node_builder import Builder, UnreadableYaml, ValueAllowance
from duckpress.content.yaml.nodes import Entry, Node, Scalar
from duckpress.content.yaml.syntax_errors import explain_syntax
from duckpress.core.problem_list import Read
from duckpress.core.problems import Level, Problem, Source

# A line that names a tag. libyaml compares each with all before it, so a file of them would take it an hour.
_TAG_LINE = re.compile(r"(?m)^%TAG\b")
_COMMENT = re.compile(r"#(?<=[ \t]#)[^\s#]")  # one that does not look like a note
_BEHIND = re.compile(r"[ \t]+(#[^\s#][^\r\n]*)")
_LONGEST_SHOWN = 40


def read_yaml(path: str, data: bytes, room: ValueAllowance | None = None, above: int = 0) -> Read[Node | None]:
    """Return the one document of a YAML file, or None where it cannot be used.

    `room` is what several files may hold together; `above` is how many lines of the file stand above `data`.
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
    builder = Builder(path, room, above)
    try:
        _read_events(text, builder)
    except UnreadableYaml:
        return Read(None, builder.problems)
    finally:
        room.left -= builder.count
    root = builder.roots[0] if builder.roots else None
    if (root is None or (isinstance(root, Scalar) and root.is_null)) and not builder.is_broken:
        builder.problems.add("empty-file", Source(path), "the file is empty", "write its keys and values")
        builder.is_broken = True
    return Read(None if builder.is_broken else root, builder.problems)


def _read_events(text: str, builder: Builder) -> None:
    """Feed the builder; scalars, which are nearly all of a file, are placed right here."""
    make_parser, scalar_event, yaml_error = parser_of_yaml()
    parser = make_parser(text)
    next_event = parser.get_event
    new, path, longest, first_line = tuple.__new__, builder.path, builder.longest, builder.first_line
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
            source = new(Source, (path, mark.line + first_line, mark.column + 1))
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
        problem = explain_syntax(error, path, text)
        builder.problems.append(problem)
        raise UnreadableYaml from None
    finally:
        parser.dispose()


def _check_end(end: Any, text: str, builder: Builder) -> None:
    """Warn where the text of a plain scalar may go on behind its end: the reader takes `card #3` for `card`."""
    behind = _BEHIND.match(text, end.index)
    if behind is None:
        return
    comment = behind[1] if len(behind[1]) <= _LONGEST_SHOWN else behind[1][: _LONGEST_SHOWN - 3] + "..."
    what = f"what stands behind ' #' is a comment, and not part of the text: {comment!r}"
    fix = "put the whole text in quotes, or write '# ' for a note"
    source = Source(builder.path, end.line + builder.first_line, end.column + behind.start(1) - end.index + 1)
    builder.problems.add("comment-behind-text", source, what, fix, Level.WARNING)


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
