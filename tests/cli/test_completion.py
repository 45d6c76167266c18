"""What shells complete: names as the workspace has them, in full words and in lists with commas."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from click.shell_completion import BashComplete

from duckpress.cli.commands import main
from duckpress.files.workspace import Workspace
from running import MakeWorkspace, every_command

GAMES = {
    "content/pond/game.yaml": "pieces: [{id: cards}, {id: board}]\nlanguages: [en, fr]\n",
    "content/lake/game.yaml": "pieces: [{id: cards}, {id: dice}]\n",
    "content/broken/game.yaml": "pieces: [\n",
}


@pytest.fixture
def workspace(make_workspace: MakeWorkspace) -> Workspace:
    return make_workspace(GAMES)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("bui", ["build"]),
        ("build ", ["broken", "lake", "pond"]),
        ("build pond ", ["broken", "lake"]),
        ("bundle l", ["lake"]),
        ("show --game p", ["pond"]),
        ("build pond --piece cards,", ["cards,board"]),
        ("build lake --piece d", ["dice"]),
        ("build broken --piece ", []),
        ("build gone --piece ", []),
        ("build --piece ", ["cards", "dice", "board"]),  # of all games, but for one that cannot be read
        ("build pond --lang ", ["en", "fr"]),
        ("build --paper a4,lett", ["a4,letter"]),
        ("build --sleeve jap", ["japanese"]),
        ("check --ink color,g", ["color,grey"]),
        ("export pond --for m", ["mpc"]),
        ("export pond --to tts", ["tts"]),
        ("docs cont", ["content"]),
    ],
)
def test_names_are_completed(workspace: Workspace, line: str, words: list[str]) -> None:
    *before, begun = line.split(" ")
    complete = BashComplete(main, {}, "duckpress", "_DUCKPRESS_COMPLETE")
    found = complete.get_completions(["--workspace", str(workspace.root), *before], begun)
    assert [item.value for item in found] == words


def test_a_shell_asks_the_program(workspace: Workspace) -> None:
    """Nothing is imported for it that draws: a person waits for each tab."""
    heavy = ("PIL", "uharfbuzz", "reportlab", "pikepdf", "jinja2", "duckpress.content", "duckpress.layout")
    code = (
        "import sys\nfrom duckpress.cli.commands import main\n"
        "try: main(prog_name='duckpress')\nexcept SystemExit: pass\n"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    asked = {"_DUCKPRESS_COMPLETE": "bash_complete", "COMP_WORDS": "duckpress build p", "COMP_CWORD": "2"}
    command = [sys.executable, "-c", code]
    environ = {**os.environ, **asked}
    done = subprocess.run(command, cwd=workspace.root, env=environ, capture_output=True, text=True, check=False)
    assert done.stdout.split("\n")[:2] == ["plain,pond", "[]"], done.stderr


def test_everything_that_is_named_like_a_list_of_names_is_completed() -> None:
    """An option of these names completes wherever it is; a new command forgets none."""
    for name, command in every_command().items():
        for parameter in command.params:
            listed = {"--piece", "--paper", "--printer", "--game", "--lang", "--sleeve", "game", "games"}
            if listed & set(parameter.opts):
                assert parameter._custom_shell_complete is not None, f"{name} {parameter.opts}"
