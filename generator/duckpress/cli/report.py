"""How results are told: problems, lists, tables and builds, as text for people and as JSON with stable keys."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from duckpress.cli.terminal import echo, style
from duckpress.core.problems import Level, Problem

if TYPE_CHECKING:
    from duckpress.check import SetupTable
    from duckpress.press.build_cache import Standing
    from duckpress.press.packet_deal import Dealt
    from duckpress.press.reading import Checked, Loaded
    from duckpress.press.request import Built

# In JSON what `visible` escapes is escaped as JSON does it; `json` does so for the controls below the space.
_STEERING = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_COLOURS = {Level.ERROR: "red", Level.WARNING: "yellow", Level.NOTE: "cyan"}


def problem_data(problem: Problem) -> dict[str, Any]:
    """Return a problem with the keys that `--format json` promises."""
    return {
        "code": problem.code,
        "level": problem.level.value,
        "game": problem.game,
        "file": problem.source.file,
        "line": problem.source.line,
        "column": problem.source.column,
        "what": problem.what,
        "fix": problem.fix,
        "players": problem.players,
        "variant": problem.variant,
    }


def show_check(checked: Sequence[Checked], form: str) -> None:
    """Print what was found, all games together, and which texts had to be set smaller than asked."""
    if form == "json":
        print_json({"problems": all_data(checked), "shrunk": [entry for one in checked for entry in _shrunk_data(one)]})
        return
    for one in checked:
        print_problems(one.problems)
        _print_shrunk(one)
        echo(f"{style(one.game_id, bold=True)}: {tally(one.problems)}")


def show_tables(loaded: Loaded, tables: Sequence[SetupTable], form: str) -> None:
    """Print the setup tables of a game, one row per player count."""
    found = [table.as_data() for table in tables]
    if form == "json":
        print_json({"game": loaded.game_id, "tables": found, "problems": all_data([loaded])})
        return
    print_problems(loaded.problems)
    for table in found:
        _print_table(table)


def show_build(built: Sequence[Built | Standing], form: str) -> None:
    """Print what was printed: pieces, cards, sheets of paper, findings, and where the files are."""
    from duckpress.press.build_cache import Standing

    if form == "json":
        problems = all_data([one if isinstance(one, Standing) else one.checked for one in built])
        told = [(one.data, one.shrunk) if isinstance(one, Standing) else build_data(one) for one in built]
        shrunk = [entry for _, entries in told for entry in entries]
        print_json({"games": [data for data, _ in told], "problems": problems, "shrunk": shrunk})
        return
    for one in built:
        if isinstance(one, Standing):
            print_problems(one.problems)
            echo(f"{style(one.game_id, bold=True)}: {one.title}: {tally(one.problems)}")
            echo(f"    up to date: {len(one.files)} {plural(len(one.files), 'file')} in {one.folder}")
            continue
        print_problems(one.checked.problems)
        name = style(one.checked.game_id, bold=True)
        if not one.files:
            echo(f"{name}: nothing printed: {tally(one.checked.problems)}")
            continue
        title = one.checked.game.title if one.checked.game else one.checked.game_id
        echo(f"{name}: {title}: {tally(one.checked.problems)}")
        width = max(len(row.title) for row in one.pieces)
        for row in one.pieces:
            sheets = ", ".join(f"{paper} {count} {plural(count, 'sheet')}" for paper, count in row.sheets.items())
            if missing := [paper for paper in one.shared if paper not in row.sheets]:
                sheets = ", ".join(filter(None, (sheets, f"on shared sheets of {' and '.join(missing)}")))
            count, word = (max(row.pages.values()), "page") if row.pages else (row.cards, "card")
            echo(f"    {row.title:<{width}}  {count:>4} {plural(count, word):<5}  {sheets}")
        totals = ", ".join(f"{count} {plural(count, 'sheet')} of {name}" for name, count in one.sheets_in_all.items())
        if one.shared:
            said = (
                f"{count} {plural(count, 'sheet')} of {paper} ({one.saved[paper] or 'none'} saved)"
                for paper, count in one.shared.items()
            )
            echo(f"    shared sheets: {', '.join(said)}")
        if any(one.sheets_in_all.values()):
            echo(f"    paper in all: {totals}")
        echo(f"    {len(one.files)} {plural(len(one.files), 'file')} in {one.folder}")


@contextmanager
def progress(name: str, *, is_quiet: bool) -> Iterator[Callable[[str], None]]:
    """Yield a function that shows the step at work; on a terminal only, quiet in a pipe."""
    if is_quiet or not sys.stderr.isatty():
        yield lambda _step: None
        return
    from duckpress.cli.statusline import status_line

    with status_line(name) as show:
        yield show


def build_data(one: Built) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return what JSON tells of a build: the build itself, and the texts that shrank."""
    return _built_data(one), _shrunk_data(one.checked)


