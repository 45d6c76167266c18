"""The colours of a face along its edges: whether a cutting drift would show.

Two butted cards forgive a drift when the strip that comes over the cut looks like what it replaces: when both are one
flat colour from their bleed to `DRIFT_MM` inside the trim. Only a rectangle that fills the strip counts as that;
anything else that touches it, if it may be invisible, makes the rim many-coloured. So equal rims are sure, and
different ones may still look alike.

How two edges look that touch is asked more closely: their colours are held against each other every millimetre.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, groupby
from typing import NamedTuple

import msgspec

from duckpress.core.frame import Drawing, Frame, Group, Item, Outline, PlacedDrawing, Text, item_bounds, path_bounds
from duckpress.core.geometry import IDENTITY, Matrix, Rect, Size
from duckpress.core.paths import RECTANGLE
from duckpress.files.memo import Pack
from duckpress.impose.grid import DRIFT_MM
from duckpress.impose.sheets import Placement, Sheet
from duckpress.layout.legibility import LEAST_DIFFERENCE, Grounds, difference

# A knife by hand, along a ruler: half a millimetre off is usual. Tuned by eye.
MISCUT_MM = 0.5
_SEEN_MM = 3  # tuned by eye, on waves half a millimetre thick
_TOLERANCE_MM = 1e-3

_EdgeColours = tuple[str | None, ...]
"""The colours every millimetre along an edge, None where a picture is."""

_Run = tuple[int, str | None]
"""A colour along an edge, and for how many millimetres."""


_Edges = tuple[list[_Run], list[_Run], list[_Run], list[_Run]]


class _Rim(NamedTuple):
    """What shows at the edges of a frame: its one colour, if it has one, and the colours along each edge."""

    colour: str | None
    edges: _Edges


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Rim).decode


@lru_cache(maxsize=4096)  # many faces have the same
def _read(body: bytes) -> tuple[str | None, tuple[_EdgeColours, ...]]:
    """Return the one colour of a frame, and the colours along its edges."""
    colour, edges = _decode(body)
    return colour, tuple(tuple([one for count, one in runs for _ in range(count)]) for runs in edges)


class Rims:
    """The edge colours of a piece's faces, cached, also by earlier runs; `asked` are the frames that were looked at."""

    def __init__(self, frames: Mapping[str, Frame], drawings: Mapping[str, Drawing], known: Pack | None = None) -> None:
        self.asked: set[str] = set()
        self._frames = frames
        self._drawings = drawings
        self._grounds = Grounds(drawings)
        self._edges: dict[tuple[Size, tuple[Item, ...]], _Edges] = {}
        self._known = known or Pack()
        self._rims: dict[str, tuple[str | None, tuple[_EdgeColours, ...]]] = {}

    def seen(self, key: str) -> bytes:
        """Return what shows at the edges of a frame, in bytes."""
        body = self._known.get(key.encode())
        if body is None:
            self._known.put(key.encode(), body := _encode(self._rim(key)))
        return body

    def _colours(self, key: str) -> tuple[str | None, tuple[_EdgeColours, ...]]:
        """Return the one colour of a frame, and the colours along its edges."""
        self.asked.add(key)
        if key not in self._rims:
            try:
                self._rims[key] = _read(self.seen(key))
            except ValueError:
                self._rims[key] = _read(_encode(self._rim(key)))
        return self._rims[key]

    def are_alike(self, frames: Iterable[str]) -> bool:
        """Return whether all these frames have one and the same flat colour at their edges."""
        colours = (self._colours(frame)[0] for frame in frames)
        first = next(colours, "")
        return first is not None and all(colour == first for colour in colours)

    def meet(self, one: str, other: str, side: int) -> bool:
        """Return whether two frames match if the second lies at a side (2 right, 3 below) of the first."""
        return look_alike(self.edge(one, side), self.edge(other, side - 2))

    def all_meet(self, keys: Sequence[str]) -> bool:
        """Return whether frames have matching edges in any arrangement."""
        edges = [[dict.fromkeys(self.edge(key, at) for key in keys) for at in (side, side - 2)] for side in (2, 3)]
        return all(look_alike(one, other) for firsts, seconds in edges for one in firsts for other in seconds)

    def edge(self, key: str, side: int, turn_degrees: int = 0) -> _EdgeColours:
        """Return the colours along an edge of a turned frame, from the left or the top.

        The sides are those of `core.geometry.Edges`, of the page: 0 is the left, 1 the top, 2 the right, 3 the bottom.
        """
        quarters = turn_degrees // 90
        colours = self._colours(key)[1][(side - quarters) % 4]
        # About a quarter turn the left edge, read downwards, becomes the top one, read from the right.
        is_reversed = quarters == 2 or (quarters == 1 and side in (1, 3)) or (quarters == 3 and side in (0, 2))
        return colours[::-1] if is_reversed else colours

    def _rim(self, key: str) -> _Rim:
        """Return what shows at the edges of a frame, a quarter of a millimetre inside its trim."""
        frame = self._frames[key]
        colour, items = rim_of(frame, self._drawings)
        (width_mm, height_mm), inset_mm = frame.trim, MISCUT_MM / 2
        across, down = _steps(width_mm), _steps(height_mm)
        if colour is not None:
            upright, level = list[_Run]([(len(down), colour)]), list[_Run]([(len(across), colour)])
            return _Rim(colour, (upright, level, upright, level))
        # Most faces of a deck have the same there, and only words are different.
        painted = tuple(item for item in items if not isinstance(item, Text))
        if (frame.trim, painted) not in self._edges:
            self._grounds.open(painted)
            self._edges[frame.trim, painted] = (
                self._runs((inset_mm, y_mm) for y_mm in down),
                self._runs((x_mm, inset_mm) for x_mm in across),
                self._runs((width_mm - inset_mm, y_mm) for y_mm in down),
                self._runs((x_mm, height_mm - inset_mm) for x_mm in across),
            )
        return _Rim(colour, self._edges[frame.trim, painted])

    def _runs(self, points: Iterable[tuple[float, float]]) -> list[_Run]:
        """Return the colours at points of the opened frame."""
        colours = groupby(self._grounds.under(point, -1) for point in points)
        return [(len([*same]), colour) for colour, same in colours]


