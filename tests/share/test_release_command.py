"""The loop of a designer: release, tweak, see what changed, release again; every way to name what a tester holds."""

from __future__ import annotations

import json
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from duckpress.cli.commands import main

GAME = """title: Pond
version: "{version}"
designer: Nobody
players: 2-3
theme: base
facts: {{hand: {hand}}}
pieces: [{{id: cards, title: Cards, decks: [duck]}}]
"""
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
LAYOUT = '<face><ground fill="paper"/><text x="4" y="4" width="36" height="50">{{ card.text }}</text></face>'


class Pond:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / "content" / "pond"
        (self.folder / "decks").mkdir(parents=True)
        (self.folder / "layouts").mkdir()
        (self.folder / "layouts" / "duck.xml").write_text(LAYOUT)
        (self.folder / "setup.yaml").write_text(SETUP)
        self.tweak()

    def tweak(self, version: str = "0.1", teal: str = "Draw one.", eider: int = 2, hand: int = 1) -> None:
        (self.folder / "game.yaml").write_text(GAME.format(version=version, hand=hand))
        (self.folder / "decks" / "duck.yaml").write_text(DECK.format(teal=teal, eider=eider))

    def run(self, *words: str) -> Result:
        return CliRunner().invoke(main, ["--workspace", str(self.root), *words])


@pytest.fixture
def pond(tmp_path: Path) -> Pond:
    return Pond(tmp_path)


TOLD = [
    'Ducks, teal (D1): text: "Draw one." -> "Draw two."',
    "Ducks, eider (D2): 3 instead of 2",
    "setup, Cards in hand: 2 instead of 1 for 2, 3 players",
]


def test_release_tweak_changes_release(pond: Pond) -> None:
    first = pond.run("release", "pond")
    assert first.exit_code == 0, first.output
    lock = pond.folder / "releases" / "0.1.lock"
    assert lock.is_file()
    again = pond.run("release", "pond")
    assert "nothing has changed since" in again.output
    assert again.exit_code == 0

    pond.tweak(teal="Draw two.", eider=3, hand=2)
    refused = pond.run("release", "pond")
    assert refused.exit_code == 1
    code = "version-released"
    assert f"content/pond/game.yaml:2:10: error[{code}]" in refused.output
    said = pond.run("changes", "pond")
    assert said.exit_code == 0
    assert [line.strip() for line in said.output.splitlines()[1:]] == TOLD

    pond.tweak("0.2", "Draw two.", 3, 2)
    second = pond.run("release", "pond", "--format", "json")
    assert second.exit_code == 0, second.output
    data = json.loads(second.output)
    assert data["is_new"] is True
    assert data["changes"]["since"] == "0.1"
    cards = json.loads((pond.folder / "releases" / "0.2.lock").read_text())["cards"]
    assert (cards["duck/teal"]["changed"], cards["duck/eider"]["changed"]) == ("0.2", "0.1")
    assert pond.run("changes", "pond").output.endswith("nothing has changed\n")
    assert [line.strip() for line in pond.run("changes", "pond", "--since", "0.1").output.splitlines()[1:]] == TOLD
    markdown = pond.run("changes", "pond", "--since", "0.1", "--format", "markdown").output
    assert markdown.startswith("## Pond 0.2\n\nWhat changed from 0.1 to 0.2.\n\n### Ducks\n\n- Draw two. (D1): text: ")


def test_a_new_version_by_itself_changes_no_card(pond: Pond) -> None:
    pond.run("release", "pond")
    pond.tweak("0.2")
    assert pond.run("changes", "pond").output.endswith("nothing has changed\n")
    pond.run("release", "pond")
    cards = json.loads((pond.folder / "releases" / "0.2.lock").read_text())["cards"]
    assert {card["changed"] for card in cards.values()} == {"0.1"}


def test_a_layout_changes_looks_alone(pond: Pond) -> None:
    pond.run("release", "pond")
    (pond.folder / "layouts" / "duck.xml").write_text(LAYOUT.replace('x="4"', 'x="5"'))
    lines = pond.run("changes", "pond").output.splitlines()[1:]
    assert [line.strip() for line in lines] == [
        "Ducks, teal (D1): looks different",
        "Ducks, eider (D2): looks different",
    ]


def test_what_a_tester_holds_may_be_a_manifest_or_a_bundle(pond: Pond) -> None:
    built = pond.run("build", "pond", "--paper", "a4")
    assert built.exit_code == 0, built.output
    manifest = pond.root / "held.json"
    shutil.copy(pond.root / "output" / "pond" / "manifest.json", manifest)
    with zipfile.ZipFile(pond.root / "held.zip", "w") as archive:
        archive.write(manifest, "pond-0.1/manifest.json")
    pond.tweak("0.2", "Draw two.")
    for held in ("held.json", "held.zip"):
        said = pond.run("changes", "pond", "--since", str(pond.root / held))
        assert said.exit_code == 0, said.output
        assert [line.strip() for line in said.output.splitlines()[1:]] == ["Ducks, teal (D1): looks different"]


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_what_a_tester_holds_may_be_a_revision(pond: Pond) -> None:
    def git(*words: str) -> None:
        subprocess.run(["git", "-C", str(pond.root), *words], check=True, capture_output=True)

    git("init", "-q")
    git("add", ".")
    git("-c", "user.name=n", "-c", "user.email=n@example.org", "commit", "-qm", "first")
    git("tag", "playtest")
    pond.tweak("0.2", "Draw two.", 3, 2)
    said = pond.run("changes", "pond", "--since", "playtest")
    assert said.exit_code == 0, said.output
    assert [line.strip() for line in said.output.splitlines()[1:]] == TOLD


