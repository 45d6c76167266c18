"""The facts on a cover sheet for each group of sheets: counted from the sheets, and put into words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from duckpress.core.geometry import Size
from duckpress.core.language import program
from duckpress.impose import Sheet, Turn
from duckpress.layout import LaidOut
from duckpress.model import Deck, Game
from duckpress.press.cover.cuts import Shapes, ShownShape, Stroke, cuts_of, folds_of
from duckpress.press.print_job import PrintJob

_TOKEN_MM = 40.0  # a piece smaller than this both ways is moved about and picked up: thicker than a card
_BOARD_MM = 200.0  # a component with a longer side than this lies on the table


_STOCKS = {"paper": program.COVER_PAPER, "card": program.COVER_CARD, "board": program.COVER_BOARD}
_SHORT = {"paper": program.COVER_ON_PAPER, "card": program.COVER_ON_CARD, "board": program.COVER_ON_BOARD}


Printed = tuple[LaidOut, Sequence[Sheet]]
"""A piece, or several that share sheets as one, and its sheets."""


class CoverPart(Struct, frozen=True):
    """The facts on the cover sheet about one group of sheets.

    `number` is how many cards it is; `cuts` and `folds` are those of each sheet, `by_hand` the pieces that straight
    cuts alone do not give. Pages are those of the file that the cover begins, counted from 1.
    """

    title: str
    sheets: Sequence[Sheet]
    shapes: Shapes
    number: int
    sizes: tuple[Size, ...]
    are_cards: bool
    is_read: bool
    stock: str
    is_double_sided: bool
    cuts: list[tuple[Stroke, ...]]
    folds: list[tuple[Stroke, ...]]
    by_hand: int
    first_page: int
    last_page: int


def part_of(game: Game, printed: Printed, before: int, pages_a_sheet: int) -> CoverPart:
    """Return the facts of a group of sheets that follows `before` pages of its file."""
    one, sheets = printed
    shapes = Shapes(one)
    # What lies on the sheets, not what was laid out: pieces that share sheets have all of their faces in common.
    lying = [placed for sheet in sheets for placed in sheet.front.placements]
    placed = list(map(shapes.at, [placed for placed in lying if not placed.is_back] or lying))
    decks = dict.fromkeys(shape.deck for shape in placed)
    is_read = not any(decks)
    stocks = {stock_of(game, deck) if deck else "paper" for deck in decks}
    return CoverPart(
        one.piece.title,
        sheets,
        shapes,
        _number_of(one, placed),
        tuple(dict.fromkeys(shape.format.trim for shape in placed)),
        _are_cards([game.decks[deck] for deck in decks if deck]),
        is_read,
        stocks.pop() if len(stocks) == 1 else "card",  # which does for all
        any(sheet.back is not None and sheet.back.placements for sheet in sheets),
        [() if is_read else cuts_of(sheet, shapes.frames) for sheet in sheets],
        [folds_of(sheet) for sheet in sheets],
        sum(shape.format.is_round or shape.format.is_hex for shape in placed),
        first_page=before + 1,
        last_page=before + pages_a_sheet * len(sheets),
    )


def _number_of(one: LaidOut, placed: Sequence[ShownShape]) -> int:
    """Return the number of components on the sheets; a board counts once, however many tiles it has."""
    boards: Counter[str] = Counter()
    for face in one.faces:
        if face.overlap_mm is not None:
            boards[face.deck] += face.copies
    lying = Counter(shape.deck for shape in placed)
    # Where pieces share sheets, the faces of all but the first sheets have no copies: no tiles lie there either.
    return sum(min(count, boards[deck] or count) for deck, count in lying.items())


def stock_of(game: Game, deck_id: str) -> str:
    """Return the best stock for a deck, one of `STOCKS`: its piece's, else a guess from its kind."""
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


def _are_cards(decks: Sequence[Deck]) -> bool:
    """Return whether decks are cards by size: not tokens, boards, nets or forms."""
    return any(deck.is_component for deck in decks) and all(
        deck.own_format is None and not deck.size.is_round and not deck.size.is_hex
        and _TOKEN_MM < max(deck.size.trim) < _BOARD_MM
        for deck in decks
    )  # fmt: skip


