"""What the first edition of the program released, printed and bundled is recognised by every later one.

`first-edition/workspace.zip` holds the five games as they were with 0.1.0: content, layouts, the locks of their
releases and the manifests of their builds. `blind-mans-draft-0.3.zip` is a bundle that was handed to testers.
"""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from running import run, run_json

FIRST = Path(__file__).parent / "first-edition"
BUNDLE = FIRST / "blind-mans-draft-0.3.zip"
LOCKS = {
    "blind-mans-draft": "0.3",
    "canardage": "0.1",
    "duck-blind": "0.3",
    "duck-pens": "0.1",
    "ducks-in-a-row": "0.3",
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("first-edition")
    with zipfile.ZipFile(FIRST / "workspace.zip") as packed:
        packed.extractall(folder)
    return folder


def changes(root: Path, game: str, since: str) -> dict[str, list[object]]:
    """Return what `changes` tells, without what it tells nothing of."""
    told = run_json(root, "changes", game, "--since", since)["changes"]
    return {key: told[key] for key in ("added", "removed", "changed", "setup", "rules") if told[key]}


@pytest.mark.sweep(5)
@pytest.mark.parametrize("game", LOCKS)
def test_a_release_shows_no_changes(root: Path, game: str) -> None:
    assert changes(root, game, LOCKS[game]) == {}


@pytest.mark.soak
def test_what_was_printed_shows_no_changes(root: Path) -> None:
    assert changes(root, "canardage", str(root / "output" / "canardage" / "manifest.json")) == {}


def test_a_bundle_is_whole_and_shows_no_changes(root: Path) -> None:
    assert changes(root, "blind-mans-draft", str(BUNDLE)) == {}
    run(root, "bundle", "--check", str(BUNDLE), status=0)


@pytest.mark.soak
def test_another_word_on_a_card_is_a_change(root: Path) -> None:
    deck = root / "content" / "canardage" / "decks" / "water.yaml"
    words = deck.read_text(encoding="utf-8")
    deck.write_text(words.replace("Touchée", "Visée"), encoding="utf-8")
    try:
        assert list(changes(root, "canardage", "0.1")) == ["changed"]
    finally:
        deck.write_text(words, encoding="utf-8")
