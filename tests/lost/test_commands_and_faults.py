"""Every command that writes, with a fault at each of its calls to the system in turn: old or new, and one message."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hostile_game import DECK, GAME, GOOD, game, lay_out
from mishaps import Mishap, calls_going_wrong, in_a_child, in_a_fresh_process, needs_fork, tree

from duckpress.cli import run_to_the_end
from duckpress.cli.commands import main
from duckpress.store import OutputFolder
from duckpress.store.output_folder import STAGED, beside
from duckpress.store.output_places import refuse_sources
from running import run

COMMANDS = {
    "build": "build g --paper a4",
    "release": "release g",
    "export": "export g --to png --dpi 40",
    "update": "update g --since 1.0 --paper a4",
    "bundle": "bundle g",
    "calibrate": "calibrate --paper a4",
    "printer": "printer add office --scale 98",
    "picture": "show duck/teal --png teal.png --dpi 40",
    "new": "new brook",
}
TRIED = [*((command, errno.ENOSPC) for command in COMMANDS), ("printer", errno.EACCES)]


STEP = 5
"""Every fifth call of a command is tried; `test_set_of_files` tries every one of those that all of them share."""


def try_command(place: str, results: str, command: str, code: int) -> None:
    """Let a command fail at its calls, in a small process; `rows.json` in the folder of results says how it ended."""
    root, folder = Path(place) / "workspace", Path(results)
    os.environ |= {"XDG_CONFIG_HOME": str(root / "settings"), "TMPDIR": str(root), "DUCKPRESS_CACHE": "off"}
    root.mkdir()
    os.chdir(root)
    started(root, command)
    forked = Forked(root, COMMANDS[command].split(), code, folder / "rows.json")
    assert in_a_child(forked.run) == 0
    if command == "build":  # as a next run: whatever was left in the last of the tries
        run(root, *COMMANDS[command].split(), status=0)
        assert visible(root, is_litter=True) == {}


def started(root: Path, command: str) -> None:
    """Make a workspace with a game that was built before, and with what else the command changes or compares."""
    before = dict.fromkeys(("release", "update", "bundle"), "release g")
    before["printer"] = "printer add office --scale 99"
    lay_out(root, GOOD)
    for words in (COMMANDS["build"], before.get(command, "list")):
        run(root, *words.split(), status=0)
    later = GAME.replace("1.0", "1.1") + "bundle: {papers: [a4], backs: [duplex]}\n"
    lay_out(root, game(game=later, deck=DECK.replace("Dives", "Dabbles")))
    lay_out(root, {"output/g/notes.txt": "mine", "teal.png": "a picture that was there"})


class Forked:
    """A command that is forked where it begins to write, once for each of its calls from there on."""

    def __init__(self, root: Path, words: list[str], code: int, result: Path) -> None:
        self.root = root
        self.words = words
        self.code = code
        self.result = result
        self.saved = result.parent / "saved"  # the workspace as it was
        self.rows: list[dict[str, Any]] = []
        self.before: dict[str, bytes] = {}
        self.after: dict[str, bytes] = {}
        self.mishap: Mishap | None = None

    def run(self) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(OutputFolder, "write", self.forking(OutputFolder.write))
            patch.setattr(OutputFolder, "stage", self.forking(OutputFolder.stage))
            patch.setattr("duckpress.store.file_writing.refuse_sources", self.forking(refuse_sources))
            words = ["--workspace", str(self.root), *self.words]
            status = run_to_the_end(lambda: main(words, prog_name="duckpress", standalone_mode=False))
        if self.mishap is not None:
            (self.result.parent / "happened").write_text("yes" if self.mishap.happened else "no")
            os._exit(status)

    def forking(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def write(*given: Any) -> Any:
            if self.mishap is not None:
                return real(*given)
            held = given[0] if isinstance(given[0], OutputFolder) else None
            if held is not None and not held.folder.is_relative_to(self.root / "output") and self.words[0] != "new":
                return real(*given)  # what is only made to be packed
            shutil.copytree(self.root, self.saved, symlinks=True)
            self.before = visible(self.saved)
            for number in (0, *range(1, 3000, STEP)):
                child = os.fork()
                if child == 0:
                    self.mishap = Mishap(number or 10**6, self.code)
                    sys.stdout = (self.result.parent / "out").open("w")
                    sys.stderr = (self.result.parent / "said").open("w")
                    self.wrong = calls_going_wrong(self.mishap)
                    self.wrong.__enter__()
                    return real(*given)
                status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
                self.note(number, status)
                self.restore(held, is_changed=self.rows[-1]["at"] != "old" or bool(self.rows[-1]["litter"]))
                if number and (self.result.parent / "happened").read_text() == "no":
                    self.result.write_text(json.dumps(self.rows))
                    os._exit(0)
            os._exit(1)

        return write

    def note(self, number: int, status: int) -> None:
        said = (self.result.parent / "said").read_text()
        litter = [name for name in visible(self.root, is_litter=True) if not name.endswith(".lock")]
        self.rows.append({"number": number, "status": status, "said": said, "litter": litter, "at": self.at()})

    def at(self) -> str:
        found = visible(self.root)
        if found == self.before:
            return "old"
        if not self.after:
            self.after = found
        return "new" if found == self.after else "mixed"

    def restore(self, held: OutputFolder | None, *, is_changed: bool) -> None:
        """Put everything back as it was when the writing began; what the run that waits holds open is cleared, too."""
        for path in self.root.iterdir() if is_changed else ():
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        if is_changed:
            shutil.copytree(self.saved, self.root, symlinks=True, dirs_exist_ok=True)
        if held is not None:
            held.recover()
            staged = beside(held.folder, STAGED)  # where pictures wait for the writing
            if staged.is_relative_to(self.root) and (saved := self.saved / staged.relative_to(self.root)).is_dir():
                shutil.copytree(saved, staged, dirs_exist_ok=True)


def visible(root: Path, *, is_litter: bool = False) -> dict[str, bytes]:
    """Return what is in a folder: what the program means to leave, or what it does not."""
    hidden = (".duckpress", "duckpress-")
    found = tree(root)
    return {name: found[name] for name in found if any(p.startswith(hidden) for p in name.split("/")) == is_litter}


@pytest.mark.sweep(10)
@needs_fork
@pytest.mark.parametrize(("command", "code"), TRIED)
def test_35_a_fault_at_any_call_of_a_command(quick_disk: Path, tmp_path: Path, command: str, code: int) -> None:
    in_a_fresh_process("test_commands_and_faults", "try_command", str(quick_disk), str(tmp_path), command, code)
    whole, *rows, last = json.loads((tmp_path / "rows.json").read_text())
    assert (whole["status"], whole["at"]) == (0, "new"), whole["said"]
    assert (last["status"], last["at"]) == (0, "new"), last["said"]
    assert rows
    for row in rows:
        assert row["status"] in (0, 3), row
        assert row["at"] == ("old" if row["status"] == 3 else "new"), row
        if row["status"] == 3:
            (line,) = row["said"].splitlines()
            assert line.startswith("duckpress: cannot "), row
            assert ("the disk is full" if code == errno.ENOSPC else "permission") in line, row
    assert any(row["status"] == 3 for row in rows)
