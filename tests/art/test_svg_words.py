"""Words of SVG files: where the outlines of their letters lie, and in which fonts."""

from __future__ import annotations

import pytest

from duckpress.core.frame import Outline, Paint, items_bounds
from duckpress.core.geometry import Matrix, Rect
from duckpress.core.problems import Problem
from setting import LIBRARY
from svg_looks import drawn

PAINTED = Paint("#000000")
DEJAVU = LIBRARY.typeface("DejaVu Sans")
T = '<text x="30" y="40" font-family="DejaVu Sans" font-size="20" {}>{}</text>'


def box(svg: str) -> Rect:
    items, problems = drawn(svg, None, LIBRARY)
    assert problems == []
    bounds = items_bounds(items, {})
    assert bounds is not None
    return Rect(*(round(edge, 1) for edge in bounds))


def told(svg: str) -> list[Problem]:
    return drawn(svg, None, LIBRARY)[1]


def width(text: str) -> float:
    assert DEJAVU is not None
    return DEJAVU.shape(text).width * 20 / DEJAVU.units_per_em


PLAIN = box(T.format("", "H"))


@pytest.mark.parametrize(
    ("attributes", "inside", "dx", "dy"),
    [
        ('text-anchor="end"', "H", -width("H"), 0),
        ('text-anchor="middle"', "H", -width("H") / 2, 0),
        ('dx="3" dy="-2"', "H", 3, -2),
        ('dx="1em"', "H", 20, 0),
        ("", '<tspan x="50" y="20">H</tspan>', 20, -20),
        ("", '<tspan dx="5">H</tspan>', 5, 0),
        ("", "\n  H\n", 0, 0),
        ('xml:space="preserve"', "  H", 2 * width(" "), 0),
        ('style="white-space:pre"', " H", width(" "), 0),
        ('dominant-baseline="middle"', "H", 0, 5.2),
        ('dominant-baseline="central"', "H", 0, 6.9),
        ('style="visibility:hidden"', '<tspan visibility="visible">H</tspan>', 0, 0),
        ('word-spacing="7"', "<tspan fill='none'>i</tspan> H", width("i") + width(" ") + 7, 0),
    ],
)
def test_where_a_letter_stands(attributes: str, inside: str, dx: float, dy: float) -> None:
    there = box(T.format(attributes, inside))
    assert (there.x_mm - PLAIN.x_mm, there.y_mm - PLAIN.y_mm) == pytest.approx((dx, dy), abs=0.11)
    assert there.width_mm == pytest.approx(PLAIN.width_mm, abs=0.11)


@pytest.mark.parametrize(
    ("attributes", "inside", "reach"),
    [
        ("", "HH", width("H")), ("", "H H", width("H") + width(" ")), ("", "H\n   H", width("H") + width(" ")),
        ("", "H\x83H", width("H")), ('letter-spacing="4"', "HH", width("H") + 4),
        ('letter-spacing="0.5em"', "HH", width("H") + 10), ('x="30 70"', "HH", 40),
        ('x="30,70"', "<tspan>H</tspan>H", 40), ('dx="0 9"', "HH", width("H") + 9),
        ("", "H<tspan dx='9'>H</tspan>", width("H") + 9),
        ("", "<title>no</title>H<tspan display='none'>WWW</tspan>H", width("H")),
    ],
)  # fmt: skip
def test_how_far_letters_stand_apart(attributes: str, inside: str, reach: float) -> None:
    there = box(
        T.replace('x="30"', "").format(attributes if "x=" in attributes[:2] else f'x="30" {attributes}', inside)
    )
    assert there.width_mm - PLAIN.width_mm == pytest.approx(reach, abs=0.11)


@pytest.mark.parametrize(
    ("attributes", "inside"),
    [
        ('textLength="60"', "H"), ('rotate="90"', "H"), ("", '<tspan rotate="9">H</tspan>'),
        ("", '<tspan baseline-shift="super">H</tspan>'), ("", '<tspan alignment-baseline="middle">H</tspan>'),
    ],
)  # fmt: skip
def test_letters_on_odd_paths_are_told(attributes: str, inside: str) -> None:
    assert [problem.code for problem in told(T.format(attributes, inside))] == ["svg-unsupported"]


@pytest.mark.parametrize(
    ("how", "family", "weight", "is_italic"),
    [
        ('font-family="DejaVu Sans"', "DejaVu Sans", "regular", False),
        ("font-family=\"Arial, 'dejavu sans'\"", "DejaVu Sans", "regular", False),
        ('font-family="Bitstream Vera Sans"', "DejaVu Sans", "regular", False),
        ('font-family="Alegreya Sans" font-weight="bold"', "Alegreya Sans", "bold", False),
        ('font-family="Alegreya Sans" font-weight="700" font-style="oblique"', "Alegreya Sans", "bold", True),
        ("style=\"font: italic 20px/1.2 'Alegreya Sans', serif\"", "Alegreya Sans", "regular", True),
    ],
)
def test_the_font_of_words(how: str, family: str, weight: str, is_italic: bool) -> None:
    typeface = LIBRARY.typeface(family, weight, is_italic)
    assert typeface is not None
    there = box(f'<text x="40" y="40" font-size="20" {how}>g</text>')
    (outline,) = typeface.outlines(f"<{typeface.glyph('g'):04X}>", Matrix(20, 0, 0, -20, 40, 40))
    bounds = items_bounds((Outline(outline, PAINTED),), {})
    assert bounds is not None
    assert there == pytest.approx(bounds, abs=0.11)


def test_what_is_said_of_fonts() -> None:
    (note,) = told('<text font-family="Nowhere, sans-serif">a</text><text font-family="sans-serif">b</text>')[:1]
    assert (note.code, note.level.name) == ("svg-font", "WARNING")
    assert "'Alegreya Sans'" in note.what
    (problem,) = told('<text font-family="Nowhere">a</text>')
    assert problem.code == "svg-unsupported"
    assert "'Nowhere', which is not in fonts/" in problem.what
    assert told('<text font-family="Gloock">\u03a9</text>') == []  # lent by another family
    (problem,) = told('<text font-family="Gloock">\ue123</text>')
    assert "which no font has" in problem.what


def test_sizes_of_type_are_shares_of_those_around() -> None:
    half = box(T.replace('"20"', '"40"').format("", '<tspan font-size="50%">H</tspan>'))
    assert half == pytest.approx(PLAIN, abs=0.11)
    assert box(f'<g font-size="10px">{T.replace("20", "2em").format("", "H")}</g>') == pytest.approx(PLAIN, abs=0.11)


def test_words_are_painted_and_clip_like_shapes() -> None:
    items, problems = drawn(T.format('fill="red" stroke="blue" stroke-width="2"', "I"), None, LIBRARY)
    assert problems == []
    assert [(item.paint.fill, item.paint.stroke) for item in items if isinstance(item, Outline)] == [
        ("#ff0000", "#0000ff")
    ]
    clip = f'<clipPath id="c">{T.format("", "HH")}</clipPath><rect width="99" height="50" clip-path="url(#c)"/>'
    assert box(clip).x_mm == pytest.approx(PLAIN.x_mm, abs=0.1)
