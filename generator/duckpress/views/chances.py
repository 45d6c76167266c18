"""The odds of a game on request: one question, or those of its setup, at some player counts.

A chart is bars over a scale, as a frame in the look of the bundled theme, and as a file for anybody's page. An SVG has
its letters as outlines, so that it looks the same wherever it is pasted, and the program itself can take it as art; a
PNG goes by way of a PDF, as all pictures of faces do.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from duckpress.art.picture_files import quick_png
from duckpress.chance import Odds, Playouts, checked_question, knows_place, odds_of, playtest, variants_for
from duckpress.check import check_game
from duckpress.check.setup.combinations import counts_for
from duckpress.check.setup.rule_book import Book
from duckpress.core.frame import Frame, Group, Item, Outline, Paint, Text
from duckpress.core.geometry import Matrix, Rect, Size, translation
from duckpress.core.paths import RECTANGLE, joined, rectangle, strokes
from duckpress.core.paths import Path as Outlines
from duckpress.core.problems import Problem, Source, has_errors
from duckpress.expressions.calculator import Calculator
from duckpress.expressions.profiles import SETUP
from duckpress.files.workspace import Workspace
from duckpress.impose import Sheet, Side
from duckpress.model.setup import Expression
from duckpress.press.reading import GameFindings, Loaded, named
from duckpress.render import Booklet, DocumentInfo, Renderer
from duckpress.store import sources_of, write_file
from duckpress.text import TextStyle, Typesetter
from duckpress.text.fonts import FontLibrary
from duckpress.views.pictures import pages_of

KINDS = (".svg", ".png")
_SIZE = Size(150.0, 85.0)
_FAMILY = "Alegreya Sans"
# The colours of layouts/themes/base.yaml: lines, words, lesser words, and those of the bars, series by series.
_LINE, _INK, _MUTED = "#b9b2a6", "#1d1b18", "#6b655c"
_BARS = ("#a4452c", "#1f4e8c", "#1f6b3a", "#6b655c", "#c48a1a", "#5b2a6e")
_TITLE = TextStyle(_FAMILY, weight="bold", size_pt=11.0, colour=_INK)
_LEGEND = TextStyle(_FAMILY, size_pt=8.0, colour=_INK)
_OF_SCALE = TextStyle(_FAMILY, size_pt=7.5, align="right", colour=_MUTED)
_ON_BAR = TextStyle(_FAMILY, size_pt=7.0, align="center", colour=_INK)
_BELOW = TextStyle(_FAMILY, size_pt=7.5, align="center", colour=_INK)
_DPI = 200
_MOST_NUMBERED = 24  # bars: where there are more, no number stands on them
_LEGEND_MM = 5.0

Series = Mapping[str, Mapping[str, float]]


def write_chart(
    workspace: Workspace, path: Path, title: str, series: Series, unit: str, names: Sequence[str] = ()
) -> None:
    """Write a chart into a file of one of the `KINDS`; `MachineError` if it cannot be written."""
    fonts = FontLibrary(workspace)
    frame = bar_chart(fonts, title, series, unit, names)
    is_svg = path.suffix.lower() == ".svg"
    data = svg_text(frame, fonts, title).encode() if is_svg else _png(frame, fonts)
    write_file(path, data, sources_of(workspace.root))


def bar_chart(fonts: FontLibrary, title: str, series: Series, unit: str, names: Sequence[str] = ()) -> Frame:
    """Return bars for the values of each series by label, side by side; `unit` follows the scale's numbers.

    What values are of stands below the bars, in the order of `names`, and then in that in which the series name it.
    """
    chart = _BarChart(Typesetter(fonts, lambda _name, _colour: None, "en"), series, unit, names)
    return Frame(_SIZE, 0.0, tuple(chart.items(title)))


def _png(frame: Frame, fonts: FontLibrary) -> bytes:
    sheet = Sheet(frame.trim, Side((), frame.items), None, 1, 1)
    pdf = Renderer(fonts).render([Booklet("", (sheet,), {}, {}, {})], DocumentInfo(title=""))
    return quick_png(next(pages_of(pdf, _DPI)), _DPI)


class _BarChart:
    """A chart of some series, in millimetres."""

    def __init__(self, typesetter: Typesetter, series: Series, unit: str, names: Sequence[str]) -> None:
        self._typesetter = typesetter
        self._series = series
        self._unit = unit
        self._names = list(dict.fromkeys((*names, *(name for values in series.values() for name in values))))
        values = [value for values in series.values() for value in values.values()]
        self._step = _nice_step(max([*values, 0.0]) or 1.0)
        self._top = self._step * max(1, math.ceil(max([*values, 0.0]) / self._step - 1e-9))
        legend_mm = _LEGEND_MM * len(series) if len(series) > 1 else 0.0
        self._box = Rect(16.0, 14.0 + legend_mm, _SIZE.width_mm - 20.0, _SIZE.height_mm - 24.0 - legend_mm)
        self._is_numbered = len(self._names) * len(series) <= _MOST_NUMBERED

    def items(self, title: str) -> Iterator[Item]:
        """Yield the chart in painting order."""
        box = self._box
        yield from self._words_on_line(title, 4.0, 7.5, _TITLE, _SIZE.width_mm - 8.0)
        for number, name in enumerate(self._series if len(self._series) > 1 else ()):
            y_mm = 13.5 + _LEGEND_MM * number
            yield Outline(rectangle(4.0, y_mm - 2.4, 3.0, 2.4), Paint(fill=_colour(number)))
            yield from self._words_on_line(name, 8.5, y_mm, _LEGEND, _SIZE.width_mm - 12.5)
        for tick in range(round(self._top / self._step) + 1):
            value = tick * self._step
            y_mm = box.bottom_mm - box.height_mm * value / self._top
            yield Outline(strokes([(box.x_mm, y_mm, box.right_mm, y_mm)]), Paint(stroke=_LINE, stroke_mm=0.15))
            words = f"{value:g} {self._unit}".rstrip()
            yield from self._words_on_line(words, box.x_mm - 1.5, y_mm + 1.0, _OF_SCALE)
        yield from self._bars()
        base = strokes([(box.x_mm, box.bottom_mm, box.right_mm, box.bottom_mm)])
        yield Outline(base, Paint(stroke=_INK, stroke_mm=0.3))

    def _bars(self) -> Iterator[Item]:
        box = self._box
        place_mm = box.width_mm / max(1, len(self._names))
        bar_mm = place_mm * 0.76 / max(1, len(self._series))
        for number, values in enumerate(self._series.values()):
            for position, name in enumerate(self._names):
                if name not in values:
                    continue
                left_mm = box.x_mm + place_mm * (position + 0.12) + bar_mm * number
                height_mm = box.height_mm * values[name] / self._top
                if height_mm > 0:
                    bar = rectangle(left_mm, box.bottom_mm - height_mm, bar_mm, height_mm)
                    yield Outline(bar, Paint(fill=_colour(number)))
                if self._is_numbered:
                    at_mm = left_mm + bar_mm / 2, box.bottom_mm - height_mm - 1.0
                    yield from self._words_on_line(_figure(values[name]), *at_mm, _ON_BAR)
        # Names below the bars; where they would touch each other, every second, third, ... of them.
        widest_mm = max((self._typesetter.line(name, _BELOW).width_mm for name in self._names), default=0.0)
        every = max(1, math.ceil((widest_mm + 1.5) / place_mm))
        for position, name in enumerate(self._names):
            if position % every == 0:
                x_mm = self._box.x_mm + place_mm * (position + 0.5)
                yield from self._words_on_line(name, x_mm, self._box.bottom_mm + 4.5, _BELOW)

    def _words_on_line(
        self, words: str, x_mm: float, y_mm: float, style: TextStyle, most_mm: float = math.inf
    ) -> Sequence[Item]:
        """Return words on a line, shrunk to at most `most_mm`."""
        if not words:
            return ()
        line = self._typesetter.line(words, style)
        if line.width_mm > most_mm:
            line = self._typesetter.line(words, style._replace(size_pt=style.size_pt * most_mm / line.width_mm))
        shift_mm = {"left": 0.0, "center": line.width_mm / 2, "right": line.width_mm}[style.align]
        return [Group(line.items, translation(round(x_mm - shift_mm, 3), round(y_mm, 3)))]


def _colour(number: int) -> str:
    return _BARS[number % len(_BARS)]


def _figure(value: float) -> str:
    """Return the number on a bar; a tiny value is short enough for its bar: `<0.1`."""
    return "<0.1" if 0 < value < 0.1 else f"{value:.3g}"


def _nice_step(highest: float) -> float:
    """Return the step between a scale's lines: 1, 2 or 5 times a power of ten, for about five lines."""
    rough = highest / 5
    power: float = 10 ** math.floor(math.log10(rough))
    return next(step * power for step in (1.0, 2.0, 5.0, 10.0) if step * power >= rough * (1 - 1e-9))


