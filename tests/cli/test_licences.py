"""`duckpress licences`: every part is named with the licence that its own files state."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from duckpress import __version__, cli
from duckpress.files.workspace import Workspace
from duckpress.views.licence_list import package_licence, packages_behind
from running import MakeWorkspace as Make
from running import run, run_json, write_files

ROOT = Path(__file__).resolve().parents[2]
GAME = (
    'title: Pond\nversion: "0.2"\ndesigner: Ann\npublisher: Reed Press\nplayers: 2\n'
    "licence: The pond is Ann's. Art and wording CC BY 4.0.\ncredits: [{role: Drawings, name: Bo}]\n"
    "pieces: [{id: cards, title: Cards, decks: [cards]}]\n"
)
CARDS = "title: Cards\nsize: poker\nfront: card\ncards: [{id: teal}]\n"
POND = {"content/pond/game.yaml": GAME, "content/pond/decks/cards.yaml": CARDS}
LICENCE_WORDS = {
    "OFL-1.1": "SIL OPEN FONT LICENSE Version 1.1",
    "Bitstream-Vera": "Bitstream Vera",
    "Apache-2.0": "Apache License Version 2.0",
}


@pytest.fixture(scope="module")
def stated_here(project: Workspace) -> dict[str, Any]:
    """What is stated of the project's own workspace."""
    return dict(run_json(project, "licences"))


def test_every_bundled_game_says_whose_it_is_and_what_prints_may_be_used_for(
    project: Workspace, stated_here: dict[str, Any]
) -> None:
    games = stated_here["games"]
    assert [game["game"] for game in games] == project.games()
    for game in games:
        named = [credit["name"].partition(",")[0] for credit in game["credits"]]
        assert game["designer"] is None or game["designer"] in named, game["game"]
        assert game["title"] in game["licence"], game["game"]
        assert "CC BY 4.0" in " ".join(game["licence"].split()), game["game"]
        assert game["credits"], game["game"]


def test_every_bundled_font_has_a_version_and_the_text_of_its_licence(
    project: Workspace, stated_here: dict[str, Any]
) -> None:
    fonts = stated_here["fonts"]
    assert {font["file"].rpartition("/")[0] for font in fonts} == set(project.folders("fonts"))
    for font in fonts:
        assert all(re.fullmatch(r"\d+\.\d+.*", version) for version in font["versions"]), font
        assert font["versions"], font
        text = project.read(font["file"]).decode()
        assert LICENCE_WORDS[font["licence"]] in re.sub(r"\s+", " ", text), font


def test_the_program_and_the_packages_that_it_needs_and_no_more(stated_here: dict[str, Any]) -> None:
    packages = {one["name"].lower(): one for one in stated_here["packages"]}
    project_file = (ROOT / "pyproject.toml").read_text()
    (licence,) = re.findall(r'(?m)^license = "(.+)"', project_file)
    assert stated_here["program"] == {"name": "duckpress", "version": __version__, "licence": licence}
    needed = re.search(r"(?ms)^dependencies = \[(.*?)^\]", project_file)
    assert needed
    assert {re.match(r"[\w-]+", name)[0] for name in re.findall(r'"(.+?)"', needed[1])} <= set(packages)  # type: ignore[index]
    assert "markupsafe" in packages, "what a package needs itself"
    assert "pytest" not in packages, "what only developers need"
    for name, one in packages.items():
        assert one["version"] == metadata.version(name)
        assert one["licence"], name


def test_every_profile_of_the_program_is_listed_with_its_licence(stated_here: dict[str, Any]) -> None:
    listed = stated_here["profiles"]
    assert {one["name"] for one in listed} == {path.stem for path in (ROOT / "generator").rglob("*.icc")}
    for one in listed:
        text = (ROOT / "generator" / one["file"]).read_text()
        assert one["licence"]
        assert one["credit"].startswith("Copyright")
        assert all(one[key] in text for key in ("licence", "credit"))


def test_what_a_game_says_is_told_in_full(make_workspace: Make) -> None:
    told = " ".join(run(make_workspace(POND), "licences").output.split())
    for words in ("Pond 0.2 by Ann, published by Reed Press", "The pond is Ann's. Art and wording CC BY 4.0.", "Bo"):
        assert words in told
    silent = {**POND, "content/pond/game.yaml": re.sub(r"(?m)^licence: .*\n", "", GAME)}
    told = " ".join(run(make_workspace(silent), "licences").output.split())
    assert "does not say what prints may be used for" in told


def test_a_font_without_the_text_of_its_licence_is_an_error(make_workspace: Make) -> None:
    family = "name: Reed\nlicence: OFL-1.1\nlicence-file: OFL.txt\nstyles: {regular: Reed.ttf}\n"
    font = (ROOT / "fonts/gloock/Gloock-Regular.ttf").read_bytes()
    root = make_workspace({**POND, "fonts/reed/family.yaml": family, "fonts/reed/Reed.ttf": font})
    problems = run_json(root, "licences", status=cli.CONTENT_ERROR)["problems"]
    assert "missing-licence" in {problem["code"] for problem in problems}
    assert "error[missing-licence]" in run(root, "licences").output


def test_a_game_that_cannot_be_read_is_an_error_and_the_rest_is_told(make_workspace: Make) -> None:
    done = run(make_workspace({"content/pond/game.yaml": "title: [\n"}), "licences", status=cli.CONTENT_ERROR)
    assert "pond: cannot be read" in done.output
    assert "Alegreya Sans" in done.output


def test_a_package_says_its_licence_in_several_ways(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    facts = "Metadata-Version: 2.4\nName: reedling\nVersion: 1.5\nRequires-Dist: not-there-at-all>=1\n"
    facts += "Requires-Dist: nor-there; sys_platform == 'beos'\nRequires-Dist: nor-this; extra == 'dev'\n"
    for stated, told in (
        ("License-Expression: MIT\n", "MIT"),
        (f"License: {'words ' * 20}\nClassifier: License :: OSI Approved :: ISC License\n", "ISC License"),
        ("License: BSD\n", "BSD"),
        ("", ""),
    ):
        write_files(tmp_path, {"reedling-1.5.dist-info/METADATA": facts + stated})
        assert package_licence("reedling") == ("reedling", "1.5", told)
    assert packages_behind("reedling") == (("not-there-at-all", None, ""),)
