"""What ids are made of: those of games, decks, pieces and cards, which are also names of files."""

from __future__ import annotations

import re

from duckpress.content.yaml.nodes import quoted
from duckpress.core.problems import Problem, Source

_DEVICE = "(?:con|prn|aux|nul|com[0-9]|lpt[0-9])"
"""No names of files on Windows, whatever ending follows. Source: Microsoft, Naming Files, Paths, and Namespaces."""
ID = re.compile(rf"(?!{_DEVICE}\Z)[a-z0-9][a-z0-9-]{{0,79}}")


def id_problem(text: str, source: Source, label: str) -> Problem | None:
    """Return why a text cannot be an id (`bad-id`), or None where it can: small letters, digits and '-'."""
    if ID.fullmatch(text):
        return None
    if re.fullmatch(_DEVICE, text):
        what = f"{label} {text!r} is what Windows calls a device, so no file can have that name there"
        return Problem("bad-id", source, what, "take another word")
    better = re.sub(r"[^a-z0-9]+", "-", text[:200].lower()).strip("-")[:80]
    fix = f"write {better!r}" if better else "write small letters, digits and '-'"
    what = f"{label} {quoted(text)} is not made of small letters, digits and '-'"
    return Problem("bad-id", source, what, fix)
