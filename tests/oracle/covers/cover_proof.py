"""A cover sheet held against the pages that it speaks of: all that it says and shows is counted there.

Its words are made here once more, from what was counted; what it says and shows is read from its frames.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from duckpress.core.frame import Outline, Text
from duckpress.core.geometry import Rect, box_of_points
from duckpress.core.language import program
from duckpress.core.problems import Problem
from duckpress.proof.expected import TOLERANCE_MM, Expected, fault
from oracle.covers.counted_parts import (
    CountedPart,
    ExpectedCover,
    counted_parts,
    has_size_of_cards,
    is_component,
    is_cut_by_hand,
)
from oracle.covers.cover_pictures import PlacedItem, bar_faults, picture_faults, placed_items, small_sheets
from oracle.reading.placing import PageLayout

_STOCKS = {
    "paper": (program.COVER_PAPER, program.COVER_ON_PAPER),
    "card": (program.COVER_CARD, program.COVER_ON_CARD),
    "board": (program.COVER_BOARD, program.COVER_ON_BOARD),
}


class CoverWording:
    """Says what a cover has to say."""

    def __init__(self, cover: ExpectedCover, parts: Sequence[CountedPart]) -> None:
        self._cover = cover
        self._parts = parts
        name = cover.paper
        self._paper = name.replace("-", " ").capitalize() if name[:1].isalpha() else name
        self._stocks = [self._stock(part) for part in parts]
        decks = cover.game.decks
        self._by_hand = [sum(n for deck, n in p.decks.items() if is_cut_by_hand(decks[deck])) for p in parts]
        self._cuts = [[*map(len, part.cuts)] for part in parts]
        self._folds = [[*map(len, part.folds)] for part in parts]
        self._is_double_sided = any(part.turns_left_right is not None for part in parts)

    def entries(self) -> list[str]:
        """Return all that stands under the title, in the order in which it is read."""
        say, cover = self._say, self._cover
        legend = say(program.COVER_LEGEND, file=cover.file)
        if self._is_double_sided:
            legend += " " + say(program.COVER_ARROW)
        entries = [*self._sums(), say(program.COVER_PRINT)]
        for number, step in enumerate(self._steps(), 1):
            entries += [f"{number}.", step, *(["50 mm", "2 in"] if number == 1 else [])]
        entries += [say(program.COVER_PARTS), legend]
        for at in range(len(self._parts)):
            entries += self._of_part(at)
        return [*entries, say(program.COVER_CHECK), *self._components(), *self._supplies()]

    @property
    def boxes(self) -> int:
        """How many lines there are to tick: components, and what is needed besides."""
        return sum(map(is_component, self._cover.listed)) + len(self._supplies()) - 1  # without their heading

    def _sums(self) -> list[str]:
        used = [stock for stock in _STOCKS if stock in self._stocks]
        sums = [(self._say(program.COVER_SHEETS, paper=self._paper), sum(part.part.sheets for part in self._parts))]
        if len(used) > 1:
            sums += [(self._say(_STOCKS[stock][1]), self._sheets_on(stock)) for stock in used]
        sums.append((self._say(program.COVER_CUTS), sum(map(sum, self._cuts))))
        sums.append((self._say(program.COVER_FOLDS), sum(map(sum, self._folds))))
        sums.append((self._say(program.COVER_BY_HAND), sum(self._by_hand)))
        return [entry for words, count in sums if count for entry in (self._number(count), words)]

    def _steps(self) -> list[str]:
        if any(map(any, self._folds)):
            sides = program.COVER_FOLD
        elif self._is_double_sided:
            sides = program.COVER_LONG if self._cover.request.turn == "long" else program.COVER_SHORT
        else:
            sides = program.COVER_NO_BACKS if self._cover.request.backs == "none" else program.COVER_ONE_SIDE
        cut = [program.COVER_CUT] if any(map(any, self._cuts)) else []
        return [self._say(program.COVER_SCALE, paper=self._paper), *map(self._say, (sides, *cut))]

    def _of_part(self, at: int) -> list[str]:
        """Return the words under a part's picture, its title, and its heads with their values."""
        say, counted = self._say, self._parts[at]
        part, lines = counted.part, list[tuple[str, str]]()
        if counted.decks:
            decks = [self._cover.game.decks[deck] for deck in counted.decks]
            are_cards = any(map(is_component, decks)) and all(map(has_size_of_cards, decks))
            sizes = [f"{self._number(round(w, 2))} × {self._number(round(h, 2))} mm" for w, h in counted.sizes]
            words = " · ".join((self._number(counted.number), *sizes[:2])) + (" …" if len(sizes) > 2 else "")
            lines.append((program.COVER_CARDS if are_cards else program.COVER_PIECES, words))
        sides = program.COVER_BOTH if counted.turns_left_right is not None else program.COVER_SINGLE
        lines.append((program.COVER_PAPER_HEAD, say(sides, number=part.sheets)))
        lines.append((program.COVER_STOCK, say(_STOCKS[self._stocks[at]][0])))
        lines += [(program.COVER_FOLDS, self._each(self._folds[at]))] if any(self._folds[at]) else []
        lines += [(program.COVER_CUTS, self._each(self._cuts[at]))] if any(self._cuts[at]) else []
        lines += [(program.COVER_BY_HAND, self._number(self._by_hand[at]))] if self._by_hand[at] else []
        pages = dict.fromkeys((counted.first_page, counted.last_page))
        lines.append((program.COVER_PAGES, "–".join(map(self._number, pages))))
        caption = say(program.SHEET, number=part.first_number, total=part.first_total)
        return [caption, part.title, *(words for head, value in lines for words in (say(head), value))]

    def _each(self, counts: Sequence[int]) -> str:
        if len(counts) == 1:
            return self._number(counts[0])
        words = program.COVER_UP_TO if min(counts) < max(counts) else program.COVER_EACH
        return self._say(words, number=max(counts), total=sum(counts))

    def _components(self) -> Iterable[str]:
        for deck in filter(is_component, self._cover.listed):
            counts = [(card.copies, self._cover.copies.get((deck.id, card.id), card.copies)) for card in deck.cards]
            words = [deck.title]
            if deck.is_per_player:
                each = sum(own for own, printed in counts if printed)
                words.append(f"({self._say(program.FOR_EACH_PLAYER, number=each)})")
            yield from (self._number(sum(printed for _, printed in counts)), " ".join(words))
        sheets = [deck.title for deck in self._cover.listed if not is_component(deck)]
        if sheets:
            yield f"{self._say(program.PRINT_AS_NEEDED)} {', '.join(sheets)}."

    def _supplies(self) -> list[str]:
        entries = [self._say(program.BRING), *self._cover.game.bring]
        for stock, (words, _) in _STOCKS.items():
            if count := self._sheets_on(stock):
                entries.append(self._say(program.COVER_SUPPLY, number=count, paper=self._paper, stock=self._say(words)))
        entries += [self._say(program.COVER_TOOLS)] if any(map(any, self._cuts)) else []
        entries += [self._say(program.COVER_GLUE)] if any(map(any, self._folds)) or "board" in self._stocks else []
        return entries

    def _stock(self, part: CountedPart) -> str:
        stocks = set(map(self._cover.printed_on, part.decks)) or {"paper"}
        return stocks.pop() if len(stocks) == 1 else "card"

    def _sheets_on(self, stock: str) -> int:
        return sum(part.part.sheets for part, own in zip(self._parts, self._stocks, strict=True) if own == stock)

    def _number(self, value: float) -> str:
        return self._cover.game.speech.number(value)

    def _say(self, words: str, **values: object) -> str:
        return self._cover.game.speech.program(words, values)


