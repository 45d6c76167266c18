"""Geometry with mistakes: each way to be wrong gives its own problem, at its place, with a way out that works."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from declared_keys import keys_of
from duckpress.check import check_game
from duckpress.content import load_game
from duckpress.content.setup.geometry_section import GeometryKeys
from duckpress.core.problems import Problem
from profiles import examples
from running import MakeWorkspace

FOLDER = Path(__file__).with_name("geometry")
FILES = {path.relative_to(FOLDER).as_posix(): path.read_text(encoding="utf-8") for path in FOLDER.rglob("*.yaml")}
GAME, SETUP, FENCE, FIND = "game.yaml", "setup.yaml", "decks/fence.yaml", "decks/find.yaml"


class Mistake(NamedTuple):
    """A text of a file and what is written instead; `¦` marks where the problem has to stand."""

    file: str
    old: str
    new: str
    code: str
    fix: str = ""  # words of it


MISTAKES = [
    # Shapes.
    Mistake(GAME, "l: {cells: [X., X., XX]}", "l: {cells: ¦[X., X, XX]}", "bad-cells", "fill the shorter ones up"),
    Mistake(GAME, "l: {cells: [X., X., XX]}", "l: {cells: ¦[.., ..]}", "bad-cells", "an X"),
    Mistake(GAME, "l: {cells: [X., X., XX]}", "¦l: {cell: [X., X., XX]}", "missing-key", "cells"),
    Mistake(GAME, "[.XX, XX.]", "¦[.XX, X..]", "torn-shape", "corners do not join"),
    Mistake(GAME, "[.XX, XX.]", "¦[..X, XXX]", "same-shape"),
    Mistake(GAME, "spaces: 4,", "spaces: ¦5,", "wrong-spaces", "write 4"),
    Mistake(GAME, "perimeter: 16}", "perimeter: ¦12}", "wrong-perimeter", "write 16"),
    Mistake(GAME, "[.XX, XX.]", "¦[XXXXXXXXXXXXX]", "shape-too-large"),
    Mistake(GAME, "one: {cells: X}", "¦i: {cells: X}", "name-taken"),
    # Cards.
    Mistake(FENCE, "{id: f2, shape: l,", "{id: f2, shape: ¦rong,", "unknown-shape", "did you mean 'ring'?"),
    Mistake(FENCE, "{id: f2, shape: l,", "{id: f2, shape: ¦X./.X,", "torn-shape"),
    Mistake(FENCE, "shape: l, point: M1", "shape: l, point: ¦1M", "bad-coordinate", "write 'M1'"),
    Mistake(FENCE, "shape: l, point: M1", "shape: l, point: ¦N1", "off-board", "M1"),
    Mistake(FENCE, "shape: ring, point: C9", "shape: plus, point: ¦A11", "cannot-place", "A10"),
    Mistake(FENCE, "shape: l, point: M1", "shape: plus, point: ¦M1", "cannot-place", "L1"),
    Mistake(FENCE, "- {id: shuffle}", "- {id: f6, shape: .X/XX, point: ¦M11}", "same-card"),
    Mistake(FENCE, "shape: ring,", "copies: ¦2, shape: ring,", "same-card", "copies: 1"),
    Mistake(FENCE, "point: M1}", "point: F1}", "uneven-spread", "to J3"),
    Mistake(FIND, "[X], space: D2", "[X], space: ¦E2", "off-board", "D2"),
    Mistake(FIND, "cells: [X],", "cells: ¦[XXX, XX.],", "shape-not-allowed"),
    # Contents.
    Mistake(GAME, "C5: {holds: egg}", "¦C11: {holds: egg}", "off-board", "C10"),
    Mistake(GAME, "C5: {holds: egg}", "¦b2: {holds: egg}", "space-taken"),
    Mistake(GAME, "C5: {holds: egg}", "C5: {holds: ¦eg}", "unknown-contents", "did you mean 'egg'?"),
    Mistake(GAME, "C5: {holds: egg}", "¦C5: {amount: 2}", "missing-key", "holds"),
    Mistake(GAME, "amount: 2}", "amount: ¦0}", "bad-amount"),
    Mistake(GAME, '"s..2"', '¦"s..3"', "bad-map"),
    Mistake(GAME, '[".c..", "s..2"]', '¦[".c.."]', "bad-map", "2 rows of 4"),
    Mistake(GAME, '[".c..", "s..2"]', "¦cows", "bad-map"),
    # The words of `geometry` itself.
    Mistake(SETUP, "columns: 4", "columns: ¦0", "out-of-range", "1 to 100"),
    Mistake(SETUP, "columns: 4", "columns: ¦9 / 2", "not-whole"),
    Mistake(SETUP, "columns: 4", "columns: 2 * ¦side", "unknown-name", "facts"),
    Mistake(SETUP, "columns: 4", "columns: 2 * facts.¦colums", "unknown-fact", "columns"),
    Mistake(SETUP, "columns: 4", "columns: ¦count('fence')", "bad-expression"),
    Mistake(SETUP, "columns: 4", "columns: 4\n      first: ¦1A", "bad-coordinate", "'A1'"),
    Mistake(SETUP, "columns: 4", "columns: 4\n      origin: ¦bottom", "unknown-choice", "bottom-left"),
    Mistake(SETUP, "columns: 4", "columns: ¦4 +", "bad-expression"),
    Mistake(SETUP, "{list: field, kinds", "{list: ¦feld, kinds", "unknown-list", "did you mean 'field'?"),
    Mistake(SETUP, "{list: field, kinds", "{deck: find, at: ¦place, holds: cells, kinds", "unknown-field", "space"),
    Mistake(SETUP, "{list: field, kinds", "¦{list: field, deck: find, kinds", "missing-key"),
    Mistake(SETUP, "{map: pasture,", "{map: ¦pastur,", "unknown-fact", "pasture"),
    Mistake(SETUP, "c: cow,", "cc: ¦cow,", "wrong-type"),
    Mistake(SETUP, "board: pasture\n", "board: ¦pastor\n", "unknown-board", "pasture"),
    Mistake(SETUP, "[pens, smaller]", "¦[pens, small]", "unknown-list", "smaller"),
    Mistake(SETUP, "    find:\n      board", "    ¦finds:\n      board", "unknown-deck", "find"),
    Mistake(SETUP, "spread: 2x2", "spread: ¦2 by 2", "wrong-type", "2x2"),
    Mistake(SETUP, "at_least: 1", "at_least: ¦0", "out-of-range"),
    Mistake(SETUP, "at_least: 1", "at_least: 2", "uneven-spread"),
    # Expressions about it.
    Mistake(SETUP, "perimeter('ring')", "perimeter('¦rng')", "unknown-shape", "ring"),
    Mistake(SETUP, "spaces('ring')", "spaces('¦rng')", "unknown-board", "ring"),
    Mistake(SETUP, "contents('field')", "contents('¦ring')", "unknown-board"),
    Mistake(
        SETUP, "that: \"contents('field', 'duck')\"", "that: ¦\"contents('field', 'duk')\"", "unknown-contents", "duck"
    ),
]


def problems_of(files: Mapping[str, str], make_workspace: MakeWorkspace) -> list[Problem]:
    workspace = make_workspace({f"content/fences/{path}": text for path, text in files.items()})
    game, problems = load_game(workspace, "fences")
    return [*problems, *(check_game(game) if game is not None else ())]


def test_the_game_without_mistakes_is_fine(make_workspace: MakeWorkspace) -> None:
    assert problems_of(FILES, make_workspace) == []


@pytest.mark.parametrize("mistake", [one for one in MISTAKES if one.code in ("cannot-place", "off-board")])
def test_the_coordinate_that_a_fix_names_is_fine(mistake: Mistake, make_workspace: MakeWorkspace) -> None:
    spoilt, place = re.findall(r"¦([A-Z]+\d+)", mistake.new)[0], re.compile(r"\b[A-Z]+\d+$")
    text = FILES[mistake.file].replace(mistake.old, mistake.new.replace("¦", ""))
    found = problems_of({**FILES, mistake.file: text}, make_workspace)
    (better,) = {place.findall(one.fix)[0] for one in found if one.code == mistake.code}
    text = FILES[mistake.file].replace(mistake.old, mistake.new.replace(f"¦{spoilt}", better))
    found = problems_of({**FILES, mistake.file: text}, make_workspace)
    assert {one.code for one in found} <= {"expectation", "uneven-spread"}, "\n".join(map(str, found))


def test_the_move_that_a_fix_names_is_fine(make_workspace: MakeWorkspace) -> None:
    text = FILES[FENCE].replace("point: M1}", "point: F1}")
    (found,) = (one for one in problems_of({**FILES, FENCE: text}, make_workspace) if one.code == "uneven-spread")
    card, to = re.findall(r"'(\w+)' to (\w+)", found.fix)[0]
    moved = re.sub(rf"(id: {card}, .*point: )\w+", rf"\g<1>{to}", text)
    assert {one.code for one in problems_of({**FILES, FENCE: moved}, make_workspace)} <= {"expectation"}


def test_coordinates_are_counted_as_the_board_says(make_workspace: MakeWorkspace) -> None:
    counted = "coordinates: points\n      origin: bottom-left\n      first: B0"
    changed = FILES[SETUP].replace("coordinates: points", counted).replace("'M1'", "'N0'")
    points = {"A1": "B0", "M1": "N0", "M11": "N10", "C9": "D8", "F6": "G5"}
    cards, spaces = FILES[FENCE], FILES[GAME]
    for old, new in points.items():
        cards = cards.replace(f"point: {old}}}", f"point: {new}}}")
    for old, new in {"B2: {": "C1: {", "C5: {": "D4: {", "L10: {": "M9: {"}.items():
        spaces = spaces.replace(old, new)
    assert problems_of({**FILES, SETUP: changed, FENCE: cards, GAME: spaces}, make_workspace) == []
    (found,) = problems_of({**FILES, SETUP: changed, FENCE: cards.replace("N10", "N11"), GAME: spaces}, make_workspace)
    assert (found.code, found.fix) == ("off-board", "the nearest on the board is N10")


@pytest.mark.sweep(3)
@pytest.mark.parametrize("mistake", MISTAKES, ids=[f"{one.code}: {one.new}" for one in MISTAKES])
def test_a_mistake_is_found_where_it_is(mistake: Mistake, make_workspace: MakeWorkspace) -> None:
    assert FILES[mistake.file].count(mistake.old) == 1, mistake.old
    marked = FILES[mistake.file].replace(mistake.old, mistake.new)
    found = problems_of({**FILES, mistake.file: marked.replace("¦", "")}, make_workspace)
    assert {one.code for one in found} - {"expectation"} == {mistake.code}, "\n".join(map(str, found))
    own = [one for one in found if one.code == mistake.code]
    if "¦" in marked:
        before = marked.partition("¦")[0]
        place = (f"content/fences/{mistake.file}", before.count("\n") + 1, len(before.rpartition("\n")[2]) + 1)
        assert [tuple(one.source) for one in own] == [place]
    assert all(mistake.fix in one.fix for one in own), [one.fix for one in own]


def test_every_key_of_geometry_is_described() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs/checks.md").read_text(encoding="utf-8")
    section = page.partition("## Boards and shapes\n")[2].partition("\n### ")[0]
    keys = keys_of(GeometryKeys)
    assert len(keys) > 20
    missing = {key for key in keys if not re.search(rf"\b{key}:|`{key}`", section)}
    assert not missing


@examples(12)
@given(data=st.data())
def test_any_damage_gives_problems_and_never_an_exception(data: st.DataObject, make_workspace: MakeWorkspace) -> None:
    files = dict(FILES)
    for _ in range(data.draw(st.integers(1, 4))):
        path = data.draw(st.sampled_from(sorted(files)))
        at = data.draw(st.integers(0, len(files[path]) - 1))
        put = data.draw(st.one_of(st.sampled_from(WORDS), st.text("X./A19[]{}:,'\" \n", max_size=4)))
        files[path] = files[path][:at] + put + files[path][at + data.draw(st.integers(0, 6)) :]
    assert all(one.code and one.what and one.source.line >= 1 for one in problems_of(files, make_workspace))


WORDS = ["0", "-1", "1e9", "[]", "{}", "~", "AA1", "[[X]]", "spaces('field', players)", "perimeter(1)", "Ä"]
