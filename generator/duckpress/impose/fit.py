"""Sizes too large for a paper, told with the arithmetic: what is needed, what there is, and what would fit."""

from __future__ import annotations

import math
from collections.abc import Callable

from duckpress.core.geometry import Rect, Size
from duckpress.core.problems import Problem, Source
from duckpress.core.sizes import Format, Paper, paper_of
from duckpress.impose.grid import END_LEAST_MM, every_way, fit_grid, ways_of
from duckpress.impose.sheets import Turn
from duckpress.impose.tiling import SHORTEST_MM, STRIP, plan_tiles, tile_rooms

_USUAL = ("a4", "letter", "a3", "legal", "tabloid")  # papers that people have


def check_fit(
    format_: Format, paper: Paper, who: str, source: Source, known: Callable[[str], Paper] = paper_of
) -> Problem | None:
    """Return the problem `does-not-fit` where not one card of a format fits a paper; `who` names the deck or piece.

    `known` gives other papers by their names, with the margins of the printer that is used.
    """
    if fit_grid(format_, paper) is not None:
        return None
    needed = Size(*(side_mm + 2 * END_LEAST_MM for side_mm in format_.trim))
    margins = paper.margins(paper.size)
    free = Rect(0.0, 0.0, *paper.size).inside(margins)
    edges = f"{margins.width_mm:g} mm"
    if margins.width_mm != margins.height_mm:
        edges = f"{margins.width_mm:g} mm at the sides and {margins.height_mm:g} mm at top and bottom"
    what = (
        f"{who} is {_in_words(format_.trim)} and does not fit {paper.name!r}: with crop marks it needs "
        f"{_in_words(needed)}, and the footer beside it, of {_in_words(Size(*free[2:]))} inside margins of {edges}"
    )
    others = [name for name in _USUAL if fit_grid(format_, known(name)) is not None]
    largest = _largest(paper)
    ways = [f"make it at most {' or '.join(map(_in_words, largest))}, upright or on its side"] if largest else []
    ways += [f"print on {' or '.join(others)}"] if others else []
    fix = ", or ".join(ways) if ways else "take a larger paper"
    fix += "; a board may be printed in tiles: 'tiled: yes' in its deck"
    return Problem("does-not-fit", source, what, fix)


def check_tiles(
    format_: Format, paper: Paper, overlap_mm: float, turn: Turn | None, who: str, source: Source
) -> Problem | None:
    """Return the problem `does-not-fit` where a paper is too small even for tiles of a board."""
    if fit_grid(format_, paper) is not None or plan_tiles(format_, paper, overlap_mm, turn) is not None:
        return None
    rooms = " or ".join(map(_in_words, tile_rooms(paper, turn)))
    line_mm = max(way.line_mm for way in every_way(paper, (STRIP,)))
    what = (
        f"{who} is {_in_words(format_.trim)} and cannot be printed in tiles on {paper.name!r}: a tile has to be more "
        f"than {2 * overlap_mm:g} mm wide and high, twice what neighbours share, and its footer needs "
        f"{SHORTEST_MM:g} mm; there is room for tiles of {rooms}, and {line_mm:g} mm for the footer"
    )
    others = [name for name in _USUAL if plan_tiles(format_, paper_of(name), overlap_mm, turn) is not None]
    fix = f"print on {' or '.join(others)}" if others else "print on a larger paper"
    less_mm = math.floor(max(map(min, tile_rooms(paper, turn))) * 5) / 10 - 0.1
    if plan_tiles(format_, paper, less_mm, turn) is not None:
        fix += f", or let neighbours share {less_mm:g} mm"
    return Problem("does-not-fit", source, what, fix)


def _largest(paper: Paper) -> list[Size]:
    """Return the largest trims that fit, without those that lie inside another; what fits turned is said once."""
    trims = set()
    for way in ways_of(paper):
        ends_mm = (way.margins[side] + END_LEAST_MM + way.reserves[side] for side in (0, 1))
        trim = sorted(side_mm - 2 * end_mm for side_mm, end_mm in zip(way.paper, ends_mm, strict=True))
        if trim[0] > 0:
            trims.add(Size(*trim))
    return sorted(
        trim for trim in trims if not any(trim != other and all(map(float.__le__, trim, other)) for other in trims)
    )


def _in_words(size: Size) -> str:
    # What must fit is rounded down to a tenth, so that the size named in a fix does fit.
    return " x ".join(f"{math.floor(side_mm * 10 + 1e-6) / 10:g}" for side_mm in size) + " mm"
