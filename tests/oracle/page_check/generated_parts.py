"""What generated parts of a sheet have to mention, in order, taken from the game's own records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from duckpress.layout.rulebook.blocks import Block, Directive, Tables
from duckpress.model import Game
from oracle.frame_check.asked_values import WrongFrame
from oracle.page_check.asked_letters import asked_of_block, asked_of_words, joined


def check_part(
    directive: Directive, blocks: Sequence[Block], game: Game, tables: Tables, copies: Mapping[tuple[str, str], int]
) -> None:
    """Raise `WrongFrame` where a generated part leaves out, exchanges or miscounts what it has to mention."""
    said, at = joined(one for block in blocks for one in asked_of_block(block)), 0
    for words in _mentioned(directive, game, tables, copies):
        wanted = asked_of_words(words).letters
        found = said.find(wanted, at)
        if found < 0:
            raise WrongFrame(f"[{directive.name}] does not say {words[:60]!r} in its place")
        at = found + len(wanted)


def _mentioned(
    directive: Directive, game: Game, tables: Tables, copies: Mapping[tuple[str, str], int]
) -> Iterator[str]:
    table = tables.get(directive.argument or None, {})
    if directive.name in ("about", "licence"):
        yield game.about if directive.name == "about" else game.licence
    elif directive.name == "components":
        yield from _components(directive, game, copies)
    elif directive.name == "setup steps":
        yield from (f"{number}. {note}" for number, note in enumerate(table.get("notes", ()), 1))
    elif directive.name == "setup table":
        yield from _table(game, table)
    elif directive.name == "variants":
        variants = game.setup.all_variants if game.setup is not None else {}
        named = [(variant, directive.words.get(name, "")) for name, variant in variants.items()]
        yield from (words for variant, own in named if own != "-" for words in (variant.title, variant.about, own))
    elif directive.name == "credits":
        yield from (f"{credit.role}: {credit.name}" for credit in game.credits)
        yield game.version
    else:
        for note in game.notes:
            if directive.name == "notes" or bool(note.question) == (directive.name == "questions"):
                yield from (note.subject, note.choice, note.reason, note.question or "")


def _table(game: Game, table: Mapping[str, Any]) -> Iterator[str]:
    columns = table.get("columns") or ()
    yield from (column["short"] for column in columns)
    for row in table.get("rows", ()) if columns else ():
        cells = [row["cells"].get(column["key"]) for column in columns]
        yield from (str(row["players"]), *(game.speech.number(cell) for cell in cells if type(cell) in (int, float)))


def _components(directive: Directive, game: Game, copies: Mapping[tuple[str, str], int]) -> Iterator[str]:
    pieces = [piece for piece in game.chosen_pieces() if piece.instead_of is None]
    decks = [game.decks[deck] for deck in dict.fromkeys(deck for piece in pieces for deck in piece.decks)]
    kept = [deck for deck in decks if not deck.is_dealt and deck.id not in game.packaging]
    shown = [deck for deck in kept if directive.words.get(deck.id) != "-"]
    for deck in shown:
        if deck.is_component:
            count = sum(copies.get((deck.id, card.id), card.copies) for card in deck.cards)
            yield from (f"{game.speech.number(count)} {deck.title}", directive.words.get(deck.id, ""))
    yield from (deck.title for deck in shown if not deck.is_component)
    yield from game.bring
