"""The parts of a rules sheet, as read from its Markdown; every part knows the line it was written on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct

from duckpress.core.problems import Source


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


class RulesSheet(NamedTuple):
    """A rules sheet as read: what its front matter asks for, and its blocks."""

    subtitle: str | None
    head_mm: float
    columns: int
    blocks: tuple[Block, ...]