def test_what_is_no_version_is_told(pond: Pond) -> None:
    nothing = pond.run("changes", "pond")
    assert nothing.exit_code == 2
    assert "has no release yet" in nothing.output
    pond.run("release", "pond")
    for word in ("0.9", "--output=x", "nowhere.zip"):
        unknown = pond.run("changes", "pond", f"--since={word}")
        assert unknown.exit_code == 2, unknown.output
        assert "there are: 0.1" in unknown.output


def test_a_damaged_lock_is_a_problem_with_its_file(pond: Pond) -> None:
    pond.run("release", "pond")
    (pond.folder / "releases" / "0.1.lock").write_text("{}")
    for command in ("release", "changes"):
        result = pond.run(command, "pond")
        assert result.exit_code == 1
        assert "content/pond/releases/0.1.lock:1:1: error[bad-lock]" in result.output


def test_a_lock_of_another_game_or_version_is_a_problem_with_its_file(pond: Pond) -> None:
    pond.run("release", "pond")
    path = pond.folder / "releases" / "0.1.lock"
    whole = path.read_text()
    pond.tweak("0.2")
    for old, new in (('"game": "pond"', '"game": "marsh"'), ('"version": "0.1"', '"version": "0.7"')):
        path.write_text(whole.replace(old, new))
        for words in (("release",), ("changes",), ("changes", "--since", "0.1"), ("bundle",)):
            result = pond.run(words[0], "pond", *words[1:])
            assert result.exit_code == 1, (words, result.output)
            assert "content/pond/releases/0.1.lock:1:1: error[bad-lock]: this is the lock of" in result.output
    assert not (pond.folder / "releases" / "0.2.lock").exists()


def test_a_card_that_is_gone_leaves_its_code_to_no_other(pond: Pond) -> None:
    deck = pond.folder / "decks" / "duck.yaml"
    whole = deck.read_text()

    def codes(version: str, cards: str) -> dict[str, str]:
        pond.tweak(version)
        deck.write_text(cards)
        done = pond.run("release", "pond")
        assert done.exit_code == 0, done.output
        read = json.loads((pond.folder / "releases" / f"{version}.lock").read_text())
        return {name.removeprefix("duck/"): one["code"] for name, one in read["cards"].items()}

    assert codes("0.1", whole) == {"teal": "D1", "eider": "D2"}
    assert codes("0.2", whole.replace("  - {id: eider, copies: 2, text: Pass.}\n", "")) == {"teal": "D1"}
    assert codes("0.3", whole.replace("id: eider", "id: smew")) == {"teal": "D1", "smew": "D3"}
    assert codes("0.4", whole) == {"teal": "D1", "eider": "D2"}
    assert json.loads((pond.folder / "releases" / "0.4.lock").read_text())["retired"] == {"duck/smew": "D3"}


def test_a_released_version_that_has_changed_is_not_bundled(pond: Pond) -> None:
    for version in ("0.1", "0.2"):  # without a release before it, and with one
        pond.tweak(version)
        pond.run("release", "pond")
        assert pond.run("bundle", "pond").exit_code == 0
        path = pond.root / "output" / "pond" / f"pond-{version}.zip"
        whole = path.read_bytes()
        pond.tweak(version, "Draw two.")
        refused = pond.run("bundle", "pond")
        assert refused.exit_code == 1
        assert "content/pond/game.yaml:2:10: error[version-released]" in refused.output
        assert path.read_bytes() == whole


def test_what_was_printed_in_another_ink_is_updated_to_a_released_version(pond: Pond) -> None:
    pond.run("build", "pond", "--paper", "a4", "--ink", "low")
    held = shutil.copy(pond.root / "output" / "pond" / "manifest.json", pond.root / "held.json")
    pond.tweak("0.2", "Draw two.")
    pond.run("release", "pond")
    update = ("update", "pond", "--paper", "a4", "--since", str(held))
    assert pond.run(*update).exit_code == 0
    pond.tweak("0.2", "Draw three.")
    assert "error[version-released]" in pond.run(*update).output


def test_a_game_with_errors_is_not_released(pond: Pond) -> None:
    pond.tweak(hand=40)
    assert pond.run("release", "pond").exit_code == 1
    assert not (pond.folder / "releases").exists()
