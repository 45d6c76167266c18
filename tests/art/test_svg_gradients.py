"""Gradients of SVG files: what each place on them shows, and in which order colours and lines are painted."""

from __future__ import annotations

import pytest

from duckpress.art.svg.paint import Lines, Paints
from duckpress.core.frame import Group, Outline, flattened
from svg_looks import drawn, seen

R = '<rect width="100" height="50" fill="url(#g)"/>'
RED_TO_BLUE = '<stop stop-color="red"/><stop offset="1" stop-color="#00f"/>'
FADING = '<stop stop-color="red" stop-opacity="0"/><stop offset="100%" style="stop-color:red;stop-opacity:.8"/>'

# A gradient, a place, and the red and the green that it shows there.
SHOWN = {
    "linear": (f'<linearGradient id="g">{RED_TO_BLUE}</linearGradient>{R}', (25, 25), (191, 0)),
    "downwards": (f'<linearGradient id="g" x2="0" y2="1">{RED_TO_BLUE}</linearGradient>{R}', (25, 12.5), (191, 0)),
    "turned": (
        f'<linearGradient id="g" gradientTransform="rotate(90)">{RED_TO_BLUE}</linearGradient>{R}', (9, 37.5), (64, 0),
    ),
    "of the user's space": (
        f'<linearGradient id="g" gradientUnits="userSpaceOnUse" x1="20" x2="40">{RED_TO_BLUE}</linearGradient>{R}',
        (10, 9), (255, 0),
    ),
    "of the view": (
        f'<linearGradient id="g" gradientUnits="userSpaceOnUse" x2="50%">{RED_TO_BLUE}</linearGradient>{R}',
        (25, 9), (128, 0),
    ),
    "by href": (
        f'<linearGradient id="g" href="#h" x2=".5"/><radialGradient id="h">{RED_TO_BLUE}</radialGradient>{R}',
        (25, 9), (128, 0),
    ),
    "hard": (
        '<linearGradient id="g"><stop offset=".5" stop-color="red"/><stop offset=".5" stop-color="#00f"/>'
        f"</linearGradient>{R}", (49, 9), (255, 0),
    ),
    "radial": (f'<radialGradient id="g">{RED_TO_BLUE}</radialGradient>{R}', (75, 25), (128, 0)),
    "radial beyond": (f'<radialGradient id="g">{RED_TO_BLUE}</radialGradient>{R}', (1, 1), (0, 0)),
    "radial in a mirror": (
        f'<radialGradient id="g" gradientTransform="matrix(-1 0 0 1 1 0)">{RED_TO_BLUE}</radialGradient>{R}',
        (75, 25), (128, 0),
    ),
    "focal": (f'<radialGradient id="g" fx=".25">{RED_TO_BLUE}</radialGradient>{R}', (62.5, 25), (128, 0)),
    "fading in": (f'<linearGradient id="g">{FADING}</linearGradient>{R}', (50, 9), (255, 153)),
    "fading out": (
        f'<linearGradient id="g" x1="1" x2="0">{FADING}</linearGradient>{R}', (25, 9), (255, 102),
    ),
    "fading outwards": (f'<radialGradient id="g">{FADING}</radialGradient>{R}', (75, 25), (255, 153)),
    "of one stop": (f'<radialGradient id="g"><stop stop-color="red"/></radialGradient>{R}', (75, 25), (255, 0)),
    "of a hole": (
        f'<linearGradient id="g">{RED_TO_BLUE}</linearGradient>'
        '<path fill="url(#g)" fill-rule="evenodd" d="M0 0H100V50H0zM20 10H80V40H20z"/>', (50, 25), (255, 255),
    ),
    "of a line": (
        f'<linearGradient id="g" gradientUnits="userSpaceOnUse" x2="100">{RED_TO_BLUE}</linearGradient>'
        '<path stroke="url(#g)" stroke-width="4" d="M0 20H100"/>', (50, 21), (128, 0),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", SHOWN)
def test_what_a_gradient_shows(case: str) -> None:
    inside, place, wanted = SHOWN[case]
    items, problems = drawn(inside)
    assert problems == []
    assert seen(items, *place)[:2] == pytest.approx(wanted, abs=4)


def test_opaque_steps_leave_no_seams() -> None:
    items, _ = drawn(f'<linearGradient id="g">{RED_TO_BLUE}</linearGradient>{R}')
    (group,) = items
    assert isinstance(group, Group)
    steps = [flattened(item.path) for item in group.items if isinstance(item, Outline)]
    assert len(steps) == 64
    assert all(step.right == pytest.approx(100) for step in steps)  # each goes on below all that follow


def test_a_gradient_is_grey_in_grey_and_white_in_lines() -> None:
    gradient = f'<linearGradient id="g">{RED_TO_BLUE}</linearGradient>{R}'
    red, green, blue = seen(drawn(gradient, Paints("#000000", "black", "grey"))[0], 25, 9)
    assert red == green == blue
    items, _ = drawn(gradient, Paints("#000000", "black", "color", Lines("#123456", 1.0)))
    assert seen(items, 25, 9) == (255, 255, 255)


@pytest.mark.parametrize(
    ("order", "kinds"),
    [
        ("normal", ["both"]), ("fill stroke markers", ["both"]), ("stroke", ["stroke", "fill"]),
        ("markers stroke", ["stroke", "fill"]), ("inside out", []),
    ],
)  # fmt: skip
def test_the_order_of_painting(order: str, kinds: list[str]) -> None:
    items, problems = drawn(f'<g paint-order="{order}"><rect x="9" y="9" width="9" height="9" stroke="red"/></g>')
    if not kinds:
        assert [problem.code for problem in problems] == ["svg-unsupported"]
        return
    paints = [item.paint for item in items if isinstance(item, Outline)]
    assert ["both" if p.fill and p.stroke else "fill" if p.fill else "stroke" for p in paints] == kinds


def test_dashes_begin_with_any_dash() -> None:
    line = '<path d="M5 5H9" stroke="red" stroke-dasharray="1 2 3 4" stroke-dashoffset="{}"/>'
    for offset, dashes in (("3", (3, 4, 1, 2)), ("-7", (3, 4, 1, 2)), ("10", (1, 2, 3, 4))):
        (item,), problems = drawn(line.format(offset))
        assert isinstance(item, Outline)
        assert (problems, item.paint.dash_mm) == ([], dashes)
    (item,), problems = drawn(line.format("-8"))
    assert isinstance(item, Outline)
    assert (problems, item.paint.dash_mm) == ([], (1, 2, 3, 4, 2))


def test_a_switch_shows_what_asks_for_nothing() -> None:
    items, problems = drawn(
        '<switch><foreignObject requiredExtensions="urn:x"/><g><rect width="9" height="9"/></g><circle r="3"/></switch>'
    )
    assert problems == []
    assert len(items) == 1
