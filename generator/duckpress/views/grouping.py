"""Problems of one cause merged: `needs 12 to 18 cards`, with the fix of the worst; those of many cards together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from duckpress.core.problems import Level, Problem

# `3 of 120 draws` is one figure: which draw is worse hangs on both. Whose something is, is no figure.
_OWNER = "".join(rf"(?<!\b{word} )" for word in ("player", "team", "number", "seat"))
_FIGURE = re.compile(rf"\d+ of \d+(?= draws)|{_OWNER}(?<![\w.])-?\d+(?:\.\d+)?(?![\w.]*\w)")
_SINGULAR = re.compile(r"\b(\d+ card|\d+ such card|\d+ player)\b(?!')")
_ONE = re.compile(r"(?<!to )\b1 (card|such card|player)s\b")
_SPAN = re.compile(r"\d(?: ?%)? to \d")
_UNTRANSLATED = re.compile(r"(\S+): .*?: (\d+) texts? (?:is|are) not translated: ")
UNTRANSLATED = "translation-missing"
_MOST_PAIRS = 6
_ALTERNATIVE = ", or "


def alike(problems: Sequence[Problem]) -> list[list[Problem]]:
    """Return the problems in groups of one game, cause and level, the worst first.

    What occurs at several player counts and in several variants is one problem, and so are all texts that a
    language lacks.
    """
    groups: dict[tuple[object, ...], list[Problem]] = {}
    for at, problem in enumerate(grouped(_with_untranslated_merged(problems))):
        key = (problem.game, problem.cause, problem.level) if problem.cause and not problem.occurs else (at,)
        groups.setdefault(key, []).append(problem)
    return [sorted(group, key=lambda problem: -problem.weight) for group in groups.values()]


def grouped(problems: Sequence[Problem]) -> list[Problem]:
    """Return problems, with those of one game, cause and level merged if their occurrences are known."""
    groups: dict[tuple[object, ...], list[Problem]] = {}
    for at, problem in enumerate(problems):
        key = (problem.game, problem.cause, problem.level) if problem.cause and problem.occurs else (at,)
        groups.setdefault(key, []).append(problem)
    return [_merged(group) for group in groups.values()]


def _with_untranslated_merged(problems: Sequence[Problem]) -> list[Problem]:
    """Return problems, with the warnings of texts that a language of a game lacks merged into the last of them."""
    lacking: dict[tuple[str | None, str], dict[Problem, int]] = {}
    for problem in problems:
        if problem.level is Level.WARNING and (match := _UNTRANSLATED.match(problem.what)):
            lacking.setdefault((problem.game, match[1]), {})[problem] = int(match[2])
    merged: dict[Problem, Problem | None] = {}
    for (game, language), counts in lacking.items():
        if len(counts) > 1:
            whats, last = tuple(problem.what for problem in counts), [*counts][-1]
            lists = f"duckpress check {game} --notes lists them"
            what = f"{language}: {sum(counts.values())} texts are not translated ({lists})"
            merged |= dict.fromkeys(counts) | {last: last._replace(what=what, fix="", others=whats)}
    return [one for problem in problems if (one := merged.get(problem, problem)) is not None]


def _merged(group: Sequence[Problem]) -> Problem:
    first = group[0]
    if not first.occurs:
        return first
    worst = max(group, key=lambda problem: (_needed(problem), problem.weight))
    is_compared = first.code == "expectation" and len({problem.variant for problem in group}) == 1
    group = sorted(group, key=lambda problem: problem.players or 0)
    whats = [problem.what.removeprefix(f"{problem.heading}: ") for problem in group]
    what = _one_text(whats, is_compared=is_compared)
    if what is None:
        what = f"{first.occurs}; at worst, {worst.what}" if worst.heading else f"{first.occurs}: {worst.what}"
    else:
        what = f"{first.occurs}: {what}"
    return first._replace(code=worst.code, what=what, fix=_common_fix(worst, group))


def _needed(problem: Problem) -> float:
    """Return the first number in the fix: enough cards for the worst case suffice for all."""
    figure = re.search(r"\d+", problem.fix.partition(_ALTERNATIVE)[0])
    return float(figure[0]) if figure else 0


def _common_fix(worst: Problem, group: Sequence[Problem]) -> str:
    """Return the worst problem's fix, without alternatives that do not apply to all.

    Cards that are enough for the worst are enough for all; any other fix says where it is one.
    """
    first, *others = worst.fix.split(_ALTERNATIVE)
    if not first.startswith("add ") and any(problem.fix.split(_ALTERNATIVE)[0] != first for problem in group):
        return f"{worst.heading}: {worst.fix}"
    kept = [other for other in others if all(other in problem.fix.split(_ALTERNATIVE) for problem in group)]
    return _ALTERNATIVE.join((first, *kept))


def _one_text(texts: Sequence[str], *, is_compared: bool) -> str | None:
    """Return texts as one, with each differing figure as a range; None if more than figures differ.

    Of a comparison (`is_compared`) they are listed in order, where they are few.
    """
    if len(set(texts)) == 1:
        return texts[0]
    if any(map(_SPAN.search, texts)):
        return None  # ranges of ranges say nothing
    texts = [_SINGULAR.sub(r"\1s", text) for text in texts]
    words = [_FIGURE.split(text) for text in texts]
    if any(other != words[0] for other in words):
        return None
    columns = list(zip(*map(_FIGURE.findall, texts), strict=True))
    differing = [figures for figures in columns if len(set(figures)) > 1]
    # What is and what should be belong together, player count by player count; other figures only grow.
    is_paired = len(differing) > 1 and is_compared and len(texts) <= _MOST_PAIRS
    ranges = [", ".join(one) if is_paired and one in differing else _range(one) for one in columns]
    joined = "".join(word + figure for word, figure in zip(words[0], [*ranges, ""], strict=True))
    return _ONE.sub(r"1 \1", joined)


def _range(figures: Sequence[str]) -> str:
    ordered = sorted(figures, key=_value)
    (least, _, of), (_, _, same) = ordered[0].partition(" of "), ordered[-1].partition(" of ")
    if of == same and ordered[0] != ordered[-1] and of:
        return f"{least} to {ordered[-1]}"
    return ordered[0] if _value(ordered[0]) == _value(ordered[-1]) else f"{ordered[0]} to {ordered[-1]}"


def _value(figure: str) -> Fraction:
    over, _, of = figure.partition(" of ")
    return Fraction(over) / Fraction(of or 1)
