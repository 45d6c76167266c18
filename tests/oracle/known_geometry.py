"""The plain geometry that the program and what looks at it share, held against answers worked out by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from duckpress.core.coordinates import column_letters, counted_from
from duckpress.core.geometry import (
    MM_PER_INCH,
    MM_PER_PT,
    PT_PER_MM,
    Matrix,
    Rect,
    Size,
    box_of_points,
    hexagon,
    parse_length,
    rect_around,
    rotation,
    scaling,
    translation,
)
from duckpress.core.paths import arc_curves, canonical_text, ellipse, rectangle
from duckpress.core.problems import NOWHERE
from duckpress.core.sizes import DEFAULT_BLEED_MM, DEFAULT_OVERLAP_MM, DEFAULT_SAFE_MM, FORMATS, Paper
from duckpress.text.fonts import FIGURES, SMALL_CAPS, SPACED_FEATURES, USUAL_FEATURES
from duckpress.text.fonts.library import FontFamily, Style, style_of

_FINEST = 5e-5

_BOX = Rect(1.0, 2.0, 10.0, 20.0)
_OUTER, _INNER = Matrix(2.0, 1.0, -1.0, 3.0, 5.0, 7.0), Matrix(0.0, 1.0, -1.0, 0.0, 11.0, 13.0)
_QUARTER = (0.0, 0.0), 5.0, 5.0, 0.0
"""Start, radii and turn of an arc."""
_WEIGHTS = ("light", "regular", "medium", "semibold", "bold", "extrabold", "black")

_KNOWN: dict[str, tuple[Callable[[], object], object]] = {
    "an inch": (lambda: (MM_PER_INCH, PT_PER_MM * 25.4, MM_PER_PT * 72), (25.4, 72, 25.4)),
    "lengths": (lambda: [parse_length(text) for text in ("3", "2cm", "1in", "72pt")], [3, 20, 25.4, 25.4]),
    "the edges of a box": (lambda: _BOX.edges, (1, 2, 11, 22)),
    "the corners of a box": (lambda: _BOX.corners, ((1, 2), (11, 2), (11, 22), (1, 22))),
    "a box that is grown": (lambda: _BOX.grown(3), (-2, -1, 16, 26)),
    "the inside of a box": (lambda: _BOX.inside(Size(1, 2)), (2, 4, 8, 16)),
    "a box that is moved": (lambda: _BOX.moved(3, 4), (4, 6, 10, 20)),
    "what two boxes share": (lambda: _BOX.shared(Rect(5, 8, 20, 4)), (5, 8, 6, 4)),
    "what boxes apart share": (lambda: _BOX.shared(Rect(30, 40, 2, 2))[2:], (0, 0)),
    "a box in a box": (
        lambda: [_BOX.holds(_BOX.moved(*by)) for by in ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))],
        [True, False, False, False, False],
    ),
    "boxes apart": (
        lambda: [_BOX.is_apart(other) for other in (Rect(12, 2, 1, 1), Rect(-1, 2, 1, 1), Rect(1, 23, 1, 1),
                                                    Rect(1, -1, 1, 1), Rect(5, 5, 1, 1), Rect(11, 22, 1, 1))],
        [True, True, True, True, False, False],
    ),
    "one matrix after another": (lambda: _OUTER.after(_INNER), (-1, 3, -2, -1, 14, 57)),
    "a point under a matrix": (lambda: _OUTER.apply(1, 2), (5, 14)),
    "a point before a matrix": (lambda: _OUTER.undo(5, 14), (1, 2)),
    "a matrix undone": (lambda: _OUTER.inverse().after(_OUTER), (1, 0, 0, 1, 0, 0)),
    "a box under a matrix": (lambda: _INNER.around(_BOX), (-11, 14, 20, 10)),
    "a shift": (lambda: translation(3, 4), (1, 0, 0, 1, 3, 4)),
    "a scale": (lambda: (scaling(2), scaling(2, 3)), ((2, 0, 0, 2, 0, 0), (2, 0, 0, 3, 0, 0))),
    "a quarter turn": (lambda: rotation(90, 2, 1), (0, 1, -1, 0, 3, -1)),
    "a turn by 30 degrees": (lambda: rotation(30), (0.8660254, 0.5, -0.5, 0.8660254, 0, 0)),
    "turns by quarters": (lambda: [rotation(turn)[:2] for turn in (180, 270, 450)], [(-1, 0), (0, -1), (0, 1)]),
    "the box of points": (lambda: box_of_points([(3, 9), (1, 4), (2, 8)]), (1, 4, 2, 5)),
    "the box around boxes": (lambda: rect_around([_BOX, Rect(-1, 5, 3, 40)]), (-1, 2, 12, 43)),
    "a hexagon": (lambda: hexagon(Size(40, 30)), ((0, 15), (10, 0), (30, 0), (40, 15), (30, 30), (10, 30))),
    "a hexagon on its point": (
        lambda: hexagon(Size(30, 40)), ((30, 10), (30, 30), (15, 40), (0, 30), (0, 10), (15, 0)),
    ),
    "a circle": (
        lambda: canonical_text(ellipse(10, 20, 10, 10)),
        "20 20 m 20 25.5228 15.5228 30 10 30 c 4.4772 30 0 25.5228 0 20 c 0 14.4772 4.4772 10 10 10 c "
        "15.5228 10 20 14.4772 20 20 c h",
    ),
    "a rectangle with round corners": (
        lambda: canonical_text(rectangle(0, 0, 30, 20, 10, 5)),
        "10 0 m 20 0 l 25.5228 0 30 2.2386 30 5 c 30 15 l 30 17.7614 25.5228 20 20 20 c 10 20 l "
        "4.4772 20 0 17.7614 0 15 c 0 5 l 0 2.2386 4.4772 0 10 0 c h",
    ),
    "a flat rectangle with round corners": (
        lambda: rectangle(0, 0, 10, 2, 4).numbers[:10], (4, 0, 6, 0, 8.2091, 0, 10, 0.4477, 10, 1),
    ),
    "an arc of a radius too small": (
        lambda: [end[-2:] for end in arc_curves((0, 0), 1, 1, 0, False, True, (8, 0)) or ()], [(4, -4), (8, 0)],
    ),
    "arcs": (
        lambda: [arc_curves(*_QUARTER, False, is_sweep, (5, 5)) for is_sweep in (False, True)],
        [[(0, 2.7614237, 2.2385763, 5, 5, 5)], [(2.7614237, 0, 5, 2.2385763, 5, 5)]],
    ),
    "long arcs": (
        lambda: [end[-2:] for is_sweep in (False, True) for end in arc_curves(*_QUARTER, True, is_sweep, (5, 5)) or ()],
        [(-5, 5), (0, 10), (5, 5), (5, -5), (10, 0), (5, 5)],
    ),
    "margins": (lambda: Paper("", Size(100.0, 200.0)).margins(Size(100.0, 200.0)), (5, 5)),
    "margins of a paper on its side": (
        lambda: Paper("", Size(100.0, 200.0), 9.0, Size(3.0, 9.0)).margins(Size(200.0, 100.0)), (9, 3),
    ),
    "bleed, safe zone and overlap": (lambda: (DEFAULT_BLEED_MM, DEFAULT_SAFE_MM, DEFAULT_OVERLAP_MM), (2, 3, 10)),
    "sizes that are turned": (
        lambda: [tuple(FORMATS[name].trim) for name in ("poker-landscape", "hex-2in-upright")],
        [(88.9, 63.5), (43.99, 50.8)],
    ),
    "the features of figures": (
        lambda: {name: [tag for tag, is_on in some if is_on] for name, some in FIGURES.items()},
        {"own": [], "lining": ["lnum"], "tabular": ["lnum", "tnum"], "old-style": ["onum"]},
    ),
    "the features of fonts": (
        lambda: [[tag for tag, is_on in some if is_on] for some in (USUAL_FEATURES, SPACED_FEATURES, SMALL_CAPS)],
        [["kern", "liga", "clig", "calt"], ["kern"], ["smcp"]],
    ),
    "the styles of fonts": (
        lambda: [style_of(name) for name in (*_WEIGHTS, "italic", "bold-italic", "fat")],
        [*((weight, False) for weight in range(300, 1000, 100)), (400, True), (700, True), None],
    ),
    "the nearest weights": (lambda: [*map(_taken, _WEIGHTS)], [400, 400, 400, 600, 600, 900, 900]),
    "the nearest slants": (lambda: [_taken("regular", True), _taken("black", True)], [-400, -400]),
    "the letters of columns": (lambda: [*map(column_letters, (0, 25, 26, 701, 702))], ["A", "Z", "AA", "ZZ", "AAA"]),
    "the names of spaces": (
        lambda: [_named_by(way, origin) for way in ("across", "down") for origin in ("top-left", "bottom-right")],
        [("C3", "D5", (1, 3)), ("E5", "D3", (3, 1)), ("C3", "E4", (3, 1)), ("E5", "C4", (1, 3))],
    ),
}  # fmt: skip


def wrong_answers() -> Iterator[str]:
    for name, (ask, known) in _KNOWN.items():
        try:
            answer = ask()
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            answer = error
        if not _is_known(answer, known):
            yield f"{name} came out as {answer}, not {known}"


def _is_known(answer: object, known: object) -> bool:
    if isinstance(known, tuple | list) and isinstance(answer, tuple | list):
        return len(answer) == len(known) and all(map(_is_known, answer, known))
    if isinstance(known, int | float) and isinstance(answer, int | float):
        return abs(answer - known) < _FINEST
    return answer == known


def _taken(weight: str, is_italic: bool = False) -> int:
    """Return the weight of the font that a style takes of a family with four; less than nothing for an italic."""
    weights = {400: False, 600: False, 900: False, -400: True}
    styles = tuple(Style(abs(value), is_slanted, str(value), NOWHERE) for value, is_slanted in weights.items())
    return int(FontFamily("", styles, "", "", "", False, NOWHERE).nearest_style(weight, is_italic).path)


def _named_by(letters: str, origin: str) -> tuple[str, str, tuple[int, int] | None]:
    """Return the names of two spaces on a board of five columns and rows from B2 on, and where C5 is."""
    board = counted_from("B2", 5, 5, letters=letters, origin=origin)
    assert board is not None
    return board.name(1, 1), board.name(2, 3), board.find("C5")
