"""Faces of a piece, or of several -> their sheets, in printing order.

Pieces of one size lie in a grid. Pieces of several sizes lie on common sheets where that saves paper: either what is
left over when each size has filled its own sheets, or all of them. A board larger than the paper is tiled.

So do faces of several pieces, to save paper: faces of one size share grids whatever piece they are of, and every sheet
is cut apart by straight cuts. Pieces follow one another, so that most sheets hold one piece, and every footer names
those on its sheet. Sheets are never more than the pieces take alone.

Sizes too large for a paper are told with the arithmetic: what is needed, what there is, and what would fit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, groupby

from msgspec import Struct

from duckpress.core.backs import Backs
from duckpress.core.geometry import Rect, Size
from duckpress.core.language import program
from duckpress.core.problems import Problem, Source
from duckpress.core.sizes import Format, Paper, paper_of
from duckpress.impose.footer import SheetLabel, Typeset
from duckpress.impose.grid import END_LEAST_MM, Grid, every_way, fit_grid, ways_of
from duckpress.impose.gutter import gutter_layout
from duckpress.impose.job import AS_EVER, ImpositionJob, Layout, Leaf, Manner, best_grid, grid_layout
from duckpress.impose.marks import cut_layer, cut_lines, cuts, lines_across, mark_ends, marks_at
from duckpress.impose.mixed import has_room, mixed_layout
from duckpress.impose.sheets import Layer, Sheet, Side, Turn, turns_left_right
from duckpress.impose.tiling import SHORTEST_MM, STRIP, plan_tiles, tile_layout, tile_rooms


def impose_piece(
    faces: Sequence[Leaf], paper: Paper, backs: Backs, turn: Turn, label: SheetLabel, typeset: Typeset,
    manner: Manner = AS_EVER,
) -> tuple[Sheet, ...]:  # fmt: skip
    """Arrange a piece's faces and backs on sheets, in printing order.

    Faces fill each front row by row, copies after one another; each back lands behind its face once the sheet is
    turned, and a face without a back leaves its place on the back empty. The last sheet may have empty slots. A piece
    without any back, and any piece for `Backs.NONE`, is printed on one side: `Sheet.back` is None. For `Backs.ONLY` the
    one side is the back, of a sheet without backs an empty one. For `Backs.GUTTERFOLD` see `gutter`. Faces of several
    sizes share sheets where that takes fewer of them.
    Problems: none; a size too large for the paper is reported earlier, by `check_fit`, and raises ValueError here.
    """
    return _numbered(_layouts(faces, paper, backs, turn, label, typeset, manner))


def _layouts(
    faces: Sequence[Leaf], paper: Paper, backs: Backs, turn: Turn, label: SheetLabel, typeset: Typeset, manner: Manner
) -> Sequence[Layout]:
    most_sheets = 2 * max(1, sum(face.copies for face in faces))
    has_backs = any(face.back is not None and face.copies > 0 for face in faces)
    job = ImpositionJob(faces, paper, turn, backs, label, typeset, most_sheets // 2, manner, has_backs=has_backs)
    boards = [index for index, face in enumerate(faces) if face.copies > 0 and face.overlap_mm is not None]
    tiled = [index for index in boards if fit_grid(faces[index].format, paper) is None]
    stacks = _stacks(faces, tiled)
    layouts: list[Layout] = []
    split = job
    if backs.is_folded and job.has_backs:
        split = job._replace(is_split=True, most_sheets=most_sheets)
        layouts, stacks = _folded(job, split, stacks)
    layouts += _fewest(job, stacks)
    for index in tiled:
        layouts.append(tile_layout(split if faces[index].back is not None else job, index))
    return layouts


def _numbered(layouts: Sequence[Layout]) -> tuple[Sheet, ...]:
    """Return the sheets of a piece, numbered from 1 on."""
    total = _count(layouts)
    sheets: list[Sheet] = []
    for layout in layouts:
        sheets += layout.sheets(len(sheets) + 1, total)
    return tuple(sheets)


_Stacks = Sequence[tuple[Format, Sequence[int]]]
"""Sizes, and the faces of each: their indexes, once for each copy."""


def _count(layouts: Iterable[Layout]) -> int:
    return sum(layout.sheet_count for layout in layouts)


def _folded(job: ImpositionJob, split: ImpositionJob, stacks: _Stacks) -> tuple[list[Layout], _Stacks]:
    """Lay the sizes with backs on folded sheets; return their layouts and the remaining faces, without backs.

    A size too large for half a sheet lies on sheets of its own, fronts first and then their backs, to be glued.
    """
    layouts: list[Layout] = []
    left: list[tuple[Format, Sequence[int]]] = []
    for format_, indexes in stacks:
        bare = [index for index in indexes if job.faces[index].back is None]
        if len(bare) == len(indexes):
            left.append((format_, indexes))
            continue
        layout = gutter_layout(job, format_, indexes)
        if layout is None:
            layout = _grid_layout(split, format_, [index for index in indexes if job.faces[index].back is not None])
            left += [(format_, bare)] if bare else []
        layouts.append(layout)
    return layouts, left


def _fewest(job: ImpositionJob, stacks: _Stacks) -> Sequence[Layout]:
    """Lay each size on its own sheets, or part-filled sizes together, or all together: the fewest sheets win."""
    best = [_grid_layout(job, format_, indexes) for format_, indexes in stacks]
    if len(stacks) < 2:
        return best
    full: list[Layout] = []
    rest: list[tuple[Format, Sequence[int]]] = []
    whole: list[tuple[Format, Sequence[int]]] = []
    alone: list[Layout] = []
    for (format_, indexes), layout in zip(stacks, best, strict=True):
        if not has_room(format_, job.paper):
            # It fills the paper so nearly that there is no room for marks of its own.
            alone.append(layout)
            continue
        whole.append((format_, indexes))
        over = len(indexes) % _grid(format_, job, ()).capacity
        filled, left = indexes[: len(indexes) - over], indexes[len(indexes) - over :]
        full += [_grid_layout(job, format_, filled)] if filled else []
        rest += [(format_, left)] if left else []
    ways: list[Sequence[Layout]] = [best]
    for before, lots in ((full, rest), ([], whole)):
        # Sizes of which one needs the paper upright and another on its side stay on sheets of their own.
        if len(lots) > 1 and (mixed := mixed_layout(job, lots)) is not None:
            ways.append([*alone, *before, mixed])
    return min(ways, key=_count)


def _stacks(faces: Sequence[Leaf], without: Sequence[int]) -> _Stacks:
    """Return the faces' indexes, once for each copy, grouped by the properties that decide the grid."""
    stacks: dict[tuple[Size, float, bool, bool], list[int]] = {}
    for index, face in enumerate(faces):
        if face.copies > 0 and index not in without:
            key = (face.format.trim, face.format.bleed_mm, face.format.is_round, face.format.is_hex)
            stacks.setdefault(key, []).extend([index] * face.copies)
    return [
        (Format("", trim, bleed_mm=bleed_mm, is_round=is_round, is_hex=is_hex), stack)
        for (trim, bleed_mm, is_round, is_hex), stack in stacks.items()
    ]


