"""How results are reported: problems, counts and names, as text for people and as JSON with stable keys."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from duckpress.cli.terminal import echo, style
from duckpress.core.problems import Level, Problem
from duckpress.views.grouping import UNTRANSLATED, alike

if TYPE_CHECKING:
    from duckpress.press.packet import Dealt
    from duckpress.press.reading import Checked
    from duckpress.press.result_cache import EarlierBuild

# In JSON what `visible` escapes is escaped as JSON does it; `json` does so for the controls below the space.
_STEERING = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_SHOWN = 5  # of the same mistake in many cards
_COLOURS = {Level.ERROR: "red", Level.WARNING: "yellow", Level.NOTE: "cyan"}


def problem_data(problem: Problem) -> dict[str, Any]:
    """Return a problem with the keys that `--format json` promises."""
    return {
        "code": problem.code,
        "level": problem.level.value,
        "game": problem.game,
        **problem.source._asdict(),
        "what": problem.what,
        "fix": problem.fix,
        "players": problem.players,
        "variant": problem.variant,
        "cause": problem.cause or None,
    }


def print_json(data: Mapping[str, object], problems: Iterable[Problem], **more: object) -> None:
    """Print one object for `--format json`: the data, the problems, and any further entries."""
    whole = {**data, "problems": [problem_data(problem) for problem in problems], **more}
    shown = json.dumps(whole, ensure_ascii=False, indent=2)
    echo(_STEERING.sub(lambda match: f"\\u{ord(match[0]):04x}", shown), lines=True)


def print_problems(problems: Sequence[Problem]) -> None:
    """Print problems for readers, grouped by cause: place, level, code, what is wrong, and the fix.

    Of the same mistake in many cards the worst are shown, and how many there are; notes as `hides_notes` says.
    """
    shown = [one for one in problems if one.level is not Level.NOTE] if hides_notes() else problems
    for group in alike(shown):
        if len(group) > _SHOWN:
            _print_group(group)
            continue
        for problem in group:
            echo(f"{problem.source}: {_heading(problem)}: {problem.what}")
            for detail in problem.others if problem.code == UNTRANSLATED and _given("notes") else ():
                echo(f"    {detail}")
            if problem.fix:
                echo(f"    fix: {problem.fix}")


def hides_notes() -> bool:
    """Return whether the running command counts notes only: it has `--notes`, and nothing given asks for notes."""
    return _given("notes") is False and not any(map(_given, ("doubt", "sleeve")))


def _given(option: str) -> object:
    """Return the value of an option of the running command; None if it has no such option."""
    context = click.get_current_context(silent=True)
    return context.params.get(option) if context is not None else None


def _print_group(group: Sequence[Problem]) -> None:
    shown, places = group[:_SHOWN], {problem.source for problem in group}
    order = ", the worst first" if group[0].weight > group[-1].weight else ""
    echo(f"{min(places)}: {_heading(group[0])}: {len(group)} of the same kind{order}:")
    for problem in shown:
        echo(f"    {problem.what}" if len(places) == 1 else f"    {problem.source}: {problem.what}")
    echo(f"    ... and {len(group) - len(shown)} more, all of them with --format json")
    for fix in dict.fromkeys(problem.fix for problem in shown if problem.fix):
        echo(f"    fix: {fix}")


def _heading(problem: Problem) -> str:
    return style(f"{problem.level.value}[{problem.code}]", fg=_COLOURS[problem.level], bold=True)


def print_tally(result: Checked | Dealt | EarlierBuild, what: str, told: Collection[Problem] = ()) -> None:
    """Print the problems of a game but those that are told already, then its name, the result, and their number."""
    print_problems([problem for problem in result.problems if problem not in told])
    echo(f"{style(result.game_id, bold=True)}: {what}: {tally(result.problems)}")


def tally(problems: Sequence[Problem], covered: str = "") -> str:
    """Return `2 errors, 1 warning` or `no problems`, and what was `covered`; of several player counts one counts."""
    problems = [problem for group in alike(problems) for problem in group]
    counts = {level: sum(problem.level is level for problem in problems) for level in Level}
    told = ", ".join(counted(count, level.value) for level, count in counts.items() if count) or "no problems"
    if counts[Level.NOTE] and hides_notes():
        told += f" (--notes shows {'it' if counts[Level.NOTE] == 1 else 'them'})"
    return f"{told}; checked: {covered}" if covered else told


def plural(count: int, word: str) -> str:
    """Return the word in the singular for 1, else in the plural."""
    if count == 1:
        return word
    return f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"


def counted(count: int, word: str) -> str:
    """Return a number with its word: `1 sheet`, `2 sheets`."""
    return f"{count} {plural(count, word)}"


def paper_in_all(sheets: Mapping[str, int], saved: Mapping[str, int]) -> str:
    """Return `paper in all: 26 sheets of a4 (2 saved by sharing)`; both arguments are by the name of the paper."""
    shares = {paper: f" ({count} saved by sharing)" if count else "" for paper, count in saved.items()}
    totals = (f"{counted(count, 'sheet')} of {paper}{shares.get(paper, '')}" for paper, count in sheets.items())
    return f"paper in all: {', '.join(totals)}"


def first_of(names: Iterable[str], most: int) -> str:
    """Return the first names with commas between them, and the number of the others."""
    listed = list(names)
    return ", ".join(listed[:most]) + (f" and {len(listed) - most} more" if len(listed) > most else "")


def print_columns(rows: Sequence[Sequence[str]], align: Callable[[str, int], str] = str.ljust) -> None:
    """Print rows of texts one below the other, each column as wide as its longest text."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        echo("    " + "  ".join(map(align, row, widths)).rstrip())
