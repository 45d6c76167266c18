"""A game in figures: cards, faces, sheets of paper, distribution of field values, words, colours.

All figures count copies, for the most players where a deck is there once for each player. Words are those of the
cards' own texts, not those of the layouts; colours are those that the laid-out faces are painted with.
"""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct
from PIL import ImageChops, ImageStat
from PIL.Image import Image

from duckpress.core.backs import INKS
from duckpress.core.frame import Drawing, Frame, Outline, Text, every_item
from duckpress.core.geometry import added
from duckpress.core.sizes import paper_of
from duckpress.files.workspace import Workspace
from duckpress.layout import LaidOut
from duckpress.model import Card, Deck, FieldKind, Game, Value, texts_in
from duckpress.press.print_job import PrintJob
from duckpress.press.printing import Press
from duckpress.press.reading import Checked, Loaded
from duckpress.press.request import Request, Step
from duckpress.press.sheets.imposition import impose
from duckpress.views.pictures import pages_of
from duckpress.views.shown_game import lay_out_game

INK_PAPER = "a4"
_PAPERS = ("a4", "letter")
# PDFium draws no line thinner than a pixel: at 30 dpi thin outlines would count for half as much again as they take.
_INK_DPI = 100
_NUMBERS = (FieldKind.WHOLE, FieldKind.NUMBER)
_TEXTS = (FieldKind.TEXT, FieldKind.LIST)
_COUNTED = frozenset(FieldKind) - {*_TEXTS, FieldKind.IMAGE}
_WORD = re.compile(r"\w+(?:[-'’]\w+)*")
_TOKEN = re.compile(r"\{[^{}]*\}")  # an {icon} or a {=field}: no word


Figures = dict[str, Any]
"""Figures as JSON has them."""


def figures_of(workspace: Workspace, loaded: Loaded) -> tuple[Checked, Figures]:
    """Return a game and its figures; none if there is an error, because it could not be printed either.

    Of a piece: how many faces it prints, copies included, and the sheets of each paper that takes. `sheets` counts by
    paper all sheets as they are printed, `saved` those that pieces save by sharing.
    """
    checked, fonts = lay_out_game(workspace, loaded, papers=_PAPERS)
    game = checked.game
    if game is None or checked.has_errors:
        return checked, {"game": checked.game_id, "pieces": [], "sheets": {}, "saved": {}, "decks": []}
    imposition = impose(PrintJob(game, Request(_PAPERS), fonts), checked.pieces, None, is_draft=False)
    pieces = [
        {
            "piece": one.piece.id,
            "title": one.piece.title,
            "copies": sum(face.copies for face in one.faces),
            "sheets": {paper.paper: paper.sheets[one.piece.id] for paper in imposition.papers},
        }
        for one in checked.pieces
    ]
    sheets, saved = dict(imposition.sheets_in_all(checked.pieces)), dict(imposition.saved)
    decks = [_deck_figures(game, deck, checked.pieces) for deck in game.decks.values()]
    return checked, {"game": game.id, "pieces": pieces, "sheets": sheets, "saved": saved, "decks": decks}


def _words_of(card: Card, deck: Deck) -> int:
    texts = (card.values.get(field.name) for field in deck.fields.values() if field.kind in _TEXTS)
    return sum(len(_WORD.findall(_TOKEN.sub(" ", text))) for value in texts for text in texts_in(value))


def _deck_figures(game: Game, deck: Deck, pieces: Sequence[LaidOut]) -> Figures:
    """Return the figures of a deck: different cards, copies, different fronts, words, fields and colours.

    The words are None where the deck has no texts. The colours say on how many different fronts each is.
    """
    times = max(game.players) if deck.is_per_player else 1
    cards = [card for card in deck.cards if card.copies]
    fields = (_field_figures(name, deck, cards, times) for name, field in deck.fields.items() if field.kind in _COUNTED)
    has_texts = any(field.kind in _TEXTS for field in deck.fields.values())
    words = [_words_of(card, deck) for card in cards for _ in range(card.copies)]
    fronts = _fronts(deck, pieces)
    return {
        "deck": deck.id,
        "title": deck.title,
        "cards": len(cards),
        "copies": deck.count * times,
        "faces": len(fronts),
        "words": _spread(words) if has_texts else None,
        "fields": [found for found in fields if found["values"]],
        "colours": _colours(fronts.values()),
    }


