"""Places of dots -> the number of the copy that they say, by the keys of editions.

How a sheet lies and where it was cut off is told by the guides: of all ways to turn it and to count its cells, they say
what they must in one. Then all dots that say the same part of the code are asked, and those parts on which they do not
agree are taken for missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from duckpress.core.geometry import Point
from duckpress.marks.copy_code import CHECK_BYTES, CODE_BYTES, number_of
from duckpress.marks.dot_lattice import CODE_PLACES, PERIOD, PLACES, STEPS, guide_of, index_of
from duckpress.marks.lattice_fit import lattices_of, straightened, upright_lattice

_GUIDES = {index: guide for index in range(PERIOD) if (guide := guide_of(index)) is not None}
_WITHIN_STEPS = 0.4
_FEWEST_DOTS = 24
_FEWEST_AGREE = 4
_TRIED = 4
_CAREFUL = (0, 4, 8)  # so many bytes that are in doubt are taken for missing, if the code cannot be read otherwise


class DotReading(NamedTuple):
    """What dots say: the number of a copy and the key that it is said in; None where they say none in any.

    So many `dots` stand on a lattice, and of the `guides` among them so many `agree` with what they must say.
    """

    number: int | None
    key: bytes = b""
    dots: int = 0
    guides: int = 0
    agree: int = 0

    @property
    def is_likely(self) -> bool:
        """Whether it is worth the while to look closer."""
        return self.agree >= _FEWEST_AGREE and 4 * self.agree > self.guides

    @property
    def is_marked(self) -> bool:
        """Whether these are the dots of a copy, of this edition or of another: by chance one guide in 16 agrees."""
        return self.number is not None or (self.agree >= 12 and 2 * self.agree > self.guides)


class _Dot(NamedTuple):
    """The column and the row of a cell, and the place in it, across and down."""

    column: int
    row: int
    across: int
    down: int

    def turned(self) -> _Dot:
        """Return it on a sheet turned by a quarter."""
        return _Dot(-self.row, self.column, PLACES - 1 - self.down, self.across)


_Votes = list[list[int]]
"""For each part of the code how many dots say each number."""


class _Counting(NamedTuple):
    """A way to count the cells of dots: what the one says that all are counted from, and how well that fits."""

    agree: int
    guides: int
    shift: int
    dots: int
    votes: _Votes


def read_dots(
    points: Sequence[Point], keys: Sequence[bytes], *, most_degrees: float = 5.0, most_scale: float = 0.03
) -> DotReading:
    """Return what dots at these places (mm) say, on a sheet that is turned and scaled by so much at most.

    Besides, it may be turned by quarters, and other things may be among the dots.
    """
    best = DotReading(None)
    if len(points) < _FEWEST_DOTS:
        return best
    for lattice in lattices_of(points, most_degrees=most_degrees, most_scale=most_scale):
        places = lattice.places(points)
        for straight in (list, straightened):
            reading = _best(_ways(_cells(straight(places))), keys)
            if reading.number is not None:
                return reading
            best = max(best, reading, key=lambda one: one.agree)
            if not best.is_likely:
                break
    return best


def read_upright(points: Sequence[Point], key: bytes) -> DotReading:
    """Return what the dots of a sheet say that lies as it was planned, nothing else among them."""
    if not points:
        return DotReading(None)
    return _best([_way(_dots(_cells(upright_lattice(points).places(points)), 0, 0))], [key])


def _best(ways: Iterable[_Counting], keys: Sequence[bytes]) -> DotReading:
    """Return what is read in the ways that fit best."""
    best = DotReading(None)
    for way in sorted(ways, key=lambda way: -way.agree)[:_TRIED]:
        if way.agree >= _FEWEST_AGREE:
            reading = DotReading(*_number(way, keys), way.dots, way.guides, way.agree)
            if reading.number is not None:
                return reading
            best = max(best, reading, key=lambda one: one.agree)
    return best


def _cells(places: Sequence[Point]) -> list[tuple[int, int]]:
    """Return the whole steps that places on a lattice are near to."""
    rounded = [(round(across), round(down), across, down) for across, down in places]
    return [
        (at, below) for at, below, across, down in rounded if max(abs(across - at), abs(down - below)) < _WITHIN_STEPS
    ]


def _ways(cells: Sequence[tuple[int, int]]) -> Iterator[_Counting]:
    """Yield the best way for each turn by quarters; with few dots, the places of cells may be off by a step."""
    for off_across, off_down in product((0, 1, -1), repeat=2):
        dots = _dots(cells, off_across, off_down)
        for _ in range(4):
            yield _way(dots)
            dots = [dot.turned() for dot in dots]


def _dots(cells: Sequence[tuple[int, int]], off_across: int, off_down: int) -> list[_Dot]:
    dots = []
    for at, below in cells:
        column, across = divmod(at + off_across, STEPS)
        row, down = divmod(below + off_down, STEPS)
        if across < PLACES and down < PLACES:
            dots.append(_Dot(column, row, across, down))
    return dots


def _way(dots: Sequence[_Dot]) -> _Counting:
    """Return the way to count cells in which most guides agree."""
    votes: _Votes = [[0] * (PLACES * PLACES) for _ in range(PERIOD)]
    for column, row, across, down in dots:
        votes[index_of(column, row)][PLACES * down + across] += 1
    agreeing = ([votes[(index - shift) % PERIOD][guide] for shift in range(PERIOD)] for index, guide in _GUIDES.items())
    agree, shift = max(zip(map(sum, zip(*agreeing, strict=True)), range(PERIOD), strict=True))
    guides = sum(sum(votes[(index - shift) % PERIOD]) for index in _GUIDES)
    return _Counting(agree, guides, shift, len(dots), votes)


def _number(way: _Counting, keys: Sequence[bytes]) -> tuple[int | None, bytes]:
    """Return the number of the copy that most dots say, and the key of its edition."""
    votes = [way.votes[(index - way.shift) % PERIOD] for index in CODE_PLACES]
    ranked = [sorted(vote)[-2:] for vote in votes]
    halves = [vote.index(most) for vote, (_, most) in zip(votes, ranked, strict=True)]
    leads = [most - second for second, most in ranked]
    code = [high << 4 | low for high, low in zip(halves[::2], halves[1::2], strict=True)]
    lead = [min(pair) for pair in zip(leads[::2], leads[1::2], strict=True)]
    doubtful = sorted(range(CODE_BYTES), key=lambda at: lead[at])
    unknown = lead.count(0)
    for more in _CAREFUL:
        missing = doubtful[: unknown + more]
        for key in keys if len(missing) <= CHECK_BYTES else ():
            number = number_of(code, missing, key)
            if number is not None:
                return number, key
    return None, b""
