"""Bundles: the same bytes twice, everything in them that a tester needs, and what is damaged is told."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from duckpress.share.bundle_check import check_bundle
from duckpress.store.stored_zip import zip_bytes
from held_pond import DECK, Pond, pond_files
from running import MakeWorkspace
from story import GAME, Story

TOP = f"{GAME}-0.2"
Damage = Callable[[dict[str, bytes]], dict[str, bytes]]


@pytest.fixture(scope="module")
def path(story: Story) -> Path:
    return story.root / "output" / GAME / f"{TOP}.zip"


@pytest.fixture(scope="module")
def parts(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        assert {name.partition("/")[0] for name in archive.namelist()} == {TOP}
        return {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}


def test_everything_is_in_it_and_no_secret(parts: dict[str, bytes]) -> None:
    assert set(parts) == {
        "README.html", "README.txt", "CHANGELOG.md", "CHANGELOG.txt", "LICENCE.txt", "SHA256SUMS", "manifest.json",
        f"{TOP}.lock", f"a4/{GAME}-all-a4.pdf", f"a4/{GAME}-rules-a4.pdf", f"a4/{GAME}-feedback-a4.pdf",
        f"update-0.1-to-0.2/{GAME}-swap-a4.pdf", f"update-0.1-to-0.2/{GAME}-update-a4.pdf",
        "update-0.1-to-0.2/manifest.json",
    }  # fmt: skip
    assert not any(b"a secret" in data for data in parts.values())


def test_the_first_page_tells_sizes_and_files(parts: dict[str, bytes]) -> None:
    text, page = parts["README.txt"].decode(), parts["README.html"].decode()
    files = {one["name"]: one for one in json.loads(parts["manifest.json"])["files"]}
    whole = files[f"a4/{GAME}-all-a4.pdf"]
    top = f"A4: {whole['sheets']} sheets of paper, {whole['pages']} pages,"
    for words in (top, f"a4/{GAME}-all-a4.pdf", "100 %", "since version 0.1", "CC BY 4.0", "0.2"):
        assert words in text, words
        assert words in page, words
    for name in re.findall(r'href="([^"#]+)"', page):
        assert name in parts
    assert "<script" not in page
    assert "://" not in page
    assert max(map(len, text.splitlines())) < 100
    assert "Tom Gurganus" in parts["LICENCE.txt"].decode()
    assert "Alegreya Sans: OFL" in parts["LICENCE.txt"].decode()
    for name in ("CHANGELOG.txt", "CHANGELOG.md"):
        told = parts[name].decode()
        for words in ("What changed from 0.1 to 0.2", "Double Barrel (A1): 8 copies instead of 7", "Duck Call (A3)"):
            assert words in told, (name, words)
        marked = "one duck **of your choice** from" if name.endswith(".md") else "one duck of your choice from"
        assert marked in " ".join(told.split())
        assert told.count("*") == 2 * marked.count("**")


def test_a_bundle_is_whole_and_names_its_version(story: Story, path: Path) -> None:
    said = story.run("bundle", "--check", str(path))
    assert said.exit_code == 0, said.output
    assert f"{GAME} 0.2, whole: 14 files" in said.output
    since = story.run("changes", GAME, "--since", str(path))
    assert since.exit_code == 0, since.output
    assert "nothing has changed" in since.output


def without(name: str) -> Damage:
    return lambda parts: {key: data for key, data in parts.items() if key != name}


def changed(name: str) -> Damage:
    return lambda parts: parts | {name: parts[name] + b"\n"}


@pytest.mark.parametrize(
    ("damage", "code", "name"),
    [
        (without(f"a4/{GAME}-all-a4.pdf"), "bundle-missing", f"a4/{GAME}-all-a4.pdf"),
        (changed(f"a4/{GAME}-all-a4.pdf"), "bundle-changed", f"a4/{GAME}-all-a4.pdf"),
        (without("SHA256SUMS"), "bundle-missing", "SHA256SUMS"),
        (without("manifest.json"), "bundle-missing", "manifest.json"),
        (lambda parts: parts | {"a4/setup.exe": b"MZ"}, "bundle-extra", "a4/setup.exe"),
        (lambda parts: parts | {"manifest.json": b"[]"}, "bad-bundle", "manifest.json"),
        (lambda parts: parts | {"SHA256SUMS": b"no sums\n"}, "bad-bundle", "SHA256SUMS"),
    ],
)
def test_what_is_damaged_is_told(
    parts: dict[str, bytes], damage: Damage, code: str, name: str, story: Story, tmp_path: Path
) -> None:
    file = tmp_path / "held.zip"
    file.write_bytes(zip_bytes({f"{TOP}/{key}": data for key, data in damage(parts).items()}))
    said = story.run("bundle", "--check", str(file), "--format", "json")
    assert said.exit_code == 1, said.output
    problems = json.loads(said.output)["problems"]
    assert (code, f"{file}/{name}") in {(one["code"], one["file"]) for one in problems}


def test_what_is_no_zip_is_told(tmp_path: Path, story: Story) -> None:
    file = tmp_path / "held.zip"
    file.write_bytes(b"nothing")
    assert [problem.code for problem in check_bundle(file).problems] == ["bad-bundle"]
    assert story.run("bundle", "--check", str(tmp_path / "none.zip")).exit_code == 3
    assert story.run("bundle").exit_code == 2
    assert story.run("bundle", GAME, "--check", str(file)).exit_code == 2


BUNDLE = "bundle: {papers: [a5], backs: [gutterfold, none], inks: [color, low]}\n"


def test_a_bundle_holds_each_way_that_is_asked_for(make_workspace: MakeWorkspace) -> None:
    deck = DECK.replace("front: duck", "front: duck\nback: duck")
    pond = Pond(make_workspace(pond_files(BUNDLE, decks__duck_yaml=deck)))
    data = pond.data("bundle", "pond")
    printed = {name for name in data["files"] if name.endswith(".pdf")}
    ways = ("gutterfold", "fronts", "gutterfold-low", "fronts-low")
    assert printed == {"a5/pond-feedback-a5.pdf", *(f"a5/pond-all-a5-{way}.pdf" for way in ways)}
    assert "CHANGELOG.md" not in data["files"]
    with zipfile.ZipFile(pond.output / "pond-0.1.zip") as archive:
        text = " ".join(archive.read("pond-0.1/README.txt").decode().split())
    assert "on one side, then folded and glued, in colour" in text
    assert "without backs, for cards in sleeves, with little ink" in text


def test_a_plan_that_cannot_be_kept_is_told(make_workspace: MakeWorkspace) -> None:
    for plan, place, near in (
        ("{papers: [a9]}", "6:19", "a"),
        ("{backs: [gutter]}", "6:18", "gutterfold"),
        ("{inks: [blue]}", "6:17", ""),
        ("{languages: [fr]}", "6:22", "en"),
    ):
        said = Pond(make_workspace(pond_files(f"bundle: {plan}\n"))).done("bundle", "pond", status=1)
        assert f"content/pond/game.yaml:{place}: error[unknown-choice]" in said
        assert near in said
        assert "nothing packed" in said


FRENCH = """title: L'étang
decks: {duck: {title: Canards, cards: {teal: {text: {of: One., is: Un.}}, smew: {text: {of: Two., is: Deux.}}}}}
words:
  "{of} of {n}": "{of} sur {n}"
