"""A name -> a small complete game in `content/`, to be changed into one's own: whole or not at all.

The files are those of `duckpress/starter/game`, a game that builds as it stands; only its title is replaced. Beside
them lie the schemas to which their first lines lead.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from duckpress.content import ID
from duckpress.files.workspace import Workspace
from duckpress.store import OUTPUT, write_outputs
from duckpress.views.editor_schemas import schemas_of_game

STARTER = Path(__file__).resolve().parent.parent / "starter" / "game"
TITLE = "A New Game"
MAX_TITLE_LENGTH = 100


class NotStarted(Exception):
    """A game that cannot be made as asked: the words say why, and what to do instead."""


def start_game(workspace: Workspace, name: str, title: str | None) -> list[str]:
    """Make a game of that name in the workspace, or a workspace with it in an empty folder; return its files' paths.

    Raises `NotStarted` for a name that is no id or is taken, and for a folder that is no workspace and holds more than
    outputs; `MachineError` where the files cannot be written. Nothing is left behind then.
    """
    title = (title or name.replace("-", " ").capitalize()).strip()
    if not ID.fullmatch(name):
        raise NotStarted(f"{name!r} cannot be the name of a game: use small letters, digits and '-', such as my-game")
    if not title or len(title) > MAX_TITLE_LENGTH or not title.isprintable():
        raise NotStarted(f"a title is a text of 1 to {MAX_TITLE_LENGTH} letters on one line")
    content = workspace.root / "content"
    is_new = not content.is_dir()
    # Whoever has built the bundled games here has an output folder already.
    if is_new and any(not entry.name.startswith(".") and entry.name != OUTPUT for entry in workspace.root.iterdir()):
        raise NotStarted(
            f"{workspace.root} is no workspace, and it is not empty: start in an empty folder, or make a folder "
            "content/ in this one"
        )
    target = content / name
    if os.path.lexists(target):
        raise NotStarted(f"{target} is there already: choose another name, or move it away")
    files = {file: (STARTER / file).read_bytes() for file in starter_files()} | schemas_of_game()
    quoted = json.dumps(title, ensure_ascii=False)  # a JSON text is one in YAML, whatever letters are in it
    files["game.yaml"] = files["game.yaml"].decode().replace(f'"{TITLE}"', quoted, 1).encode()
    write_outputs(target, files)
    return [f"content/{name}/{file}" for file in files]


def starter_files() -> list[str]:
    """Return the paths of the starter's files, as seen from its folder."""
    return sorted(path.relative_to(STARTER).as_posix() for path in STARTER.rglob("*") if path.is_file())
