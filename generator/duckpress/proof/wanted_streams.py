"""A second, naive writer: the expected PDF operators of items and planned sides.

It shares with `render` the format of numbers, which is reportlab's, and nothing else: so what it writes is, as a rule,
what stands in the file, letter for letter. The names of groups are only known to the file: they are written as `G`.

Where the texts are not the same, statements, which end in their operators, are held against each other one by one; what
differs by less than can be seen on paper is the same. Source of the operators: ISO 32000-1, Annex A.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby, takewhile
from typing import Any

from duckpress.core.frame import MITER_LIMIT, Group, Item, Outline, Paint, Picture, PlacedDrawing, Text
from duckpress.core.geometry import IDENTITY, PT_PER_MM, Matrix, Point, Rect, Size, box_of_points
from duckpress.core.paths import LONG_PATH, NUMBERS_OF, RECTANGLE, Path
from duckpress.impose import Edges, Layer, Placement, Side
from duckpress.impose.sheets import Code
from duckpress.proof.expected import TOLERANCE_MM, FrameOfCard, place_alone
from duckpress.render.bare_canvas import fp_str


class WantedStream:
    """The expected operators of a stream, for the area of a box.

    `groups` are those that are forms of their own, in order, each with the matrix that it stands in.
    """

    def __init__(self, box: Rect) -> None:
        self.box = box
        self.groups: list[tuple[Group, Matrix]] = []
        self._lines: list[str] = []
        self._matrix = IDENTITY

    @property
    def text(self) -> str:
        return "\n".join(self._lines)

    def draw(self, items: Iterable[Item | Layer]) -> WantedStream:
        """Write items, one after the other."""
        lines = self._lines
        by_kind: Iterable[tuple[type, Iterable[Any]]] = groupby(items, type)
        for kind, alike in by_kind:
            if kind is Text:
                lines.append(_texts(alike))
            elif kind is Outline:
                lines += [written for item in alike if (written := _outline(item))]
            else:
                for item in alike:
                    self._draw_one(item)
        return self

    def draw_page(self, side: Side, frames: Mapping[str, FrameOfCard]) -> WantedStream:
        """Write the content of a side; `box` is its paper."""
        lines, scale = self._lines, fp_str(PT_PER_MM)
        height = f"{self.box.height_mm * PT_PER_MM:.4f}".rstrip("0").removesuffix(".")
        lines.append(f"{scale} 0 0 -{scale} 0 {height} cm {MITER_LIMIT} M")
        if side.map != IDENTITY:
            lines.append(_matrix(*side.map))
            self._matrix = side.map
        for placement in side.placements:
            frame = frames[placement.frame].frame
            placed = _placing(place_alone(placement), frame.trim, frame.bleed_mm)
            lines.append(f"q\n{placed}\n/FormXob.C-{placement.frame} Do\nQ")
        self.draw(side.items)
        if side.code is not None:
            lines.append(_code(side.code))
        return self.draw(side.own)

    def _draw_one(self, item: Item | Layer) -> None:
        if isinstance(item, Group):
            self._draw_group(item)
        elif isinstance(item, Layer):
            self._lines.append(f"/OC /L-{item.name} BDC")
            self.draw(item.items)
            self._lines.append("EMC")
        elif isinstance(item, Picture):
            placed = _matrix(item.width_mm, 0, 0, -item.height_mm, item.x_mm, item.y_mm + item.height_mm)
            self._lines.append(f"q\n{placed}\n/FormXob.P-{item.key} Do\nQ")
        elif isinstance(item, PlacedDrawing):
            self._lines.append(f"q\n{_matrix(*item.matrix)}\n/FormXob.D-{item.key} Do\nQ")

    def _draw_group(self, group: Group) -> None:
        if not group.items or group.opacity <= 0:
            return
        if group.is_blended:
            self.groups.append((group, self._matrix))
            state = f"{_state(group.opacity, group.opacity)}{'-G' if group.mask else ''}"
            self._lines.append(f"q\n/{state} gs\n/FormXob.G Do\nQ")
            return
        self._lines.append("q")
        outer = self._matrix
        if group.matrix != IDENTITY:
            self._lines.append(_matrix(*group.matrix))
            self._matrix = outer.after(group.matrix)
        if group.clip:
            self._lines.append(f"n {_path(group.clip)} W n")
        self.draw(group.items)
        self._matrix = outer
        self._lines.append("Q")


def parts_of(stream: WantedStream, group: Group, matrix: Matrix) -> tuple[WantedStream, WantedStream | None]:
    """Return the streams of a blended group: its content, and its mask, if it has one."""
    corners = [matrix.undo(*corner) for corner in stream.box.corners]
    seen = box_of_points([corner for corner in corners if corner is not None] or stream.box.corners)
    mask = WantedStream(seen).draw([Group(group.mask, group.matrix)]) if group.mask else None
    return WantedStream(seen).draw([Group(group.items, group.matrix, group.clip)]), mask


def _texts(texts: Iterable[Text]) -> str:
    """Return consecutive texts; font and colour are written where they change."""
    words, font, size_mm, fill = ["BT"], "", 0.0, ""
    for text in texts:
        words.append(f"1 0 0 -1 {_number(text.x_mm)} {_number(text.y_mm)} Tm")
        if text.font != font or text.size_mm != size_mm:
            font, size_mm = text.font, text.size_mm
            words.append(f"/F-{font} {_number(size_mm)} Tf")
        if text.fill != fill:
            fill = text.fill
            words.append(f"{_rgb(fill)} rg")
        words.append(f"[{text.glyphs}] TJ")
    words.append("ET")
    return " ".join(words)


def _outline(outline: Outline) -> str:
    return (_recurring if len(outline.path.kinds) < LONG_PATH else _written)(outline)


def _written(outline: Outline) -> str:
    paint = outline.paint
    has_stroke = paint.stroke is not None and paint.stroke_mm > 0
    if paint.fill is None and not has_stroke:
        return ""
    unusual = _unusual(paint)
    lines = []
    if paint.fill is not None:
        lines.append(f"{_rgb(paint.fill)} rg")
    if paint.stroke is not None and has_stroke:
        lines.append(f"{_rgb(paint.stroke)} RG\n{_number(paint.stroke_mm)} w")
    operator = "S" if paint.fill is None else ("B" if has_stroke else "f") + "*" * paint.even_odd
    lines.append(f"n {_path(outline.path)}\n{operator}")
    return "\n".join(["q", *unusual, *lines, "Q"] if unusual or paint.dash_mm else lines)


_recurring = lru_cache(maxsize=16384)(_written)


def _unusual(paint: Paint) -> list[str]:
    """Return the operators for the settings of a paint that differ from the defaults of a page."""
    lines = []
    if min(paint.fill_opacity, paint.stroke_opacity) < 1:
        lines.append(f"/{_state(paint.fill_opacity, paint.stroke_opacity)} gs")
    dashes = [round(length, 4) for length in paint.dash_mm]
    phase = dashes.pop() if len(dashes) % 2 else 0
    if any(dashes):  # without gaps a line is whole
        lines.append(f"[{_numbers(dashes)}] {phase} d")
    if paint.cap:
        lines.append(f"{paint.cap} J")
    if paint.join:
        lines.append(f"{paint.join} j" if paint.join > 0 else f"{fp_str(-paint.join)} M")
    return lines


def _code(code: Code) -> str:
    """Return the image mask of a code: four pixels for each module, one hex digit; a row takes whole bytes."""
    box, count = code.box, len(code.rows)
    rows = [f"{row:b}".rjust(count, "0").replace("1", "F") + "0" * (count % 2) for row in code.rows]
    bits = "".join([row for row in rows for _ in range(4)])
    placed = _matrix(box.width_mm, 0, 0, -box.height_mm, box.x_mm, box.bottom_mm)
    size = f"/W {4 * count} /H {4 * count}"
    return f"q\n{_rgb(code.colour)} rg\n{placed}\nBI {size} /IM true /D [1 0] /F /AHx ID {bits}> EI\nQ"


def _state(fill_opacity: float, stroke_opacity: float) -> str:
    return f"O{round(fill_opacity * 1000)}-{round(stroke_opacity * 1000)}"


def _path(path: Path) -> str:
    return _template(path.kinds) % tuple(_numbers(path.numbers).split())


@lru_cache(maxsize=1024)
def _template(kinds: str) -> str:
    return " ".join(["%s " * NUMBERS_OF[kind] + ("re" if kind == RECTANGLE else kind) for kind in kinds])


def _numbers(numbers: Iterable[float]) -> str:
    return str(fp_str(*numbers))


@lru_cache(maxsize=4096)
def _placing(place: Placement, size: Size, bleed_mm: float) -> str:
    """Return the operators that clip and move the face of a placement."""
    if min(place.bleed) >= bleed_mm:
        return _matrix(*place.matrix(size))
    shown = Edges(*[min(bleed_mm, edge) for edge in place.bleed]).around(place.trim_box(size))
    return f"n {_numbers(shown)} re W n\n{_matrix(*place.matrix(size))}"


@lru_cache(maxsize=65536)
def _number(number: float) -> str:
    """Return a length with four decimals, a ten-thousandth of a mm."""
    return _numbers([round(number, 4)])


@lru_cache(maxsize=4096)
def _matrix(a: float, b: float, c: float, d: float, e: float, f: float) -> str:
    return f"{_numbers((a, b, c, d, round(e, 4), round(f, 4)))} cm"


@lru_cache(maxsize=4096)
def _rgb(colour: str) -> str:
    return _numbers([round(int(colour[at : at + 2], 16) / 255, 4) for at in (1, 3, 5)])


HALF_A_STEP = 0.5 / 255  # of a colour or an opacity
_tokens = re.compile(r"BI .*?EI|\[[^\]]*\]|\S+", re.DOTALL).findall
_digits = re.compile("[0-9A-Fa-f]{4}").findall
_THINGS = {"C": "a face", "D": "a drawing", "P": "a picture", "G": "a group"}
_KINDS = dict.fromkeys(["f", "f*", "S", "B", "B*"], "an outline") | {"TJ": "a text", "W": "a clip", "BDC": "a layer"}
_OTHER = {"TJ": "is of other glyphs", "Do": "is another one", "gs": "is of another opacity, or has another mask"}
_PLACES = frozenset("mlch") | {"re", "cm", "Tm"}

BoxOf = Callable[[str], Rect]
"""Returns the box of what goes by a name."""

Statement = tuple[str, ...]


def difference(wanted: str, found: str, to_mm: Matrix, box_of: BoxOf) -> str | None:
    """Return the first difference between a stream and the wanted one; None if it is invisible."""
    ours, theirs = _statements(wanted), _statements(found)
    matrix, kept = to_mm, list[Matrix]()
    for at, (one, other) in enumerate(zip(ours, theirs, strict=False)):
        if one != other:
            what = _unlike(ours[at:], other, matrix, box_of)
            if what is not None:
                return _out_of_order(ours[at:], theirs[at:]) or f"{next(_kinds(ours[at:]), 'the rest')} {what}"
        if one[-1] == "q":
            kept.append(matrix)
        elif one[-1] == "Q":
            matrix = kept.pop()
        elif one[-1] == "cm":
            matrix = matrix.after(Matrix(*map(float, one[:6])))
    left, more = ours[len(theirs) :], theirs[len(ours) :]
    is_longer = f"{(left or more)[0][-1]} is missing or one too many" if left or more else None
    return _out_of_order(left, more) or is_longer


def _statements(text: str) -> list[Statement]:
    statements, statement = list[Statement](), list[str]()
    for token in _tokens(text):
        statement.append(token)
        if token[0] not in "/[<-.0123456789":
            statements.append(tuple(statement))
            statement = []
    return [*statements, tuple(statement)] if statement else statements


def _kinds(statements: Sequence[Statement]) -> Iterator[str]:
    for statement in statements:
        operator = statement[-1]
        if operator == "Do":
            yield _THINGS.get(statement[0][9:10], "something unknown")
        elif operator in _KINDS or operator.startswith("BI"):
            yield _KINDS.get(operator, "a code")


def _out_of_order(ours: Sequence[Statement], theirs: Sequence[Statement]) -> str | None:
    """Return the missing, the surplus or the reordered kinds of statements in words, or None."""
    wanted, found = Counter(_kinds(ours)), Counter(_kinds(theirs))
    missing = [f"{kind} is missing" for kind in wanted - found]
    if missing or found - wanted:
        return "; ".join([*missing, *(f"{kind} is one too many" for kind in found - wanted)])
    is_moved = ours != theirs and sorted(ours) == sorted(theirs)
    return f"{next(_kinds(ours), 'something')} is painted in another order" if is_moved else None


def _unlike(ours: Sequence[Statement], other: Statement, matrix: Matrix, box_of: BoxOf) -> str | None:
    """Return the difference between a statement and our first one in words, or None."""
    one, scale = ours[0], math.sqrt(abs(matrix.a * matrix.d - matrix.b * matrix.c))
    operator = one[-1]
    strange = f"is painted in another way ({_shown(other)}, not {_shown(one)})"
    if operator != other[-1] or len(one) != len(other):
        return strange
    if operator in _OTHER:
        return _OTHER[operator]
    try:
        if operator in _PLACES:
            return _moved(*(_points(statement, ours, matrix, box_of) for statement in (one, other)))
        (names, values), (names_found, found) = _operands(one), _operands(other)
    except ValueError:
        return strange
    if names != names_found or len(values) != len(found):
        return strange
    off = max((abs(a - b) for a, b in zip(values, found, strict=True)), default=0.0)
    if operator in ("rg", "RG"):
        colours = ["#" + "".join(f"{round(part * 255):02x}" for part in colour) for colour in (found, values)]
        return None if off <= HALF_A_STEP else f"is in the colour {colours[0]}, not {colours[1]}"
    if operator not in ("w", "d", "Tf"):
        return strange if off else None
    # Glyphs are about half an em wide: so far off is the end of the longest text.
    of_font = takewhile(lambda statement: statement[-1] != "Tf", ours[1:])
    texts = [len(_digits(statement[0])) / 2 for statement in of_font if statement[-1] == "TJ"]
    off *= scale * (max(texts, default=1.0) if operator == "Tf" else 1.0)
    return None if off <= TOLERANCE_MM else f"is larger, smaller or of other lines, by up to {off:.2f} mm"


def _operands(statement: Statement) -> tuple[list[str], list[float]]:
    """Return the names and the numbers of a statement."""
    numbers = [token for token in statement[:-1] if token[0] not in "/<"]
    names = [token for token in statement[:-1] if token[0] in "/<"]
    return names, [float(number) for token in numbers for number in token.strip("[]").split()]


def _points(statement: Statement, ours: Sequence[Statement], matrix: Matrix, box_of: BoxOf) -> list[Point]:
    """Return the points of a statement, in mm; for a matrix, the corners of the object that it places."""
    numbers = [float(number) for number in statement[:-1]]
    if statement[-1] in ("cm", "Tm"):
        inner = Matrix(*numbers)
        name = next((one[0][9:] for one in ours[:4] if one[-1] == "Do"), "")
        points = [inner.apply(*corner) for corner in box_of(name).corners]
    elif statement[-1] == "re":
        points = list(Rect(*numbers).corners)
    else:
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
    return [matrix.apply(*point) for point in points]


def _moved(wanted: Sequence[Point], found: Sequence[Point]) -> str | None:
    """Return in words how far points are from their wanted places, or None."""
    moves = [(b[0] - a[0], b[1] - a[1]) for a, b in zip(wanted, found, strict=True)]
    x, y = max(moves, key=lambda move: math.hypot(*move), default=(0.0, 0.0))
    sides = (("left", -x), ("right", x), ("up", -y), ("down", y))
    far = [f"{by:.2f} mm too far {side}" for side, by in sides if by > TOLERANCE_MM]
    return f"lies {' and '.join(far)}" if far else None


def _shown(statement: Statement) -> str:
    text = " ".join(statement)
    return repr(text if len(text) <= 60 else f"{text[:59]}…")