@lru_cache(maxsize=8192)
def look_alike(one: _EdgeColours, other: _EdgeColours) -> bool:
    """Return whether two edges of one length match: the same colours at about the same places; a picture never does.

    A pattern that goes on over the edge may come a millimetre sooner or later, and what differs over less than
    `_SEEN_MM` is a line of it that is met on one side and just missed on the other.
    """
    colours = {*one, *other}
    if len(colours) == 1 and None not in colours:
        return True
    return _goes_on(one, other) and _goes_on(other, one)


def _goes_on(one: _EdgeColours, other: _EdgeColours) -> bool:
    missing = 0
    for index, colour in enumerate(one):
        is_there = colour is not None and any(
            beside is not None and (colour == beside or difference(colour, beside, "") < LEAST_DIFFERENCE)
            for beside in other[max(0, index - 1) : index + 2]
        )
        missing = 0 if is_there else missing + 1
        if missing >= _SEEN_MM:
            return False
    return True


@lru_cache
def _steps(length_mm: float) -> list[float]:
    """Return places along an edge, a millimetre apart, without its corners."""
    count = max(1, int(length_mm))
    return [(index + 0.5) * length_mm / count for index in range(count)]


def rim_of(frame: Frame, drawings: Mapping[str, Drawing]) -> tuple[str | None, list[Item]]:
    """Return the one colour of a face from its bleed to `DRIFT_MM` inside the trim; or None, and what reaches there."""
    inside, items = Rect(0.0, 0.0, *frame.trim).grown(-DRIFT_MM), frame.items
    colour: str | None = "#ffffff"
    for item, box in _boxes(items, IDENTITY, drawings):
        if inside.holds(box, _TOLERANCE_MM):
            continue
        fill = _flat_fill(item)
        if fill is not None and box.holds(frame.bleed_box, _TOLERANCE_MM):
            colour = fill
        elif fill is None or fill != colour:
            colour = None
    if colour is not None:
        return colour, []

    def reaches(item: Item) -> bool:
        return not all(inside.holds(box, _TOLERANCE_MM) for _, box in _boxes((item,), IDENTITY, drawings))

    return None, [*filter(reaches, items)]