_LETTERS = {"m": "M", "l": "L", "c": "C", "h": "Z"}


def svg_text(frame: Frame, fonts: FontLibrary, title: str) -> str:
    """Return a frame of paths, texts and groups of them as the text of an SVG file, with a title."""
    width_mm, height_mm = frame.trim
    size = f'width="{width_mm:g}mm" height="{height_mm:g}mm" viewBox="0 0 {width_mm:g} {height_mm:g}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">\n<title>{escape(title)}</title>\n'
    return head + "\n".join(_elements(frame.items, fonts)) + "\n</svg>\n"


def _elements(items: tuple[Item, ...], fonts: FontLibrary) -> Iterator[str]:
    for item in items:
        if isinstance(item, Outline):
            paint = item.paint
            line = f' stroke="{paint.stroke}" stroke-width="{paint.stroke_mm:g}"' if paint.stroke else ""
            yield f'<path d={quoteattr(_data(item.path))} fill="{paint.fill or "none"}"{line}/>'
        elif isinstance(item, Text):
            matrix = Matrix(item.size_mm, 0.0, 0.0, -item.size_mm, item.x_mm, item.y_mm)
            letters = joined(fonts.typefaces_by_key[item.font].outlines(item.glyphs, matrix))
            yield f'<path d="{_data(letters)}" fill="{item.fill}"/>'
        elif isinstance(item, Group):
            yield f'<g transform="matrix({" ".join(f"{number:g}" for number in item.matrix)})">'
            yield from _elements(item.items, fonts)
            yield "</g>"


