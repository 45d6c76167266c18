"""What a cover sheet tells of each piece, counted from the sheets themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct

from duckpress.core.frame import Frame
from duckpress.core.geometry import Size
from duckpress.core.sizes import Format
from duckpress.cover.cuts import Stroke, cuts_of, folds_of
from duckpress.impose import Placement, Sheet
from duckpress.layout import Face, LaidOut
from duckpress.model import Game

_TOKEN_MM = 40.0  # a piece smaller than this both ways is moved about and picked up: thicker than a card
_BOARD_MM = 200.0  # a component with a longer side than this lies on the table


class ShownShape(NamedTuple):
    """What a placement shows: a frame, the format of its card, and its deck (empty for a page that is read)."""

    frame: Frame
    format: Format
    deck: str


class Shapes:
    """What lies on the sheets of pieces."""

    def __init__(self, pieces: Sequence[LaidOut]) -> None:
        self._shapes: dict[str, ShownShape] = {}
        self._faces: tuple[Face, ...] = pieces[0].faces if len(pieces) == 1 else ()
        for one in pieces:
            for face in one.faces:
                for frame in (face.front, face.back):
                    if frame is not None:
                        self._shapes[frame.hash] = ShownShape(frame, face.format, face.deck)
            for pages in one.pages.values():
                for page in pages:
                    format_ = Format(one.piece.book, page.trim, 0.0, 0.0, 0.0)
                    self._shapes[page.hash] = ShownShape(page, format_, "")
        self.frames = {key: shape.frame for key, shape in self._shapes.items()}

    def at(self, placement: Placement) -> ShownShape:
        """Return what a placement shows. Two cards may look alike and yet be cut to different shapes."""
        shape = self._shapes[placement.frame]
        if placement.face < len(self._faces):
            face = self._faces[placement.face]
            if placement.frame in (face.front.hash, face.back.hash if face.back is not None else ""):
                return ShownShape(shape.frame, face.format, face.deck)
        return shape


class Printed(Struct, frozen=True):
    """Pieces on their sheets, in the order of a file: mostly one, several where they share sheets."""

    title: str
    pieces: tuple[LaidOut, ...]
    sheets: tuple[Sheet, ...]


class CoverPart(Struct, frozen=True):
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


def part_of(game: Game, printed: Printed, before: int, pages_a_sheet: int) -> CoverPart:
    """Return the facts of a group of sheets that stands behind `before` pages of its file."""
    shapes = Shapes(printed.pieces)
    # What lies on the sheets, not what was laid out: pieces that share sheets have all of their faces in common.
    lying = [one for sheet in printed.sheets for one in sheet.front.placements]
    lying = [one for one in lying if not one.is_back] or lying
    placed = [shapes.at(one) for one in lying]
    decks = tuple(dict.fromkeys(shape.deck for shape in placed))
    is_read = not any(decks)
    cuts = [() if is_read else cuts_of(sheet, shapes.frames) for sheet in printed.sheets]
    last = before + pages_a_sheet * len(printed.sheets)
    return CoverPart(
        printed,
        shapes,
        printed.title,
        _number_of(printed, placed),
        tuple(dict.fromkeys(shape.format.trim for shape in placed)),
        _are_cards(game, placed),
        is_read,
        _common({stock_of(game, deck) if deck else "paper" for deck in decks}),
        any(sheet.back is not None for sheet in printed.sheets),
        tuple(cuts),
        tuple(folds_of(sheet) for sheet in printed.sheets),
        sum(shape.format.is_round or shape.format.is_hex for shape in placed),
        before + 1,
        last,
    )


def _number_of(printed: Printed, placed: Sequence[ShownShape]) -> int:
    """Return how many pieces lie on the sheets; a board is one piece, on however many sheets its tiles are."""
    boards: Counter[str] = Counter()
    for one in printed.pieces:
        for face in one.faces:
            if face.overlap_mm is not None:
                boards[face.deck] += face.copies
    lying = Counter(shape.deck for shape in placed)
    # Where pieces share sheets, the faces of all but the first sheets have no copies: no tiles lie there either.
    return sum(min(count, boards[deck] or count) for deck, count in lying.items())


def _common(stocks: set[str]) -> str:
    """Return what sheets are printed on that hold pieces for these: for several of them card, which does for all."""
    return stocks.pop() if len(stocks) == 1 else "card"


def stock_of(game: Game, deck_id: str) -> str:
    """Return what a deck is best printed on, one of `STOCKS`: what its piece says, else what it looks like."""
    deck = game.decks[deck_id]
    own = [piece.stock for piece in game.pieces if deck_id in piece.decks and piece.instead_of is None and piece.stock]
    if own:
        return own[0]
    if deck.box_plan is not None:
        return "card"  # folded and glued
    if not deck.is_component or deck.is_dealt:
        return "paper"  # read, or written on
    is_thick = deck.overlap_mm is not None or max(deck.size.trim) <= _TOKEN_MM
    return "board" if is_thick else "card"


def _are_cards(game: Game, placed: Sequence[ShownShape]) -> bool:
    """Return whether what lies there are cards: of sizes that cards have, not tokens, boards, nets or forms."""
    decks = [game.decks[name] for name in {shape.deck for shape in placed} if name]
    return any(deck.is_component for deck in decks) and all(
        deck.own_format is None and not deck.size.is_round and not deck.size.is_hex
        and _TOKEN_MM < max(deck.size.trim) < _BOARD_MM
        for deck in decks
    )  # fmt: skip
