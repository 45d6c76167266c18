"""What ids are made of: those of games, decks, pieces and cards, which are also names of files."""

from __future__ import annotations

import re

from duckpress.content.yaml import scalars
from duckpress.core.problems import Problem, Source

_DEVICE = "(?:con|prn|aux|nul|com[0-9]|lpt[0-9])"
"""No names of files on Windows, whatever ending follows. Source: Microsoft, Naming Files, Paths, and Namespaces."""
ID = re.compile(rf"(?!{_DEVICE}\Z)[a-z0-9][a-z0-9-]{{0,79}}")


def check_id(text: str, source: Source, label: str, problems: list[Problem]) -> bool:
    """Tell whether a text can be an id: small letters, digits and '-'. Problem: `bad-id`, saying what to write."""
    if ID.fullmatch(text):
        return True
    if re.fullmatch(_DEVICE, text):
        what = f"{label} {text!r} is what Windows calls a device, so no file can have that name there"
        problems.append(Problem("bad-id", source, what, "take another word"))
        return False
    better = re.sub(r"[^a-z0-9]+", "-", text[:200].lower()).strip("-")[:80]
    fix = f"write {better!r}" if better else "write small letters, digits and '-'"
    what = f"{label} {scalars.quoted(text)} is not made of small letters, digits and '-'"
    problems.append(Problem("bad-id", source, what, fix))
    return False
