"""Boards, tracks, slots and shapes: where spaces lie, how they are named, what stands in them, and what is wrong."""

from __future__ import annotations

import math
import re

import pytest

from duckpress.core.coordinates import Coordinates
from duckpress.core.frame import Group, Item, Text, every_item
from duckpress.core.geometry import IDENTITY, Matrix
from duckpress.core.problems import Level
from duckpress.core.sizes import FORMATS
from workshop import MakeWorkspace, Trial, lay_out

GRID = '<squaregrid columns="4" rows="3" x="10" y="20" width="40" height="30" {}>{}</squaregrid>'


def labels(trial: Trial) -> list[str]:
    assert trial.problems == [], [str(problem) for problem in trial.problems]
    return [item.text for item in every_item(trial.face.front.items) if isinstance(item, Text)]


def words_at(items: tuple[Item, ...], matrix: Matrix = IDENTITY) -> dict[str, list[tuple[float, float, int]]]:
    """Return for each text where its middle lies on the card, and by how many degrees it is turned."""
    found: dict[str, list[tuple[float, float, int]]] = {}
    for item in items:
        if isinstance(item, Group):
            for text, places in words_at(item.items, matrix.after(item.matrix)).items():
                found.setdefault(text, []).extend(places)
        elif isinstance(item, Text):
            x, y = matrix.apply(item.x_mm + item.width_mm / 2, item.y_mm - item.size_mm / 3)
            found.setdefault(item.text, []).append((x, y, round(math.degrees(math.atan2(matrix.b, matrix.a))) % 360))
    return found


def test_spaces_and_points_have_names(make_workspace: MakeWorkspace) -> None:
    assert labels(lay_out(make_workspace, GRID.format('labels="edges"', ""))) == ["A", "B", "C", "D", "1", "2", "3"]
    assert labels(lay_out(make_workspace, GRID.format('labels="points"', ""))) == [*"ABCDE", *"1234"]
    cells = labels(lay_out(make_workspace, GRID.format('labels="cells"', "")))
    assert cells == [f"{letter}{number}" for number in "123" for letter in "ABCD"]


@pytest.mark.parametrize(
    ("attributes", "names"),
    [
        ('letters="down"', ["1", "2", "3", "4", "A", "B", "C"]),
        ('origin="bottom-left"', ["A", "B", "C", "D", "3", "2", "1"]),
        ('origin="bottom-right" letters="down" first="B2"', ["5", "4", "3", "2", "D", "C", "B"]),
        ('label-sides="bottom"', ["A", "B", "C", "D"]),
        ('label-sides="all"', [*"ABCD", *"123", *"ABCD", *"123"]),
    ],
)
def test_labels_can_run_otherwise(make_workspace: MakeWorkspace, attributes: str, names: list[str]) -> None:
    assert labels(lay_out(make_workspace, GRID.format(f'labels="edges" {attributes}', ""))) == names


def test_labels_of_chosen_sides_stand_on_their_heads(make_workspace: MakeWorkspace) -> None:
    attributes = 'labels="edges" label-sides="all" label-turned="top right" label-gap="1"'
    found = words_at(lay_out(make_workspace, GRID.format(attributes, "")).face.front.items)
    for names, axis, near, far, turned in (("ABCD", 1, 20, 50, (180, 0)), ("123", 0, 10, 50, (0, 180))):
        for name in names:
            before, after = sorted(found[name], key=lambda place: place[axis])
            assert (before[2], after[2]) == turned
            assert near - 4 < before[axis] < near - 1
            assert far + 1 < after[axis] < far + 4


@pytest.mark.parametrize("is_across", [True, False])
@pytest.mark.parametrize("from_right", [True, False])
@pytest.mark.parametrize("from_bottom", [True, False])
def test_every_name_finds_its_place(is_across: bool, from_right: bool, from_bottom: bool) -> None:
    names = Coordinates(30, 12, 2, 5, is_across, from_right, from_bottom)
    places = [(column, row) for column in range(30) for row in range(12)]
    assert [names.find(names.name(*place)) for place in places] == places
    assert len({names.name(*place) for place in places}) == 360
    assert names.find("A1") is None
    assert names.find("nowhere") is None


def test_what_stands_on_a_board_lies_where_it_says(make_workspace: MakeWorkspace) -> None:
    trial = lay_out(
        make_workspace,
        GRID.format(
            "",
            '<space at="C2"><rect x="1" width="4" fill="#010101"/></space>'
            '<space column="4" row="3"><rect fill="#020202"/></space>'
            '<point at="E4" size="2"><rect fill="#030303"/></point>'
            '<point column="1" row="1"><rect fill="#040404"/></point>'
            '<edge from="A1" to="A4" stroke="#050505"/>'
            '<area at="A1 B1-C1 C2" fill="#060606"/>',
        ),
    )
    assert trial.problems == []
    drawn = {line.split()[2][:7]: line.partition(": ")[2] for line in trial.lines[1:]}
    assert drawn == {
        "#010101": "31 30 4 10 re",
        "#020202": "40 40 10 10 re",
        "#030303": "49 49 2 2 re",
        "#040404": "7.5 17.5 5 5 re",
        "#050505": "10 20 m 10 50 l",
        "#060606": "10 20 m 40 20 l 40 40 l 30 40 l 30 30 l 10 30 l h",
    }
    grid = GRID.format('origin="bottom-right" first="B2"', '<space at="B2"><rect fill="#010101"/></space>')
    assert lay_out(make_workspace, grid).lines[-1].endswith("40 40 10 10 re")


