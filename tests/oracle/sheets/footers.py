"""Footers held against what they must say, and where: known from the language and the size of the paper alone.

A footer stands along the lower edge of what is printable, or along its left edge, where it is read upwards. Places in
it are counted along its line, and from its upper side down to its lower one, which lies on that edge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple
from unicodedata import category, combining, normalize

from duckpress.core.frame import Paint
from duckpress.core.geometry import MM_PER_INCH, MM_PER_PT, Point, Rect
from oracle.reading.marks import Painted, Run
from oracle.reading.pages import TURNED
from oracle.reading.placing import PageLayout

_PT = 6.0
_LABEL_PT = 5.5
_COLOUR = "#333333"
_WORD_GAP_MM = 0.6
_BEFORE_BARS_MM = 4.0
_LABEL_GAP_MM, _LABEL_ROOM_MM = 1.0, 8.0
_BAR_PAINT = Paint(None, _COLOUR, 0.15)
_TICK_MM = 0.7  # above and below a bar
_NEAR_MM = 0.06
_CLEAR_MM = 0.5

MAP_ROOM_MM = 19.0
"""What the map of a board's tiles takes off the end of a footer."""

_BARS = ((50.0, "50 mm"), (2 * MM_PER_INCH, "2 in"))
_SECOND_MM = _BARS[0][0] + _LABEL_GAP_MM + _LABEL_ROOM_MM + 0.15


class _Shape(NamedTuple):
    """Rows of a footer by their baselines; where its bars begin and at what height, and what they take of the line."""

    baselines_mm: tuple[float, ...]
    bars_mm: tuple[Point, Point]
    room_mm: float
    depth_mm: float


_TWO_ROWS = _Shape((1.7, 4.05), ((0.0, 1.0575), (0.0, 3.4075)), _BARS[1][0] + 9.0, 4.7)
_ONE_ROW = _Shape((1.7,), ((0.0, 1.0575), (_SECOND_MM, 1.0575)), _SECOND_MM + _BARS[1][0] + 9.0, 2.35)
_OF_A_TILE = _TWO_ROWS._replace(baselines_mm=(1.7, 4.05, 6.4), depth_mm=7.1)


class FooterWords(NamedTuple):
    """What a footer must say: bold `note` if there is one, titles and what follows them, then what its sheet is.

    `tile` is what is said of a tile, in two parts. `drawn` leaves out what no font
    has.
    """

    notes: tuple[str, ...]
    game: str
    piece: str
    rest: tuple[str, ...]
    figures: str
    tail: str
    tile: tuple[str, str] | None = None
    drawn: Callable[[str], str] = str

    @property
    def as_drawn(self) -> tuple[list[str], list[str]]:
        """The ways in which a footer may begin, and what its rows end in: texts that decide what is right."""
        ends = [self.figures + self.tail, *(["".join(self.tile)] if self.tile else [])]
        heads = _heads(self.notes, self.game, self.piece, self.rest, self.drawn)
        return heads, [squeezed(self.drawn(end)) for end in ends]


class FooterStrip(NamedTuple):
    """Where a page has its footer, in which shape: what is printable, and the way it is read."""

    printable: Rect
    is_rising: bool
    shape: _Shape
    length_mm: float

    def has(self, baseline_mm: float) -> bool:
        """Return whether a text with this baseline, across or down the page, stands in it."""
        _, at_mm = self.place(baseline_mm, baseline_mm)
        return -_CLEAR_MM < at_mm < self.shape.depth_mm + _CLEAR_MM

    def place(self, x_mm: float, y_mm: float) -> Point:
        """Return where a point of the page lies in the footer."""
        if self.is_rising:
            return self.printable.bottom_mm - y_mm, x_mm - self.printable.x_mm
        return x_mm - self.printable.x_mm, y_mm - self.printable.bottom_mm + self.shape.depth_mm

    def end_mm(self, run: Run) -> float:
        return self.place(run.x_mm, run.box.y_mm)[0] if self.is_rising else self.place(run.box.right_mm, run.y_mm)[0]


def footer_strip(page: PageLayout, printable: Rect, *, is_tile: bool) -> FooterStrip | None:
    """Return where a page has its footer; None where it has none at any place that there is for one."""
    level = frozenset([run.y_mm for run in page.around.runs if run.degrees == 0])
    rising = frozenset([run.x_mm for run in page.around.runs if run.degrees == 270])
    return _strip_with(level, rising, printable, is_tile)


