"""The decks of a game on a virtual table: cards, tokens, boards, dice; and the names of their files."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from PIL import Image as Pictures
from PIL.Image import Image

from duckpress.art.picture_files import quick_png
from duckpress.core.frame import Item, Outline, Text, placed_items
from duckpress.core.geometry import MM_PER_INCH, Matrix, Rect
from duckpress.files.workspace import Workspace
from duckpress.layout import Face, LaidOut
from duckpress.layout.elements.nets import SEATS, is_folds
from duckpress.model import Deck, Game
from duckpress.text.fonts import FontLibrary
from duckpress.views.pictures import FacePainter
from duckpress.views.words import seen_words

_RIM_MM = 0.3  # of the folds and the cut, which a die has not
_SAME_MM = 0.01
TWO_ROWS = ((0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1))


class TableDie(NamedTuple):
    """A die: the name of its files, the face with its net, the places of its six sides, and their words."""

    name: str
    deck: Deck
    laid_out: LaidOut
    face: Face
    places: tuple[Rect, ...]
    sides: tuple[str, ...]

    @property
    def picture_name(self) -> str:
        return f"{self.name}-sides.png"

    @property
    def edge_mm(self) -> float:
        return self.places[0].width_mm

    def pictures(self, fonts: FontLibrary, dpi: float, max_px: int) -> list[Image]:
        """Return its sides, equally large, from the first to the sixth; three of them have at most so many pixels."""
        px = max(1, min(round(self.edge_mm / MM_PER_INCH * dpi), max_px // 3))
        dpi = px / self.edge_mm * MM_PER_INCH
        (net,) = FacePainter(fonts).pictures(self.laid_out, [self.face.front], dpi)
        scale = net.width / self.face.front.trim.width_mm
        sides = []
        for x, y, width, height in self.places:
            edges = (x + _RIM_MM, y + _RIM_MM, x + width - _RIM_MM, y + height - _RIM_MM)
            left, top, right, bottom = (edge * scale for edge in edges)
            sides.append(net.resize((px, px), box=(left, top, right, bottom)))
        return sides

    def sheet(self, fonts: FontLibrary, dpi: float, max_px: int, places: Sequence[tuple[int, int]]) -> bytes:
        """Return its sides as one PNG, each at its column and row."""
        sides = self.pictures(fonts, dpi, max_px)
        px = sides[0].width
        columns, rows = (max(numbers) + 1 for numbers in zip(*places, strict=True))
        sheet = Pictures.new("RGB", (columns * px, rows * px), "white")
        for side, (column, row) in zip(sides, places, strict=True):
            sheet.paste(side, (column * px, row * px))
        return quick_png(sheet, dpi)


def dice_of(name: str, deck: Deck, laid_out: LaidOut, face: Face) -> list[TableDie]:
    """Return the dice whose nets a face draws upright; a side's words are its text, else its number."""
    items = list(placed_items(face.front.items))
    nets = [places for item, matrix in items if isinstance(item, Outline) and (places := _net(item, matrix))]
    dice = []
    for number, places in enumerate(nets, 1):
        sides = tuple(_texts_on(items, place) or str(side) for side, place in enumerate(places, 1))
        title = name if len(nets) == 1 else f"{name}-{number}"
        dice.append(TableDie(title, deck, laid_out, face, places, sides))
    return dice


def _net(item: Outline, matrix: Matrix) -> tuple[Rect, ...]:
    """Return the places of the six sides; none if an outline is no net's folds, or is turned."""
    if not is_folds(item):
        return ()
    x1, y1, x2, y2 = item.path.numbers[:4]  # the left edge of the first side
    (left, top), (foot, bottom) = matrix.apply(x1, y1), matrix.apply(x2, y2)
    edge_mm = bottom - top
    if edge_mm <= 0 or abs(foot - left) > _SAME_MM:
        return ()
    return tuple(
        Rect(left + (column - 1) * edge_mm, top + (row - 1) * edge_mm, edge_mm, edge_mm) for column, row in SEATS
    )


def _texts_on(items: list[tuple[Item, Matrix]], place: Rect) -> str:
    """Return the texts with their middles on a side, as one text."""
    words = []
    for item, matrix in items:
        if isinstance(item, Text):
            x, y = matrix.apply(item.x_mm + item.width_mm / 2, item.y_mm - item.size_mm / 4)
            if 0 <= x - place.x_mm < place.width_mm and 0 <= y - place.y_mm < place.height_mm:
                words.append(item.text)
    return " ".join(" ".join(words).split())


SMALL_MM = 42.0  # what is no longer is a token
LARGE_MM = 130.0  # and what is longer is a board, not a card to be held: the longest card of the trade has 120.65 mm
FEWEST_PER_SHEET = 69  # of the sheets that any table loads


class TableThing(StrEnum):
    """The kind of a face's object on the table."""

    CARD = "card"
    TOKEN = "token"
    BOARD = "board"
    DIE = "die"


class TableDeck(NamedTuple):
    """A deck for the table: the prefix of its files, its faces, and their art.

    `dice` are those whose nets its faces draw, by the card; none in any other deck.
    """

    name: str
    deck: Deck
    laid_out: LaidOut
    faces: tuple[Face, ...]
    dice: Mapping[str, Sequence[TableDie]] = {}

    @property
    def thing(self) -> TableThing:
        """Return the kind of its objects, from their size and shape."""
        if self.dice:
            return TableThing.DIE
        format_, trim = self.faces[0].format, self.faces[0].front.trim
        longest_mm = max(trim)
        if longest_mm > LARGE_MM:
            return TableThing.BOARD
        return TableThing.TOKEN if longest_mm <= SMALL_MM or format_.is_round or format_.is_hex else TableThing.CARD

    @property
    def has_one_back(self) -> bool:
        """Return whether all its cards have the same back, or no back."""
        return len({face.back.hash if face.back is not None else "" for face in self.faces}) == 1

    @property
    def has_backs(self) -> bool:
        return not self.has_one_back or self.faces[0].back is not None

    def words(self, game: Game) -> dict[str, tuple[str, str]]:
        """Return the readable words of each card: its name, and the other texts on its front."""
        cards = {card.id: card for card in self.deck.cards}
        return {face.card: seen_words(cards[face.card], self.deck, game, face.front) for face in self.faces}


def table_decks(workspace: Workspace, game: Game, pieces: Sequence[LaidOut], *, is_asked: bool) -> list[TableDeck]:
    """Return the decks for the table, each once.

    Forms, boxes and what only stands in the rules stay away unless their pieces are asked for. Nets of dice come as
    dice; they stay away where a layout turns them, or draws no folds.
    """
    decks: list[TableDeck] = []
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
                decks.append(TableDeck(name, deck, one, faces, dice))
    return decks


def is_net_of_dice(workspace: Workspace, game: Game, deck: Deck) -> bool:
    """Return whether the faces of a deck are dice to fold: their layout draws nets."""
    paths = (f"content/{game.id}/layouts/{deck.front}.xml", f"layouts/{deck.front}.xml")
    path = next(filter(workspace.has, paths), None)
    return path is not None and b"<dicenet" in workspace.read(path)


def _free_name(name: str, count: int, taken: set[str]) -> str:
    """Return an unused name, also unused for its numbered sheets, and reserve it; the added sign is in no id.

    The second sheet of a deck `duck` is `duck-2`, and so is the only one of a deck of that id.
    """
    sheets = math.ceil(count / FEWEST_PER_SHEET)
    while taken & (found := {name} if sheets == 1 else {name, *(f"{name}-{number + 1}" for number in range(sheets))}):
        name += "_"
    taken |= found
    return name
