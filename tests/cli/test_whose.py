"""`duckpress whose`: the copies that `duckpress edition` prints are known again, as files and from scans."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bingo import FILES, PEOPLE
from duckpress.cli.commands import main
from duckpress.files.workspace import Workspace
from scanner import file_of, printed, scanned

GAME = "content/bingo/game.yaml"
EDITION = ("edition", "bingo", "--for", "people.csv", "--piece", "sheet", "--paper", "a4", "--shard", "2", "--seed")


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


@pytest.fixture
def edition(
    make_workspace: Callable[[Mapping[str, str]], Workspace], monkeypatch: pytest.MonkeyPatch
) -> Path:  # fmt: skip
    """The folder of an edition with marks."""
    game = FILES[GAME] + '  marks: {name: "{{ row.name }}"}\n'
    workspace = make_workspace({**FILES, GAME: game, "people.csv": PEOPLE})
    monkeypatch.chdir(workspace.root)
    assert run(*EDITION, "a winter evening").exit_code == 0
    return workspace.root / "output" / "bingo" / "edition"


def test_files_and_scans_are_known_again(edition: Path) -> None:
    ids = [line.partition(",")[0] for line in PEOPLE.splitlines()[1:]]
    for number, id_ in enumerate(ids, 1):
        (file,) = edition.rglob(f"bingo-{id_}-a4.pdf")
        done = run("whose", str(file))
        assert done.output == f"{file}: copy {number} of bingo: {id_}\n"
        assert done.exit_code == 0
    scan = edition.parent / "scan.jpg"
    lying = scanned(printed(file), {"degrees": -2.5, "scale": 1.015, "noise": 5.0})
    scan.write_bytes(file_of(lying, "JPEG", dpi=(300, 300)))
    done = run("whose", str(scan), "--edition", str(edition), "--format", "json")
    (page,) = json.loads(done.output)["files"][0]["pages"]
    assert page.pop("dots") > 200
    assert page == {
        "page": 1, "copy": len(ids), "id": ids[-1], "game": "bingo", "edition": str(edition), "why": None,
    }  # fmt: skip


def test_the_key_lies_beside_and_is_its_owners(edition: Path) -> None:
    key = edition.with_name("edition.key")
    assert key.stat().st_mode & 0o077 == 0
    assert not list(edition.rglob("*.key"))
    (words,) = [line for line in key.read_text().splitlines() if not line.startswith("#")]
    assert all(words not in path.read_text("latin-1") for path in edition.rglob("*.json"))
    before = key.read_text()
    key.unlink()
    (file, *_) = sorted(edition.rglob("*.pdf"))
    assert run("whose", str(file)).exit_code == 2
    assert run(*EDITION, "another evening", "--replace").exit_code == 0
    assert key.read_text() != before
    assert run(*EDITION, "a winter evening", "--replace").exit_code == 0
    assert key.read_text() == before


def test_what_is_nobodys_is_unknown(edition: Path) -> None:
    (file, other, *_) = sorted(edition.rglob("*.pdf"))
    key = edition.with_name("edition.key")
    key.write_text("0" * 64)
    done = run("whose", str(file))
    assert done.exit_code == 1
    assert "unknown: it has the dots of a copy, but of no edition whose key is here" in done.output
    key.unlink()
    assert "there is no key of an edition" in run("whose", str(other)).output


def test_the_list_may_be_gone(edition: Path) -> None:
    (file, *_) = sorted(edition.rglob("*.pdf"))
    for path in (edition / "manifest.json", *edition.glob("*/manifest.json")):
        path.write_text("[1")
    assert run("whose", str(file)).output.startswith(f"{file}: copy ")


def test_owners_stand_in_the_order_of_pages(edition: Path) -> None:
    people = "id,name\n" + "".join(f"b{at:02},Name\n" for at in range(1, 13))
    Path("people.csv").write_text(people)
    Path(GAME).write_text(Path(GAME).read_text().replace("bird: [", "bird: [robin, wren, "))
    assert run(*EDITION[:-3], "--as", "shard", "--replace", "--seed", "a summer evening").exit_code == 0
    (file,) = edition.rglob("*.pdf")
    lines = run("whose", str(file)).output.splitlines()
    assert [line.rpartition(": ")[2] for line in lines] == [f"b{at:02}" for at in range(1, 13)]


def test_what_is_no_scan_is_told_once(edition: Path) -> None:
    file = edition.parent / "notes.txt"
    file.write_text("no picture")
    done = run("whose", str(file))
    assert done.exit_code == 1
    assert done.output.count("is not a whole PNG") == 1


def test_a_table_and_a_number_exclude_each_other(edition: Path) -> None:
    done = run(*EDITION, "a winter evening", "--count", "3")
    assert done.exit_code == 2
    assert "leave one of both out" in done.output
    assert "say for whom" in run("edition", "bingo").output