@lru_cache(maxsize=64)
def _strip_with(
    level: frozenset[float], rising: frozenset[float], printable: Rect, is_tile: bool
) -> FooterStrip | None:
    """Return the strip with just the rows of its shape among the baselines of level texts, or of rising ones."""
    for is_rising, baselines in ((False, level), (True, rising)):
        for shape in (_OF_A_TILE,) if is_tile else (_TWO_ROWS, _ONE_ROW):
            line_mm = printable.height_mm if is_rising else printable.width_mm
            strip = FooterStrip(printable, is_rising, shape, line_mm - (MAP_ROOM_MM if is_tile else 0.0))
            rows = {_row(shape, strip.place(mm, mm)[1]) for mm in baselines if strip.has(mm)}
            if len(shape.baselines_mm) == len(rows):
                return strip
    return None


def _row(shape: _Shape, y_mm: float) -> int:
    return next((row for row, mm in enumerate(shape.baselines_mm) if abs(y_mm - mm) <= _NEAR_MM), -1)


def footer_runs(page: PageLayout, strip: FooterStrip) -> list[Run]:
    """Return the texts of a page that stand in its footer."""
    if strip.is_rising:
        return [run for run in page.around.runs if run.degrees == 270 and strip.has(run.x_mm)]
    return [run for run in page.around.runs if run.degrees == 0 and strip.has(run.y_mm)]


def footer_faults(page: PageLayout, strip: FooterStrip, words: FooterWords) -> Iterator[str]:
    """Yield what is wrong with the footer of a page."""
    shape = strip.shape
    rows: list[list[Run]] = [[] for _ in shape.baselines_mm]
    for run in sorted(footer_runs(page, strip), key=lambda run: strip.place(run.x_mm, run.y_mm)):
        row = _row(shape, strip.place(run.x_mm, run.y_mm)[1])
        if row < 0 or run.colour != _COLOUR:
            yield f"the footer has {run.words!r} between its rows, or in another colour"
            return
        rows[row].append(run)
    bars_at_mm = strip.length_mm - shape.room_mm
    ends_mm = (bars_at_mm, bars_at_mm, strip.length_mm)  # the row of a tile stands below the bars
    texts = [
        [run for run in row if strip.place(run.x_mm, run.y_mm)[0] < end_mm]
        for row, end_mm in zip(rows, ends_mm, strict=False)
    ]
    read = {id(run): at for at, run in enumerate(page.around.runs)}
    yield from _word_faults([_as_read(row, read) for row in texts], words)
    count = 2 + (bool(texts[0]) and texts[0][0].words in words.notes)
    counts = [count, 2, 2] if len(texts) > 1 else [count + 3]
    rooms_mm = (bars_at_mm - _BEFORE_BARS_MM,) * 2 + (strip.length_mm,)
    for text, parts, room_mm in zip(texts, counts, rooms_mm, strict=False):
        yield from _row_faults(text, strip, room_mm, is_whole=len(text) == parts)
    labels = [run for row, text in zip(rows, texts, strict=True) for run in row if run not in text]
    yield from _bar_faults(page.around.paths, tuple(labels), strip, bars_at_mm + _BAR_PAINT.stroke_mm / 2)


def _as_read(row: list[Run], read: Mapping[int, int]) -> list[Run]:
    """Return the texts of a row in the order of reading: that of the file, where some are read to the left."""
    is_level = all(not TURNED.search(run.words) for run in row)
    return row if is_level else sorted(row, key=lambda run: read[id(run)])


def _word_faults(texts: Sequence[Sequence[Run]], words: FooterWords) -> Iterator[str]:
    said = [squeezed("".join(run.words for run in row)) for row in texts]
    heads, ends = words.as_drawn
    for row, wanted in zip(said[1:], ends, strict=False):
        if row != wanted:
            yield f"the footer says {row!r}, not {wanted!r}"
    after = f"·{ends[0]}" if len(said) == 1 else ""
    if all(said[0] != head + after for head in heads):
        yield f"the footer says {said[0]!r}, not {heads[0] + after!r}"


@lru_cache(maxsize=64)
def _heads(notes: Sequence[str], game: str, piece: str, rest: Sequence[str], drawn: Callable[[str], str]) -> list[str]:
    """Return how a footer may begin: with whole titles, or with what is left of them where they are too long."""
    heads = []
    for longest in range(max(len(game), len(piece), 4), 3, -1):
        for note in notes:
            after = "·".join(part for part in (_cut(piece, longest), *rest) if part)
            heads.append(squeezed(drawn(note + _cut(game, longest) + (f"·{after}" if after else ""))))
    return heads


