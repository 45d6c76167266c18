"""What comes to a virtual table: the decks of a game with their files' names, and what kind of thing each is there."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from duckpress.files.workspace import Workspace
from duckpress.layout import Face, LaidOut
from duckpress.model import Card, Deck, Game
from duckpress.press.frame_store import ReadWords
from duckpress.views.card_words import seen_words
from duckpress.views.virtual.table_dice import TableDie, dice_of

SMALL_MM = 42.0  # what is no longer is a token
LARGE_MM = 130.0  # and what is longer is a board, not a card to be held: the longest card of the trade has 120.65 mm
FEWEST_PER_SHEET = 69  # of the sheets that any table loads


class TableThing(StrEnum):
    """What a face is at the table."""

    CARD = "card"
    TOKEN = "token"
    BOARD = "board"
    DIE = "die"


class TableDeck(NamedTuple):
    """A deck as it comes to the table: the name that its files begin with, its faces, and whose art they place.

    `dice` are those whose nets its faces draw, by the card; none in any other deck. `known` are words of its cards that
    were looked for before.
    """

    name: str
    deck: Deck
    laid_out: LaidOut
    faces: tuple[Face, ...]
    dice: Mapping[str, Sequence[TableDie]] = {}
    known: ReadWords | None = None

    @property
    def thing(self) -> TableThing:
        """Return what its faces are, by their size and shape."""
        if self.dice:
            return TableThing.DIE
        format_, trim = self.faces[0].format, self.faces[0].front.trim
        longest_mm = max(trim)
        if longest_mm > LARGE_MM:
            return TableThing.BOARD
        return TableThing.TOKEN if longest_mm <= SMALL_MM or format_.is_round or format_.is_hex else TableThing.CARD

    @property
    def has_one_back(self) -> bool:
        """Return whether all its cards have the same back, or none of them has one."""
        return len({face.back.hash if face.back is not None else "" for face in self.faces}) == 1

    def cards(self) -> Iterator[tuple[Face, Card]]:
        """Yield each face with its card."""
        cards = {card.id: card for card in self.deck.cards}
        return ((face, cards[face.card]) for face in self.faces)

    def words(self, game: Game) -> dict[str, tuple[str, str]]:
        """Return what players can read of each card: what it is called, and the other texts on its front."""
        deck, known = self.deck, ReadWords() if self.known is None else self.known
        fields = [(field.name, field.kind) for field in deck.fields.values()]
        of_all = repr((deck.title, len(deck.cards) == 1, fields, game.lists, game.speech))
        start, words = hashlib.sha256(of_all.encode("utf-8", "surrogatepass")), {}
        for face, card in self.cards():
            key = start.copy()
            key.update(repr((card.id, card.values, face.front.hash)).encode("utf-8", "surrogatepass"))
            name = key.hexdigest()
            if name not in known:
                known[name] = seen_words(card, deck, game, face.front)
            words[card.id] = known[name]
        return words


def table_decks(
    workspace: Workspace, game: Game, pieces: Sequence[LaidOut], known: ReadWords | None, *, is_asked: bool
) -> list[TableDeck]:
    """Return the decks that come to the table, each once; `known` are words of cards that were looked for before.

    Forms, boxes and what only stands in the rules stay away unless their pieces are asked for. Nets of dice come as
    dice; they stay away where a layout turns them, or draws no folds.
    """
    found: list[TableDeck] = []
    taken: set[str] = set()
    for one in pieces:
        for deck_id in one.piece.decks:
            faces = tuple(face for face in one.faces if face.deck == deck_id and face.copies)
            deck = game.decks[deck_id]
            if not faces or not (deck.is_component or is_asked):
                continue
            often = sum(deck_id in other.piece.decks for other in pieces) > 1
            name = _free_name(f"{one.piece.id}-{deck_id}" if often else deck_id, len(faces), taken)
            dice: dict[str, Sequence[TableDie]] = {}
            if is_net_of_dice(workspace, game, deck):
                names = {face.card: name if len(faces) == 1 else f"{name}-{face.card}" for face in faces}
                nets = {face.card: dice_of(names[face.card], deck, one, face) for face in faces}
                dice = {card: nets_there for card, nets_there in nets.items() if nets_there}
                faces = tuple(face for face in faces if face.card in dice)
            if faces:
                found.append(TableDeck(name, deck, one, faces, dice, known))
    return found


def is_net_of_dice(workspace: Workspace, game: Game, deck: Deck) -> bool:
    """Return whether the faces of a deck are folded to dice: their layout draws nets."""
    paths = (f"content/{game.id}/layouts/{deck.front}.xml", f"layouts/{deck.front}.xml")
    path = next(filter(workspace.has, paths), None)
    return path is not None and b"<dicenet" in workspace.read(path)


def _free_name(name: str, count: int, taken: set[str]) -> str:
    """Return a name whose sheets bear no name that is taken, and take theirs; no id ends in the sign that is added.

    The second sheet of a deck `duck` is `duck-2`, and so is the only one of a deck of that id.
    """
    sheets = math.ceil(count / FEWEST_PER_SHEET)
    while taken & (found := {name} if sheets == 1 else {name, *(f"{name}-{number + 1}" for number in range(sheets))}):
        name += "_"
    taken |= found
    return name
