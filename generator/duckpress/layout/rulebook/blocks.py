"""The parts of a rules sheet, read from its Markdown or generated from the game's data, each with its line."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from duckpress.core.geometry import parse_length
from duckpress.core.language import program
from duckpress.core.problems import Problem, Source, did_you_mean
from duckpress.model import Game, Note

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
    """A paragraph; its text is markup, with single line breaks as blanks. `is_lead`: the introduction."""

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
    """Blocks in a box: an example, a hint."""

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
    """A picture by its kind (`card`, `back`, `art`, `icon`) and name; sizes in mm, None for its own size."""

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
    """Lines with a count and a name, as in a list of components."""

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
    """A part to be generated: `[name: argument]`, and the words written under it, by subject."""

    name: str
    argument: str
    is_wide: bool
    words: Mapping[str, str]
    source: Source


Block = Heading | Prose | Items | Callout | TableBlock | Pictures | Entries | Rule | Break | Directive


def read_pictures(text: str, place: Callable[[str], Source]) -> tuple[tuple[PictureBlock, ...], bool, list[Problem]]:
    """Return the pictures on a line, whether they span all columns, and the problems: `bad-picture-line`."""
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


Tables = Mapping[str | None, Mapping[str, Any]]
"""The setup tables as plain data (`SetupTable.as_data`), by variant; None is the game without any."""


class GeneratedBlocks:
    """Writes the generated parts of one sheet; `copies` are the printed copies of each card.

    What its directives ask for in vain is gathered in `problems`.
    """

    def __init__(self, game: Game, tables: Tables, copies: Mapping[tuple[str, str], int]) -> None:
        self.problems: list[Problem] = []
        self._game = game
        self._tables = tables
        self._copies = copies

    def blocks(self, blocks: Sequence[Block]) -> tuple[Block, ...]:
        """Return the blocks with every directive replaced by its generated blocks."""
        game = self._game
        writers: dict[str, Callable[[Directive], list[Block]]] = {
            "about": lambda directive: [Prose(game.about, directive.source, is_lead=True)] if game.about else [],
            "components": self._components,
            "setup steps": self._steps,
            "setup table": self._table,
            "variants": self._variants,
            "notes": lambda directive: self._notes(directive, game.notes),
            "questions": lambda directive: self._notes(directive, [one for one in game.notes if one.question]),
            "choices": lambda directive: self._notes(directive, [one for one in game.notes if not one.question]),
            "credits": self._credits,
            "licence": lambda directive: [Prose(game.licence, directive.source, is_small=True)] if game.licence else [],
        }
        written: list[Block] = []
        for block in blocks:
            written += writers[block.name](block) if isinstance(block, Directive) else [block]
        return tuple(written)

    def _components(self, directive: Directive) -> list[Block]:
        """Return the decks with their counts, sheets without, and what players bring. Problem: `unknown-deck`."""
        game, source = self._game, directive.source
        entries: list[tuple[str, str]] = []
        sheets: list[str] = []
        listed = dict.fromkeys(
            deck
            for piece in game.chosen_pieces()
            if piece.instead_of is None
            for deck in piece.decks
            if not (game.decks[deck].is_dealt or deck in game.packaging)
        )
        for name in directive.words:
            if name not in listed:
                fix = did_you_mean(name, listed, else_say="there are")
                what = f"there is no deck {name!r} in the list of components"
                self.problems.append(Problem("unknown-deck", source, what, fix))
        for deck_id in listed:
            deck, words = game.decks[deck_id], directive.words.get(deck_id, "")
            if words == "-":
                continue
            title = f"**{deck.title}**" + (f": {words}" if words else "")
            if not deck.is_component:
                sheets.append(title)
                continue
            copies = [self._copies.get((deck_id, card.id), card.copies) for card in deck.cards]
            count = sum(copies)
            if deck.is_per_player:
                each = sum(card.copies for card, printed in zip(deck.cards, copies, strict=True) if printed)
                title += f" ({self._say(program.FOR_EACH_PLAYER, number=each)})"
            entries.append((self._game.speech.number(count), title))
        blocks: list[Block] = [Entries(tuple(entries), source)] if entries else []
        if sheets:
            blocks.append(Prose(f"{self._say(program.PRINT_AS_NEEDED)} {', '.join(sheets)}.", source))
        if game.bring:
            blocks.append(Prose(self._say(program.BRING), source))
            blocks.append(Items(None, tuple((Prose(words, source),) for words in game.bring), source))
        return blocks

    def _steps(self, directive: Directive) -> list[Block]:
        table = self._table_of(directive)
        steps = tuple((Prose(note, directive.source),) for note in (table["notes"] if table is not None else ()))
        return [Items(1, steps, directive.source)] if steps else []

    def _table(self, directive: Directive) -> list[Block]:
        table = self._table_of(directive)
        if table is None or not table["columns"]:
            return []
        columns = table["columns"]
        heads = (self._say(program.TABLE_PLAYERS), *(column["short"] for column in columns))
        rows = tuple(
            (f"**{row['players']}**", *(self._cell(row["cells"].get(column["key"])) for column in columns))
            for row in table["rows"]
        )
        return [TableBlock(heads, ("center",) * len(heads), rows, directive.source, directive.is_wide)]

    def _cell(self, value: object) -> str:
        if value is None:
            return "–"
        if isinstance(value, bool):
            return self._say(program.YES) if value else self._say(program.NO)
        return self._game.speech.number(value) if isinstance(value, int | float) else str(value)

    def _table_of(self, directive: Directive) -> Mapping[str, Any] | None:
        """Return the setup table that a directive names. Problem: `unknown-variant`."""
        variant = directive.argument or None
        if variant not in self._tables:
            names = [name for name in self._tables if name is not None]
            what = f"there is no variant {directive.argument!r}"
            fix = did_you_mean(directive.argument, names, else_say="the variants are") or "the game has no variants"
            self.problems.append(Problem("unknown-variant", directive.source, what, fix))
        return self._tables.get(variant)

    def _variants(self, directive: Directive) -> list[Block]:
        blocks: list[Block] = []
        source = directive.source
        variants = self._game.setup.all_variants if self._game.setup is not None else {}
        for name in directive.words:
            if name not in variants:
                fix = did_you_mean(name, variants, else_say="the variants are")
                self.problems.append(Problem("unknown-variant", source, f"there is no variant {name!r}", fix))
        for name, variant in variants.items():
            words = directive.words.get(name, "")
            if words == "-":
                continue
            blocks.append(Heading(2, variant.title, source))
            blocks += [Prose(text, source) for text in (variant.about, words) if text]
        return blocks

    def _notes(self, directive: Directive, notes: Sequence[Note]) -> list[Block]:
        """Return a paragraph for each note; its open question comes last, in italics."""
        return [
            Prose(
                f"**{_ended(note.subject)}** {_ended(note.choice[:1].upper() + note.choice[1:])} {note.reason}"
                + (f" *{note.question}*" if note.question else ""),
                directive.source,
                is_small=True,
            )
            for note in notes
        ]

    def _credits(self, directive: Directive) -> list[Block]:
        game = self._game
        lines = [f"**{credit.role}:** {credit.name}" for credit in game.credits]
        if game.publisher and not any(game.publisher in credit.name for credit in game.credits):
            lines.append(f"**{self._say(program.PUBLISHER)}:** {game.publisher}")
        lines.append(f"**{self._say(program.VERSION_HEAD)}:** {game.version}")
        return [Prose("\\\n".join(lines), directive.source, is_small=True)]

    def _say(self, words: str, **values: Any) -> str:
        return self._game.speech.program(words, values)


def _ended(words: str) -> str:
    return words if words.endswith((".", "!", "?", "…")) else f"{words}."
