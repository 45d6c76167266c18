"""Clips, colours, rules and what is rare in SVG files: what places of a drawing show, on white paper."""

from __future__ import annotations

import pytest

from duckpress.core.frame import Outline
from svg_looks import Colour, drawn, seen

RED, BLUE, GREEN, WHITE = (255, 0, 0), (0, 0, 255), (0, 128, 0), (255, 255, 255)
R = '<rect width="100" height="50" fill="red" {}/>'
DEFS = {
    "two": '<clipPath id="c"><rect width="20" height="20"/><rect x="10" y="10" width="20" height="20"/></clipPath>',
    "hole": '<clipPath id="c"><path clip-rule="evenodd" d="M0 0H30V30H0ZM10 10H20V20H10Z"/></clipPath>',
    "share": '<clipPath id="c" clipPathUnits="objectBoundingBox"><circle cx=".5" cy=".5" r=".5"/></clipPath>',
    "nested": (
        '<clipPath id="d"><rect x="20" width="80" height="50"/></clipPath>'
        '<clipPath id="c" clip-path="url(#d)"><rect width="30" height="50"/></clipPath>'
    ),
    "used": '<defs><rect id="r" width="9" height="9"/></defs><clipPath id="c"><use href="#r" x="20"/></clipPath>',
    "hidden": '<clipPath id="c"><rect width="9" height="9" display="none"/></clipPath>',
    "none": '<clipPath id="c"/>',
}  # fmt: skip
CLIP = R.format('clip-path="url(#c)"')
HALF = (255, 127, 127)

# What is defined, what is drawn, a place, and what it shows.
SHOWN: list[tuple[str, str, tuple[float, float], Colour]] = [
    ("two", CLIP, (15, 15), RED),
    ("two", CLIP, (5, 15), RED),
    ("two", CLIP, (25, 15), RED),
    ("two", CLIP, (25, 5), WHITE),
    ("hole", CLIP, (5, 5), RED),
    ("hole", CLIP, (15, 15), WHITE),
    ("share", CLIP, (50, 25), RED),
    ("share", CLIP, (3, 3), WHITE),
    ("share", f'<g clip-path="url(#c)">{R.format("")}</g>', (97, 25), RED),
    ("nested", CLIP, (25, 9), RED),
    ("nested", CLIP, (9, 9), WHITE),
    ("nested", CLIP, (35, 9), WHITE),
    ("used", CLIP, (25, 5), RED),
    ("used", CLIP, (5, 5), WHITE),
    ("hidden", CLIP, (5, 5), WHITE),
    ("none", CLIP, (5, 5), WHITE),
    ("two", f'<g opacity=".5">{CLIP}</g>', (15, 15), HALF),
]


@pytest.mark.parametrize(("defined", "inside", "place", "colour"), SHOWN)
def test_what_a_place_shows(defined: str, inside: str, place: tuple[float, float], colour: Colour) -> None:
    items, problems = drawn(DEFS[defined] + inside)
    assert problems == []
    assert seen(items, *place) == pytest.approx(colour, abs=2.5)


A, B = '<rect width="100" height="50" ', '<rect width="50" height="50" '


@pytest.mark.parametrize(
    ("inside", "colour"),
    [
        (A + 'fill="rgba(255,0,0,.5)"/>', HALF),
        (A + 'fill="rgb(100% 0% 0% / 50%)"/>', HALF),
        (A + 'fill="#f008" fill-opacity=".9375"/>', HALF),
        (A + 'style="fill:#ff000080"/>', HALF),
        (A + 'fill="hsl(0, 100%, 50%)"/>', RED),
        (A + 'fill="hsla(240deg 100% 50% / 1)"/>', BLUE),
        (f'<g color="rgba(255,0,0,.5)">{A}fill="currentColor"/></g>', HALF),
        (
            '<linearGradient id="g"><stop stop-color="transparent"/><stop offset="1" stop-color="transparent"/>'
            f'</linearGradient>{A}fill="url(#g)"/>',
            WHITE,
        ),
    ],
)
def test_colours_that_are_seen_through(inside: str, colour: Colour) -> None:
    items, problems = drawn(inside)
    assert problems == []
    assert seen(items, 25, 25) == pytest.approx(colour, abs=1.5)


def test_the_closest_selector_holds() -> None:
    style = "<style>#r {fill:lime} .b {fill:blue} g {} rect {fill:red !important} #r:hover {fill:blue}</style>"
    items, problems = drawn(f'{style}<g>{B} id="r" class="b"/></g>')
    assert problems == []
    assert seen(items, 25, 25) == RED
    items, _ = drawn(f'{style.replace(" !important", "")}<g>{B} id="r" class="b"/></g>')
    assert seen(items, 25, 25) == (0, 255, 0)


RARE = {
    "mask: url(#m)": '<mask id="m"><rect width="9" height="9" fill="#fff"/></mask>' + A + 'mask="url(#m)"/>',
    "marker-end: url(#m)": '<marker id="m"/><path d="M0 0H9" marker-end="url(#m)"/>',
    "marker: url(#m) in a style": '<marker id="m"/><path d="M0 0H9" style="marker:url(#m)"/>',
    "a <pattern>": '<pattern id="p"/>' + A + 'fill="url(#p)"/>',
    "a gradient that is repeated": (
        '<linearGradient id="g" spreadMethod="repeat"><stop/><stop offset="1" stop-color="red"/></linearGradient>'
        + A + 'fill="url(#g)"/>'
    ),
    "mix-blend-mode: multiply": A + 'style="mix-blend-mode:multiply"/>',
    "the fill 'no-colour'": A + 'fill="no-colour"/>',
    "text from right to left": '<text font-family="Alegreya Sans">\u05d0</text>',
    "text-decoration: underline": '<text style="text-decoration:underline"/>',
    "the style rule 'g > rect'": "<style>g > rect {fill:red}</style>",
    "the style rule 'rect.b'": "<style>rect.b {fill:red}</style>",
}  # fmt: skip


@pytest.mark.parametrize("what", RARE)
def test_what_is_rare_is_told_and_not_drawn_as_outlines(what: str) -> None:
    """Of a thousand drawings of icon themes hardly one has any of it: resvg draws those."""
    _, problems = drawn(RARE[what])
    assert [problem.code for problem in problems] == ["svg-unsupported"]
    assert problems[0].what.startswith(what.removesuffix(" in a style"))


def test_an_area_of_no_width_is_no_line() -> None:
    """PDF viewers would show it as the finest line there is, behind dashes and where nothing else is."""
    dashed = '<line x1="5" y1="9" x2="50" y2="19" stroke="red" stroke-width="4" stroke-dasharray="3"/>'
    items, _ = drawn(f'<path d="M0 20H100" stroke="none"/>{dashed}<path d="M5 5V9" stroke="url(#g)"/>')
    assert [item.paint.fill for item in items if isinstance(item, Outline)] == [None]