def _data(path: Outlines) -> str:
    words = []
    for kind, numbers in path.segments():
        if kind == RECTANGLE:
            x, y, width, height = numbers
            words.append(f"M{x:g} {y:g}h{width:g}v{height:g}h{-width:g}Z")
        else:
            words.append(_LETTERS[kind] + " ".join(f"{round(number, 3):g}" for number in numbers))
    return "".join(words)


_STEPS = 10**9  # of the budget of expressions: whoever asks for more runs waits for them
ASKED = Source("question", 1, 1)


class Answered(GameFindings, frozen=True):
    """A game and the odds, by the name of each question, by default its text."""

    odds: Mapping[str, Sequence[Odds]] = {}


def ask_odds(
    loaded: Loaded, text: str | None, players: int | None, variant: str | None, *, runs: int, seed: str
) -> Answered:
    """Return the odds of a question, or of those of setup.yaml; none if there is an error.

    Problems of the question itself have the place `ASKED`, with the column.
    """
    game = loaded.game
    if game is None or game.setup is None or loaded.has_errors:
        return Answered(loaded.game_id, game, loaded.problems)
    findings = check_game(game, None, variant or "base")
    problems = [*loaded.problems, *(one for one in findings if players is None or one.players in (None, players))]
    if has_errors(problems):
        return Answered(game.id, game, named(game.id, problems))
    book = Book(game, game.setup, Calculator(SETUP, _STEPS))
    questions: list[tuple[str, Expression, tuple[int, ...] | None]] = []
    if text is not None:
        questions.append((text, Expression(text, ASKED), None))
    for rule in game.setup.odds if text is None else ():
        if variant in variants_for(book, rule):
            questions.append((rule.name, rule.ask, rule.only))
    answers: dict[str, list[Odds]] = {}
    for name, expression, only in questions:
        question = checked_question(book, expression, [variant])
        if isinstance(question, list):
            problems += question if text is not None or not _is_elsewhere(book, expression) else ()
            continue
        for count in book.counts_of(variant) if players is None else (players,):
            if (only is None or count in only) and knows_place(book, question, variant):
                odds = odds_of(book, question, count, variant, runs=runs, seed=seed)
                if isinstance(odds, Problem):
                    problems.append(odds)
                    break
                answers.setdefault(name, []).append(odds)
    return Answered(game.id, game, named(game.id, problems), answers)


def _is_elsewhere(book: Book, expression: Expression) -> bool:
    """Return whether a question that is invalid in one variant is valid in another."""
    return not isinstance(checked_question(book, expression, book.combinations()), list)


_MOST_BARS = 20  # for each player count


class PlayedOften(GameFindings, frozen=True):
    """A game and its playouts at each player count."""

    playouts: tuple[Playouts, ...] = ()


def play_often(
    loaded: Loaded, players: int | None, variant: str | None, runs: int, seed: str, jobs: int
) -> PlayedOften:
    """Return the playouts of `runs` games at each player count; none with an error, or if the game cannot be played."""
    game = loaded.game
    if game is None or loaded.has_errors:
        return PlayedOften(loaded.game_id, game, loaded.problems)
    findings = check_game(game, None, variant or "base")
    problems = [*loaded.problems, *(one for one in findings if players is None or one.players in (None, players))]
    playouts: list[Playouts] = []
    counts = counts_for(game.setup, variant, game.players) if players is None else (players,)
    for count in () if has_errors(problems) else counts:
        played = playtest(game, count, variant, runs, seed, jobs)
        if isinstance(played, Problem):
            problems.append(played)
            break
        playouts.append(played)
    return PlayedOften(game.id, game, named(game.id, problems), tuple(playouts))


def shares_of_rounds(playouts: Sequence[Playouts]) -> tuple[list[str], list[dict[str, float]]]:
    """Return numbers of rounds in order, and for each playout the percentage of games with that number.

    Where there are many different numbers, several that follow each other are taken together: `40-49`.
    """
    least = min(one.rounds.least for one in playouts)
    most = max(one.rounds.most for one in playouts)
    widths = (step * 10**power for power in range(8) for step in (1, 2, 5))
    width = next(width for width in widths if most - least < _MOST_BARS * width)
    starts = range(least - least % width, most + 1, width)
    names = [str(start) if width == 1 else f"{start}-{start + width - 1}" for start in starts]
    shares: list[dict[str, float]] = []
    for one in playouts:
        share = dict[str, float]()
        for rounds, games in one.rounds.counts.items():
            name = names[(rounds - starts[0]) // width]
            share[name] = share.get(name, 0) + 100 * games / one.runs
        shares.append(share)
    return names, shares