class Wording:
    """The words for a bundle and each of its groups, in one language."""

    def __init__(self, job: PrintJob, file: str, paper: str, parts: Sequence[CoverPart]) -> None:
        self._speech, self._number = job.game.speech, job.game.speech.number
        self.turn, self._backs = Turn(job.request.turn), job.request.backs
        self._file, self._paper, self._parts = file, paper, parts
        self._cuts = sum(len(cuts) for part in parts for cuts in part.cuts)
        self._folds = sum(len(folds) for part in parts for folds in part.folds)
        self._is_double_sided = any(part.is_double_sided for part in parts)
        counts = {stock: sum(len(part.sheets) for part in parts if part.stock == stock) for stock in _STOCKS}
        self._by_stock = {stock: count for stock, count in counts.items() if count}  # the thinnest first

    def say(self, words: str, **values: object) -> str:
        return self._speech.program(words, values)

    def steps(self) -> list[str]:
        """Return the steps from the file to the cut components; the first is about the scale."""
        sides = program.COVER_NO_BACKS if not self._backs.has_backs else program.COVER_ONE_SIDE
        if self._folds:
            sides = program.COVER_FOLD
        elif self._is_double_sided:
            sides = program.COVER_LONG if self.turn is Turn.LONG else program.COVER_SHORT
        steps = [self.say(program.COVER_SCALE, paper=self._paper), self.say(sides)]
        return [*steps, self.say(program.COVER_CUT)] if self._cuts else steps

    def legend(self) -> str:
        """Return the meaning of the lines and numbers beside the pictures."""
        words = self.say(program.COVER_LEGEND, file=self._file)
        return f"{words} {self.say(program.COVER_ARROW)}" if self._is_double_sided else words

    def lines(self, part: CoverPart) -> list[tuple[str, str]]:
        """Return the facts of a group of sheets: heads and values."""
        say, number = self.say, self._number
        lines: list[tuple[str, str]] = []
        if not part.is_read:
            sizes = [f"{number(round(w, 2))} × {number(round(h, 2))} mm" for w, h in part.sizes]
            words = " · ".join((number(part.number), *sizes[:2])) + (" …" if len(sizes) > 2 else "")
            lines.append((say(program.COVER_CARDS if part.are_cards else program.COVER_PIECES), words))
        sides = program.COVER_BOTH if part.is_double_sided else program.COVER_SINGLE
        lines.append((say(program.COVER_PAPER_HEAD), say(sides, number=len(part.sheets))))
        lines.append((say(program.COVER_STOCK), say(_STOCKS[part.stock])))
        for head, strokes in ((program.COVER_FOLDS, part.folds), (program.COVER_CUTS, part.cuts)):
            if any(strokes):
                counts = [len(one) for one in strokes]
                each = program.COVER_EACH if len(set(counts)) == 1 else program.COVER_UP_TO
                several = say(each, number=max(counts), total=sum(counts))
                lines.append((say(head), number(counts[0]) if len(counts) == 1 else several))
        if part.by_hand:
            lines.append((say(program.COVER_BY_HAND), number(part.by_hand)))
        pages = dict.fromkeys((part.first_page, part.last_page))
        return [*lines, (say(program.COVER_PAGES), "–".join(number(page) for page in pages))]

    def sums(self) -> list[tuple[str, str]]:
        """Return the sums of the bundle: sheets, sheets on each stock, cuts and folds."""
        stocks = self._by_stock if len(self._by_stock) > 1 else {}
        sums = [
            (self.say(program.COVER_SHEETS, paper=self._paper), sum(self._by_stock.values())),
            *((self.say(_SHORT[stock]), count) for stock, count in stocks.items()),
            (self.say(program.COVER_CUTS), self._cuts),
            (self.say(program.COVER_FOLDS), self._folds),
            (self.say(program.COVER_BY_HAND), sum(part.by_hand for part in self._parts)),
        ]
        return [(words, self._number(count)) for at, (words, count) in enumerate(sums) if count or not at]

    def supplies(self) -> list[str]:
        """Return the supplies for printing and cutting."""
        supplies = [
            self.say(program.COVER_SUPPLY, number=count, paper=self._paper, stock=self.say(_STOCKS[stock]))
            for stock, count in self._by_stock.items()
        ]
        supplies += [self.say(program.COVER_TOOLS)] if self._cuts else []
        has_board = any(part.stock == "board" for part in self._parts)
        return [*supplies, self.say(program.COVER_GLUE)] if self._folds or has_board else supplies
