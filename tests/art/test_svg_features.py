"""Clips, masks, patterns, markers and `use` of SVG files: what places of a drawing show, on white paper."""

from __future__ import annotations

import pytest

from duckpress.art.svg.svg_markers import path_corners
from duckpress.art.svg.svg_paths import parse_path
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
    "grey": '<mask id="m"><rect width="50" height="50" fill="#808080"/></mask>',
    "green": '<mask id="m"><rect width="50" height="50" fill="lime"/></mask>',
    "alpha": '<mask id="m" style="mask-type:alpha"><rect width="50" height="50" opacity=".5"/></mask>',
    "box": (
        '<mask id="m" maskContentUnits="objectBoundingBox" x="0" width=".5">'
        '<rect width="1" height="1" fill="#fff"/></mask>'
    ),
    "fading": (
        '<linearGradient id="g"><stop stop-color="#fff"/><stop offset="1"/></linearGradient>'
        '<mask id="m"><rect width="100" height="50" fill="url(#g)"/></mask>'
    ),
    "inherited": '<g fill="#fff"><mask id="m"><rect width="50" height="50"/></mask></g>',
    "clipped": (
        '<clipPath id="d"><rect width="10" height="50"/></clipPath>'
        '<mask id="m" clip-path="url(#d)"><rect width="99" height="50" fill="#fff"/></mask>'
    ),
    "tiles": (
        '<pattern id="p" width="10" height="10" patternUnits="userSpaceOnUse">'
        '<rect width="5" height="10" fill="blue"/></pattern>'
    ),
    "shares": '<pattern id="p" width=".1" height="1"><rect width="5" height="50" fill="blue"/></pattern>',
    "moved": (
        '<pattern id="q" width="10" height="10" patternUnits="userSpaceOnUse"><rect width="5" height="10" fill="blue"/>'
        '</pattern><pattern id="p" href="#q" patternTransform="translate(5)"/>'
    ),
    "seen": (
        '<pattern id="p" width="20" height="10" patternUnits="userSpaceOnUse" viewBox="0 0 2 1">'
        '<rect width="2" height="1" fill="green"/><rect width="1" height="1" fill="blue"/></pattern>'
    ),
    "over": (
        '<pattern id="p" width="10" height="10" patternUnits="userSpaceOnUse">'
        '<rect width="15" height="2" fill="blue"/></pattern>'
    ),
}  # fmt: skip
CLIP, MASK, FILL = R.format('clip-path="url(#c)"'), R.format('mask="url(#m)"'), R.replace("red", "url(#p)").format("")
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
    ("grey", MASK, (25, 25), (255, 127, 127)),
    ("grey", MASK, (75, 25), WHITE),
    ("green", MASK, (25, 25), (255, 73, 73)),
    ("alpha", MASK, (25, 25), HALF),
    ("box", MASK, (25, 25), RED),
    ("box", MASK, (75, 25), WHITE),
    ("fading", MASK, (25, 25), (255, 64, 64)),
    ("inherited", MASK, (25, 25), RED),
    ("clipped", MASK, (5, 25), RED),
    ("clipped", MASK, (25, 25), WHITE),
    ("two", f'<g opacity=".5">{CLIP}</g>', (15, 15), HALF),
    ("tiles", FILL, (2, 25), BLUE),
    ("tiles", FILL, (92, 45), BLUE),
    ("tiles", FILL, (97, 45), WHITE),
    ("tiles", FILL.replace("fill", 'fill-opacity=".5" fill'), (2, 25), (127, 127, 255)),
    ("tiles", '<path d="M0 20H100" stroke="url(#p)" stroke-width="9"/>', (22, 23), BLUE),
    ("tiles", '<path d="M0 20H100" stroke="url(#p)" stroke-width="9"/>', (27, 23), WHITE),
    ("shares", FILL, (42, 25), BLUE),
    ("shares", FILL, (47, 25), WHITE),
    ("moved", FILL, (7, 25), BLUE),
    ("moved", FILL, (2, 25), WHITE),
    ("seen", FILL, (25, 25), BLUE),
    ("seen", FILL, (35, 25), GREEN),
    ("over", FILL, (12, 11), BLUE),
    ("over", FILL, (12, 15), WHITE),
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


@pytest.mark.parametrize(
    ("selector", "colour"),
    [
        ("g rect", BLUE),
        ("g > rect", BLUE),
        ("svg > rect", RED),
        ("svg rect", BLUE),
        ("g.a > #r.b", BLUE),
        ("g.b > #r", RED),
        ('rect[height="50"]', BLUE),
        ("rect[height='5']", RED),
        ("rect[rx]", RED),
        ("g > :first-child", BLUE),
        ("g:last-child rect:last-child", BLUE),
        ("rect:last-child:hover", RED),
        (":root rect", BLUE),
        ("rect.b", BLUE),
        ("text rect, g rect", BLUE),
    ],
)
def test_rules_for_elements_within_others(selector: str, colour: Colour) -> None:
    style = f"<style>rect {{fill:red}} {selector} {{fill:blue}}</style>"
    items, problems = drawn(f'{style}<g class="a">{B} id="r" class="b"/></g>')
    assert problems == []
    assert seen(items, 25, 25) == colour


