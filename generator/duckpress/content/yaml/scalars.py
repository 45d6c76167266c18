"""Scalars -> values, by the kind that is asked for; and, where no kind is known, by what YAML 1.2 takes them for.

A whole number is written with digits alone (`12`, `-3`; `012` is 12, as YAML 1.2 has it; `1_000`, `0x1f` and `7.0` are
no whole numbers); a number may have a fraction and an exponent and is finite. A yes-no value is `yes`, `no`, `true` or
`false`. Quotes make a text: a quoted "7" is neither a number nor, as "yes", a yes-no value. Where a text is asked for,
every scalar is one (`no`, `3:1`, `2-6`, `0.10`), as it was written, less the line breaks a block ends with.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from duckpress.content.yaml.nodes import Mapping, Node, Scalar, Sequence
from duckpress.core.problems import Problem, did_you_mean
from duckpress.model import Value

_WHOLE = re.compile(r"[-+]?[0-9]+")
_NUMBER = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_YES_NO = {"yes": True, "true": True, "no": False, "false": False}
MAX_DIGITS = 15  # all whole numbers of so many digits are exact as floats too, in JSON and in templates


def text_of(node: Node, label: str, problems: list[Problem]) -> str | None:
    """Give a text. Problems: `wrong-type` for a list or a mapping, `empty-value`."""
    if isinstance(node, Scalar):
        if not node.is_null:
            return node.text.rstrip("\n")
        problems.append(Problem("empty-value", node.source, f"{label} is empty", "write a text, or delete the key"))
        return None
    _report_type(node, label, "a text", problems)
    return None


def whole_of(
    node: Node, label: str, problems: list[Problem], low: int | None = None, high: int | None = None
) -> int | None:
    """Give a whole number. Problems: `wrong-type`, `empty-value`, `out-of-range`."""
    if isinstance(node, Scalar) and node.is_plain and _WHOLE.fullmatch(node.text):
        value = int(node.text) if len(node.text) <= MAX_DIGITS else None
        return value if _is_in_range(value, node, label, problems, low, high) else None
    _report_type(node, label, "a whole number", problems)
    return None


def number_of(
    node: Node, label: str, problems: list[Problem], low: float | None = None, high: float | None = None
) -> float | None:
    """Give a finite number. Problems: `wrong-type`, `empty-value`, `out-of-range`."""
    if isinstance(node, Scalar) and node.is_plain and _NUMBER.fullmatch(node.text):
        value = float(node.text) if len(node.text) <= 32 else None
        finite = value if value is not None and math.isfinite(value) else None
        return finite if _is_in_range(finite, node, label, problems, low, high) else None
    _report_type(node, label, "a number", problems)
    return None


def yes_no_of(node: Node, label: str, problems: list[Problem]) -> bool | None:
    """Give True for `yes` and `true`, False for `no` and `false`. Problems: `wrong-type`, `empty-value`."""
    if isinstance(node, Scalar) and node.is_plain and node.text.lower() in _YES_NO:
        return _YES_NO[node.text.lower()]
    _report_type(node, label, "yes or no", problems)
    return None


def choice_of(node: Node, label: str, problems: list[Problem], choices: Iterable[str]) -> str | None:
    """Give one of the words allowed. Problems: `wrong-type`, `empty-value`, `unknown-choice`."""
    text = text_of(node, label, problems)
    if text is None or text in choices:
        return text
    what = f"{label} is {quoted(text)}, which is not one of its choices"
    problems.append(Problem("unknown-choice", node.source, what, did_you_mean(text, choices)))
    return None


def texts_of(node: Node, label: str, problems: list[Problem]) -> tuple[str, ...] | None:
    """Give the texts of a list. Problems: `wrong-type`, `empty-value`."""
    if isinstance(node, Sequence):
        texts = [text_of(item, f"an entry of {label}", problems) for item in node.items]
        return tuple(text for text in texts if text is not None) if None not in texts else None
    _report_type(node, label, "a list", problems)
    return None


def plain_value(node: Node) -> Value:
    """Give a value whose kind nobody declared (`facts`, `lists`): plain numbers and yes-no words, and texts."""
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
    """Give a text in quotes for a message, cut short."""
    return repr(text if len(text) <= 60 else text[:57] + "...")


def _is_in_range(
    value: float | None, node: Scalar, label: str, problems: list[Problem], low: float | None, high: float | None
) -> bool:
    if value is not None and (low is None or value >= low) and (high is None or value <= high):
        return True
    if low is not None and high is not None:
        fix = f"write a number from {low:g} to {high:g}"
    elif low is not None:
        fix = f"write a number of at least {low:g}"
    elif high is not None:
        fix = f"write a number of at most {high:g}"
    else:
        fix = f"write a number of at most {MAX_DIGITS} digits"
    problems.append(Problem("out-of-range", node.source, f"{label} is {quoted(node.text)}, which is out of range", fix))
    return False


def _report_type(node: Node, label: str, wanted: str, problems: list[Problem]) -> None:
    if isinstance(node, Scalar) and node.is_null:
        what, fix = f"{label} is empty", f"write {wanted}, or delete the key"
        problems.append(Problem("empty-value", node.source, what, fix))
        return
    fix = f"write {wanted}"
    if isinstance(node, Scalar):
        has = f"the text {quoted(node.text)}" if not node.is_plain else quoted(node.text)
        if not node.is_plain and wanted != "a list":
            fix += " without quotes"
        elif wanted == "a list":
            fix = "write it in brackets: [" + (node.text if len(node.text) < 30 else "...") + "]"
    else:
        has = "a list" if isinstance(node, Sequence) else "a mapping"
        if isinstance(node, Mapping) and wanted == "a text":
            fix += "; text that begins with { has to stand in quotes"
    problems.append(Problem("wrong-type", node.source, f"{label} is {has}, not {wanted}", fix))