def test_an_area_has_one_outline_and_one_for_each_hole(make_workspace: MakeWorkspace) -> None:
    hexagons = '<hexgrid columns="3" rows="2" cell="12"><area at="A1 B1 A2" fill="#010101"/></hexgrid>'
    (path,) = [line for line in lay_out(make_workspace, hexagons).lines if "#010101" in line]
    assert path.count(" h") == 1
    assert path.count(" l") + path.count(" m") == 12  # three hexagons around a point: 18 sides less three shared twice
    path = lay_out(make_workspace, GRID.format("", '<area at="A1-C1 A2 C2 A3-C3" fill="#010101"/>')).lines[-1]
    assert path.count(" h") == 2
    assert path.count(" l") + path.count(" m") == 8


@pytest.mark.parametrize(
    ("grid", "code", "fix"),
    [
        (GRID.format("", '<space at="E1"/>'), "unknown-coordinate", "the spaces run from A1 to D3"),
        (GRID.format("", '<edge from="A1" to="A5"/>'), "unknown-coordinate", "the points run from A1 to E4"),
        (GRID.format("", '<area fill="ink"/>'), "unknown-coordinate", "write spaces"),
        (GRID.format('first="1A"', ""), "unknown-coordinate", "write letters and a number: A1"),
        (GRID.format("", '<space row="1"/>'), "bad-number", "from 1 to 4"),
        (GRID.format("", '<rect fill="ink"/>'), "unknown-element", "put it into a <space>"),
        (GRID.format('labels="edges" label-sides="upper"', ""), "bad-choice", ""),
        ('<space at="A1"/>', "unknown-element", "put it into a <squaregrid>, <hexgrid> or <track>"),
        ('<hexgrid columns="2" rows="2"><point at="A1"/></hexgrid>', "unknown-element", "take it away"),
        ('<track count="5"><space at="6"/></track>', "unknown-coordinate", "the spaces run from 1 to 5"),
        ('<track count="5"><rect/></track>', "unknown-element", "put it into a <space>"),
        ('<track way="snake" count="5"/>', "bad-number", "from 1 to 5"),
        ('<track way="path" count="5"/>', "bad-path", "write points"),
        ('<track count="0"/>', "bad-number", "from 1"),
        ('<track count="50" gap="5"/>', "box-overflow", "gap smaller"),
        ('<slot of="pokr"/>', "unknown-size", "poker"),
        ('<polyomino rows="../.."/>', "bad-polyomino", "XX/.X"),
        ('<dicenet edge="8"><side/></dicenet>', "bad-die", "six"),
        ('<stack turn="45"/>', "bad-choice", ""),
    ],
)
def test_what_is_wrong_is_said_at_its_place(make_workspace: MakeWorkspace, grid: str, code: str, fix: str) -> None:
    problem = lay_out(make_workspace, grid).problem
    assert (problem.code, problem.source.line) == (code, 1)
    assert fix in problem.fix


def places(trial: Trial) -> list[tuple[float, float]]:
    assert trial.problems == [], [str(problem) for problem in trial.problems]
    found = words_at(trial.face.front.items)
    return [(round(found[name][0][0]), round(found[name][0][1])) for name in sorted(found, key=int)]


@pytest.mark.parametrize(
    ("track", "expected"),
    [
        ('count="4" width="40" height="50"', [(5, 5), (15, 5), (25, 5), (35, 5)]),
        ('count="3" way="column" width="50" height="30"', [(5, 5), (5, 15), (5, 25)]),
        ('count="5" columns="3" way="lines" cell="10"', [(5, 5), (15, 5), (25, 5), (5, 15), (15, 15)]),
        ('count="5" columns="3" way="snake" cell="10"', [(5, 5), (15, 5), (25, 5), (25, 15), (15, 15)]),
        ('count="5" columns="3" way="snake" cell="8" gap="2" origin="bottom-right" first="0"',
         [(24, 14), (14, 14), (4, 14), (4, 4), (14, 4)]),
        ('columns="3" rows="3" way="ring" cell="10"',
         [(5, 5), (15, 5), (25, 5), (25, 15), (25, 25), (15, 25), (5, 25), (5, 15)]),
        ('count="4" columns="3" rows="3" way="ring" cell="10" origin="top-right"', [(25, 5), (15, 5), (5, 5), (5, 15)]),
        ('count="2" x="10" y="10" cell="20" numbers="corner"', [(12, 13), (32, 13)]),
        ('count="5" way="path" points="5,20 25,20 25,40" cell="6"', [(5, 20), (15, 20), (25, 20), (25, 30), (25, 40)]),
    ],
)  # fmt: skip
def test_spaces_of_a_track_follow_their_way(
    make_workspace: MakeWorkspace, track: str, expected: list[tuple[float, float]]
) -> None:
    assert places(lay_out(make_workspace, f"<track {track}/>")) == expected


