"""The front matter of a rules sheet: `key: value` lines between two `---`, before everything else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from duckpress.core.problems import Problem, Source, did_you_mean
from duckpress.core.units import parse_length
from duckpress.rulebook.markdown.filling import FilledLine

KEYS = ("subtitle", "head", "columns")
_HEAD_MM = 36.0
_COLUMNS = 2
_MOST_COLUMNS = 4


class Front(NamedTuple):
    """What a sheet asks for: words beside the title, height of the title block, number of columns."""

    subtitle: str | None = None
    head_mm: float = _HEAD_MM
    columns: int = _COLUMNS


def read_front(lines: Sequence[FilledLine], path: str, problems: list[Problem]) -> tuple[Front, Sequence[FilledLine]]:
    """Return the front matter and the lines behind it. Problems: `unknown-key`, `bad-length`, `bad-number`."""
    front = Front()
    end = next((at for at, line in enumerate(lines) if at and line.text.rstrip() == "---"), None)
    if not lines or lines[0].text.rstrip() != "---" or end is None:
        return front, lines
    for line in lines[1:end]:
        key, colon, value = line.text.partition(":")
        key, value = key.strip(), value.partition(" #")[0].strip().strip("\"'")
        if not key:
            continue
        source = Source(path, line.number, len(line.text) - len(line.text.lstrip()) + 1)
        if not colon or key not in KEYS:
            what = f"the front matter has no key {key[:40]!r}"
            problems.append(Problem("unknown-key", source, what, did_you_mean(key, KEYS)))
        elif key == "subtitle":
            front = front._replace(subtitle=value)
        elif key == "head":
            length = parse_length(value)
            if length is None or not 16 <= length <= 150:
                what = f"the title block cannot be {value[:40]!r} high"
                problems.append(Problem("bad-length", source, what, "write 16mm to 150mm"))
            else:
                front = front._replace(head_mm=length)
        elif not value.isdigit() or not 1 <= int(value) <= _MOST_COLUMNS:
            what = f"there cannot be {value[:40]!r} columns"
            problems.append(Problem("bad-number", source, what, f"write 1 to {_MOST_COLUMNS}"))
        else:
            front = front._replace(columns=int(value))
    return front, lines[end + 1 :]
