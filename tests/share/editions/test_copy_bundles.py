"""Bundles of copies: what `bundle --check` takes for whole, with the PDF of the copy, and nothing of another one."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

import bingo
from bingo import FILES
from duckpress.files.workspace import Workspace
from duckpress.share.bundle_check import check_bundle
from duckpress.share.editions.edition_run import EditionRun
from duckpress.share.editions.shards import Form
from running import MakeWorkspace as Make

GAME = "content/bingo/game.yaml"
PAPERS = ("a4", "letter")


def printed(workspace: Workspace, out: Path, form: Form = Form.BUNDLE, **ways: Any) -> EditionRun:
    return bingo.printed(workspace, out, form=form, size=100, **{"papers": PAPERS, **ways})


def contents(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as file:
        return {name.removeprefix("bingo-1.0/"): file.read(name) for name in file.namelist()}


@pytest.mark.soak
def test_a_bundle_is_whole_and_has_the_pdf_of_its_copy(make_workspace: Make, tmp_path: Path) -> None:
    workspace = make_workspace(FILES)
    run, alone = printed(workspace, tmp_path / "zip"), printed(workspace, tmp_path / "pdf", Form.PDF)
    assert (run.copies, run.files, run.sheets) == (3, 6, alone.sheets)
    assert not run.checked.problems
    for id_ in ("ann", "bob", "eve"):
        for paper in PAPERS:
            path = run.folder / "0001-0003" / f"bingo-{id_}-{paper}.zip"
            assert check_bundle(path)._asdict() == {"game": "bingo", "version": "1.0", "files": 7, "problems": ()}
            files, name = contents(path), f"{paper}/bingo-{id_}-{paper}.pdf"
            assert files[name] == (alone.folder / "0001-0003" / f"bingo-{id_}-{paper}.pdf").read_bytes()
            assert sorted(files) == [
                "LICENCE.txt", "README.html", "README.txt", "SHA256SUMS",
                *sorted([name, f"{paper}/bingo-{id_}-feedback-{paper}.pdf", "manifest.json"]),
            ]  # fmt: skip
            assert name in files["README.txt"].decode()
            assert name.partition("/")[2] in files["README.html"].decode()
            manifest = json.loads(files["manifest.json"])
            assert manifest["copy"] == id_
            drawn = {card["card"] for card in manifest["cards"] if card["deck"] == "number"}
            assert len(drawn) == 5
            assert {one["sha256"] for one in manifest["files"]}.issuperset(
                file.partition(" ")[0] for file in files["SHA256SUMS"].decode().splitlines() if ".pdf" in file
            )


@pytest.mark.soak
def test_some_pieces_are_called_what_they_are(make_workspace: Make, tmp_path: Path) -> None:
    workspace = make_workspace({**FILES, GAME: FILES[GAME] + "bundle: {feedback: no}\n"})
    for pieces, words in ((("sheet",), "Sheets: on"), (("sheet", "numbers"), "Sheets, Numbers: on"), ((), "the whole")):
        run = printed(workspace, tmp_path, papers=("a4",), pieces=pieces)
        files = contents(run.folder / "0001-0003" / "bingo-bob-a4.zip")
        assert words in files["README.txt"].decode()
        assert "A4: " in files["README.txt"].decode()
        assert not any("feedback" in name for name in files)


def test_a_copy_called_as_the_form_has_both(make_workspace: Make, tmp_path: Path) -> None:
    run = printed(make_workspace(FILES), tmp_path, people="id,name\nfeedback,Ann\n", papers=("a4",))
    files = contents(run.folder / "0001-0001" / "bingo-feedback-a4.zip")
    assert {"a4/bingo-feedback-a4.pdf", "a4/bingo-feedback-feedback-a4.pdf"} <= files.keys()


def test_a_bundle_is_in_the_language_of_its_copy(make_workspace: Make, tmp_path: Path) -> None:
    german = {"content/bingo/lang/de.yaml": "title: Lotto\n"}
    workspace = make_workspace({**FILES, **german, GAME: FILES[GAME] + "languages: [en, de]\n"})
    people = "id,name,language\nann,Ann,de\nbob,Bob,\n"
    run = printed(workspace, tmp_path, people=people, papers=("a4",))
    assert not [one for one in run.checked.problems if one.level == "error"], run.checked.problems
    names = {path.name for path in run.folder.rglob("*.zip")}
    assert names == {"bingo-ann-a4-de.zip", "bingo-bob-a4.zip"}
    assert "Lotto 1.0" in contents(run.folder / "0001-0002" / "bingo-ann-a4-de.zip")["README.txt"].decode()
    assert "Bingo 1.0" in contents(run.folder / "0001-0002" / "bingo-bob-a4.zip")["README.txt"].decode()