_FOOTER_MM = 5.0  # at the foot of a page, which says whose the game is
_CAPITAL, _LINE = 0.6, 0.9  # height of letters, and of letters under those of another line, in sizes of their type
_BOX_MM = (1.2, 3.2)  # a box to tick: the smaller, the smaller the paper
_UNSEEN = re.compile(r"\{[^{}]*\}|[\s\"'’‘“”«»*\\-]")  # icons, quotes of a language, emphasis, hyphens at ends of lines

_Texts = Sequence[tuple[int, Text]]
"""Texts with their pages, in the order in which they are read."""


def check_cover(pages: Sequence[PageLayout], expected: Expected, cover: ExpectedCover) -> Iterator[Problem]:
    """Yield a `proof-cover` for whatever a cover says or shows otherwise than it is on the pages behind it."""
    a_sheet = 1 if expected.duplex is None else 2
    count = a_sheet * (cover.sheets + sum(part.sheets for part in cover.parts))
    if len(pages) != count:
        yield fault("proof-page-count", f"the file has {len(pages)} pages, not {count}")
        return
    parts = [*counted_parts(pages, expected, cover.parts)]
    items = [one for number, page in enumerate(cover.pages) for one in placed_items(number, page.items)]
    trim = Rect(0.0, 0.0, *cover.pages[0].trim)
    texts = [
        (one.page, one.item)
        for one in items
        if isinstance(one.item, Text) and _folded(one.item.text) and one.item.y_mm < trim.height_mm - _FOOTER_MM
    ]
    wording = CoverWording(cover, parts)
    whats, own = _differences(texts, cover.game.speech.program(program.COVER_HEAD), wording.entries())
    frames = {frame.hash: frame for face in expected.faces for frame in (face.front, face.back) if frame is not None}
    sheets = small_sheets(items, parts)
    whats += [] if len(sheets) == len(parts) else [f"it shows {len(sheets)} sheets, not {len(parts)}"]
    for sheet in sheets:
        faults = picture_faults(sheet, expected.drawings, frames)
        whats += [f"the picture of {sheet.part.part.title!r} {what}" for what in faults]
    for number in range(len(cover.pages)):
        papers = [sheet.paper for sheet in sheets if sheet.faces[0].page == number]
        around = [one for one in items if one.page == number]
        whats += _misplaced([text for page, text in own if page == number], papers, around, trim)
    boxes = sum(_is_to_tick(one) for one in items)
    whats += [] if boxes == wording.boxes else [f"it has {boxes} boxes to tick, not {wording.boxes}"]
    yield from (fault("proof-cover", f"the cover sheet: {what}") for what in whats)