def _grid(format_: Format, job: ImpositionJob, indexes: Sequence[int]) -> Grid:
    footer_mm = job.footer_mm()
    grid = best_grid(job, indexes, lambda gaps: fit_grid(format_, job.paper, footer_mm, gaps))
    if grid is None:
        raise ValueError(f"{format_.trim} does not fit {job.paper.name}")
    return grid


def _grid_layout(job: ImpositionJob, format_: Format, indexes: Sequence[int]) -> Layout:
    """Return faces of one size on sheets of one grid."""
    grid = _grid(format_, job, indexes)
    slots, columns, rows = grid.slots(), grid.columns, grid.rows

    def marks(filled: int, is_back: bool) -> tuple[Layer, ...]:
        """Return the marks around the first slots; on the back, around the places of their backs."""
        across, down = range(min(filled, columns.trims)), range(math.ceil(filled / columns.trims))
        if is_back and turns_left_right(grid.way.paper, job.turn):
            across = range(columns.trims - len(across), columns.trims)
        elif is_back:
            down = range(rows.trims - len(down), rows.trims)
        # Cut from the front: a circle on the back would only show the printer's drift on the finished piece.
        shapes = () if is_back else cut_lines(slots[:filled], format_)
        places = (cuts(columns, across), cuts(rows, down))
        strokes = marks_at(*places, mark_ends(columns), mark_ends(rows))
        return cut_layer(job.manner.cut, strokes, lines_across(*places, grid.way.room), shapes)

    return grid_layout(job, grid, indexes, marks)


