"""The facts of a bundle -> its words: steps of printing, lines about each part, sums, what to supply."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from duckpress.core.sizes import Paper
from duckpress.cover.cuts import Stroke
from duckpress.cover.facts import CoverPart
from duckpress.impose import Backs, Turn
from duckpress.language import Speech, program

_STOCKS = {"paper": program.COVER_PAPER, "card": program.COVER_CARD, "board": program.COVER_BOARD}
_SHORT = {"paper": program.COVER_ON_PAPER, "card": program.COVER_ON_CARD, "board": program.COVER_ON_BOARD}


class How(Struct, frozen=True):
    """How the sheets of a file are printed: its name, the paper, where backs go, the edge that sheets turn about."""

    file: str
    paper: Paper
    backs: Backs
    turn: Turn


class Wording:
    """Says in a language what there is to say of a bundle."""

    def __init__(self, speech: Speech, how: How) -> None:
        self._speech = speech
        self._how = how
        self.paper = paper_title(how.paper.name)

    def steps(self, parts: Sequence[CoverPart]) -> list[str]:
        """Return the steps from the file to the cut pieces; the first is about the scale."""
        has_folds = any(part.fold_count for part in parts)
        steps = [self.say(program.COVER_SCALE, paper=self.paper)]
        if has_folds:
            steps.append(self.say(program.COVER_FOLD))
        elif any(part.is_double_sided for part in parts):
            steps.append(self.say(program.COVER_LONG if self._how.turn is Turn.LONG else program.COVER_SHORT))
        else:
            steps.append(self.say(program.COVER_NO_BACKS if self._how.backs is Backs.NONE else program.COVER_ONE_SIDE))
        if any(part.cut_count for part in parts):
            steps.append(self.say(program.COVER_CUT))
        return steps

    def legend(self, parts: Sequence[CoverPart]) -> str:
        """Return what the lines and numbers beside the pictures mean."""
        words = self.say(program.COVER_LEGEND, file=self._how.file)
        return f"{words} {self.say(program.COVER_ARROW)}" if any(part.is_double_sided for part in parts) else words

    def lines(self, part: CoverPart) -> list[tuple[str, str]]:
        """Return what is said of a part: heads and values."""
        say, number = self.say, self._speech.number
        lines: list[tuple[str, str]] = []
        if not part.is_read:
            sizes = [f"{number(round(w, 2))} × {number(round(h, 2))} mm" for w, h in part.sizes]
            words = " · ".join((number(part.number), *sizes[:2])) + (" …" if len(sizes) > 2 else "")
            lines.append((say(program.COVER_CARDS if part.are_cards else program.COVER_PIECES), words))
        sides = program.COVER_BOTH if part.is_double_sided else program.COVER_SINGLE
        lines.append((say(program.COVER_PAPER_HEAD), say(sides, number=part.sheet_count)))
        lines.append((say(program.COVER_STOCK), say(_STOCKS[part.stock])))
        if part.fold_count:
            lines.append((say(program.COVER_FOLDS), self._each(part.folds)))
        if part.cut_count:
            lines.append((say(program.COVER_CUTS), self._each(part.cuts)))
        if part.by_hand:
            lines.append((say(program.COVER_BY_HAND), number(part.by_hand)))
        pages = dict.fromkeys((part.first_page, part.last_page))
        lines.append((say(program.COVER_PAGES), "–".join(number(page) for page in pages)))
        return lines

    def sums(self, parts: Sequence[CoverPart]) -> list[tuple[str, str]]:
        """Return the sums of the bundle: sheets, sheets on each stock, cuts and folds."""
        number = self._speech.number
        total = sum(part.sheet_count for part in parts)
        sums = [(self.say(program.COVER_SHEETS, paper=self.paper), number(total))]
        by_stock = sheets_by_stock(parts)
        if len(by_stock) > 1:
            sums += [(self.say(_SHORT[stock]), number(count)) for stock, count in by_stock.items()]
        for words, count in (
            (program.COVER_CUTS, sum(part.cut_count for part in parts)),
            (program.COVER_FOLDS, sum(part.fold_count for part in parts)),
            (program.COVER_BY_HAND, sum(part.by_hand for part in parts)),
        ):
            if count:
                sums.append((self.say(words), number(count)))
        return sums

    def supplies(self, parts: Sequence[CoverPart]) -> list[str]:
        """Return what to have at hand for printing and cutting."""
        found = [
            self.say(program.COVER_SUPPLY, number=count, paper=self.paper, stock=self.say(_STOCKS[stock]))
            for stock, count in sheets_by_stock(parts).items()
        ]
        if any(part.cut_count for part in parts):
            found.append(self.say(program.COVER_TOOLS))
        if any(part.fold_count or part.stock == "board" for part in parts):
            found.append(self.say(program.COVER_GLUE))
        return found

    def say(self, words: str, **values: object) -> str:
        """Return words of the program in the language."""
        return self._speech.program(words, values)

    def _each(self, strokes: Sequence[Sequence[Stroke]]) -> str:
        """Return how many there are on a sheet and in all."""
        counts = [len(one) for one in strokes]
        if len(counts) == 1:
            return self._speech.number(counts[0])
        words = program.COVER_EACH if len(set(counts)) == 1 else program.COVER_UP_TO
        return self.say(words, number=max(counts), total=sum(counts))


def sheets_by_stock(parts: Sequence[CoverPart]) -> dict[str, int]:
    """Return the sheets of each stock, the thinnest first."""
    found = {stock: sum(part.sheet_count for part in parts if part.stock == stock) for stock in _STOCKS}
    return {stock: count for stock, count in found.items() if count}


def paper_title(name: str) -> str:
    """Return a paper's name as it is written: `A4`, `Letter`, `Photo 4x6`, `320x450mm`."""
    return name.replace("-", " ").capitalize() if name[:1].isalpha() else name
