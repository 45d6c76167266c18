"""`duckpress stats` counts what is in the files, copies included, and `duckpress list` tells what games there are."""

from __future__ import annotations

import pytest

from duckpress import cli
from running import MakeWorkspace as Make
from running import run, run_json

POND: dict[str, str | bytes] = {
    "content/pond/game.yaml": (
        'title: Pond\nversion: "0.2"\ndesigner: Ann\nplayers: 2-3\nlanguages: [en]\n'
        "pieces:\n  - {id: cards, title: Cards, decks: [birds]}\n  - {id: own, title: Own, decks: [own]}\n"
    ),
    "content/pond/setup.yaml": (
        "setup:\n  - pile: draw\n    take: {birds: all}\n  - hand: own\n    take: {own: all}\n"
        "variants: {quick: {title: Quick game, about: Play fast.}}\n"
    ),
    "content/pond/decks/birds.yaml": (
        "title: Birds\nsize: poker\nfront: card\n"
        "fields:\n  text: text\n  worth: whole\n  sex: {kind: choice, choices: [hen, drake]}\n"
        "  rare: {kind: yes-no, default: no}\n  icon: {kind: icon, optional: yes}\n"
        "cards:\n"
        '  - {id: teal, copies: 8, text: "One **two** {star} don\'t-count {=worth}", worth: 1, sex: hen, icon: star}\n'
        "  - {id: smew, copies: 2, text: One, worth: 4, sex: drake, rare: yes}\n"
        "  - {id: gone, copies: 0, text: One two three four five, worth: 9, sex: drake}\n"
        "  - {id: twin, copies: 1, text: One, worth: 4, sex: drake, rare: yes}\n"
    ),
    "content/pond/boards/own.yaml": (
        "title: Own\nsize: mini\nfront: plain\nper: player\ncards: [{id: own, copies: 2}]\n"
    ),
    "content/pond/layouts/card.xml": (
        '<face><ground fill="#ffffff"/>'
        '<rect x="1" y="1" width="5" height="5" fill="{{ "#ff0000" if card.rare else "#00ff00" }}"/>'
        '<text x="6" y="6" width="50" height="40" colour="#102030">{{ card.text }}</text></face>'
    ),
    "content/pond/layouts/plain.xml": '<face><ground fill="#ffffff"/></face>',
    "content/pond/theme.yaml": "extends: base\n",
}


def test_the_figures_of_a_deck_and_what_people_read(make_workspace: Make) -> None:
    root = make_workspace(POND).root
    birds, own = run_json(root, "stats", "pond")["decks"]
    assert (birds["cards"], birds["copies"], birds["faces"]) == (3, 11, 2)
    assert birds["words"] == {"least": 1, "median": 3, "most": 3}
    assert birds["colours"] == {"#102030": 2, "#ffffff": 2, "#00ff00": 1, "#ff0000": 1}
    fields = {field["field"]: field for field in birds["fields"]}
    assert list(fields) == ["worth", "sex", "rare", "icon"]
    assert fields["worth"]["values"] == {"1": 8, "4": 3}
    assert fields["worth"]["spread"] == {"least": 1, "median": 1, "most": 4}
    assert (fields["sex"]["values"], fields["sex"]["spread"]) == ({"hen": 8, "drake": 3}, None)
    assert fields["rare"]["values"] == {"no": 8, "yes": 3}
    assert fields["icon"]["values"] == {"star": 8}
    assert (own["cards"], own["copies"], own["words"]) == (1, 6, None)
    told = run(root, "stats", "pond").output
    for words in (
        "a4 2 sheets, letter 2 sheets",
        "paper in all: 2 sheets of a4 (1 saved by sharing), 2 sheets of letter (1 saved by sharing)",
        "birds  Birds: 11 cards, 3 different, 2 different fronts",
        "worth (least 1, median 1, most 4): 1 8, 4 3",
        "4 colours, on most fronts #102030, #ffffff",
    ):
        assert words in told


def test_the_sheets_are_those_that_a_build_prints(make_workspace: Make) -> None:
    root = make_workspace(POND).root
    figures = run_json(root, "stats", "pond")
    told = {row["piece"]: (row["copies"], row["sheets"]) for row in figures["pieces"]}
    (built,) = run_json(root, "build", "pond")["games"]
    assert [figures[key] for key in ("sheets", "saved")] == [built[key] for key in ("sheets", "saved")]
    assert (figures["sheets"], figures["saved"]) == ({"a4": 2, "letter": 2}, {"a4": 1, "letter": 1})
    assert told == {row["piece"]: (row["cards"], row["sheets"]) for row in built["pieces"]}
    assert told["cards"][1] == {"a4": 2, "letter": 2}


def test_a_game_with_an_error_has_no_figures(make_workspace: Make) -> None:
    broken = {**POND, "content/pond/layouts/plain.xml": "<face><grund/></face>"}
    root = make_workspace(broken).root
    told = run_json(root, "stats", "pond", status=cli.CONTENT_ERROR)
    assert (told["decks"], [one["code"] for one in told["problems"]]) == ([], ["unknown-element"])
    assert "error[unknown-element]" in run(root, "stats", "pond").output
    assert run(root, "stats", "pnd").exit_code == cli.USAGE_ERROR


def test_list_tells_of_each_game_and_names_one_that_cannot_be_read(make_workspace: Make) -> None:
    root = make_workspace({**POND, "content/mire/game.yaml": "title: [\n"}).root
    told = run(root, "list", status=cli.CONTENT_ERROR).output
    for words in (
        "mire: cannot be read",
        "pond  Pond 0.2 by Ann, 2-3 players",
        "quick (Quick game)",
        "11 cards  poker",
    ):
        assert words in told


def test_the_ink_that_the_files_take(make_workspace: Make) -> None:
    """Little ink leaves the ground out; what all pieces take together is their sum."""
    ground = '<face><ground fill="wash"/></face>'
    theme = 'extends: base\ncolours: {wash: {color: "#ff0000", low: none}}\n'
    files = {"content/pond/layouts/plain.xml": ground, "content/pond/theme.yaml": theme}
    root = make_workspace({**POND, **files}).root
    assert run_json(root, "stats", "pond")["ink"] == []
    rows = run_json(root, "stats", "pond", "--ink-estimate")["ink"]
    assert [row["piece"] for row in rows] == ["cards", "own"] * 3 + [None] * 3
    by_name = {(row["piece"], row["ink"]): row for row in rows}
    own = by_name["own", "color"]
    six_cards = 6 * 44 * 63 / (210 * 297)
    assert own["magenta"] == own["yellow"] == pytest.approx(six_cards, abs=0.02)  # with their bleed
    assert (own["cyan"], own["black"]) == (0, pytest.approx(0, abs=0.002))
    assert by_name["own", "grey"]["black"] == pytest.approx(0.7 * own["magenta"], abs=0.005)
    assert by_name["own", "grey"]["magenta"] == 0
    assert by_name["own", "low"]["full_pages"] < 0.05
    total = by_name["cards", "color"]["full_pages"] + own["full_pages"]
    assert abs(by_name[None, "color"]["full_pages"] - total) < 0.001
    told = run(root, "stats", "pond", "--ink-estimate").output
    assert f"{100 * own['full_pages']:.0f} %" in told
    assert "of color" in told
