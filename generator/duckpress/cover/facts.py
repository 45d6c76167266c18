"""What a cover sheet tells of each piece, counted from the sheets themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from duckpress.cover.cuts import Stroke, cuts_of, folds_of
from duckpress.frame import Frame
from duckpress.geometry import Size
from duckpress.impose import Sheet
from duckpress.layout import LaidOut
from duckpress.model import STOCKS, Deck, Game
from duckpress.sizes import Format

_TOKEN_MM = 40.0  # a piece smaller than this both ways is moved about and picked up: thicker than a card
_BOARD_MM = 200.0  # a component with a longer side than this lies on the table


class Shape(NamedTuple):
    """A frame, the format of the card that it shows, and its deck (empty for a page that is read)."""

    frame: Frame
    format: Format
    deck: str


Shapes = Mapping[str, Shape]
"""What sheets show, by the hashes of the frames."""


class Printed(NamedTuple):
    """Pieces on their sheets, in the order of a file: mostly one, several where they share sheets."""

    title: str
    pieces: tuple[LaidOut, ...]
    sheets: tuple[Sheet, ...]


class Part(NamedTuple):
    """What the cover sheet says of one group of sheets.

    `number` is how many cards it is; `cuts` and `folds` are those of each sheet, `by_hand` the pieces that straight
    cuts alone do not give. Pages are those of the file that the cover begins, counted from 1.
    """

    printed: Printed
    shapes: Shapes
    title: str
    number: int
    sizes: tuple[Size, ...]
    are_cards: bool
    is_read: bool
    stock: str
    is_double_sided: bool
    cuts: tuple[tuple[Stroke, ...], ...]
    folds: tuple[tuple[Stroke, ...], ...]
    by_hand: int
    first_page: int
    last_page: int

    @property
    def sheet_count(self) -> int:
        """How many sheets of paper it takes."""
        return len(self.printed.sheets)

    @property
    def cut_count(self) -> int:
        """How many straight cuts all its sheets take."""
        return sum(map(len, self.cuts))

    @property
    def fold_count(self) -> int:
        """How many folds all its sheets take."""
        return sum(map(len, self.folds))


def part_of(game: Game, printed: Printed, before: int, pages_a_sheet: int) -> Part:
    """Give the facts of a group of sheets that stands behind `before` pages of its file."""
    shapes = shapes_of(printed.pieces)
    frames = {key: shape.frame for key, shape in shapes.items()}
    # What lies on the sheets, not what was laid out: pieces that share sheets have all of their faces in common.
    lying = [one for sheet in printed.sheets for one in sheet.front.placements]
    lying = [one for one in lying if not one.is_back] or lying
    placed = [shapes[one.frame] for one in lying]
    tiled = [face for one in printed.pieces for face in one.faces if face.overlap_mm is not None]
    decks = tuple(dict.fromkeys(shape.deck for shape in placed))
    is_read = not any(decks)
    cuts = [() if is_read else cuts_of(sheet, frames) for sheet in printed.sheets]
    last = before + pages_a_sheet * len(printed.sheets)
    return Part(
        printed,
        shapes,
        printed.title,
        sum(face.copies for face in tiled) if tiled else len(placed),
        tuple(dict.fromkeys(shape.format.trim for shape in placed)),
        not is_read and all(_is_card(shape.format, game.decks[shape.deck]) for shape in placed),
        is_read,
        "paper" if is_read else max((stock_of(game, deck) for deck in decks), key=STOCKS.index),
        any(sheet.back is not None for sheet in printed.sheets),
        tuple(cuts),
        tuple(folds_of(sheet) for sheet in printed.sheets),
        sum(shape.format.is_round or shape.format.is_hex for shape in placed),
        before + 1,
        last,
    )


def stock_of(game: Game, deck_id: str) -> str:
    """Give what a deck is best printed on, one of `STOCKS`: what its piece says, else what it looks like."""
    deck = game.decks[deck_id]
    own = [piece.stock for piece in game.pieces if deck_id in piece.decks and piece.instead_of is None and piece.stock]
    if own:
        return own[0]
    if not deck.is_component or deck.is_dealt:
        return "paper"  # read, or written on
    is_thick = deck.overlap_mm is not None or max(deck.size.trim) <= _TOKEN_MM
    return "board" if is_thick else "card"


def shapes_of(pieces: Sequence[LaidOut]) -> dict[str, Shape]:
    """Give the frames that sheets of these pieces may show, with the formats of their cards."""
    found: dict[str, Shape] = {}
    for one in pieces:
        for face in one.faces:
            for frame in (face.front, face.back):
                if frame is not None:
                    found[frame.hash] = Shape(frame, face.format, face.deck)
        for pages in one.pages.values():
            for page in pages:
                found[page.hash] = Shape(page, Format(one.piece.book, page.trim, 0.0, 0.0, 0.0), "")
    return found


def _is_card(format_: Format, deck: Deck) -> bool:
    """Tell whether what lies there is a card: a component of a size that cards have, not a token, board or net."""
    is_named = deck.own_format is None and not format_.is_round and not format_.is_hex
    return is_named and deck.is_component and _TOKEN_MM < max(format_.trim) < _BOARD_MM