def test_a_slot_is_a_little_larger_than_its_card_all_round(make_workspace: MakeWorkspace) -> None:
    slot = '<slot of="micro" x="10" y="10" room="1" stroke="#000000"><rect fill="#010101"/></slot>'
    trial = lay_out(make_workspace, slot)
    assert trial.lines[0].partition(": ")[2].startswith(f"{9 + FORMATS['micro'].corner_mm + 1:g} 9 m")
    points = [(float(x), float(y)) for x, y in re.findall(r"(\S+) (\S+) [mlc]", trial.lines[0].partition(": ")[2])]
    xs, ys = zip(*points, strict=True)
    assert (min(xs), max(xs)) == (pytest.approx(9), pytest.approx(10 + 31.75 + 1))
    assert (min(ys), max(ys)) == (pytest.approx(9), pytest.approx(10 + 44.45 + 1))
    assert trial.lines[-1].endswith("10 10 31.75 44.45 re")
    # A slot of a round size is round.
    trial = lay_out(make_workspace, '<slot of="round-1in" x="10" y="10" room="0"/>')
    assert trial.lines[0].partition(": ")[2].startswith("35.4 22.7 m")
    assert trial.lines[0].count(" c") == 4


def test_a_polyomino_is_one_outline_with_lines_inside(make_workspace: MakeWorkspace) -> None:
    shape = '<polyomino rows="XX/X." cell="5" x="10" y="10" fill="#010101" stroke="#020202" inner="#030303"/>'
    fill, inner, outline = lay_out(make_workspace, shape).lines
    assert fill == "outline fill #010101: 10 10 m 20 10 l 20 15 l 15 15 l 15 20 l 10 20 l h"
    assert outline.partition(": ")[2] == fill.partition(": ")[2]
    assert inner.partition(": ")[2] == "15 10 m 15 15 l 10 15 m 15 15 l"
    # Without a size it stands in the middle of its box.
    middle = '<polyomino rows="XX" x="10" y="10" width="20" height="30" fill="#010101"/>'
    (line,) = lay_out(make_workspace, middle).lines
    assert line.endswith("10 20 m 30 20 l 30 30 l 10 30 l h")


@pytest.mark.parametrize(("valign", "codes"), [("top", []), ("bottom", ["outside-safe-zone"])])
def test_the_safe_zone_is_looked_after_in_turned_areas(
    make_workspace: MakeWorkspace, valign: str, codes: list[str]
) -> None:
    """The bottom of an area that is turned at the upper edge of the card lies at the cut."""
    words = f'<text x="5" width="20" valign="{valign}">Wade</text>'
    assert lay_out(make_workspace, f'<stack width="60" height="20" turn="180">{words}</stack>').codes == codes


POND = '<slot width="20" height="20" x="{}" y="20" label="Pond"/>'


@pytest.mark.parametrize(
    ("element", "codes"),
    [
        # The card is 60 x 80 mm, its bleed 2 mm, its safe zone 3 mm.
        ('<squaregrid columns="3" rows="4" x="2" y="2" width="56" height="70" labels="edges" label-sides="all"/>',
         ["outside-safe-zone"]),
        ('<squaregrid columns="3" rows="4" x="2" y="2" cell="10" labels="cells"/>', ["outside-safe-zone"]),
        ('<squaregrid columns="2" rows="2" x="-8" y="20" cell="8" labels="edges" stroke="none"/>',
         ["outside-bleed", "outside-safe-zone"]),
        ('<hexgrid columns="3" rows="2" x="-1" y="20" cell="15" labels="yes"/>', ["outside-safe-zone"]),
        ('<track count="8" x="1" y="81" cell="6"/>', ["outside-bleed", "outside-safe-zone"]),
        ('<track count="8" x="1" y="75" cell="6" numbers="no"/>', []),
        (POND.format(30), []),
        (POND.format(45), ["outside-safe-zone"]),
        (POND.format(56), ["outside-bleed", "outside-safe-zone"]),
        (f'<g transform="translate(-15 0)">{POND.format(45)}</g>', []),
        (f'<g transform="translate(26 0)">{POND.format(30)}</g>', ["outside-bleed", "outside-safe-zone"]),
    ],
)  # fmt: skip
def test_labels_that_may_be_cut_off_are_a_warning_once_for_each_board(
    make_workspace: MakeWorkspace, element: str, codes: list[str]
) -> None:
    trial = lay_out(make_workspace, element)
    assert trial.codes == codes
    for problem in trial.problems:
        assert (problem.level, problem.source.line) == (Level.WARNING, 1)
        assert problem.code != "outside-bleed" or "a label of <" in problem.what
