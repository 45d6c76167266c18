"""Mutations of a setup that no check notices: its numbers and its cards' copies, changed by one, one at a time.

Changed are the whole numbers that are written in steps and values, and the copies of cards of every deck that the setup
names; cards that are alike in everything it looks at are one kind. What is itself a check (totals, expectations,
bounds, `slots`) is not changed, nor are facts, texts, tables, seats, boards and rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from msgspec.structs import replace

from duckpress.check.all_findings import setup_problems
from duckpress.check.expressions import Spent, Stopped
from duckpress.check.findings import accept_findings
from duckpress.check.root_cause import WrittenNumber, numbers_of
from duckpress.check.setup.combinations import BASE
from duckpress.check.setup.moves import views_of
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.runs import Runs
from duckpress.content import read_yaml
from duckpress.content.setup.setup_file import read_setup
from duckpress.core.problems import Level, Problem, Source, sorted_problems
from duckpress.model import Game
from duckpress.model.setup import Expression

_Finding = tuple[str, Source, int | None, str | None]


class _Trial:
    """A game, changed or not, with its runs, which are computed on demand."""

    def __init__(self, game: Game) -> None:
        assert game.setup is not None
        self.game = game
        self.setup = game.setup
        self.runs = Runs(Book(game, game.setup))
        self.figures = cache(self._figures)

    def findings(self) -> Iterator[_Finding]:
        try:
            for problem in setup_problems(self.runs):
                (problem,) = accept_findings(self.game, [problem])
                if problem.level is not Level.NOTE:
                    yield problem.code, problem.source, problem.players, problem.variant
        except Spent as spent:
            yield spent.problem.code, spent.problem.source, None, None

    def adds_nothing(self, known: set[_Finding]) -> bool:
        """Return whether all findings are known ones."""
        return all(finding in known for finding in self.findings())

    def _figures(self, ask: str, part: str) -> str | None:
        """Return an expression's values with a part, for `is`; None if one varies at a player count or is not whole."""
        expression, by_players = Expression(ask, Source("")), dict[int, set[object]]()
        ways = [way for way in self.runs.book.combinations() if not part or part in (way or BASE).split(",")]
        try:
            for run in (run for way in ways for run in self.runs.of_variant(way)):
                if not run.steps.is_complete:
                    return None
                scenes = [seen for scene in run.steps.scenes for seen in views_of(scene, [ask])]
                by_players.setdefault(run.players, set()).update(scene.value(expression) for scene in scenes)
        except (Spent, Stopped, TypeError):  # too many combinations; not to be computed, or no number
            return None
        values = {players: next(iter(each)) for players, each in by_players.items() if len(each) == 1}
        if len(values) < len(by_players) or not all(type(value) is int for value in values.values()):
            return None
        if len(set(values.values())) == 1:
            return str(next(iter(values.values())))
        runs: list[list[int]] = []  # player counts in a row with the same value
        for players, value in values.items():
            if runs and values[runs[-1][-1]] == value and players == runs[-1][-1] + 1:
                runs[-1].append(players)
            else:
                runs.append([players])
        keys = (f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
        return "{" + ", ".join(f"{key}: {values[run[0]]}" for key, run in zip(keys, runs, strict=True)) + "}"


def unnoticed_changes(game: Game, show: Callable[[str], None] = lambda _step: None) -> list[Problem]:
    """Return a note (`not-noticed`) for each number or count that can change by one without a new finding.

    Its fix is an expectation that was tried: the game as it is holds it, and each of those changes breaks it.
    """
    if game.setup is None:
        return []
    as_is = _Trial(game)
    known = set(as_is.findings())
    problems, held = list[Problem](), dict[str, bool]()
    changes = numbers_of(game, game.setup)
    for at, change in enumerate(changes, 1):
        show(f"changing {at} of {len(changes)}")
        others = [number for number in (change.number - 1, change.number + 1) if number >= 0]
        trials = {number: _Trial(change.changed(number)) for number in others}
        silent = {number: trial for number, trial in trials.items() if trial.adds_nothing(known)}
        if silent:
            words = " or ".join(map(str, silent))
            what = f"{change.words}: {words} instead of {change.number} would not be noticed"
            expectation = _expectation(as_is, known, change, list(silent.values()), held)
            fix = "no expectation on a number of cards tells it"
            fix = f"add under 'expect': {expectation}" if expectation else fix
            problems.append(Problem("not-noticed", change.source, what, fix, Level.NOTE, game=game.id))
    return sorted_problems(problems)


def _expectation(
    as_is: _Trial, known: set[_Finding], change: WrittenNumber, silent: list[_Trial], held: dict[str, bool]
) -> str | None:
    """Return an expectation that is true in the game and fails in each of the changed games, or None."""
    for part in (change.part,) if change.part else ("", BASE):
        for ask in change.asks:
            figures = as_is.figures(ask, part)
            # Which cards these are is told apart only where an expectation asks.
            is_same = "where=" not in ask and any(trial.figures(ask, part) == figures for trial in silent)
            if figures is None or is_same:
                continue
            line = f"- {{that: {_quoted(ask)}, is: {figures}{f', for: {part}' if part else ''}}}"
            if line not in held:
                held[line] = _with_line(as_is, line).adds_nothing(known)
            if held[line] and not any(_with_line(trial, line).adds_nothing(known) for trial in silent):
                return line
    return None


def _quoted(ask: str) -> str:
    """Return an expression quoted for YAML in braces."""
    if '"' in ask:
        return "'" + ask.replace("'", "''") + "'"
    return f'"{ask}"' if "'" in ask else ask


def _with_line(trial: _Trial, line: str) -> _Trial:
    """Return a game with one more expectation, read from its YAML line."""
    node = read_yaml("pasted", f"expect:\n  {line}\n".encode()).value
    read = read_setup(node).value if node is not None else None
    more = read.expectations if read is not None else ()
    setup = replace(trial.setup, expectations=(*trial.setup.expectations, *more))
    return _Trial(replace(trial.game, setup=setup))