def _built_data(one: Built) -> dict[str, Any]:
    return {
        "game": one.checked.game_id,
        "folder": str(one.folder),
        "files": list(one.files),
        "pieces": [
            {
                "piece": row.piece,
                "title": row.title,
                "cards": row.cards,
                "sheets": dict(row.sheets),
                "pages": dict(row.pages),
            }
            for row in one.pieces
        ],
        "shared": {name: {"sheets": count, "saved": one.saved.get(name, 0)} for name, count in one.shared.items()},
    }


def all_data(results: Sequence[Loaded | Checked | Dealt | Standing]) -> list[dict[str, Any]]:
    """Return the problems of all results with the keys of `--format json`."""
    return [problem_data(problem) for one in results for problem in one.problems]


def print_json(data: object) -> None:
    """Print one object, as every command does with `--format json`."""
    shown = json.dumps(data, ensure_ascii=False, indent=2)
    echo(_STEERING.sub(lambda match: f"\\u{ord(match[0]):04x}", shown), lines=True)


def print_problems(problems: Sequence[Problem]) -> None:
    """Print problems as people read them: place, level, code, what is wrong, and below it the fix."""
    for problem in problems:
        colour = _COLOURS[problem.level]
        where = "".join(
            f", {word} {value}" for word, value in (("players", problem.players), ("variant", problem.variant)) if value
        )
        level = style(f"{problem.level.value}[{problem.code}{where}]", fg=colour, bold=True)
        echo(f"{problem.source}: {level}: {problem.what}")
        if problem.fix:
            echo(f"    fix: {problem.fix}")


def _shrunk_data(checked: Checked) -> list[dict[str, Any]]:
    """Return every text that was set smaller than its style asks for; the back of all cards has no card's id."""
    return [
        {"game": checked.game_id, "piece": one.piece.id, **fit._asdict()} for one in checked.pieces for fit in one.fits
    ]


def _print_shrunk(checked: Checked) -> None:
    """Print a line for each style of a deck in which texts had to shrink, with the smallest size and the cards."""
    groups: dict[tuple[str, str, float, str], dict[str, float]] = {}
    for entry in _shrunk_data(checked):
        cards = groups.setdefault((entry["deck"], entry["style"], entry["from_pt"], entry["language"]), {})
        card = entry["card"] or "the back"
        cards[card] = min(entry["to_pt"], cards.get(card, entry["to_pt"]))
    is_alone = checked.game is None or len(checked.game.languages) < 2
    for (deck, name, from_pt, language), cards in groups.items():
        names = ", ".join(list(cards)[:6]) + (f" and {len(cards) - 6} more" if len(cards) > 6 else "")
        least_pt = min(cards.values())
        where = deck if is_alone else f"{deck} ({language})"
        echo(f"{checked.game_id}: {where}: {name} text set at {least_pt:g} instead of {from_pt:g} pt: {names}")


def _print_table(table: dict[str, Any]) -> None:
    """Print a setup table with aligned columns, numbers to the right."""
    columns = [("players", "players"), *((column["key"], column["title"]) for column in table["columns"])]
    rows = [[title for _, title in columns]]
    for row in table["rows"]:
        cells = {"players": row["players"], **row["cells"]}
        rows.append(["" if cells.get(key) is None else str(cells[key]) for key, _ in columns])
    widths = [max(len(row[index]) for row in rows) for index in range(len(columns))]
    echo(style(table["title"], bold=True))
    for row in rows:
        echo("    " + "  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True)).rstrip())
    for note in table.get("notes", ()):
        echo(f"    {note}")


def tally(problems: Sequence[Problem]) -> str:
    """Return `2 errors, 1 warning` or `no problems`."""
    counts = [(sum(problem.level is level for problem in problems), level.value) for level in Level]
    return ", ".join(f"{count} {plural(count, word)}" for count, word in counts if count) or "no problems"


def plural(count: int, word: str) -> str:
    """Return the word as it stands behind a number."""
    return word if count == 1 else word + "s"


def by(designer: str | None) -> str:
    """Return " by <designer>", or nothing where nobody is named."""
    return f" by {designer}" if designer else ""


def players(counts: Sequence[int]) -> str:
    """Return `2-6`, `10` or `2, 4`."""
    if len(counts) > 1 and list(counts) == list(range(counts[0], counts[-1] + 1)):
        return f"{counts[0]}-{counts[-1]}"
    return ", ".join(map(str, counts))
