"""What a cover sheet has to say of the pages behind it: words made here once more, from what was counted on them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from duckpress.core.language import program
from oracle.covers.counted_parts import CountedPart
from oracle.covers.expected_cover import ExpectedCover

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
        self._by_hand = [sum(n for deck, n in p.decks.items() if cover.decks[deck].is_cut_by_hand) for p in parts]
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
        components = [deck for deck in self._cover.listed if self._cover.decks[deck].is_component]
        return len(components) + len(self._supplies()) - 1  # without their heading

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
            sides = program.COVER_LONG if self._cover.turn == "long" else program.COVER_SHORT
        else:
            sides = program.COVER_NO_BACKS if self._cover.backs == "none" else program.COVER_ONE_SIDE
        cut = [program.COVER_CUT] if any(map(any, self._cuts)) else []
        return [self._say(program.COVER_SCALE, paper=self._paper), *map(self._say, (sides, *cut))]

    def _of_part(self, at: int) -> list[str]:
        """Return the words under a part's picture, its title, and its heads with their values."""
        say, counted = self._say, self._parts[at]
        part, lines = counted.part, list[tuple[str, str]]()
        if counted.decks:
            decks = [self._cover.decks[deck] for deck in counted.decks]
            are_cards = any(deck.is_component for deck in decks) and all(deck.has_size_of_cards for deck in decks)
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
        decks = [self._cover.decks[deck] for deck in self._cover.listed]
        for deck in decks:
            if deck.is_component:
                words = [deck.title]
                if deck.for_each is not None:
                    words.append(f"({self._say(program.FOR_EACH_PLAYER, number=deck.for_each)})")
                yield from (self._number(deck.count), " ".join(words))
        sheets = [deck.title for deck in decks if not deck.is_component]
        if sheets:
            yield f"{self._say(program.PRINT_AS_NEEDED)} {', '.join(sheets)}."

    def _supplies(self) -> list[str]:
        entries = [self._say(program.BRING), *self._cover.bring]
        for stock, (words, _) in _STOCKS.items():
            if count := self._sheets_on(stock):
                entries.append(self._say(program.COVER_SUPPLY, number=count, paper=self._paper, stock=self._say(words)))
        entries += [self._say(program.COVER_TOOLS)] if any(map(any, self._cuts)) else []
        entries += [self._say(program.COVER_GLUE)] if any(map(any, self._folds)) or "board" in self._stocks else []
        return entries

    def _stock(self, part: CountedPart) -> str:
        stocks = {self._cover.decks[deck].printed_on for deck in part.decks} or {"paper"}
        return stocks.pop() if len(stocks) == 1 else "card"

    def _sheets_on(self, stock: str) -> int:
        return sum(part.part.sheets for part, own in zip(self._parts, self._stocks, strict=True) if own == stock)

    def _number(self, value: float) -> str:
        return self._cover.speech.number(value)

    def _say(self, words: str, **values: object) -> str:
        return self._cover.speech.program(words, values)
