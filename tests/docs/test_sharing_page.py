"""docs/sharing.md and the JSON of its commands on docs/content.md: the keys that are told are those that are given."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from pages import Page, in_tables, keys_in

from french_pond import FILES, with_file
from held_pond import Pond
from running import run_json, write_files

SHARING, CONTENT = Page("sharing").text, Page("content").text
JSON = CONTENT.partition("\n## JSON\n")[2].partition("\n## ")[0]
TOLD = dict(zip(*(iter(re.split(r"(?m)^`duckpress (\w+)`:?", JSON)[1:]),) * 2, strict=True))
LISTS = dict(zip(*(iter(re.split(r"(?m)^`manifest.json` of (an? \w+).*", SHARING)[1:]),) * 2, strict=True))

POND = {
    **with_file("content/pond/game.yaml", "designer: Ann\n", "designer: Ann\nbundle: {papers: [a5]}\n"),
    "content/pond/decks/event.yaml": FILES["content/pond/decks/event.yaml"] + "  - {id: fog, name: 3, text: 4}\n",
    "content/pond/rules.md": "# Play\n\nTake turns.\n",
    "content/pond/rules.fr.md": "# Jeu\n\nJouez chacun à son tour.\n",
}
TWEAKS = {
    "game.yaml": [('"0.2"', '"0.3"')],
    "decks/event.yaml": [("**one**", "**two**"), ("copies: 2", "copies: 3"), ("id: fog", "id: mist")],
    "setup.yaml": [("{bird: all}", "{bird: 3}")],
    "rules.md": [("Take turns.", "Take turns, the youngest first.")],
    "lang/fr.yaml": [("Discard **one**", "Discard **two**"), ("Défaussez **une**", "Défaussez **deux**")],
}


class Said(Pond):
    """What the commands give as JSON, in the order of a story."""

    def __init__(self, root: Path) -> None:
        super().__init__(root, POND)
        self.first = self.data("release", "pond")
        for name, pairs in TWEAKS.items():
            self.edit(name, *pairs)
        self.changes = self.data("changes", "pond")
        self.update = self.data("update", "pond", "--paper", "a5")
        self.bundle = self.data("bundle", "pond")
        self.check = self.data("bundle", "--check", str(root / "output/pond/pond-0.3.zip"))
        self.again = self.data("release", "pond")


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> Said:
    return Said(tmp_path_factory.mktemp("pond"))


def own(command: str) -> set[str]:
    return in_tables(TOLD[command])


def given(data: Any) -> set[str]:
    """Return the keys of JSON but for those of problems, which are told once for all commands."""
    assert data.pop("problems") == []
    return set(keys_in(data))


def test_changes(said: Said) -> None:
    assert given(dict(said.changes)) == own("changes") | {
        f"changes.removed[].{key}" for key in ("deck", "card", "code", "copies")
    }
    (change,) = said.changes["changes"]["changed"]
    assert change["looks"] == ["en", "fr"]
    assert {key for field in change["texts"]["fr"] for key in field} == {"name", "old", "new"}


def test_release(said: Said) -> None:
    assert said.first["changes"] is None
    assert said.first["is_new"] is True
    found = given(dict(said.again))
    assert {key for key in found if not key.startswith("changes.")} == own("release")
    assert {key for key in found if key.startswith("changes")} == given(dict(said.changes))


def test_update(said: Said) -> None:
    found = given(dict(said.update))
    swapped = {f"put_in[].{key}" for key in ("deck", "card", "code", "copies")}
    assert {key for key in found if not key.startswith("changes.")} == own("update") | swapped
    assert {key for key in found if key.startswith("changes")} == given(dict(said.changes))
    assert said.update["sheets"] == {"a5": 1}


def test_bundle(said: Said) -> None:
    assert given(dict(said.bundle)) == own("bundle")
    checked = TOLD["bundle"].partition("\n\nWith `--check`")[2].partition("\n\n")[0]
    assert given(dict(said.check)) == set(re.findall(r"`(\w+)`", checked))
    assert said.check["files"] == len(said.bundle["files"])


def test_show_and_find(said: Said) -> None:
    """A code that a phone has read tells more than a name; the page of content is held against a name."""
    shown = said.data("show", "POND/0.2/EVENT/STORM")
    assert [one["name"] for one in shown["since"]] == ["text"]
    assert {key for key in given(shown) if not key.startswith("since[]")} == own("show")
    assert given(said.data("find", "discard")) == own("find")


def test_an_error_leaves_no_key_out(said: Said, tmp_path: Path) -> None:
    faulty = {name: text.replace("front: event", "front: none") for name, text in POND.items()}
    broken = write_files(tmp_path, faulty) / "content/pond"
    (broken / "releases").mkdir()
    (broken / "releases/0.0.lock").write_bytes((said.folder / "releases/0.2.lock").read_bytes())
    for command in ("release", "changes", "update", "bundle"):
        data = run_json(tmp_path, command, "pond", status=1)
        assert data.pop("problems")
        assert set(data) == {key for key in own(command) if not re.search(r"[.\[]", key)}, command
        for key in ("changes", "folder", "file"):
            assert data.get(key) is None or (command, key) == ("bundle", "folder")


def test_lists_of_files(said: Said) -> None:
    pack = json.loads((said.output / "update-0.2-to-0.3/manifest.json").read_text(encoding="utf-8"))
    swapped = {f"put_in[].{key}" for key in ("deck", "card", "code", "copies", "frame", "back")}
    assert set(keys_in(pack)) == in_tables(LISTS["an update"]) | swapped
    with zipfile.ZipFile(said.output / "pond-0.3.zip") as archive:
        manifest = json.loads(archive.read("pond-0.3/manifest.json"))
    found = set(keys_in(manifest))
    assert {key for key in found if not key.startswith("cards[]")} == in_tables(LISTS["a bundle"])
    of_build = in_tables(CONTENT.partition("\n### manifest.json\n")[2].partition("\n### ")[0])
    assert {key for key in found if key.startswith("cards[]")} == {key for key in of_build if key.startswith("cards[]")}


def test_every_file_of_a_bundle_and_of_a_pack_is_named(said: Said) -> None:
    for name in said.bundle["files"]:
        folder, _, file = name.rpartition("/")
        told = folder.partition("/")[0].replace("a5", "a4").replace("-fr", "")
        word = f"`{told}/`" if folder else f"`{file.replace('pond', 'duck-blind')}`"
        assert word in SHARING, name
    for name in said.update["files"]:
        assert f"`{name.replace('pond', 'duck-blind').replace('a5', 'a4')}`" in SHARING, name
