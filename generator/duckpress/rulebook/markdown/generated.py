"""Directives -> blocks: the parts of a rules sheet that are written from the game's own data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from duckpress.core.problems import Problem, did_you_mean
from duckpress.language import program
from duckpress.model import Game, Note
from duckpress.rulebook.markdown.blocks import Block, Directive, Entries, Heading, Items, Prose, TableBlock

Tables = Mapping[str | None, Mapping[str, Any]]
"""The setup tables as plain data (`SetupTable.as_data`), by variant; None is the game without any."""


class GeneratedBlocks:
    """Writes the generated parts of one sheet; `copies` are those that are printed of each card.

    What its directives ask for in vain is gathered in `problems`.
    """

    def __init__(self, game: Game, tables: Tables, copies: Mapping[tuple[str, str], int]) -> None:
        self.problems: list[Problem] = []
        self._game = game
        self._tables = tables
        self._copies = copies

    def blocks(self, blocks: Sequence[Block]) -> tuple[Block, ...]:
        """Return the blocks with every directive replaced by what it stands for."""
        writers: dict[str, Callable[[Directive], list[Block]]] = {
            "about": self._about,
            "components": self._components,
            "setup steps": self._steps,
            "setup table": self._table,
            "variants": self._variants,
            "notes": lambda directive: self._notes(directive, self._game.notes),
            "questions": lambda directive: self._notes(directive, [one for one in self._game.notes if one.question]),
            "choices": lambda directive: self._notes(directive, [one for one in self._game.notes if not one.question]),
            "credits": self._credits,
            "licence": self._licence,
        }
        written: list[Block] = []
        for block in blocks:
            written += writers[block.name](block) if isinstance(block, Directive) else [block]
        return tuple(written)

    def _about(self, directive: Directive) -> list[Block]:
        return [Prose(self._game.about, directive.source, is_lead=True)] if self._game.about else []

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
        """Return a paragraph for each note; the question that it leaves open comes last, in italics."""
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

    def _licence(self, directive: Directive) -> list[Block]:
        return [Prose(self._game.licence, directive.source, is_small=True)] if self._game.licence else []

    def _say(self, words: str, **values: Any) -> str:
        return self._game.speech.program(words, values)


def _ended(words: str) -> str:
    return words if words.endswith((".", "!", "?", "…")) else f"{words}."
