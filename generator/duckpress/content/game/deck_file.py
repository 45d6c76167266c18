"""One file of `decks/` or `boards/` -> a `Deck`: its size and looks, its fields and its cards."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from duckpress.content.game.cards import TableReader, read_cards
from duckpress.content.game.deck_keys import AnyDeckKeys, BoxDeckKeys, DealtDeckKeys, DeckKeys
from duckpress.content.game.families import Data
from duckpress.content.game.fields import FieldTyper
from duckpress.content.yaml.declared_shapes import read_shape
from duckpress.content.yaml.nodes import Node
from duckpress.core.geometry import Size
from duckpress.core.problem_list import ProblemList, Read
from duckpress.core.sizes import FORMATS, Format
from duckpress.model import BoxPlan, Card, Deck

_UNKNOWN = Format("box", Size(1.0, 1.0), 0.0, 0.0, 0.0)
"""The size of a box until all decks are read."""


class Surroundings(Struct, frozen=True):
    """What a deck needs from its game: facts and lists for families, whether art exists, and its tables' text."""

    data: Data
    has_art: Callable[[str], bool]
    read_table: TableReader


def read_deck(id_: str, node: Node, around: Surroundings) -> Read[Deck | None]:
    """Return a deck from its file's content; None where no deck can be made of it (a problem says why).

    Problems: those of `read_shape`, `fields` and `read_cards`; `unknown-size`, `not-round`, `overlap-unused`,
    `no-cards`, `game-too-large`.
    """
    problems = ProblemList()
    written = problems.take(read_shape(node, AnyDeckKeys, f"deck {id_!r}"))
    if isinstance(written, BoxDeckKeys):
        return Read(_box_deck(id_, written), problems)
    if isinstance(written, DealtDeckKeys):
        return Read(_dealt_deck(id_, written), problems)
    if not isinstance(written, DeckKeys):
        return Read(None, problems)
    typer = FieldTyper(written.fields, around.has_art)
    cards, is_whole = problems.take(read_cards(id_, written.cards, typer, around.data, around.read_table))
    if written.size is None:
        return Read(None, problems)
    deck = written.as_record(
        Deck,
        id=id_,
        cards=cards,
        format=written.size.name,
        is_per_player=written.per is not None,
        is_component=written.component,
        own_format=_own_format(written.size),
        overlap_mm=written.overlap if written.tiled else None,
        is_whole=is_whole,
    )
    return Read(deck, problems)


def _own_format(size: Format) -> Format | None:
    return None if size.name in FORMATS else size


def _dealt_deck(id_: str, written: DealtDeckKeys) -> Deck | None:
    """Return a deck that has no cards of its own: a deal fills it, with one card or with one for each player."""
    size = written.size
    if size is None:
        return None
    return Deck(
        id_, written.title, {}, (), size.name, written.front, written.back, False, False, written.source,
        written.sources, _own_format(size), dealt_to="host" if written.each is None else "player",
    )  # fmt: skip


def _box_deck(id_: str, written: BoxDeckKeys) -> Deck | None:
    """Return the deck of a box: one sheet to cut and fold, without a size of its own until `size_boxes` knows it."""
    box = written.box
    if box is None:
        return None
    plan = BoxPlan(
        holds=tuple(name for name, _ in box.holds),
        sources=tuple(source for _, source in box.holds),
        stock_mm=box.stock,
        room_mm=box.room,
        is_sleeved=box.sleeved,
    )
    card = Card(id_, id_, {}, 1, written.source, {})
    return Deck(
        id_, written.title, {}, (card,), _UNKNOWN.name, written.front, None, False, False, written.source,
        written.sources, _UNKNOWN, box_plan=plan,
    )  # fmt: skip
