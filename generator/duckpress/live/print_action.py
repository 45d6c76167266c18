"""Printing from the page: the usual build, as a run of its own beside everything else, and what it tells.

The page chooses by words that the command line knows; each goes to the program as one argument (`--paper=a4`), so that
no value can pass for an option. What else a page may say is refused. The files that were made can be looked at, by the
names that the build told, until the next ones are made.
"""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from duckpress.store import read_whole

_LISTS = ("piece", "paper")
_WORDS = ("backs", "turn", "gaps", "cut", "ink", "lang", "printer", "sleeve", "finish")
_SWITCHES = ("gang", "cover")
_MOST_WORDS = 60  # values in a list
_LONGEST = 200  # letters
_MOST_BYTES = 512_000_000  # of a file that is looked at


class BadChoice(Exception):
    """A choice that the page cannot make."""


class PrintAction:
    """Builds what the page chooses, one build at a time; `command` is the program with the workspace and the game."""

    def __init__(self, command: Sequence[str], out: str) -> None:
        self._command = tuple(command)
        self._out = out
        self._at_work = threading.Lock()
        self._printed: dict[str, Path] = {}

    def print(self, choices: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a build told, with its status. Raises `BadChoice`; `BlockingIOError` while another is at work."""
        arguments = chosen_arguments(choices)
        if not self._at_work.acquire(blocking=False):
            raise BlockingIOError
        try:
            done = subprocess.run(
                [*self._command, f"--out={self._out}", *arguments, "--format=json"],
                stdin=subprocess.DEVNULL, capture_output=True, check=False,
            )  # fmt: skip
        finally:
            self._at_work.release()
        words = done.stderr.decode("utf-8", "replace").strip()
        try:
            told = json.loads(done.stdout)
        except ValueError:
            return {"status": done.returncode, "said": words, "games": [], "problems": []}
        folders = [(Path(game["folder"]), game["files"]) for game in told.get("games", [])]
        self._printed = {name: folder / name for folder, names in folders for name in names}
        return {"status": done.returncode, "said": words, **told}

    def printed(self, name: str) -> bytes | None:
        """Return a file of the last build; None where it has none of that name, or none any more."""
        try:
            return read_whole(self._printed[name], _MOST_BYTES)
        except (KeyError, OSError):
            return None


def chosen_arguments(choices: Mapping[str, Any]) -> list[str]:
    """Return the choices of a page as arguments. Raises `BadChoice`."""
    arguments = []
    for name, value in choices.items():
        if name in _SWITCHES and isinstance(value, bool):
            arguments += [f"--{name}"] if value else []
        elif name in _LISTS and isinstance(value, list) and 0 < len(value) <= _MOST_WORDS:
            arguments.append(f"--{name}={','.join(_word(name, one) for one in value)}")
        elif name in _WORDS:
            arguments.append(f"--{name}={_word(name, value)}")
        else:
            raise BadChoice(f"{name!r} cannot be chosen like that")
    return arguments


def _word(name: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > _LONGEST or not value.isprintable():
        raise BadChoice(f"that is no {name}")
    return value
