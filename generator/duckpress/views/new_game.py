"""A new game, and the schemas by which editors check the files of any game as somebody types."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from duckpress.content import ID
from duckpress.content.game.deck_file import AnyDeckKeys
from duckpress.content.game.game_file import GameKeys
from duckpress.content.setup.setup_file import SetupKeys
from duckpress.content.translations.translation_keys import SharedWordsKeys, TranslationKeys
from duckpress.content.yaml.declared_shapes import NamesOf, schema_of
from duckpress.files.workspace import Workspace
from duckpress.layout.theme_keys import ThemeKeys
from duckpress.store import OUTPUT, write_outputs
from duckpress.store.printer_file import PrinterKeys
from duckpress.text.fonts.library import FamilyKeys

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


FOLDER = "schemas"
"""Of a game: the schemas of its files, to which their first lines lead."""
MODELINE = "# yaml-language-server: $schema="


class SchemaFile(Struct, frozen=True):
    """A schema: the files it is for, as seen from the workspace, and what makes it."""

    files: str
    make: Callable[[], dict[str, Any]]


SCHEMAS: Mapping[str, SchemaFile] = {
    "game": SchemaFile("content/GAME/game.yaml", lambda: schema_of(GameKeys)),
    "deck": SchemaFile("content/GAME/decks/*.yaml, boards/*.yaml", lambda: schema_of(AnyDeckKeys)),
    "setup": SchemaFile("content/GAME/setup.yaml", lambda: schema_of(SetupKeys)),
    "theme": SchemaFile("content/GAME/theme.yaml, themes/*.yaml", lambda: schema_of(ThemeKeys)),
    "lang": SchemaFile("content/GAME/lang/*.yaml", lambda: schema_of(TranslationKeys)),
    "words": SchemaFile("layouts/lang/*.yaml", lambda: schema_of(SharedWordsKeys)),
    "family": SchemaFile("fonts/*/family.yaml", lambda: schema_of(FamilyKeys)),
    "printers": SchemaFile("printers.yaml of your settings", lambda: schema_of(NamesOf((PrinterKeys,)))),
}
"""The schemas by their names."""


def schema_text(name: str) -> str:
    """Return a schema as the text of its file."""
    return json.dumps(SCHEMAS[name].make(), indent=1, ensure_ascii=False) + "\n"


def schema_files() -> dict[str, bytes]:
    """Return the schemas by the names of their files."""
    return {f"{name}.json": schema_text(name).encode() for name in SCHEMAS}


def schemas_of_game() -> dict[str, bytes]:
    """Return the schemas of a game's own files, as they lie in its folder."""
    own = [name for name, schema in SCHEMAS.items() if schema.files.startswith("content/")]
    return {f"{FOLDER}/{name}.json": schema_text(name).encode() for name in own}
