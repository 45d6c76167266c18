"""What a condition that does not hold compares: the values of its sides, as words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from duckpress.check.setup.scene import Scene
from duckpress.check.setup.value_words import exactly
from duckpress.check.setup_expressions import Stopped
from duckpress.model.amounts import Expression

_PART = re.compile(
    r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[(\[{]|[)\]}]|[=!<>]=|[<>]|\b(?:and|or|not\s+in|in|not|is|if|else)\b""",
    re.S,
)
_COMPARING = ("==", "!=", "<=", ">=", "<", ">", "in", "not in")
_MOST_SIDES = 6
_LONGEST = 60


def sides_in_words(scene: Scene, condition: Expression) -> str:
    """Return `hand is 4, market is 6` for each side that is not written as a value; nothing where there is none."""
    words: dict[str, str] = {}
    for side in _sides(scene, condition):
        value = _value(scene, condition, side)
        shown = exactly(value)[:_LONGEST] if value is not None and not isinstance(value, bool) else ""
        if shown and side not in words and shown not in (side, side[1:-1]):
            words[side] = f"{side} is {shown}"
    return ", ".join(list(words.values())[:_MOST_SIDES])


def _sides(scene: Scene, condition: Expression) -> Iterator[str]:
    """Yield the sides of each comparison that is untrue; `and` and `or` stand between comparisons."""
    text = condition.text
    depth, cuts = 0, [(0, 0, "and")]
    for part in _PART.finditer(text):
        word = " ".join(part[0].split())
        depth += (word in "([{") - (word in ")]}")
        if depth == 0 and word in ("if", "else", "is", "not"):
            return
        if depth == 0 and word in (*_COMPARING, "and", "or"):
            cuts.append((*part.span(), word))
    ends = [cut[0] for cut in cuts[1:]] + [len(text)]
    clauses: list[tuple[int, int, list[str]]] = []
    for (_, start, word), end in zip(cuts, ends, strict=True):
        if word in ("and", "or"):
            clauses.append((start, end, [text[start:end].strip()]))
        else:
            first, _, sides = clauses.pop()
            clauses.append((first, end, [*sides, text[start:end].strip()]))
    for start, end, sides in clauses:
        if not _value(scene, condition, text[start:end].strip()):
            yield from sides


def _value(scene: Scene, condition: Expression, text: str) -> object:
    """Return the value of a part of a condition; none where it cannot be computed by itself."""
    try:
        return scene.part_of(condition, text, 0)
    except Stopped:
        return None
