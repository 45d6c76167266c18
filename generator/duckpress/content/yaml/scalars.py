"""Scalars -> values, by the kind that is asked for; and, where no kind is known, by what YAML 1.2 takes them for.

A whole number is written with digits alone (`12`, `-3`; `012` is 12, as YAML 1.2 has it; `1_000`, `0x1f` and `7.0` are
no whole numbers); a number may have a fraction and an exponent and is finite. A yes-no value is `yes`, `no`, `true` or
`false`. Quotes make a text: a quoted "7" is neither a number nor, as "yes", a yes-no value. Where a text is asked for,
every scalar is one (`no`, `3:1`, `2-6`, `0.10`), as it was written, less the line breaks a block ends with.

Every reader takes a node and the words for it in messages, and returns None for a node that is something else.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection

from duckpress.content.yaml.nodes import Mapping, Node, Scalar, Sequence
from duckpress.core.problem_list import ProblemList, Read
from duckpress.core.problems import Problem, did_you_mean
from duckpress.model import Value

_WHOLE = re.compile(r"[-+]?[0-9]+")
_NUMBER = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_YES_NO = {"yes": True, "true": True, "no": False, "false": False}
MAX_DIGITS = 15  # all whole numbers of so many digits are exact as floats too, in JSON and in templates


def text_of(node: Node, label: str) -> Read[str | None]:
    """Return a text. Problems: `wrong-type` for a list or a mapping, `empty-value`."""
    if not isinstance(node, Scalar):
        return _wrong_type(node, label, "a text")
    if node.is_null:
        return Read(None, [Problem("empty-value", node.source, f"{label} is empty", "write a text, or delete the key")])
    return Read(node.text.rstrip("\n"))


def whole_of(node: Node, label: str, low: int | None = None, high: int | None = None) -> Read[int | None]:
    """Return a whole number. Problems: `wrong-type`, `empty-value`, `out-of-range`."""
    if not (isinstance(node, Scalar) and node.is_plain and _WHOLE.fullmatch(node.text)):
        return _wrong_type(node, label, "a whole number")
    value = int(node.text) if len(node.text) <= MAX_DIGITS else None
    return Read(value) if _is_in_range(value, low, high) else _out_of_range(node, label, low, high)


def number_of(node: Node, label: str, low: float | None = None, high: float | None = None) -> Read[float | None]:
    """Return a finite number. Problems: `wrong-type`, `empty-value`, `out-of-range`."""
    if not (isinstance(node, Scalar) and node.is_plain and _NUMBER.fullmatch(node.text)):
        return _wrong_type(node, label, "a number")
    value = float(node.text) if len(node.text) <= 32 else math.inf
    is_right = math.isfinite(value) and _is_in_range(value, low, high)
    return Read(value) if is_right else _out_of_range(node, label, low, high)


def yes_no_of(node: Node, label: str) -> Read[bool | None]:
    """Return True for `yes` and `true`, False for `no` and `false`. Problems: `wrong-type`, `empty-value`."""
    if isinstance(node, Scalar) and node.is_plain and node.text.lower() in _YES_NO:
        return Read(_YES_NO[node.text.lower()])
    return _wrong_type(node, label, "yes or no")


def choice_of(node: Node, label: str, choices: Collection[str]) -> Read[str | None]:
    """Return one of the words allowed. Problems: `wrong-type`, `empty-value`, `unknown-choice`."""
    read = text_of(node, label)
    if read.value is None or read.value in choices:
        return read
    what = f"{label} is {quoted(read.value)}, which is not one of its choices"
    return Read(None, [Problem("unknown-choice", node.source, what, did_you_mean(read.value, choices))])


def texts_of(node: Node, label: str) -> Read[tuple[str, ...] | None]:
    """Return the texts of a list. Problems: `wrong-type`, `empty-value`."""
    if not isinstance(node, Sequence):
        return _wrong_type(node, label, "a list")
    problems = ProblemList()
    texts = [problems.take(text_of(item, f"an entry of {label}")) for item in node.items]
    return Read(None if problems else tuple(text for text in texts if text is not None), problems)


def plain_value(node: Node) -> Value:
    """Return a value whose kind nobody declared (`facts`, `lists`): plain numbers and yes-no words, and texts."""
    if isinstance(node, Sequence):
        return tuple(plain_value(item) for item in node.items)
    if isinstance(node, Mapping):
        return {key: plain_value(entry.value) for key, entry in node.entries.items()}
    text = node.text
    if not node.is_plain:
        return text
    if node.is_null:
        return None
    if len(text) <= MAX_DIGITS:
        if _WHOLE.fullmatch(text):
            return int(text)
        if _NUMBER.fullmatch(text) and math.isfinite(number := float(text)):
            return number
    return _YES_NO.get(text, text)


def quoted(text: str) -> str:
    """Return a text in quotes for a message, cut short."""
    return repr(text if len(text) <= 60 else text[:57] + "...")


def described(node: Node) -> str:
    """Return what a node is, for a message about something else that should stand there."""
    if isinstance(node, Scalar):
        return quoted(node.text) if node.text else "empty"
    return "a list" if isinstance(node, Sequence) else "a mapping"


def _is_in_range(value: float | None, low: float | None, high: float | None) -> bool:
    return value is not None and (low is None or value >= low) and (high is None or value <= high)


def _out_of_range(node: Scalar, label: str, low: float | None, high: float | None) -> Read[None]:
    if low is not None and high is not None:
        fix = f"write a number from {low:g} to {high:g}"
    elif low is not None:
        fix = f"write a number of at least {low:g}"
    elif high is not None:
        fix = f"write a number of at most {high:g}"
    else:
        fix = f"write a number of at most {MAX_DIGITS} digits"
    return Read(
        None, [Problem("out-of-range", node.source, f"{label} is {quoted(node.text)}, which is out of range", fix)]
    )


def _wrong_type(node: Node, label: str, wanted: str) -> Read[None]:
    if isinstance(node, Scalar) and node.is_null:
        what, fix = f"{label} is empty", f"write {wanted}, or delete the key"
        return Read(None, [Problem("empty-value", node.source, what, fix)])
    fix, has = f"write {wanted}", described(node)
    if isinstance(node, Scalar):
        has = f"the text {quoted(node.text)}" if not node.is_plain else quoted(node.text)
        if wanted == "a list":
            fix = "write it in brackets: [" + (node.text if len(node.text) < 30 else "...") + "]"
        elif not node.is_plain:
            fix += " without quotes"
    elif isinstance(node, Mapping) and wanted == "a text":
        fix += "; text that begins with { has to stand in quotes"
    return Read(None, [Problem("wrong-type", node.source, f"{label} is {has}, not {wanted}", fix)])