def _flat_fill(item: Item) -> str | None:
    """Return the colour of an opaque rectangle without an outline of another colour, or None."""
    if not isinstance(item, Outline) or item.path.kinds != RECTANGLE:
        return None
    paint = item.paint
    is_plain = paint.fill_opacity == 1.0 and (
        paint.stroke is None or paint.stroke_mm == 0 or paint.stroke == paint.fill
    )
    return paint.fill if is_plain else None


def _boxes(items: Iterable[Item], matrix: Matrix, drawings: Mapping[str, Drawing]) -> Iterator[tuple[Item, Rect]]:
    """Yield the painted items with their boxes; a clipped or transparent group counts as a whole."""
    for item in items:
        if isinstance(item, Group):
            here = matrix.after(item.matrix)
            inner = _boxes(item.items, here, drawings)
            clip = path_bounds(item.clip)
            if clip is not None:
                yield item, here.around(clip)
            elif item.is_blended:
                yield from ((item, box) for _, box in inner)
            else:
                yield from inner
        elif isinstance(item, Text):
            box = Rect(item.x_mm, item.y_mm - item.size_mm, item.width_mm, 1.4 * item.size_mm)
            yield item, _around(box, matrix)
        elif isinstance(item, PlacedDrawing):
            yield item, matrix.after(item.matrix).around(drawings[item.key].box)
        elif (bounds := item_bounds(item, drawings)) is not None:
            yield item, _around(bounds, matrix)


def _around(box: Rect, matrix: Matrix) -> Rect:
    return box if matrix is IDENTITY else matrix.around(box)  # nearly all items lie as they are


class Touching(NamedTuple):
    """Two adjacent placements of a side, and the position of the second: 2 right of the first, 3 below it."""

    one: Placement
    other: Placement
    side: int


def differing_neighbours(sheets: Iterable[Sheet], trims: Mapping[str, Size], rims: Rims) -> Iterator[Touching]:
    """Yield the pairs of faces closer than twice `MISCUT_MM` with different colours along that edge.

    Only whole faces of one size that lie exactly beside or below each other can be compared; others never touch, but
    for tiles, which go on in each other.
    """
    known: dict[tuple[str, int, str, int, int], bool] = {}
    for sheet in sheets:
        for side in (sheet.front, sheet.back):
            for one in _touching(side.placements if side is not None else (), trims):
                key = (one.one.frame, one.one.turn_degrees, one.other.frame, one.other.turn_degrees, one.side)
                if key not in known:
                    edges = (rims.edge(*key[:1], one.side, key[1]), rims.edge(key[2], (one.side + 2) % 4, key[3]))
                    known[key] = look_alike(*edges)
                if not known[key]:
                    yield one


def _touching(placements: Sequence[Placement], trims: Mapping[str, Size]) -> Iterator[Touching]:
    boxes = [(placement, placement.trim_box(trims[placement.frame])) for placement in placements]
    for (one, box), (other, beside) in combinations(boxes, 2):
        for (a, first), (b, second) in (((one, box), (other, beside)), ((other, beside), (one, box))):
            if _is_right_of(second, first):
                yield Touching(a, b, 2)
            elif _is_right_of(second.turned(), first.turned()):
                yield Touching(a, b, 3)


def _is_right_of(box: Rect, left: Rect) -> bool:
    is_level = abs(box.y_mm - left.y_mm) < _TOLERANCE_MM and abs(box.height_mm - left.height_mm) < _TOLERANCE_MM
    return is_level and -_TOLERANCE_MM < box.x_mm - left.right_mm < 2 * MISCUT_MM - _TOLERANCE_MM