def _differences(texts: _Texts, title: str, entries: Sequence[str]) -> tuple[list[str], _Texts]:
    """Return what is said otherwise than in the entries, and the texts below the title.

    The title stands above what is said of the pages, which begins with a number. It says whose the game is, too.
    """
    start = max(range(len(texts)), key=lambda at: _agreeing(texts[at:], entries[1:])[0], default=0)
    said = ""
    while start and len(said) < len(_folded(entries[0])):
        start -= 1
        said = _folded(texts[start][1].text) + said
    count, at = _agreeing(texts[start:], entries)
    if count < len(entries) or start + at < len(texts):
        words = " ".join(text.text for _, text in texts[start + at : start + at + 4])
        return [f"it says {words!r} where it has to say {' '.join(entries[count : count + 2])!r}"], ()
    top_mm = texts[start][1].y_mm
    whats = [f"{text.text!r} stands below its title" for _, text in texts[:start] if text.y_mm >= top_mm]
    if _folded(title) not in _folded("".join(text.text for _, text in texts[:start])):
        whats.append(f"its title does not say {title!r}")
    return whats, texts[start:]


def _agreeing(texts: _Texts, entries: Sequence[str]) -> tuple[int, int]:
    """Return how many entries are said from the first text on, and how many texts say them."""
    at = 0
    for count, words in enumerate(entries):
        said, wanted, end = "", _folded(words), at
        while end < len(texts) and len(said) < len(wanted):
            said += _folded(texts[end][1].text)
            end += 1
        if said != wanted:
            return count, at
        at = end
    return len(entries), at


@lru_cache(maxsize=1024)
def _folded(words: str) -> str:
    """Return the letters alone, capitals as small ones, marks on letters left out: as styles and languages may."""
    letters = unicodedata.normalize("NFKD", _UNSEEN.sub("", words)).casefold()
    return "".join(letter for letter in letters if unicodedata.category(letter) not in ("Mn", "Cf"))


def _misplaced(
    texts: Sequence[Text], papers: Sequence[Rect], around: Sequence[PlacedItem], trim: Rect
) -> Iterator[str]:
    """Yield what stands where it cannot be read: off its page, on other words, on a picture; and wrong bars."""
    taken = [(paper, "a picture") for paper in papers]
    yield from (f"{what} lies beside the page" for paper, what in taken if not trim.holds(paper))
    taken += [(box, "a box to tick") for one in around if _is_to_tick(one) for box in one.boxes()]
    strokes = [stroke for one in around for stroke in one.strokes()]
    taken += [(box_of_points(stroke), "a bar") for one in around if _is_bar(one) for stroke in one.strokes()]
    others: list[tuple[Text, Rect]] = []
    for text in texts:
        high_mm = _CAPITAL * text.size_mm
        box = Rect(text.x_mm, text.y_mm - high_mm, text.width_mm, high_mm).grown(-TOLERANCE_MM)
        line_mm = _LINE * text.size_mm
        line = Rect(box.x_mm, text.y_mm - line_mm, box.width_mm, line_mm - TOLERANCE_MM)
        yield from dict.fromkeys(f"{text.text!r} lies on {what}" for other, what in taken if not box.is_apart(other))
        yield from (f"{text.text!r} lies on {other.text!r}" for other, own in others if not line.is_apart(own))
        if not trim.holds(box):
            yield f"{text.text!r} lies beside the page"
        others.append((text, box))
    yield from bar_faults(((text.text, (text.x_mm, text.y_mm)) for text in texts), strokes)


def _is_bar(one: PlacedItem) -> bool:
    """Return whether an item is a bar to measure: a line with a tick at each end."""
    return isinstance(one.item, Outline) and one.item.path.kinds == "mlmlml"


def _is_to_tick(one: PlacedItem) -> bool:
    """Return whether an item is a box to tick: a small square with round corners."""
    if not isinstance(one.item, Outline) or one.item.paint.fill is not None or one.item.path.kinds != "mlclclclch":
        return False
    least_mm, most_mm = _BOX_MM
    return all(least_mm <= min(box[2:]) and max(box[2:]) <= most_mm for box in one.boxes())
