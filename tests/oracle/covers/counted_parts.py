"""What a cover sheet has to speak of, and what lies on the pages of each of its parts: cards, sizes, cuts, folds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, repeat
from typing import NamedTuple

from msgspec import Struct

from duckpress.check import copies_for
from duckpress.core.frame import Frame
from duckpress.core.geometry import Rect, Size
from duckpress.core.language import Speech
from duckpress.core.sizes import Format
from duckpress.press.print_job import ImposedFile, PrintJob
from duckpress.proof.expected import TOLERANCE_MM, Expected, ExpectedFace
from duckpress.store import COVER
from oracle.reading.placing import PageLayout, fold_of, turned_sheets
from oracle.reading.tiles import TilePart, count_boards, shown_part

_THICK_MM, _CARD_MM = 40.0, (40.0, 200.0)  # docs/content.md, `stock`: tokens; the longer side of what is called a card


class CoverDeck(Struct, frozen=True):
    """What a cover sheet has to know of a deck beside its faces; `stock` is empty where its piece names none."""

    title: str
    size: Format
    count: int
    for_each: int | None  # how many a player gets, None where they are for all
    stock: str
    is_component: bool
    has_own_size: bool
    is_box: bool
    is_board: bool

    @property
    def printed_on(self) -> str:
        """What it is printed on. Source: docs/content.md, `stock`."""
        if self.stock or self.is_box:
            return self.stock or "card"
        if not self.is_component:
            return "paper"
        return "board" if self.is_board or max(self.size.trim) <= _THICK_MM else "card"

    @property
    def is_cut_by_hand(self) -> bool:
        return self.size.is_round or self.size.is_hex

    @property
    def has_size_of_cards(self) -> bool:
        """Whether what is in it is called cards, not pieces, if it is no form."""
        least_mm, most_mm = _CARD_MM
        return not (self.has_own_size or self.is_cut_by_hand) and least_mm < max(self.size.trim) < most_mm


class FilePart(Struct, frozen=True):
    """Pieces that follow one another under one title: how many sheets they take, and the number on the first."""

    title: str
    sheets: int
    first_number: int
    first_total: int


class ExpectedCover(Struct, frozen=True):
    """The cover sheet that a file begins with: its pages, the sheets they take, and what it has to speak of.

    `listed` are the decks among its components, in their order.
    """

    pages: tuple[Frame, ...]
    sheets: int
    parts: tuple[FilePart, ...]
    decks: Mapping[str, CoverDeck]
    listed: tuple[str, ...]
    bring: tuple[str, ...]
    file: str
    paper: str
    backs: str
    turn: str
    speech: Speech


def expected_cover(job: PrintJob, file: ImposedFile) -> ExpectedCover | None:
    """Return what the cover of a file has to speak of; None where it has none, or nothing behind it."""
    cover, *others = file.pieces
    if cover.laid_out.piece.book != COVER or not others or not job.request.backs.has_fronts:
        return None
    game, request = job.game, job.request
    parts = tuple(
        FilePart(one.laid_out.piece.title, len(one.sheets), one.sheets[0].number, one.sheets[0].total)
        for one in others
        if one.sheets
    )
    copies = copies_for(game, request.players)
    decks = {}
    for key, deck in game.decks.items():
        stocks = [one.stock for one in game.pieces if key in one.decks and one.instead_of is None and one.stock]
        printed = [card for card in deck.cards if copies.get((key, card.id), card.copies)]
        decks[key] = CoverDeck(
            title=deck.title,
            size=deck.size,
            count=sum(copies.get((key, card.id), card.copies) for card in printed),
            for_each=sum(card.copies for card in printed) if deck.is_per_player else None,
            stock=next(iter(stocks), ""),
            is_component=deck.is_component and not deck.is_dealt,
            has_own_size=deck.own_format is not None,
            is_box=deck.box_plan is not None,
            is_board=deck.overlap_mm is not None,
        )
    keys = [key for one in game.chosen_pieces() if one.instead_of is None for key in one.decks]
    return ExpectedCover(
        pages=cover.laid_out.pages[file.paper.name],
        sheets=len(cover.sheets),
        parts=parts,
        decks=decks,
        listed=tuple(key for key in dict.fromkeys(keys) if not (game.decks[key].is_dealt or key in game.packaging)),
        bring=game.bring,
        file=file.name,
        paper=file.paper.name,
        backs=request.backs,
        turn=request.turn,
        speech=game.speech,
    )


class Line(NamedTuple):
    """A line on a sheet: to fold or to cut along, upright or level, where it is, and what it passes at least."""

    is_fold: bool
    is_upright: bool
    at_mm: float
    start_mm: float
    end_mm: float


class CountedPart(NamedTuple):
    """What lies on the pages of a part; `first` is the front of its first sheet.

    `decks` says how many faces there are of each, tiles counted one by one. `cuts` and `folds` are those of each sheet.
    `turns_left_right` says how its sheets are turned, None where they are printed on one side.
    """

    part: FilePart
    first_page: int
    last_page: int
    number: int
    decks: Mapping[str, int]
    sizes: Sequence[Size]
    cuts: Sequence[Sequence[Line]]
    folds: Sequence[Sequence[Line]]
    first: PageLayout
    turns_left_right: bool | None


def counted_parts(pages: Sequence[PageLayout], expected: Expected, parts: Sequence[FilePart]) -> Iterator[CountedPart]:
    """Yield the parts with what is counted on their pages, of which the last are those of the file."""
    a_sheet = 1 if expected.duplex is None else 2
    faces: dict[str, list[ExpectedFace]] = {}
    for face in expected.faces:
        faces.setdefault(face.front.hash, []).append(face)
    firsts = {front: alike[0] for front, alike in faces.items()}
    # Cards that look alike lie in the order of their decks.
    decks = {
        front: chain.from_iterable(repeat(face.deck, face.copies) for face in alike) for front, alike in faces.items()
    }
    at = len(pages) - a_sheet * sum(part.sheets for part in parts)
    for part in parts:
        own = pages[at : at + a_sheet * part.sheets]
        lying = [
            face
            for sheet in turned_sheets(own, expected)
            for face, _ in sheet.faces
            if face.frame in firsts and firsts[face.frame].is_cut
        ]
        shown = [(face, shown_part(face.seat.matrix, face.seat.shown, face.seat.trim)) for face in lying]
        tiles = [TilePart((face.frame, None), part_shown, at) for face, part_shown in shown if part_shown is not None]
        boards, _ = count_boards(tiles, firsts)
        is_upright = own[0].size.width_mm <= own[0].size.height_mm
        has_backs = a_sheet > 1 and any(page.faces for page in own[1::a_sheet])
        yield CountedPart(
            part,
            at + 1,
            at + len(own),
            len(lying) - len(tiles) + boards.total(),
            Counter(next(decks[face.frame], firsts[face.frame].deck) for face in lying),
            tuple(dict.fromkeys(face.seat.trim for face in lying)),
            [cuts_of_page(page) if lying else [] for page in own[::a_sheet]],
            [_folds(page) for page in own[::a_sheet]],
            own[0],
            is_upright is (expected.duplex == "long") if has_backs else None,
        )
        at += len(own)


def _folds(page: PageLayout) -> list[Line]:
    fold = fold_of(page.folds)
    if fold is None:
        return []
    along_mm = page.size.height_mm if fold.is_upright else page.size.width_mm
    return [Line(True, fold.is_upright, fold.at_mm, 0.1 * along_mm, 0.9 * along_mm)]  # all but the margins


def cuts_of_page(page: PageLayout) -> list[Line]:
    """Return the lines to cut along, each as often as a knife is set down on it anew, behind a card in its way.

    A tile is cut where it lies over its neighbours, at the left and above, and at the board's own edges.
    """
    fold = fold_of(page.folds)
    seats = [face.seat for face in page.faces if fold is None or fold.is_before(face.seat.shown)]
    found: list[Line] = []
    for is_upright in (True, False):
        # Of each card from where to where it is across the lines, where its own trim is there, and the same along.
        cards, edges = [], []
        for seat in seats:
            box = seat.trim_box.shared(seat.shown)
            (start, end), along = _span(box, is_upright), _span(box, not is_upright)
            first, last = _span(seat.trim_box, is_upright)
            cards.append(((start, end), last, along))
            a, b, c, d, _, _ = seat.matrix
            begins = (round(a) or round(c) if is_upright else round(d) or round(b)) > 0  # its left or top lies there
            edges += [(start, along)] if begins or abs(start - first) <= TOLERANCE_MM else []
            edges += [(end, along)] if not begins or abs(end - last) <= TOLERANCE_MM else []
        lines: list[tuple[float, list[tuple[float, float]]]] = []
        for place, along in sorted(edges):
            if not lines or place - lines[-1][0] > TOLERANCE_MM:
                lines.append((place, []))
            lines[-1][1].append(along)
        for place, alongs in lines:
            in_way = [end for (first, last), _, (_, end) in cards if first + TOLERANCE_MM < place < last - TOLERANCE_MM]
            runs: dict[int, list[float]] = {}
            for start, end in alongs:
                runs.setdefault(sum(other <= start + TOLERANCE_MM for other in in_way), []).extend((start, end))
            found += [Line(False, is_upright, place, min(ends), max(ends)) for ends in runs.values()]
    return found


def _span(box: Rect, is_across: bool) -> tuple[float, float]:
    return (box.x_mm, box.right_mm) if is_across else (box.y_mm, box.bottom_mm)
