"""All limits in one table, each with its unit and the harm it prevents.

Games come from strangers, so a game never sets a limit: the person who runs the program does, by `--limit NAME=NUMBER`
or in the environment (`DUCKPRESS_LIMITS="image-pixels=80M yaml-depth=60"`). Whoever trips over one is told its name.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

VARIABLE = "DUCKPRESS_LIMITS"

SUFFIXES = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9}


class Limit(Struct, frozen=True):
    """A limit: its default, its unit, its scope, and the highest value that can be set."""

    usual: int
    unit: str
    of: str
    most: int = 10**12


LIMITS: Mapping[str, Limit] = {
    # files
    "text-file": Limit(8_000_000, "bytes", "a text file of a game, a layout or a theme"),
    "art-file": Limit(40_000_000, "bytes", "a picture, a drawing or another file of art"),
    "font-file": Limit(30_000_000, "bytes", "a font file"),
    "template-file": Limit(400_000, "bytes", "a template"),
    "rules-file": Limit(150_000, "bytes", "the rules in one language"),
    "lock-file": Limit(20_000_000, "bytes", "a lock or a manifest, of this game or of another"),
    "folder-entries": Limit(20_000, "files", "a folder of a game, and the folders in it"),
    "archive-files": Limit(20_000, "files", "a bundle, a spreadsheet or another zip", 60_000),
    "archive-file": Limit(300_000_000, "bytes", "a file of a bundle, unpacked"),
    "archive-all": Limit(2_000_000_000, "bytes", "all files of a bundle, unpacked"),
    "revision-files": Limit(20_000, "files", "a game, layouts and fonts as they were at a revision"),
    "revision-all": Limit(500_000_000, "bytes", "all files as they were at a revision"),
    "cache-entry": Limit(128_000_000, "bytes", "what a build leaves for later ones: one file"),
    "cache-all": Limit(256_000_000, "bytes", "what builds leave for later ones: all files"),
    # tables
    "table-rows": Limit(20_000, "rows", "a table of cards"),
    "table-columns": Limit(200, "columns", "a table of cards", 10_000),
    "table-cells": Limit(200_000, "cells", "all tables of a game, empty ones too"),
    "sheet-file": Limit(60_000_000, "bytes", "all spreadsheets of a game, the parts that are read, unpacked"),
    "sheet-elements": Limit(500_000, "elements", "all spreadsheets of a game, the parts that are read"),
    # YAML
    "yaml-depth": Limit(50, "levels", "lists and mappings in each other", 150),
    "yaml-values": Limit(250_000, "values", "the YAML files of a game, aliases counted as often as they are used"),
    "text-length": Limit(100_000, "letters", "one text, in YAML or in a table"),
    "title-length": Limit(300, "letters", "a title or a name", 10_000),
    "game-entries": Limit(500, "entries", "the credits, the notes, what to bring, the accepted findings"),
    "deck-fields": Limit(300, "fields", "a deck", 20_000),
    "game-files": Limit(500, "files", "the decks and boards of a game"),
    "game-pieces": Limit(200, "pieces", "what a game is printed as", 2_000),
    "game-languages": Limit(40, "languages", "a game", 2_000),
    "game-cards": Limit(50_000, "cards", "all decks of a game, copies not counted"),
    "deck-cards": Limit(20_000, "cards", "a deck, copies not counted"),
    "card-copies": Limit(1_000, "copies", "one card"),
    "printed-cards": Limit(100_000, "cards", "all that a game prints for its most players, copies counted"),
    "problems": Limit(4_000, "problems", "what is told of a game's files", 100_000),
    # pictures and drawings
    "image-pixels": Limit(50_000_000, "pixels", "one picture", 1_000_000_000),
    "png-chunks": Limit(100_000, "parts", "a PNG file"),
    "jpeg-parts": Limit(10_000, "parts", "a JPEG file"),
    "jpeg-scans": Limit(100, "scans", "a progressive JPEG"),
    "art-bytes": Limit(500_000_000, "bytes", "all pictures of a piece"),
    "art-segments": Limit(5_000_000, "segments", "all drawings of a piece"),
    "svg-file": Limit(10_000_000, "bytes", "an SVG file"),
    "svg-elements": Limit(20_000, "elements", "an SVG file"),
    "svg-drawn": Limit(20_000, "elements", "an SVG file as drawn: those used again count again"),
    "svg-depth": Limit(60, "levels", "elements in each other in an SVG file", 150),
    "svg-segments": Limit(400_000, "segments", "an SVG file as drawn"),
    "svg-rules": Limit(2_000, "rules", "the styles of an SVG file"),
    "path-segments": Limit(100_000, "segments", "one path or line"),
    "path-letters": Limit(4_000_000, "letters", "the data of one path or line"),
    "transform-steps": Limit(100, "steps", "one transform"),
    # workers
    "layout-seconds": Limit(20, "seconds", "one side of a card laid out, or a drawing drawn as a picture", 1_000_000),
    "layout-all-seconds": Limit(1_200, "seconds", "all that is laid out at once", 1_000_000),
    "layout-memory": Limit(1_000_000_000, "bytes", "a process that lays out or draws, besides what it begins with"),
    # faces
    "face-elements": Limit(20_000, "elements", "a face"),
    "face-depth": Limit(60, "levels", "elements in each other on a face", 150),
    "board-cells": Limit(200, "cells", "a board, each way", 1_000),
    "track-spaces": Limit(400, "spaces", "a track", 10_000),
    "grid-tracks": Limit(200, "tracks", "the columns or the rows of a grid", 9_999),
    "polyomino-side": Limit(40, "squares", "a polyomino, each way", 1_000),
    # texts
    "text-letters": Limit(100_000, "letters", "one text on a face, its fields filled in", 10_000_000),
    "text-marks": Limit(30, "marks", "one letter of a text: accents, vowel signs", 100_000),
    # families
    "family-cards": Limit(20_000, "cards", "one family, whether its condition takes them or not", 10_000_000),
    "family-steps": Limit(5_000_000, "steps", "filling in all families of a game", 10**12),
    "expression": Limit(2_000, "letters", "an expression in a family", 100_000),
    "expression-result": Limit(200_000, "letters or entries", "what one of a family or of a setup gives", 100_000_000),
    # setup
    "setup-steps": Limit(1_000_000, "steps", "checking a setup at one player count; each table, each deal", 10**12),
    "combination-steps": Limit(6_000_000, "steps", "checking what is played together: variants and modules", 10**12),
    "setup-size": Limit(100_000, "parts", "setup.yaml, a range of player counts as so many as it names", 10_000_000),
    "setup-expression": Limit(2_000, "letters", "an expression of a setup", 100_000),
    "playout-rounds": Limit(1_000, "rounds", "one playout", 1_000_000),
    # templates
    "template-parts": Limit(50_000, "parts", "a template: its words, values and signs, as they are read", 2_000_000),
    "template-depth": Limit(50, "levels", "loops, conditions and calculations in each other", 90),
    "template-steps": Limit(200_000, "steps", "filling one face: turns of loops, calls, values written"),
    "template-text": Limit(200_000, "letters or entries", "one text or list that a template makes", 100_000_000),
    "template-value": Limit(1_000_000, "parts", "a list of lists that a template makes, with all in it", 100_000_000),
    "rules-filled": Limit(400_000, "letters", "the rules in one language, filled in", 100_000_000),
    "template-face": Limit(2_000_000, "letters", "what a template writes for one face", 1_000_000_000),
}

_set: dict[str, int] = {}


def limit(name: str) -> int:
    """Return the current value of a limit. Raises `KeyError` for an unknown name."""
    return _set[name] if name in _set else LIMITS[name].usual


def how_to_raise(name: str) -> str:
    """Return the words that end a fix: how to raise a limit for a trusted game."""
    return f"if you trust this game, allow more with --limit {name}=NUMBER (now {written(limit(name))})"


def written(value: int) -> str:
    """Return a value as a person writes it: 8M, 400k, 50."""
    for suffix in ("G", "M", "k"):
        size = SUFFIXES[suffix]
        if value >= size and value % (size // 10) == 0:
            return f"{value / size:g}{suffix}"
    return str(value)


def use(settings: Mapping[str, int]) -> None:
    """Apply these settings from now on, and the default for every other limit."""
    _set.clear()
    _set.update(settings)


def settings() -> dict[str, int]:
    """Return the limits that are not at their defaults, for a new process."""
    return dict(_set)
