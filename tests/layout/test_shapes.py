"""SVG's shapes, containers, boards and pips: what each element becomes, item by item."""

from __future__ import annotations

import pytest

from duckpress.art import BadArt
from duckpress.art.svg.paths import parse_path
from duckpress.art.values import parse_transform
from duckpress.core.geometry import IDENTITY, Matrix
from duckpress.core.paths import canonical_text
from duckpress.layout.elements.images import pip_places
from workshop import MakeWorkspace, lay_out

INK = "#1d1b18"


@pytest.mark.parametrize(
    ("element", "lines"),
    [
        ('<rect x="50" y="70" fill="ink"/>', [f"outline fill {INK}: 50 70 10 10 re"]),
        ('<rect width="1cm" height="72pt" fill="#000"/>', ["outline fill #000000: 0 0 10 25.4 re"]),
        ('<line x1="1" y1="2" x2="3" y2="4"/>', [f"outline stroke {INK} 0.25: 1 2 m 3 4 l"]),
        ('<rect width="1" height="1" fill="#000" opacity="0.5"/>', ["outline fill #000000, opacity 0.5: 0 0 1 1 re"]),
        (
            '<rect width="1" height="1" fill="#000" stroke="#fff" opacity="0.5"/>',
            ["group opacity 0.5", "  outline fill #000000, stroke #ffffff 0.25: 0 0 1 1 re"],
        ),
        (
            '<rect width="2" height="1" fill="#000" transform="translate(5 6) rotate(90)"/>',
            ["group by 0 1 -1 0 5 6", "  outline fill #000000: 0 0 2 1 re"],
        ),
        ('<rect width="0" height="5" stroke="none"/>', []),
    ],
)
def test_shapes(make_workspace: MakeWorkspace, element: str, lines: list[str]) -> None:
    trial = lay_out(make_workspace, element)
    assert trial.problems == []
    assert trial.lines == lines


@pytest.mark.parametrize(
    "element",
    [
        '<row width="10"><rect width="10" fill="#111"/>{}</row>',
        '<column height="10"><rect height="10" fill="#111"/>{}</column>',
        '<grid columns="10 *" rows="1" width="10"><rect fill="#111"/>{}</grid>',
        '<row width="0">{}<rect fill="#111"/></row>',
    ],
)
def test_what_only_keeps_others_apart_needs_no_room(make_workspace: MakeWorkspace, element: str) -> None:
    inside = ("", "<stack/>", "<text/>", '<stack><line x2="3"/></stack>', '<g><path d="M0 0H1"/></g>')
    assert lay_out(make_workspace, "".join(map(element.format, inside))).problems == []


def test_pips_are_as_many_as_said_and_stand_symmetrically() -> None:
    for count in range(1, 11):
        places = {(across, round(down, 9)) for across, down in pip_places(count)}
        assert len(pip_places(count)) == len(places) == count
        assert {(1 - across, down) for across, down in places} == places
        if count != 7:  # the seven's single pip stands above the middle only
            assert {(across, round(1 - down, 9)) for across, down in places} == places


@pytest.mark.parametrize(
    ("data", "operators"),
    [
        ("M1-2.5.5", BadArt),
        ("M1-2L.5.5", "1 -2 m 0.5 0.5 l"),
        ("m1,1 2,2 3,3", "1 1 m 3 3 l 6 6 l"),
        ("M0 0 10 10", "0 0 m 10 10 l"),
        ("M0 0C1 1 2 2 3 3S5 5 6 6", "0 0 m 1 1 2 2 3 3 c 4 4 5 5 6 6 c"),
        ("M0 0Q3 3 6 0T12 0", "0 0 m 2 2 4 2 6 0 c 8 -2 10 -2 12 0 c"),
        ("M0 0s1 1 2 2", "0 0 m 0 0 1 1 2 2 c"),
        ("M1 1h1zl5 5", "1 1 m 2 1 l h 1 1 m 6 6 l"),
        ("M0 0a0 5 0 0 1 3 3", "0 0 m 3 3 l"),
        ("M0 0a5 5 0 0 1 0 0", "0 0 m"),
        ("M1e1 1E-1", "10 0.1 m"),
        ("", ""),
        ("L1 1", BadArt),
        ("M0 0 L1", BadArt),
        ("M0 0 X", BadArt),
        ("M0 0 L1e9 0", BadArt),
        ("M0 0 Lnan 0", BadArt),
    ],
)
def test_path_data(data: str, operators: str | type[BadArt]) -> None:
    if isinstance(operators, str):
        assert canonical_text(parse_path(data)) == operators
    else:
        with pytest.raises(operators):
            parse_path(data)


def test_arc_flags_need_no_separators_and_arcs_are_round() -> None:
    assert parse_path("M10 0a10 10 0 0110 10") == parse_path("M 10 0 a 10 10 0 0 1 10 10")
    _, _, x1, y1, *_ = parse_path("M10 0A10 10 0 0 1 20 10").numbers
    assert (x1, y1) == (pytest.approx(15.5228, abs=1e-3), pytest.approx(0, abs=1e-9))
    # Radii too small are scaled up: half a circle, anticlockwise as seen, is lowest in the middle.
    assert parse_path("M0 0A1 1 0 0 0 20 0").numbers[6:8] == (10.0, 10.0)


@pytest.mark.parametrize(
    ("text", "matrix"),
    [
        ("translate(3)", Matrix(e=3)),
        ("translate(1,2) scale(2)", Matrix(2, 0, 0, 2, 1, 2)),
        ("rotate(90 10 0)", Matrix(0, 1, -1, 0, 10, -10)),
        ("matrix(1 2 3 4 5 6)", Matrix(1, 2, 3, 4, 5, 6)),
        (" ", IDENTITY),
    ],
)
def test_transforms(text: str, matrix: Matrix) -> None:
    assert parse_transform(text) == pytest.approx(matrix)


@pytest.mark.parametrize("text", ["spin(3)", "rotate()", "scale(1 2 3)", "rotate(1e999)", "rotate 3", "rotate(1" * 3])
def test_odd_transforms_are_refused(text: str) -> None:
    with pytest.raises(BadArt):
        parse_transform(text)