"""


@pytest.mark.soak
def test_changes_are_told_in_every_language_of_a_bundle(make_workspace: MakeWorkspace) -> None:
    head = "languages: [en, fr]\nbundle: {papers: [a5], languages: [fr, en]}\n"
    pond = Pond(make_workspace(pond_files(head, lang__fr_yaml=FRENCH)))
    pond.done("release", "pond")
    lock = json.loads((pond.folder / "releases/0.1.lock").read_text())
    assert lock["cards"]["duck/teal"]["texts"] == {"fr": {"text": "Un."}}
    pond.edit("game.yaml", ("0.1", "0.2"))
    pond.edit("lang/fr.yaml", ("is: Un.", "is: Une carte."))
    assert 'fr, text: "Un." -> "Une carte."' in pond.done("changes", "pond")
    change = pond.data("changes", "pond")["changes"]["changed"][0]
    assert (change["fields"], change["looks"]) == ([], ["fr"])
    assert change["texts"] == {"fr": [{"name": "text", "old": "Un.", "new": "Une carte."}]}
    pond.done("bundle", "pond")
    with zipfile.ZipFile(pond.output / "pond-0.2.zip") as archive:
        told = archive.read("pond-0.2/CHANGELOG.md").decode()
        swap = [name for name in archive.namelist() if "swap" in name]
    french_part, _, english_part = told.partition("## Pond 0.2")
    assert "Ce qui change de 0.1 à 0.2" in french_part
    assert "texte : Un. → Une carte." in french_part.replace("\u202f", " ").replace("\u00a0", " ")
    assert "Nothing has changed." in english_part
    assert swap == ["pond-0.2/update-0.1-to-0.2-fr/pond-swap-a5-fr.pdf"]
