"""JSON Schemas of all YAML files that people write: what editors complete, explain and underline, without a network."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from duckpress.content.game.deck_file import AnyDeckKeys
from duckpress.content.game.game_file import GameKeys
from duckpress.content.setup.setup_file import SetupKeys
from duckpress.content.translations.translation_keys import SharedWordsKeys, TranslationKeys
from duckpress.content.yaml.schemas import schema_of, schema_of_names
from duckpress.fonts.library import FamilyKeys
from duckpress.layout.theme.theme_keys import ThemeKeys
from duckpress.store.printer_file import PrinterKeys

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
    "printers": SchemaFile("printers.yaml of your settings", lambda: schema_of_names(PrinterKeys)),
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