def test_the_closest_selector_holds() -> None:
    style = "<style>g #r {fill:lime} svg g rect.b {fill:blue} g {} rect.b {fill:red !important}</style>"
    items, _ = drawn(f'{style}<g>{B} id="r" class="b"/></g>')
    assert seen(items, 25, 25) == RED
    items, _ = drawn(f'{style.replace(" !important", "")}<g>{B} id="r" class="b"/></g>')
    assert seen(items, 25, 25) == (0, 255, 0)


MARKER = (
    '<marker id="m" markerWidth="{size}" markerHeight="{size}" refX="{ref}" refY="{ref}" {more}>'
    '<rect width="4" height="2" fill="red"/></marker>'
)
LINE = '<path d="M20 20H40V40" stroke="none" fill="none" stroke-width="2" {}/>'


@pytest.mark.parametrize(
    ("more", "where", "place"),
    [
        ("", 'marker-start="url(#m)"', (27, 23)),  # twice as wide as the line is
        ('markerUnits="userSpaceOnUse"', 'marker-start="url(#m)"', (23, 21)),
        ('orient="90"', 'marker-start="url(#m)"', (17, 27)),
        ('orient="0.25turn"', 'marker-start="url(#m)"', (17, 27)),
        ('orient="auto-start-reverse"', 'marker-start="url(#m)"', (13, 17)),
        ('orient="auto"', 'marker-mid="url(#m)"', (41, 25)),  # between both directions
        ('orient="auto"', 'marker-end="url(#m)"', (37, 47)),
        ('orient="auto"', 'style="marker:url(#m)"', (37, 47)),
        ('viewBox="0 0 40 40"', 'marker-start="url(#m)"', (20.7, 20.3)),
    ],
)
def test_where_a_marker_stands(more: str, where: str, place: tuple[float, float]) -> None:
    items, problems = drawn(MARKER.format(size=4, ref=0, more=more) + LINE.format(where))
    assert problems == []
    assert seen(items, *place) == RED


def test_a_marker_is_cut_off_at_its_size_and_takes_the_colours_of_the_line() -> None:
    items, _ = drawn(MARKER.format(size=1, ref=0, more="") + LINE.format('marker-start="url(#m)"'))
    assert [seen(items, *place) for place in ((21, 21), (25, 23))] == [RED, WHITE]
    marker = MARKER.replace("red", "context-stroke").format(size=9, ref=1, more="")
    items, _ = drawn(marker + LINE.replace("none", "blue", 1).format('marker-end="url(#m)"'))
    assert seen(items, 43, 40.5) == BLUE


def test_the_directions_of_a_path() -> None:
    corners = list(path_corners(parse_path("M0 0H10C10 5 15 10 20 10Z")))
    assert [corner.place for corner in corners] == [(0, 0), (10, 0), (20, 10), (0, 0)]
    directions = [corner.coming if corner.coming is None else round(corner.coming, 1) for corner in corners]
    assert directions == [-153.4, 0.0, 0.0, -153.4]
    assert [round(corner.turn, 1) for corner in corners] == [-76.7, 45.0, -76.7, -76.7]


@pytest.mark.parametrize(("x", "y", "red"), [(2.5, 2.5, 128), (6, 2.5, 255), (6, 6, 255)])
def test_a_group_of_shapes_in_a_mask_is_one(x: float, y: float, red: int) -> None:
    """What lies over something else in a mask hides it."""
    mask = '<mask id="m"><rect width="5" height="5" fill="#fff"/><rect width="5" height="5" fill="#808080"/></mask>'
    items, problems = drawn(mask + R.replace("red", "#000").format('mask="url(#m)"'))
    assert problems == []
    assert seen(items, x, y) == pytest.approx((red - 1 if red < 255 else 255,) * 3, abs=1)


def test_an_area_of_no_width_is_no_line() -> None:
    """PDF viewers would show it as the finest line there is, behind dashes and where nothing else is."""
    dashed = '<line x1="5" y1="9" x2="50" y2="19" stroke="red" stroke-width="4" stroke-dasharray="3"/>'
    items, _ = drawn(f'<path d="M0 20H100" stroke="none"/>{dashed}<path d="M5 5V9" stroke="url(#g)"/>')
    assert [item.paint.fill for item in items if isinstance(item, Outline)] == [None]
