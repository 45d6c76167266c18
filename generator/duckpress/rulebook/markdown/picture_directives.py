"""`![caption](card:duck/mallard width=30mm)` -> a picture asked for."""

from __future__ import annotations

import re
from collections.abc import Callable

from duckpress.core.problems import Problem, Source, did_you_mean
from duckpress.core.units import parse_length
from duckpress.rulebook.markdown.blocks import PictureBlock

KINDS = ("card", "board", "back", "art", "icon")
PICTURE = re.compile(r"!\[")
_WHOLE = re.compile(r"!\[((?>(?:\\.|[^\]\\])*))\]\(([^()]*+)\)[ \t]*+")
_OPTIONS = ("width", "height", "turn")
_LARGEST_MM = 400.0


def read_pictures(
    text: str, place: Callable[[str], Source], problems: list[Problem]
) -> tuple[tuple[PictureBlock, ...], bool]:
    """Return the pictures on a line, and whether they go across all columns. Problem: `bad-picture-line`."""
    found: list[PictureBlock] = []
    is_wide = False
    rest = text.strip()
    while rest:
        match = _WHOLE.match(rest)
        if match is None:
            fix = "write ![caption](card:deck/card width=30mm), several with blanks between them"
            problems.append(Problem("bad-picture-line", place(rest), f"{rest[:40]!r} is no picture", fix))
            break
        rest = rest[match.end() :]
        target, *options = match[2].split() or [""]
        kind, colon, name = target.partition(":")
        if not colon or kind not in KINDS or not name:
            fix = "write card:deck/card, back:deck, art:art/file.svg or icon:name"
            fix = did_you_mean(kind, KINDS) if colon and kind not in KINDS else fix
            what = f"{target[:60]!r} does not say what to show"
            problems.append(Problem("bad-picture-line", place(target or "("), what, fix))
            continue
        values: dict[str, float] = {}
        for option in options:
            key, equals, value = option.partition("=")
            if option == "wide":
                is_wide = True
            elif not equals or key not in _OPTIONS or (number := _value(key, value)) is None:
                fix = "write width=30mm, height=40mm, turn=90 or wide"
                problems.append(Problem("bad-picture-line", place(option), f"{option[:40]!r} means nothing here", fix))
            else:
                values[key] = number
        sizes = (values.get("width"), values.get("height"), int(values.get("turn", 0)))
        found.append(PictureBlock(match[1], "card" if kind == "board" else kind, name, *sizes, place(target)))
    return tuple(found), is_wide


def _value(key: str, text: str) -> float | None:
    if key == "turn":
        return float(text) if text in ("0", "90", "180", "270") else None
    length = parse_length(text)
    return length if length is not None and 1.0 <= length <= _LARGEST_MM else None
