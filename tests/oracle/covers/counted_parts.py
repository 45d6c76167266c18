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
from duckpress.model import Deck, Game
from duckpress.press.print_job import ImposedFile, PrintJob
from duckpress.press.request import Request
from duckpress.proof.expected import TOLERANCE_MM, Expected, ExpectedFace
from duckpress.store import COVER
from oracle.reading.placing import Lying, PageLayout, fold_of, shown_part

_THICK_MM, _CARD_MM = 40.0, (40.0, 200.0)  # docs/content.md, `stock`: tokens; the longer side of what is called a card


class FilePart(Struct, frozen=True):
    """Pieces that follow one another under one title: how many sheets they take, and the number on the first."""

    title: str
    sheets: int
    first_number: int
    first_total: int


class ExpectedCover(Struct, frozen=True):
    """The cover sheet that a file begins with: its pages, the sheets they take, and what is printed behind it and how.

    `listed` are the decks among its components, in their order; `copies` are those of cards by deck and card.
    """

    game: Game
    request: Request
    copies: Mapping[tuple[str, str], int]
    pages: tuple[Frame, ...]
    sheets: int
    parts: tuple[FilePart, ...]
    listed: tuple[Deck, ...]
    file: str
    paper: str

    def printed_on(self, key: str) -> str:
        """Return what a deck is printed on. Source: docs/content.md, `stock`."""
        deck = self.game.decks[key]
        stocks = [one.stock for one in self.game.pieces if key in one.decks and one.instead_of is None and one.stock]
        if stocks or deck.box_plan is not None:
            return next(iter(stocks), "card")
        if not is_component(deck):
            return "paper"
        return "board" if deck.overlap_mm is not None or max(deck.size.trim) <= _THICK_MM else "card"


def is_component(deck: Deck) -> bool:
    return deck.is_component and not deck.is_dealt


def is_cut_by_hand(deck: Deck) -> bool:
    return deck.size.is_round or deck.size.is_hex


def has_size_of_cards(deck: Deck) -> bool:
    """Return whether what is in a deck is called cards, not pieces, if it is no form."""
    least_mm, most_mm = _CARD_MM
    return deck.own_format is None and not is_cut_by_hand(deck) and least_mm < max(deck.size.trim) < most_mm


def expected_cover(job: PrintJob, file: ImposedFile) -> ExpectedCover | None:
    """Return what the cover of a file has to speak of; None where it has none, or nothing behind it."""
    cover, *others = file.pieces
    if cover.laid_out.piece.book != COVER or not others or not job.request.backs.has_fronts:
        return None
    game, paper = job.game, file.paper.name
    parts = tuple(
        FilePart(one.laid_out.piece.title, len(one.sheets), one.sheets[0].number, one.sheets[0].total)
        for one in others
        if one.sheets
    )
    keys = dict.fromkeys(key for one in game.chosen_pieces() if one.instead_of is None for key in one.decks)
    listed = tuple(game.decks[key] for key in keys if not (game.decks[key].is_dealt or key in game.packaging))
    copies, pages = copies_for(game, job.request.players), cover.laid_out.pages[paper]
    return ExpectedCover(game, job.request, copies, pages, len(cover.sheets), parts, listed, file.name, paper)


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
            for page in own[::a_sheet]
            for face in _fronts_of(page)
            if face.frame in firsts and firsts[face.frame].is_cut
        ]
        shown = [shown_part(face.seat.matrix, face.seat.shown, face.seat.trim) for face in lying]
        more_tiles = sum(part_shown is not None and max(part_shown[:2]) > TOLERANCE_MM for part_shown in shown)
        is_upright = own[0].size.width_mm <= own[0].size.height_mm
        has_backs = a_sheet > 1 and any(page.faces for page in own[1::a_sheet])
        yield CountedPart(
            part,
            at + 1,
            at + len(own),
            len(lying) - more_tiles,
            Counter(next(decks[face.frame], firsts[face.frame].deck) for face in lying),
            tuple(dict.fromkeys(face.seat.trim for face in lying)),
            [cuts_of_page(page) if lying else [] for page in own[::a_sheet]],
            [_folds(page) for page in own[::a_sheet]],
            own[0],
            is_upright is (expected.duplex == "long") if has_backs else None,
        )
        at += len(own)


def _fronts_of(page: PageLayout) -> list[Lying]:
    """Return the faces before the fold of a page, all of them where it has none."""
    fold = fold_of(page.folds)
    return [face for face in page.faces if fold is None or fold.is_before(face.seat.shown)]


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
    seats = [face.seat for face in _fronts_of(page)]
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
