"""The parts of a rules sheet, as read from its Markdown; every part knows the line it was written on."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from msgspec import Struct

from duckpress.core.problems import Problem, Source, did_you_mean
from duckpress.core.units import parse_length

KINDS = ("card", "board", "back", "art", "icon")
PICTURE = re.compile(r"!\[")
_WHOLE = re.compile(r"!\[((?>(?:\\.|[^\]\\])*))\]\(([^()]*+)\)[ \t]*+")
_OPTIONS = ("width", "height", "turn")
_LARGEST_MM = 400.0


class Heading(Struct, frozen=True):
    """A heading of level 1, 2 or 3."""

    level: int
    text: str
    source: Source


class Prose(Struct, frozen=True):
    """A paragraph; its text is markup, with single line breaks as blanks. `is_lead`: the opening words."""

    text: str
    source: Source
    is_lead: bool = False
    is_small: bool = False


class Items(Struct, frozen=True):
    """A list; each item is blocks of its own. `first` is the first number of a numbered one, None for bullets."""

    first: int | None
    items: tuple[tuple[Block, ...], ...]
    source: Source
    is_small: bool = False


class Callout(Struct, frozen=True):
    """Blocks in a box of their own: an example, a hint."""

    blocks: tuple[Block, ...]
    source: Source


class TableBlock(Struct, frozen=True):
    """A table: heads (may be empty), alignment of each column, rows of cells. `is_wide`: across all columns."""

    heads: tuple[str, ...]
    aligns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    source: Source
    is_wide: bool = False


class PictureBlock(NamedTuple):
    """A picture by its kind (`card`, `back`, `art`, `icon`) and name; sizes in mm, None for as it comes."""

    caption: str
    kind: str
    name: str
    width_mm: float | None
    height_mm: float | None
    turn_degrees: int
    source: Source


class Pictures(Struct, frozen=True):
    """Pictures side by side; `is_wide`: across all columns."""

    pictures: tuple[PictureBlock, ...]
    is_wide: bool
    source: Source


class Entries(Struct, frozen=True):
    """Lines of a count and what it counts, as in a list of components."""

    entries: tuple[tuple[str, str], ...]
    source: Source


class Rule(Struct, frozen=True):
    """A thin line across the column."""

    source: Source


class Break(Struct, frozen=True):
    """The end of a column (`column`) or of a page (`page`)."""

    kind: str
    source: Source


class Directive(Struct, frozen=True):
    """A part to be generated: `[name: argument]`, and the words written under it, by what they are about."""

    name: str
    argument: str
    is_wide: bool
    words: Mapping[str, str]
    source: Source


Block = Heading | Prose | Items | Callout | TableBlock | Pictures | Entries | Rule | Break | Directive


def read_pictures(text: str, place: Callable[[str], Source]) -> tuple[tuple[PictureBlock, ...], bool, list[Problem]]:
    """Return the pictures on a line, whether they go across all columns, and what is wrong: `bad-picture-line`."""
    pictures: list[PictureBlock] = []
    problems: list[Problem] = []
    is_wide = False
    rest = text.strip()
    while rest:
        match = _WHOLE.match(rest)
        if match is None:
            fix = "write ![caption](card:deck/card width=30mm), several with blanks between them"
            problems.append(Problem("bad-picture-line", place(rest), f"{rest[:40]!r} is no picture", fix))
            break
        rest = rest[match.end() :]
        target, *options = match[2].split() or [""]
        kind, colon, name = target.partition(":")
        if not colon or kind not in KINDS or not name:
            fix = "write card:deck/card, back:deck, art:art/file.svg or icon:name"
            fix = did_you_mean(kind, KINDS) if colon and kind not in KINDS else fix
            what = f"{target[:60]!r} does not say what to show"
            problems.append(Problem("bad-picture-line", place(target or "("), what, fix))
            continue
        values: dict[str, float] = {}
        for option in options:
            key, equals, value = option.partition("=")
            if option == "wide":
                is_wide = True
            elif not equals or key not in _OPTIONS or (number := _value(key, value)) is None:
                fix = "write width=30mm, height=40mm, turn=90 or wide"
                problems.append(Problem("bad-picture-line", place(option), f"{option[:40]!r} means nothing here", fix))
            else:
                values[key] = number
        sizes = (values.get("width"), values.get("height"), int(values.get("turn", 0)))
        pictures.append(PictureBlock(match[1], "card" if kind == "board" else kind, name, *sizes, place(target)))
    return tuple(pictures), is_wide, problems


def _value(key: str, text: str) -> float | None:
    if key == "turn":
        return float(text) if text in ("0", "90", "180", "270") else None
    length = parse_length(text)
    return length if length is not None and 1.0 <= length <= _LARGEST_MM else None
