"""Duck Pens against its fact sheet: the field, the Automa's cards, dice, the board's size, both scoring examples."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from PIL import Image

from duckpress.check import check_game, setup_table
from duckpress.content import load_game
from duckpress.core.frame import Group, Outline
from duckpress.files.workspace import Workspace
from duckpress.fonts import FontLibrary
from duckpress.model import Game
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Built, Request
from duckpress.press.typeset_task import TypesetTask
from duckpress.press.typesetting import typeset

Cell = tuple[int, int]
Edge = frozenset[Cell]  # the two points that a space's side runs between

COLUMNS, ROWS = 12, 10
SPECIALTY = {"i": "XXXX", "l": "XXX/X..", "s": ".XX/XX.", "t": "XXX/.X.", "o": "XX/XX", "p": "XXX/XX."}


@pytest.fixture(scope="module")
def game(project: Workspace) -> Game:
    game, problems = load_game(project, "duck-pens")
    assert game is not None, problems
    assert problems == []
    return game


@pytest.fixture(scope="module")
def built(whole: Callable[[str], Built]) -> Built:
    return whole("duck-pens")


# The pieces


def test_the_pieces_are_those_of_the_rules(game: Game) -> None:
    assert (game.decks["board"].count, game.decks["die"].count, game.decks["automa"].count) == (1, 3, 18)
    assert game.decks["aid"].is_per_player
    assert max(game.players) == 2
    assert {row.players: dict(row.cells) for row in setup_table(game).rows} == {
        1: {"board": 1, "dice": 3, "aids": 1, "automa": 18},
        2: {"board": 1, "dice": 3, "aids": 2, "automa": 0},
    }
    assert check_game(game) == []


def test_dice_have_three_faces_of_each_colour_and_never_one_colour_on_opposite_sides(game: Game) -> None:
    (die,) = game.decks["die"].cards
    faces = list(_texts(die.values["faces"]))
    assert Counter(faces) == {"red": 3, "blue": 3}
    assert all(faces[k] != faces[5 - k] for k in range(3))


def test_specialty_shapes_are_the_tetrominoes_and_one_pentomino(game: Game) -> None:
    assert {name: "/".join(shape["cells"]) for name, shape in game.lists["pens"].items()} == SPECIALTY
    points = [entry["points"] for entry in game.lists["score"].values()]
    assert points == [1, 4, 8, 13, 19, 26]
    assert points[2] == 8


# The field


def test_a_third_of_the_spaces_hold_ducks_and_both_sides_have_the_same(game: Game) -> None:
    field = game.lists["field"]
    held = {_cell(name): (str(space["holds"]), int(space.get("amount", 1))) for name, space in field.items()}
    assert held.keys() <= {(x, y) for x in range(COLUMNS) for y in range(ROWS)}
    kinds = Counter(kind for kind, _ in held.values())
    assert kinds == {"duck": COLUMNS * ROWS // 3, "egg": 24, "bread": 24}
    assert max(amount for kind, amount in held.values() if kind == "duck") > 1
    assert held == {(COLUMNS - 1 - x, ROWS - 1 - y): what for (x, y), what in held.items()}
    first = {owner: {_point(line[end]) for end in ("from", "to")} for owner, line in game.lists["first-fences"].items()}
    assert first["red"] == {(COLUMNS - x, ROWS - y) for x, y in first["blue"]}


# The Automa


def test_every_automa_card_can_be_drawn_through_its_point(game: Game) -> None:
    cards = [(str(card.values["shape"]), _point(str(card.values["point"]))) for card in game.decks["automa"].cards]
    shapes = {name: _shape(one["cells"]) for group in ("pens", "small-pens") for name, one in game.lists[group].items()}
    assert len(set(cards)) == len(cards) == 18
    for name, (x, y) in cards:
        assert (x, y) in {(a, b) for a in range(COLUMNS + 1) for b in range(ROWS + 1)}, name
        assert name in SPECIALTY or len(shapes[name]) <= 3
        assert any((x, y) in _points(cells) for cells in _placings(shapes[name])), (name, x, y)
    quarters = Counter((2 * x > COLUMNS, 2 * y > ROWS) for _, (x, y) in cards if 2 * x != COLUMNS and 2 * y != ROWS)
    assert len(quarters) == 4
    assert min(quarters.values()) == 4


@pytest.mark.parametrize(
    ("card", "instead", "code"),
    [
        ("{id: automa-1, shape: i, point: H2}", "{id: automa-1, shape: i, point: N2}", "off-board"),
        ("{id: automa-1, shape: i, point: H2}", "{id: automa-1, shape: y, point: H2}", "unknown-shape"),
        ("{id: automa-9, shape: l, point: G6}", "{id: automa-9, shape: l, point: B3}", "same-card"),
    ],
)
def test_a_wrong_automa_card_is_found(
    project: Workspace,
    make_workspace: Callable[[Mapping[str, str | bytes]], Workspace],
    card: str,
    instead: str,
    code: str,
) -> None:
    folder = "content/duck-pens"
    folders = [folder, *project.folders(folder), f"{folder}/art/icons"]
    files: dict[str, str | bytes] = {path: project.read(path) for one in folders for path in project.files(one, "")}
    cards = project.read(f"{folder}/decks/automa.yaml").decode()
    assert cards.count(card) == 1
    files[f"{folder}/decks/automa.yaml"] = cards.replace(card, instead)
    wrong, problems = load_game(make_workspace(files), "duck-pens")
    assert wrong is not None, problems
    found = [problem for problem in check_game(wrong) if problem.source.file.endswith("automa.yaml")]
    line = 1 + files[f"{folder}/decks/automa.yaml"].splitlines().index(f"  - {instead}")  # type: ignore[arg-type]
    assert [(problem.code, problem.source.line) for problem in found] == [(code, line)]


# The two scoring examples, played out on the field


@pytest.mark.parametrize(("owner", "sum_"), [("red", (9, 8, 19, 36)), ("blue", (3, 8, 10, 21))])
def test_the_example_scores_what_the_rules_say(game: Game, owner: str, sum_: tuple[int, int, int, int]) -> None:
    group, outlined, ducks, total = sum_
    pens = [pen for pen in game.lists["example-pens"].values() if pen["owner"] == owner]
    assert _largest_group([_cells(pen) for pen in pens]) == sorted(_cells(pen) for pen in pens if pen["group"])
    assert len([pen for pen in pens if pen["group"]]) == group
    special = [pen for pen in pens if pen["shape"]]
    assert len({pen["shape"] for pen in special}) == len(special) == 3
    assert game.lists["score"]["3"]["points"] == outlined
    crossed = game.lists["examples"][owner]["crossed"]
    assert sum(crossed.values()) == sum(_holds(game, name) > 0 for pen in pens for name in pen["spaces"])
    for pen in pens:
        full = bool(pen["shape"]) and crossed.get(pen["shape"], 0) == game.lists["pens"][pen["shape"]]["ducks"]
        assert pen["full"] is full, pen
    assert all(number <= game.lists["pens"][name]["ducks"] for name, number in crossed.items())
    assert sum(_holds(game, name) for pen in pens if pen["full"] for name in pen["spaces"]) == ducks
    assert group + outlined + ducks == total


def test_the_fences_of_the_example_close_exactly_its_pens_for_their_owners(game: Game) -> None:
    fences: dict[Edge, str] = {}
    for owner, drawn in game.lists["example-fences"].items():
        for line in drawn["lines"]:
            for edge in _line(*map(_point, str(line).split("-"))):
                assert edge not in fences, "two fences lie on one line"
                fences[edge] = owner
    for owner, line in game.lists["first-fences"].items():
        assert {fences[edge] for edge in _line(_point(line["from"]), _point(line["to"]))} == {owner}
    for owner in ("red", "blue"):  # each fence touches one of its colour
        assert _joined({edge for edge, by in fences.items() if by == owner})
    shapes = {_normal(_shape(shape["cells"])): name for name, shape in game.lists["pens"].items()}
    pens = {frozenset(_cells(pen)): pen for pen in game.lists["example-pens"].values()}
    closed = [area for area in _areas(set(fences)) if len(area) <= 3 or _normal(area) in shapes]
    assert {frozenset(area) for area in closed} == set(pens)
    for area, pen in pens.items():
        assert pen["shape"] == (shapes[_normal(area)] if len(area) > 3 else ""), pen
        sides = Counter(fences[edge] for edge in _outline(area) if edge in fences)
        assert sides[pen["owner"]] > sides.total() / 2, pen
    sides = {
        name: Counter(fences[edge] for edge in _outline(_cells(pen)) if edge in fences)
        for name, pen in game.lists["example-pens"].items()
    }
    ((shared, by),) = ((name, by) for name, by in sides.items() if len(by) > 1)
    told = game.lists["examples"]["shared"]  # what its words say of the one pen with fences of both colours
    assert (shared, by["red"], by["blue"]) == (told["pen"], told["own"], told["other"])
    reds = [name for name, pen in game.lists["example-pens"].items() if pen["owner"] == "red" and pen["group"]]
    assert reds.index(shared) + 1 == told["number"]


# What is printed


def test_the_board_is_one_sheet_in_landscape_with_spaces_wide_enough_for_felt_pens(built: Built) -> None:
    for paper in ("a4", "letter"):
        pdf = pypdfium2.PdfDocument(built.folder / f"duck-pens-board-{paper}.pdf")
        assert len(pdf) == 1
        width, height = pdf[0].get_size()
        assert width > height
        assert _space_mm(pdf) == pytest.approx(13.6, abs=0.1)
        assert len(pypdfium2.PdfDocument(built.folder / f"duck-pens-board-large-{paper}.pdf")) > 1


def test_both_players_find_everything_in_their_area(built: Built, game: Game) -> None:
    page = pypdfium2.PdfDocument(built.folder / "duck-pens-board-a4.pdf")[0]
    text = page.get_textpage().get_text_range()
    words = [*(shape["name"] for shape in game.lists["pens"].values()), "Re-rolls", "Eggs", "Bread", "Score", "Total"]
    assert {word: text.count(word) for word in words} == dict.fromkeys(words, 2)


def test_each_automa_card_has_a_scene_of_its_own_and_shows_the_first_fences_above_its_guides(
    project: Workspace, game: Game
) -> None:
    pieces = [piece for piece in game.pieces if piece.id == "automa"]
    (automa,) = typeset(TypesetTask(project, game, FontLibrary(project), pieces)).pieces
    fronts = [face.front.items for face in automa.faces]
    scenes = {repr(next(item for item in items if isinstance(item, Group))) for items in fronts}
    assert len(scenes) == len(fronts) == 18
    for items in fronts:
        strokes = [item.paint for item in items if isinstance(item, Outline) and item.paint.stroke is not None]
        (guide,) = [at for at, paint in enumerate(strokes) if paint.stroke_mm == 0.4]
        fences = [at for at, paint in enumerate(strokes) if paint.stroke in ("#c2332b", "#2358a6")]
        assert len(fences) == 4  # rails and posts of both
        assert guide < min(fences)


def test_ducks_eggs_bread_and_die_faces_are_told_apart_without_colour(project: Workspace, tmp_path: Path) -> None:
    request = Request(papers=("a4",), pieces=("board", "dice"), ink="grey")
    built = build(project, load(project, "duck-pens"), request, tmp_path)
    page = pypdfium2.PdfDocument(built.folder / "duck-pens-dice-a4-grey.pdf")[0]
    text = page.get_textpage().get_text_range()
    assert (text.count("R") >= 9, text.count("B") >= 9) == (True, True)
    board = pypdfium2.PdfDocument(built.folder / "duck-pens-board-a4-grey.pdf")[0].render(scale=4).to_pil()
    kinds = {"egg": ("A10", "C9"), "bread": ("C10", "H8"), "duck": ("D9", "J8")}
    seen = {kind: [_look(board, space) for space in spaces] for kind, spaces in kinds.items()}
    for kind, (one, other) in seen.items():
        alike = _difference(one, other)
        for another in seen.keys() - {kind}:
            assert _difference(one, seen[another][0]) > 2 * alike, (kind, another)


def test_the_rules_compute_their_examples(built: Built, game: Game) -> None:
    example, rules = _words(built, "example"), _words(built, "rules")
    for group, ducks, total in ((9, 19, 36), (3, 10, 21)):
        words = f"{group} pens in the largest group, three outlined shapes, {ducks} ducks in pens of full shapes:"
        assert f"{words} {group} + 8 + {ducks} = {total}." in rules
    assert "Zigzag 7 + Gate 8 + Hook 4" in example
    assert "Coop 6 + Barn 4" in example
    assert "Pen 9 is Red’s: it has 7 red sides, 1 blue." in example
    assert "Pen 9 of Red in the picture under Scoring has three spaces, which makes it a pen." in rules
    assert "Seven sides of its perimeter are red and one is blue" in rules
    # pen 9 has a duck each in two spaces and an egg in the third
    assert [game.lists["field"][name]["holds"] for name in ("F6", "G6", "F7")] == ["egg", "duck", "duck"]
    assert [game.lists["field"][name]["amount"] for name in ("G6", "F7")] == [1, 1]
    assert "Two of its spaces hold a duck each, the third an egg" in rules
    assert "Red crosses off two duck squares and one egg." in rules
    # the first turn: two spaces on from the end of the first fence, or up from it, on free lines inside the field
    first = game.lists["first-fences"]["red"]
    x, y = _point(first["to"])
    straight, up = (f"{chr(ord('A') + a)}{b + 1}" for a, b in ((x + 2, y), (x, y - 2)))
    end = first["to"]
    assert (
        f"draw from {end} straight on to {straight}, or from {end} at a right angle to {up}. Red chooses {up}." in rules
    )
    blue = game.lists["first-fences"]["blue"]
    taken = {edge for line in (first, blue) for edge in _line(_point(line["from"]), _point(line["to"]))}
    assert not taken & {edge for end in (straight, up) for edge in _line((x, y), _point(end))}


def test_the_components_listed_are_those_printed(built: Built, game: Game) -> None:
    rules = _words(built, "rules")
    listed = rules[rules.index("Components") : rules.index("You also need")]
    manifest = json.loads((built.folder / "manifest.json").read_text())
    printed = Counter({(card["deck"], card["card"]): card["copies"] for card in manifest["cards"]})
    counts: Counter[str] = Counter()
    for (deck, _), copies in printed.items():
        if deck in game.decks and game.decks[deck].is_component:
            counts[deck] += copies
    assert counts == {"board": 1, "automa": 18, "die": 3, "aid": 2, "automa-aid": 1}
    for deck, count in counts.items():
        assert f"{count} {game.decks[deck].title}" in listed, deck


def test_skipping_and_ending_are_told_alike_in_the_rules_and_on_the_aids(built: Built) -> None:
    rules, aids = _words(built, "rules"), _words(built, "aids")
    assert "You skip a turn only if you can take no action at all" in rules
    assert "no die fills a re-roll box, and no fence fits, not even with a special action" in rules
    only = "no die fills a re-roll box, and no fence fits, not even with a special action."
    assert aids.count(f"You skip only if you can take no action: {only}") == 2
    for words in (rules, aids):
        assert "both players" in words
        assert "one directly after the other" in words
        assert "draw no fence" not in words


def test_the_aids_count_as_the_data_does(built: Built, game: Game) -> None:
    rules, aids = _words(built, "rules"), _words(built, "aids")
    for shape in game.lists["pens"].values():
        assert aids.count(f"{shape['name']}: {shape['ducks']}") == 2
    points = " ".join(str(entry["points"]) for entry in game.lists["score"].values())
    assert f"Points {points}" in rules
    assert aids.count("3 spaces or fewer, or one of the six shapes") == 2
    assert "three spaces or fewer" in rules
    # the Automa's example: Red's fences lead from the first one to the point, through which the perimeter runs
    card = next(card for card in game.decks["automa"].cards if card.values["shape"] == "t")
    cells = _shape(game.lists["pens"]["t"]["cells"])
    x, y = _point(str(card.values["point"]))
    lower = {(x + a, y + b) for a, b in cells}
    assert (x, y) in _points(lower)
    assert f"The card says Gate, {card.values['point']}." in aids
    corner = (x + 3, y + 3)
    first = game.lists["first-fences"]["red"]
    assert _line((x + 1, y + 3), corner) == _line(_point(first["from"]), _point(first["to"]))
    red = len(_outline(lower) & {*_line(corner, (x + 3, y)), *_line((x + 3, y), (x, y))})
    assert f"is red on {red} of its {len(_outline(lower))} sides: it is still the Automa’s." in aids
    assert len(_outline(lower)) > 2 * red


# Questions are the designer's


UNDECIDED = ("open question", "do not say", "unnamed", "not named", "to be filled in", "the notes", "provenance")


def test_players_are_told_rules_and_the_designer_is_asked_the_questions(
    built: Built, project: Workspace, tmp_path: Path
) -> None:
    for name in built.files:
        text = _words(built, name.removeprefix("duck-pens-").removesuffix(".pdf"), paper=None).lower()
        assert [words for words in UNDECIDED if words in text] == [], name
        assert "designer-notes" not in name
    request = Request(papers=("a4",), pieces=("designer-notes",))
    sheet = _words(build(project, load(project, "duck-pens"), request, tmp_path), "designer-notes")
    assert "The rules say three spaces or fewer." in sheet
    assert "refuses an area of two spaces and speaks of 3 or 4 spaces" in sheet
    assert "Each box serves once" in _words(built, "rules")
    assert "every box serves once" in sheet


def _words(built: Built, piece: str, paper: str | None = "a4") -> str:
    pdf = pypdfium2.PdfDocument(built.folder / f"duck-pens-{piece}{f'-{paper}' if paper else ''}.pdf")
    return " ".join(" ".join(page.get_textpage().get_text_range() for page in pdf).split())


# Geometry of its own, so that the program's is not held against itself


def _texts(value: object) -> Iterable[str]:
    assert isinstance(value, (list, tuple))
    return (str(one) for one in value)


def _cell(name: str) -> Cell:
    return ord(name[0]) - ord("A"), int(name[1:]) - 1


_point = _cell  # points are named like the spaces to their lower right


def _shape(rows: Iterable[str]) -> set[Cell]:
    return {(x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "X"}


def _cells(pen: Mapping[str, Any]) -> list[Cell]:
    return sorted(_cell(name) for name in pen["spaces"])


def _holds(game: Game, name: str) -> int:
    space = game.lists["field"].get(name, {})
    return int(space.get("amount", 1)) if space.get("holds") == "duck" else 0


def _turned(cells: Iterable[Cell]) -> list[frozenset[Cell]]:
    found = []
    for mirror in (1, -1):
        now = [(mirror * x, y) for x, y in cells]
        for _ in range(4):
            now = [(-y, x) for x, y in now]
            left, top = min(x for x, _ in now), min(y for _, y in now)
            found.append(frozenset((x - left, y - top) for x, y in now))
    return found


def _normal(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    return min(tuple(sorted(turned)) for turned in _turned(cells))


def _placings(cells: Iterable[Cell]) -> Iterable[set[Cell]]:
    for turned in _turned(cells):
        for dx in range(COLUMNS - max(x for x, _ in turned)):
            for dy in range(ROWS - max(y for _, y in turned)):
                yield {(x + dx, y + dy) for x, y in turned}


def _sides(cell: Cell) -> dict[Cell, Edge]:
    x, y = cell
    a, b, c, d = (x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)
    return {
        (x, y - 1): frozenset((a, b)),
        (x, y + 1): frozenset((c, d)),
        (x - 1, y): frozenset((a, c)),
        (x + 1, y): frozenset((b, d)),
    }


def _outline(cells: Iterable[Cell]) -> set[Edge]:
    own = set(cells)
    return {edge for cell in own for other, edge in _sides(cell).items() if other not in own}


def _points(cells: Iterable[Cell]) -> set[Cell]:
    return {point for edge in _outline(cells) for point in edge}


def _line(start: Cell, end: Cell) -> list[Edge]:
    (x1, y1), (x2, y2) = sorted((start, end))
    assert x1 == x2 or y1 == y2, "a fence is straight"
    points = [(x, y) for x in range(x1, x2 + 1) for y in range(y1, y2 + 1)]
    return [frozenset(pair) for pair in pairwise(points)]


def _areas(fences: set[Edge]) -> Iterable[set[Cell]]:
    rest = {(x, y) for x in range(COLUMNS) for y in range(ROWS)}
    while rest:
        area, todo = set(), [rest.pop()]
        while todo:
            cell = todo.pop()
            area.add(cell)
            for other, edge in _sides(cell).items():
                if other in rest and edge not in fences:
                    rest.remove(other)
                    todo.append(other)
        yield area


def _joined(edges: set[Edge]) -> bool:
    reached, rest = set(next(iter(edges))), set(edges)
    while touching := {edge for edge in rest if edge & reached}:
        reached |= {point for edge in touching for point in edge}
        rest -= touching
    return not rest


def _largest_group(pens: list[list[Cell]]) -> list[list[Cell]]:
    groups: list[list[list[Cell]]] = []
    for pen in pens:
        beside = {other for cell in pen for other in _sides(cell)}
        near = [group for group in groups if any(cell in beside for other in group for cell in other)]
        groups = [group for group in groups if group not in near] + [[pen, *(one for group in near for one in group)]]
    return sorted(max(groups, key=len))


def _space_mm(pdf: pypdfium2.PdfDocument) -> float:
    """Return how far the column letters that are read upright stand apart."""
    text = pdf[0].get_textpage()
    places: dict[str, list[tuple[float, float]]] = {}
    for index in range(text.count_chars()):
        letter = text.get_text_range(index, 1)
        if letter in ("B", "C", "D", "E"):
            left, bottom, right, top = text.get_charbox(index)
            places.setdefault(letter, []).append(((left + right) / 2, (bottom + top) / 2))
    for x, y in places["B"]:
        for x2, y2 in places["E"]:
            between = [x + (x2 - x) * k / 3 for k in (1, 2)]
            if abs(y - y2) < 1 and all(
                any(abs(x3 - at) < 1 and abs(y3 - y) < 1 for x3, y3 in places[letter])
                for letter, at in zip("CD", between, strict=True)
            ):
                return abs(x2 - x) / 3 / 72 * 25.4
    raise AssertionError("the column letters stand in no row")


def _look(picture: Image.Image, space: str) -> bytes:
    """Return a space of the printed board as greys, in 24 by 24 dots."""
    side = 13.6 * 4 * 72 / 25.4
    x, y = _cell(space)
    left, top = picture.width / 2 + (x - COLUMNS / 2) * side, picture.height / 2 + (y - ROWS / 2) * side
    inside = (round(left + side / 8), round(top + side / 8), round(left + side * 7 / 8), round(top + side * 7 / 8))
    return picture.convert("L").crop(inside).resize((24, 24)).tobytes()


def _difference(one: bytes, other: bytes) -> float:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True)) / len(one)
