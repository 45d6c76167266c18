"""The command line as a script sees it: exit statuses, JSON with stable keys, nothing written while an error stands."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pypdfium2
import pytest

from duckpress import __version__
from printed_pond import POND
from running import MakeWorkspace as Make
from running import run, run_json

PROBLEM_KEYS = {"code", "level", "game", "file", "line", "column", "what", "fix", "players", "variant", "cause"}


def changed(path: str, old: str, new: str) -> dict[str, str]:
    """Return the pond with one file changed."""
    assert old in POND[path]
    return {**POND, path: POND[path].replace(old, new)}


@pytest.fixture
def short(make_workspace: Make) -> Path:
    """The pond with too few cards for its most players."""
    return make_workspace(changed("content/pond/game.yaml", "2-3", "2-4")).root


def test_check_in_json_has_the_promised_keys(short: Path) -> None:
    command = [sys.executable, "-m", "duckpress", "check", "--format", "json"]
    done = subprocess.run(command, cwd=short, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    (problem,) = json.loads(done.stdout)["problems"]
    assert set(problem) == PROBLEM_KEYS
    assert (problem["code"], problem["level"], problem["game"]) == ("not-enough", "error", "pond")
    assert (problem["file"], problem["line"], problem["players"]) == ("content/pond/setup.yaml", 4, 4)
    told = run(short, "check", "pond", "--players", "3")
    assert (told.exit_code, told.stdout) == (0, "pond: no problems; checked: 3 players, 2 decks, 1 language\n")


def test_build_prints_both_papers_and_tells_so(make_workspace: Make) -> None:
    root = make_workspace(POND).root
    done = run(root, "build")
    assert done.exit_code == 0, done.stdout
    folder = root / "output" / "pond"
    pdfs = {f"pond-{piece}-{paper}.pdf" for piece in ("cards", "alone", "all") for paper in ("a4", "letter")}
    assert {path.name for path in folder.iterdir()} == {*pdfs, "manifest.json"}
    lines = done.stdout.replace(f"{root}/", "").splitlines()
    assert [line.split() for line in lines[1:5]] == [
        ["Sheets", "of", "paper", "A4", "Letter"], ["Cards", "10", "cards", "2", "2"], ["Alone", "1", "card", "1", "1"],
        ["All", "together", "3", "3"],
    ]  # fmt: skip
    how = "(3 sheets, both sides, flip on the long edge, at 100 %)"
    assert lines[-2:] == [
        f"{lead}: output/pond/pond-all-{paper}.pdf {how}"
        for lead, paper in (("Print this", "a4"), ("or on Letter", "letter"))
    ]
    assert done.stderr == ""  # progress is for terminals


def test_nothing_is_written_while_an_error_stands_but_a_draft_that_is_forced(short: Path) -> None:
    done = run(short, "build")
    assert (done.exit_code, "nothing printed" in done.stdout) == (1, True)
    assert not (short / "output").exists()
    assert run(short, "build", "--force", "--paper", "a4").exit_code == 1
    document = pypdfium2.PdfDocument(short / "output" / "pond" / "pond-all-a4.pdf")
    assert len(document) == 6
    for page in document:
        words = page.get_textpage().get_text_bounded()
        assert "DRAFT" in words or not words  # the empty back of a sheet printed on one side


def test_wrong_arguments_leave_with_2(make_workspace: Make) -> None:
    root = make_workspace(POND).root
    for arguments, words in (
        (("build", "pnd"), "did you mean 'pond'?"),
        (("build", "--paper", "a9"), "'a9' is none of a4, letter"),
        (("build", "--piece", "card"), "did you mean 'cards'?"),
        (("build", "--lang", "fr"), "no language 'fr'"),
        (("check", "--players", "7"), "no player count '7'"),
        (("check", "--variant", "draft"), "no variant 'draft'"),
        (("table",), "Missing argument"),
        (("frobnicate",), "No such command"),
    ):
        done = run(root, *arguments)
        assert (done.exit_code, words in done.stderr) == (2, True), (arguments, done.stderr)
    assert run(root, "--version").stdout == f"duckpress {__version__}\n"


def test_a_text_that_had_to_shrink_is_told_of(make_workspace: Make) -> None:
    name = "name: The swan that would not be moved from its nest whatever the other birds said to it all day long"
    root = make_workspace(changed("content/pond/decks/cards.yaml", "name: Swan", name)).root
    done = run(root, "check")
    assert done.exit_code == 0
    assert "pond: cards: body text set at " in done.stdout
    assert "instead of 10 pt: swan\n" in done.stdout
    (entry,) = run_json(root, "check")["shrunk"]
    assert (entry["piece"], entry["deck"], entry["card"], entry["style"]) == ("cards", "cards", "swan", "body")
    assert 8 <= entry["to_pt"] < entry["from_pt"] == 10


def test_no_option_is_blank(make_workspace: Make) -> None:
    workspace = make_workspace(POND)
    for words in (
        ("build", "--out", ""), ("build", "--out="), ("build", "--piece", " "), ("build", "--paper", ""), ("check", ""),
        ("build", "--lang", ""), ("build", "--variant="), ("check", "--limit", ""), ("show", ""),
        ("new", "--title", "", "x"),
    ):  # fmt: skip
        done = run(workspace, *words, status=2)
        assert "is empty: give it a value, or leave it out" in done.output
        assert sorted(path.name for path in workspace.root.iterdir()) == ["content"]


def test_a_folder_without_games_is_told_how_to_print_a_bundled_one(tmp_path: Path) -> None:
    for line in ("build", "check", "preview", "watch", "find heron", "show A1"):
        done = run(tmp_path, *line.split(), status=2)
        assert "there is no game in this folder. `duckpress new my-game` begins one" in done.output
        assert "duck-pens, ducks-in-a-row (`duckpress build blind-mans-draft`)" in done.output
        assert list(tmp_path.iterdir()) == []
    run_json(tmp_path, "table", "duck-pens")
    (tmp_path / "content/empty").mkdir(parents=True)
    assert "no game in content/" in run(tmp_path, "build", status=2).stderr


def test_a_command_that_lacks_its_game_says_which_there_are(tmp_path: Path) -> None:
    commands = ("table", "stats", "deal", "odds", "playtest", "release", "changes", "update")
    for command in commands:
        told = run(tmp_path, command, status=2).output
        assert "Missing argument 'GAME'. It may be: blind-mans-draft, " in told
        assert "ducks-in-a-row; `duckpress new my-game` begins one." in told
    (tmp_path / "content" / "pond").mkdir(parents=True)
    assert all("begins one" in run(tmp_path, command).output for command in commands)
    (tmp_path / "content" / "pond" / "game.yaml").touch()
    assert all("It may be: pond.\n" in run(tmp_path, command).output for command in commands)
