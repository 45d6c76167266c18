"""A place in a file of the workspace, opened in the designer's own editor.

The editor is what the designer names on the command line: a program with its arguments, or an address such as
`vscode://file{file}:{line}:{column}`, which the page follows. The program gets a list of arguments, no shell ever reads
them. The page says `file:line:column` and nothing else; only plain files of the workspace itself are opened.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from duckpress.files.workspace import ROOMS, Refused, Workspace

_ADDRESS = re.compile("[a-z][a-z0-9+.-]*://")
_PLACE = re.compile("([^:]+)(?::([0-9]{1,9}))?(?::([0-9]{1,9}))?")
_PROGRAMS_OF_PAGES = ("http", "https", "javascript", "data", "file", "blob", "about", "view-source", "ws", "wss")
_FILE = "{file}"


class BadEditor(Exception):
    """A way to open files that cannot be used: the words say why."""


class Editor:
    """How a file is opened: `command` are the arguments, or `address` is what the page follows."""

    def __init__(self, command: Sequence[str] = (), address: str = "") -> None:
        self.command = tuple(command)
        self.address = address

    def open(self, root: Path, place: str) -> str:
        """Open a place; return the address that the page has to follow, empty where nothing is left to do.

        Raises `Refused` for a place that is not in a file of the workspace, and `BadEditor`.
        """
        if not self.command and not self.address:
            raise BadEditor("no editor is named: start with --editor")
        file, line, column = place_in(root, place)
        if self.address:
            return _filled(self.address, quote(file.as_posix()), line, column)
        arguments = [_filled(argument, str(file), line, column) for argument in self.command]
        try:
            editor = subprocess.Popen(
                arguments,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            raise BadEditor(f"{arguments[0]} cannot be started: {error.strerror}") from error
        threading.Thread(target=editor.wait, daemon=True).start()  # an editor may be open all evening
        return ""


def read_editor(words: str, root: Path) -> Editor:
    """Return the editor that words on the command line name. Raises `BadEditor`."""
    scheme = _ADDRESS.match(words)
    if scheme is not None:
        if scheme[0].removesuffix("://") in _PROGRAMS_OF_PAGES:
            raise BadEditor(f"{scheme[0]} opens a page, not an editor")
        if _FILE not in words:
            raise BadEditor("the address has to say {file}")
        return Editor(address=words)
    try:
        program, *arguments = shlex.split(words, posix=os.name == "posix") or [""]
    except ValueError as error:
        raise BadEditor(f"that is no command: {error}") from error
    found = shutil.which(program)
    if found is None:
        raise BadEditor(f"there is no program {program!r}")
    found = str(Path(found).absolute())
    if any(Path(place).is_relative_to(os.path.realpath(root)) for place in (found, os.path.realpath(found))):
        raise BadEditor(f"{program!r} lies in the workspace: files of a game are not run")
    if not any(_FILE in argument for argument in arguments):
        arguments.append(_FILE)
    return Editor((found, *arguments))


def place_in(root: Path, place: str) -> tuple[Path, str, str]:
    """Return file, line and column of a place in a file of the workspace. Raises `Refused`."""
    match = _PLACE.fullmatch(place)
    if match is None:
        raise Refused("outside-workspace", f"{place!r} is no place in a file", "say file:line:column")
    name = match[1]
    parts = name.split("/")
    Workspace(root).read(name, "art-file")  # the door for files: it looks whether it is a plain one, and inside
    real = Path(os.path.realpath(root / name))
    is_own = real == Path(os.path.realpath(root), name) and parts[0] in ROOMS
    if not is_own or any(part.startswith("-") for part in parts):
        raise Refused("outside-workspace", f"{name!r} is no plain file of the workspace", "open it yourself")
    return real, match[2] or "1", match[3] or "1"


def _filled(words: str, file: str, line: str, column: str) -> str:
    values = {_FILE: file, "{line}": line, "{column}": column}
    return re.sub(r"\{(?:file|line|column)\}", lambda match: values[match[0]], words)