class Share(Struct, frozen=True):
    """A piece on shared sheets: its title and faces."""

    title: str
    leaves: Sequence[Leaf]

    @property
    def has_backs(self) -> bool:
        return any(leaf.back is not None and leaf.copies > 0 for leaf in self.leaves)


class GangedSheets(Struct, frozen=True):
    """Consecutive sheets with the same pieces, and the titles of the pieces."""

    title: str
    sheets: tuple[Sheet, ...]


class Gang(Struct, frozen=True):
    """Several pieces on common sheets, and the number of sheets they would need separately."""

    bundles: tuple[GangedSheets, ...]
    sheets_alone: int

    @property
    def sheets(self) -> int:
        return sum(len(bundle.sheets) for bundle in self.bundles)


def impose_gang(
    pieces: Sequence[Share], paper: Paper, backs: Backs, turn: Turn, label: SheetLabel, typeset: Typeset,
    manner: Manner = AS_EVER,
) -> Gang:  # fmt: skip
    """Arrange several pieces on sheets: those with backs, then those without, which are printed on one side only.

    Nothing may be larger than the paper (see `check_fit`). Placements number the faces through all pieces.
    """
    starts = accumulate((len(piece.leaves) for piece in pieces), initial=0)
    numbered = [(piece, range(start, start + len(piece.leaves))) for piece, start in zip(pieces, starts, strict=False)]
    # Whatever is printed now: fronts alone and backs alone have to lie as they do in a file with both.
    groups = [[part for part in numbered if part[0].has_backs is has_backs] for has_backs in (True, False)]
    done: list[tuple[str, Sheet]] = []
    sheets_alone = 0
    for group in groups:
        leaves = [leaf._replace(piece=one.title) for one, _ in group for leaf in one.leaves]
        if not any(leaf.copies for leaf in leaves):
            continue
        longest = label._replace(piece=max((leaf.piece for leaf in leaves), key=len))
        together = _layouts(leaves, paper, backs, turn, longest, typeset, manner)
        alone = [
            (one, numbers, _layouts(one.leaves, paper, backs, turn, label._replace(piece=one.title), typeset, manner))
            for one, numbers in group
        ]
        count = sum(_count(layouts) for _, _, layouts in alone)
        sheets_alone += count
        if _count(together) < count:
            all_numbers = [number for _, numbers in group for number in numbers]
            done += [(_named(sheet, leaves), _renumbered(sheet, all_numbers)) for sheet in _numbered(together)]
        else:
            done += [
                (one.title, _renumbered(sheet, numbers)) for one, numbers, some in alone for sheet in _numbered(some)
            ]
    runs = groupby(done, lambda one: one[0])
    return Gang(tuple(GangedSheets(title, tuple(sheet for _, sheet in run)) for title, run in runs), sheets_alone)


def _named(sheet: Sheet, leaves: Sequence[Leaf]) -> str:
    placed = (*sheet.front.placements, *(sheet.back.placements if sheet.back is not None else ()))
    faces = sorted({placement.face for placement in placed})
    return program.PIECES_JOINED.join(dict.fromkeys(leaves[face].piece for face in faces or (0,)))


def _renumbered(sheet: Sheet, numbers: Sequence[int]) -> Sheet:
    """Return a sheet whose face numbers count through all pieces instead of through some."""

    def side(old: Side) -> Side:
        return old._replace(placements=tuple(one._replace(face=numbers[one.face]) for one in old.placements))

    return sheet._replace(front=side(sheet.front), back=None if sheet.back is None else side(sheet.back))


_USUAL = ("a4", "letter", "a3", "legal", "tabloid")  # papers that people have


def check_fit(
    format_: Format, paper: Paper, who: str, source: Source, known: Callable[[str], Paper] = paper_of
) -> Problem | None:
    """Return the problem `does-not-fit` if no card of a format fits a paper; `who` names the deck or piece.

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
    """Return the problem `does-not-fit` if a paper is too small even for tiles of a board."""
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
    """Return the largest trims that fit a paper, without trims inside another; turned trims count once."""
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