def _field_figures(name: str, deck: Deck, cards: Iterable[Card], times: int) -> Figures:
    """Return how many cards have each value of a field, copies included, and the spread of numbers."""
    kind = deck.fields[name].kind
    counts: Counter[Value] = Counter()
    for card in cards:
        value = card.values.get(name)
        if value is not None and value != "":
            counts[value] += card.copies * times
    numbers = [float(value) for value in counts.elements() if isinstance(value, int | float)]
    order = sorted(counts, key=lambda value: (-counts[value], str(value)))
    if kind in _NUMBERS:
        order = sorted(counts, key=lambda value: float(value) if isinstance(value, int | float) else 0.0)
    values = {_shown(value): counts[value] for value in order}
    return {
        "field": name,
        "kind": kind.value,
        "values": values,
        "spread": _spread(numbers) if kind in _NUMBERS else None,
    }


def _spread(numbers: Sequence[float]) -> dict[str, float] | None:
    if not numbers:
        return None
    return {"least": min(numbers), "median": statistics.median(numbers), "most": max(numbers)}


def _shown(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _fronts(deck: Deck, pieces: Sequence[LaidOut]) -> dict[str, tuple[Frame, Mapping[str, Drawing]]]:
    """Return the different fronts of a deck by their hashes, from its own piece, with their drawings."""
    own = next((one for one in pieces if deck.id in one.piece.decks and one.piece.instead_of is None), None)
    if own is None:
        return {}
    return {face.front.hash: (face.front, own.drawings) for face in own.faces if face.deck == deck.id and face.copies}


def _colours(fronts: Iterable[tuple[Frame, Mapping[str, Drawing]]]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for frame, drawings in fronts:
        used: set[str | None] = set()
        for item in every_item(frame.items, drawings):
            if isinstance(item, Outline):
                used |= {item.paint.fill, item.paint.stroke if item.paint.stroke_mm else None}
            elif isinstance(item, Text):
                used.add(item.fill)
        counts.update(colour for colour in used if colour is not None)
    return {colour: counts[colour] for colour in sorted(counts, key=lambda one: (-counts[one], one))}


class Coverage(NamedTuple):
    """The part of a page (0 to 1) that each ink covers; for a file, its number of full pages of each ink."""

    cyan: float = 0.0
    magenta: float = 0.0
    yellow: float = 0.0
    black: float = 0.0

    @property
    def full_pages(self) -> float:
        """All four together: 1.0 is a page flooded with one ink."""
        return added(self)


class FileInk(Struct, frozen=True):
    """The ink of a piece's file: the number of full pages of each of the four, for all its pages."""

    piece: str
    title: str
    ink: str
    coverage: Coverage
    is_in_all: bool  # False for a piece that stands for another one


def ink_estimate(workspace: Workspace, loaded: Loaded, step: Step) -> tuple[FileInk, ...]:
    """Return the ink of each piece for each print ink, measured on A4; none if there is an error."""
    estimate: list[FileInk] = []
    for ink in INKS:
        checked, fonts = lay_out_game(workspace, loaded, ink=ink)
        if checked.game is None or checked.has_errors:
            return ()
        press = Press(PrintJob(checked.game, Request((INK_PAPER,), ink=ink), fonts, step))
        for one in checked.pieces:
            step(f"measuring {one.piece.id} in {ink}")
            coverage = total_coverage(map(ink_coverage, pages_of(press.unproven(one, paper_of(INK_PAPER)), _INK_DPI)))
            estimate.append(FileInk(one.piece.id, one.piece.title, ink, coverage, one.piece.instead_of is None))
    return tuple(estimate)


def in_all(estimate: Sequence[FileInk]) -> dict[str, Coverage]:
    """Return the coverage by ink of the file with everything: all pieces but those that replace another."""
    inks = dict.fromkeys(one.ink for one in estimate if one.is_in_all)
    return {ink: total_coverage(one.coverage for one in estimate if one.is_in_all and one.ink == ink) for ink in inks}


def ink_coverage(picture: Image) -> Coverage:
    """Return the coverage of a page by ink; of a smaller picture of it, thin lines are overestimated.

    PDFium draws the pages small, and colours are parted the simple way: all that is common to cyan, magenta and yellow
    becomes black. A printer's driver has its own way; as a comparison of two files the figure holds, as a forecast of
    millilitres it does not.
    """
    red, green, blue = picture.split()
    cyan, magenta, yellow = (ImageChops.invert(band) for band in (red, green, blue))
    black = ImageChops.darker(ImageChops.darker(cyan, magenta), yellow)
    inks = (*(ImageChops.subtract(ink, black) for ink in (cyan, magenta, yellow)), black)
    return Coverage(*(ImageStat.Stat(ink).mean[0] / 255 for ink in inks))


def total_coverage(pages: Iterable[Coverage]) -> Coverage:
    """Return the total number of full pages of each ink."""
    return Coverage(*map(added, zip(Coverage(), *pages, strict=True)))
