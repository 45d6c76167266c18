"""`check` and `build` look at a game in the ink that is asked for, and findings are accepted like all others."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from duckpress.core.problems import Level
from duckpress.press.checking import check
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Request
from running import MakeWorkspace

GAME = (
    'title: Pond\nversion: "1.0"\ndesigner: Ann\nplayers: 2\nlanguages: [en]\ntheme: pond\n'
    "pieces: [{id: cards, title: Cards, decks: [birds]}]\n"
)
FILES: dict[str, str | bytes] = {
    "content/pond/game.yaml": GAME,
    "content/pond/setup.yaml": "setup: [{pile: draw, take: {birds: all}}]\n",
    "content/pond/decks/birds.yaml": "title: Birds\nsize: poker\nfront: card\nfields: {name: text}\n"
    "cards: [{id: teal, name: Teal}, {id: smew, name: Smew}]\n",
    "content/pond/layouts/card.xml": '<face><ground fill="wash"/><text x="9" y="9" width="40" height="9" fill="says">'
    "{{ card.name }}</text></face>",
    "content/pond/theme.yaml": 'extends: base\ncolours: {wash: {color: "#222222", low: "#ffffff"}, says: "#eeeeee"}\n',
}


def found(
    make: MakeWorkspace, *inks: str, game: str = GAME, files: Mapping[str, str | bytes] | None = None
) -> list[str]:
    workspace = make({**FILES, **(files or {}), "content/pond/game.yaml": game})
    problems = check(workspace, load(workspace, "pond"), inks=inks or ("color",)).problems
    return [f"{problem.level} {problem.code} {problem.what}" for problem in problems]


def test_a_finding_belongs_to_its_ink(make_workspace: MakeWorkspace) -> None:
    assert found(make_workspace) == []
    (line,) = found(make_workspace, "low")
    assert line.startswith("warning low-contrast with --ink low: front of card 'teal' of deck 'birds': 'Teal' is hard")
    assert line.endswith("(and on 1 more card)")
    assert found(make_workspace, "color", "low", "grey") == [line]
    faint = {"content/pond/theme.yaml": 'extends: base\ncolours: {wash: "#ffffff", says: "#eeeeee"}\n'}
    (line,) = found(make_workspace, "color", "low", "grey", files=faint)  # of all inks it is told once
    assert line.startswith("warning low-contrast front of card")


@pytest.mark.parametrize("colour", ["wahs", "Washes"])
def test_contrast_is_not_judged_where_a_colour_is_unknown(make_workspace: MakeWorkspace, colour: str) -> None:
    deck = str(FILES["content/pond/decks/birds.yaml"])
    deck = deck.replace("text}", "text, tint: {kind: colour, default: ink}}")
    deck = deck.replace(": Smew", f": Smew, tint: {colour}")
    layout = str(FILES["content/pond/layouts/card.xml"]).replace('"wash"', '"{{ card.tint }}"')
    theme = 'extends: base\ncolours: {wash: "#222222", says: "#222222"}\n'
    files = {"decks/birds.yaml": deck, "layouts/card.xml": layout, "theme.yaml": theme}
    (line,) = found(make_workspace, files={f"content/pond/{name}": text for name, text in files.items()})
    assert line.startswith("error unknown-colour card 'smew'")
    assert f"{colour!r} is neither a colour role" in line


def test_a_finding_is_accepted_in_one_ink(make_workspace: MakeWorkspace) -> None:
    game = GAME + "accept: [{code: low-contrast, ink: low, reason: a ghost}]\n"
    (line,) = found(make_workspace, "low", game=game)
    assert line.startswith("note low-contrast")
    assert line.endswith("(accepted: a ghost)")
    assert found(make_workspace, game=game) == []  # not looked at, so nothing to say of the acceptance
    (unused,) = found(make_workspace, "grey", "low", game=game.replace("ink: low", "ink: grey"))[:1]
    assert "accept" in " ".join(found(make_workspace, "grey", game=game.replace("ink: low", "ink: grey")))
    assert "low-contrast" in unused


def test_build_tells_it_too(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    workspace = make_workspace(FILES)
    for ink, codes in (("color", []), ("low", ["low-contrast"])):
        built = build(workspace, load(workspace, "pond"), Request(("a4",), ink=ink), tmp_path / "out")
        assert [problem.code for problem in built.checked.problems] == codes
        assert all(problem.level is Level.WARNING for problem in built.checked.problems)


def test_ornaments_and_rules_sheets(make_workspace: MakeWorkspace) -> None:
    ornament = str(FILES["content/pond/layouts/card.xml"]).replace("<text ", '<text decoration="yes" ')
    assert found(make_workspace, "low", files={"content/pond/layouts/card.xml": ornament}) == []
    rules = {
        "content/pond/rules.md": "# Goal\n\nSwim.\n",
        "content/pond/theme.yaml": 'extends: base\ncolours: {wash: "#ffffff", says: "#000000", rules-ink: "#cccccc"}\n',
    }
    (line,) = found(make_workspace, files=rules)
    assert "of card 'page 1' of deck 'rules': 'Swim" in line