def _cut(title: str, longest: int) -> str:
    return title if len(title) <= longest else title[: longest - 1].rstrip() + "…"


def _row_faults(row: Sequence[Run], strip: FooterStrip, room_mm: float, *, is_whole: bool) -> Iterator[str]:
    """Yield what is wrong with the places and sizes of a row's texts; those that change fonts are not `is_whole`."""
    row = [run for run in row if not run.words or not all(map(combining, run.words))]  # marks lie on their letters
    if not row:
        return
    scale = row[0].size_mm / (_PT * MM_PER_PT)
    starts, ends = [strip.place(run.x_mm, run.y_mm)[0] for run in row], [strip.end_mm(run) for run in row]
    is_full = ends[-1] > room_mm - _NEAR_MM
    if scale > 1.001 or (scale < 0.999 and not is_full) or ends[-1] > room_mm + _NEAR_MM:
        yield f"the footer's {row[0].words!r} is set in {row[0].size_mm / MM_PER_PT:.2f} pt, up to {ends[-1]:.1f} mm"
    if abs(starts[0]) > _NEAR_MM:
        yield f"the footer's {row[0].words!r} begins {starts[0]:.2f} mm from its start"
    if "…" in "".join(run.words for run in row) and ends[-1] < room_mm - 6.0:
        yield f"a title in the footer ends in an ellipsis though {room_mm - ends[-1]:.1f} mm are free after it"
    for before_mm, at_mm, run in zip(ends, starts[1:], row[1:], strict=False):
        off_mm = at_mm - before_mm - _WORD_GAP_MM * scale
        if (abs(off_mm) > _NEAR_MM if is_whole else abs(off_mm) > _WORD_GAP_MM + _NEAR_MM) or run.size_mm != row[
            0
        ].size_mm:
            yield f"the footer's {run.words!r} begins {at_mm - before_mm:.2f} mm after what is before it"


@lru_cache(maxsize=64)
def _bar_faults(paths: Sequence[Painted], labels: Sequence[Run], strip: FooterStrip, start_mm: float) -> Sequence[str]:
    """Return what is wrong with the bars to measure and with what stands beside them."""
    faults = []
    bars = [path for path in paths if not path.layer and path.paint == _BAR_PAINT and len(path.parts) == 3]
    drawn = [[strip.place(x, y) for x, y in part.points] for path in bars for part in path.parts]
    drawn = [line for line in drawn if line[0][0] <= strip.length_mm]  # beyond is the map of a tile
    wanted: list[list[Point]] = []
    for (length_mm, words), (x_mm, y_mm) in zip(_BARS, strip.shape.bars_mm, strict=True):
        left, right = start_mm + x_mm, start_mm + x_mm + length_mm
        ticks = [[(x, y_mm - _TICK_MM), (x, y_mm + _TICK_MM)] for x in (left, right)]
        wanted += [[(left, y_mm), (right, y_mm)], *ticks]
        label = [run for run in labels if squeezed(run.words) == squeezed(words)]
        at = strip.place(label[0].x_mm, label[0].y_mm) if len(label) == 1 else (0.0, 0.0)
        if not _is_near(at, (right + _LABEL_GAP_MM, y_mm + 0.66)) or label[0].size_mm > _LABEL_PT * MM_PER_PT + 0.001:
            faults.append(f"{words!r} does not stand beside the end of its bar")
    if len(drawn) != len(wanted) or not all(any(_is_same_line(line, one) for one in drawn) for line in wanted):
        faults.append("the bars to measure are not where they must be, or not of 50 mm and 2 in")
    if len(labels) != len(_BARS):
        faults.append(f"{len(labels)} texts stand beside the bars to measure")
    return faults


def _is_same_line(one: Sequence[Point], other: Sequence[Point]) -> bool:
    return any(len(way) == len(one) and all(map(_is_near, one, way)) for way in (other, other[::-1]))


def _is_near(one: Point, other: Point) -> bool:
    return abs(one[0] - other[0]) <= _NEAR_MM and abs(one[1] - other[1]) <= _NEAR_MM


_PLAIN = str.maketrans({"“": '"', "”": '"', "«": '"', "»": '"', "’": "'", "\u00ad": "-", "\u0131": "i", "\u0237": "j"})


def squeezed(text: str) -> str:
    """Return a text without its spaces and marks, its quotes and apostrophes of one kind.

    Languages differ in them, and fonts draw letters with marks in several ways.
    """
    plain = "".join(text.split()).translate(_PLAIN)
    if plain.isascii():
        return plain
    return "".join(letter for letter in normalize("NFKD", plain) if category(letter)[0] != "M")
