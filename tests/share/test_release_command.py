"""The loop of a designer: release, tweak, see what changed, release again; every way to name what a tester holds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from held_pond import Pond, needs_git, pond_files
from running import write_files

DECK = """title: Ducks
size: mini
front: duck
fields: {{text: text}}
cards:
  - {{id: teal, copies: 4, text: {teal}}}
  - {{id: eider, copies: {eider}, text: Pass.}}
"""
SETUP = """title: Setting up
setup:
  - {hand: hand, take: {duck: "facts['hand']"}}
table: {hand: {title: Cards in hand}}
"""


class Tweaked(Pond):
    def tweak(self, version: str = "0.1", teal: str = "Draw one.", eider: int = 2, hand: int = 1) -> None:
        files = pond_files(f"facts: {{hand: {hand}}}\n", decks__duck_yaml=DECK.format(teal=teal, eider=eider))
        game = files["content/pond/game.yaml"].replace("0.1", version).replace("players: 2", "players: 2-3")
        write_files(self.root, {**files, "content/pond/game.yaml": game})

    def told(self, *words: str) -> list[str]:
        """Return the lines that say what has changed."""
        return [line.strip() for line in self.done("changes", "pond", *words).splitlines()[1:]]


@pytest.fixture
def pond(tmp_path: Path) -> Tweaked:
    pond = Tweaked(tmp_path, pond_files(setup_yaml=SETUP))
    pond.tweak()
    return pond


RELEASED, BAD_LOCK = "version-released", "bad-lock"
TOLD = [
    'Ducks, teal (D1): text: "Draw one." -> "Draw two."',
    "Ducks, eider (D2): 3 instead of 2",
    "setup, Cards in hand: 2 instead of 1 for 2, 3 players",
]


def test_release_tweak_changes_release(pond: Tweaked) -> None:
    pond.done("release", "pond")
    assert (pond.folder / "releases" / "0.1.lock").is_file()
    assert "nothing has changed since" in pond.done("release", "pond")

    pond.tweak(teal="Draw two.", eider=3, hand=2)
    assert f"content/pond/game.yaml:2:10: error[{RELEASED}]" in pond.done("release", "pond", status=1)
    assert pond.told() == TOLD

    pond.tweak("0.2", "Draw two.", 3, 2)
    data = pond.data("release", "pond")
    assert data["is_new"] is True
    assert data["changes"]["since"] == "0.1"
    cards = json.loads((pond.folder / "releases" / "0.2.lock").read_text())["cards"]
    assert (cards["duck/teal"]["changed"], cards["duck/eider"]["changed"]) == ("0.2", "0.1")
    assert pond.done("changes", "pond").endswith("nothing has changed\n")
    assert pond.told("--since", "0.1") == TOLD
    markdown = pond.done("changes", "pond", "--since", "0.1", "--format", "markdown")
    assert markdown.startswith("## Pond 0.2\n\nWhat changed from 0.1 to 0.2.\n\n### Ducks\n\n- Draw two. (D1): text: ")


@needs_git
def test_what_a_tester_holds_may_be_a_revision(pond: Tweaked) -> None:
    pond.commit("playtest")
    pond.tweak("0.2", "Draw two.", 3, 2)
    assert pond.told("--since", "playtest") == TOLD


def test_what_is_no_version_is_told(pond: Tweaked) -> None:
    assert "has no release yet" in pond.done("changes", "pond", status=2)
    pond.done("release", "pond")
    for word in ("0.9", "--output=x", "nowhere.zip"):
        assert "there are: 0.1" in pond.done("changes", "pond", f"--since={word}", status=2)


def test_a_lock_that_is_damaged_or_of_another_game_or_version_is_a_problem_with_its_file(pond: Tweaked) -> None:
    pond.run("release", "pond")
    path = pond.folder / "releases" / "0.1.lock"
    whole = path.read_text()
    other = whole.replace('"game": "pond"', '"game": "marsh"'), whole.replace('"version": "0.1"', '"version": "0.7"')
    pond.tweak("0.2")
    for text, says in (("{}", ""), *((lock, ": this is the lock of") for lock in other)):
        path.write_text(text)
        for words in (("release",), ("changes",), ("changes", "--since", "0.1"), ("bundle",)):
            told = pond.done(words[0], "pond", *words[1:], status=1)
            assert f"content/pond/releases/0.1.lock:1:1: error[{BAD_LOCK}]{says}" in told
    assert not (pond.folder / "releases" / "0.2.lock").exists()


def test_a_card_that_is_gone_leaves_its_code_to_no_other(pond: Tweaked) -> None:
    deck = pond.folder / "decks" / "duck.yaml"
    whole = deck.read_text()

    def codes(version: str, cards: str) -> dict[str, str]:
        pond.tweak(version)
        deck.write_text(cards)
        pond.done("release", "pond")
        read = json.loads((pond.folder / "releases" / f"{version}.lock").read_text())
        return {name.removeprefix("duck/"): one["code"] for name, one in read["cards"].items()}

    assert codes("0.1", whole) == {"teal": "D1", "eider": "D2"}
    assert codes("0.2", whole.replace("  - {id: eider, copies: 2, text: Pass.}\n", "")) == {"teal": "D1"}
    assert codes("0.3", whole.replace("id: eider", "id: smew")) == {"teal": "D1", "smew": "D3"}
    assert codes("0.4", whole) == {"teal": "D1", "eider": "D2"}
    assert json.loads((pond.folder / "releases" / "0.4.lock").read_text())["retired"] == {"duck/smew": "D3"}


def test_a_released_version_that_has_changed_is_not_bundled(pond: Tweaked) -> None:
    pond.run("release", "pond")
    assert pond.run("bundle", "pond").exit_code == 0
    path = pond.root / "output" / "pond" / "pond-0.1.zip"
    whole = path.read_bytes()
    pond.tweak("0.1", "Draw two.")
    refused = pond.done("bundle", "pond", status=1)
    assert f"content/pond/game.yaml:2:10: error[{RELEASED}]" in refused
    assert path.read_bytes() == whole


def test_a_game_with_errors_is_not_released(pond: Tweaked) -> None:
    pond.tweak(hand=40)
    assert pond.run("release", "pond").exit_code == 1
    assert not (pond.folder / "releases").exists()
