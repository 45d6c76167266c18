"""What no check of a setup would notice: its numbers and its cards' copies, changed by one, one at a time.

Changed are the whole numbers that are written in steps and values, and the copies of cards of every deck that the setup
names; cards that are alike in everything it looks at are one kind. What is itself a check (totals, expectations,
bounds, `slots`) is not changed, nor are facts, texts, tables, seats, boards and rounds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import fields, replace

from duckpress.check.all_findings import accept_findings, setup_problems
from duckpress.check.setup.combinations import BASE
from duckpress.check.setup.later_places import step_expressions, written
from duckpress.check.setup.moves import views_of
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.runs import Runs
from duckpress.check.setup.unused_parts import every_expression
from duckpress.check.setup_expressions import Spent, Stopped, without_strings
from duckpress.content import read_yaml
from duckpress.content.setup.setup_file import read_setup
from duckpress.core.problems import Level, Problem, Source, sorted_problems
from duckpress.model import Deck, Game
from duckpress.model.setup import Expression, Setup, Variant, as_name

MOST_KINDS = 40  # of a deck's cards; of more, so many are changed, spread over the deck
_NUMBER = re.compile(r"(?<![\w.])\d{1,9}(?![\w.])")
_Finding = tuple[str, Source, int | None, str | None]


class _Change(NamedTuple):
    """Something written that may be one less or one more, and expressions that are likely to tell it."""

    source: Source
    words: str
    number: int
    changed: Callable[[int], _Trial]
    asks: list[str]
    part: str = ""  # the variant or module that it belongs to


class _Trial:
    """A game as it is or changed, with its runs; only as much is worked out as is asked for."""

    def __init__(self, game: Game, setup: Setup) -> None:
        self.game = replace(game, setup=setup)
        self.setup = setup
        self.runs = Runs(Book(self.game, setup))
        self._figures: dict[tuple[str, str], str | None] = {}

    def findings(self) -> Iterator[_Finding]:
        """Yield the errors and warnings."""
        try:
            for problem in setup_problems(self.runs):
                (problem,) = accept_findings(self.game, [problem])
                if problem.level is not Level.NOTE:
                    yield problem.code, problem.source, problem.players, problem.variant
        except Spent as spent:
            yield spent.problem.code, spent.problem.source, None, None

    def adds_nothing(self, known: set[_Finding]) -> bool:
        """Return whether nothing else is found than what is known."""
        return all(finding in known for finding in self.findings())

    def figures(self, ask: str, part: str) -> str | None:
        """Return what an expression comes to as `is` says it, wherever a part is played; None where that differs."""
        if (ask, part) not in self._figures:
            try:
                self._figures[ask, part] = self._worked_out(ask, part)
            except Spent:  # that many combinations are not worked out
                self._figures[ask, part] = None
        return self._figures[ask, part]

    def _worked_out(self, ask: str, part: str) -> str | None:
        expression, by_players = Expression(ask, Source("")), dict[int, set[object]]()
        for way in self.runs.book.combinations():
            if part and part not in (way or BASE).split(","):
                continue
            for run in self.runs.of_variant(way):
                if not run.is_complete:
                    return None
                try:
                    scenes = [seen for state in run.states for seen in views_of(run.scene_of(state), [ask])]
                    by_players.setdefault(run.players, set()).update(scene.value(expression) for scene in scenes)
                except (Stopped, TypeError):  # not to be computed, or no number
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


def doubts(game: Game, show: Callable[[str], None] = lambda _step: None) -> list[Problem]:
    """Return a note (`not-noticed`) for each number or count that may be one more or less without any new finding.

    Its fix is an expectation that was tried: the game as it is holds it, and each of those changes breaks it.
    """
    if game.setup is None:
        return []
    as_is = _Trial(game, game.setup)
    known = set(as_is.findings())
    problems, held = list[Problem](), dict[str, bool]()
    # Of '3-4: 5' both player counts have the number, which is written once.
    numbers = {change.source: change for change in _of_numbers(game, game.setup)}
    changes = [*numbers.values(), *_of_cards(game, game.setup)]
    for at, change in enumerate(changes, 1):
        show(f"changing {at} of {len(changes)}")
        others = [number for number in (change.number - 1, change.number + 1) if number >= 0]
        trials = {number: change.changed(number) for number in others}
        silent = {number: trial for number, trial in trials.items() if trial.adds_nothing(known)}
        if silent:
            words = " or ".join(map(str, silent))
            what = f"{change.words}: {words} instead of {change.number} would not be noticed"
            expectation = _expectation(as_is, known, change, list(silent.values()), held)
            fix = (
                f"add under 'expect': {expectation}" if expectation else "no expectation on a number of cards tells it"
            )
            problems.append(Problem("not-noticed", change.source, what, fix, Level.NOTE, game=game.id))
    return sorted_problems(problems)


def _expectation(
    as_is: _Trial, known: set[_Finding], change: _Change, silent: list[_Trial], held: dict[str, bool]
) -> str | None:
    """Return an expectation that holds in the game as it is and that each of some changed games breaks."""
    for part in (change.part,) if change.part else ("", BASE):
        for ask in change.asks:
            figures = as_is.figures(ask, part)
            # Which cards these are is told apart only where an expectation asks.
            is_same = "where=" not in ask and any(trial.figures(ask, part) == figures for trial in silent)
            if figures is None or is_same:
                continue
            line = f"- {{that: {_quoted(ask)}, is: {figures}{f', for: {part}' if part else ''}}}"
            if line not in held:
                held[line] = _with(as_is, line).adds_nothing(known)
            if held[line] and not any(_with(trial, line).adds_nothing(known) for trial in silent):
                return line
    return None


def _quoted(ask: str) -> str:
    """Return an expression as YAML in braces takes it."""
    if '"' in ask:
        return "'" + ask.replace("'", "''") + "'"
    return f'"{ask}"' if "'" in ask else ask


def _with(trial: _Trial, line: str) -> _Trial:
    """Return a game with an expectation more, read as it will be where it is pasted."""
    node = read_yaml("pasted", f"expect:\n  {line}\n".encode()).value
    read = read_setup(node).value if node is not None else None
    more = read.expectations if read is not None else ()
    return _Trial(trial.game, replace(trial.setup, expectations=(*trial.setup.expectations, *more)))


def _of_numbers(game: Game, setup: Setup) -> Iterator[_Change]:
    """Yield each number that is written in a value or a step."""
    names = [as_name(name) for name in setup.values]
    places = {step.place: step for part in _parts(setup) for step in part.steps}
    common = [*names, *(f"taken('{deck}')" for deck in game.decks), *map(as_name, places)]
    common += [f"{ask}('{place}')" for ask in ("total", "removed") for place in places]
    for value in setup.values.values():
        for expression in written(value.amount):
            asks = [as_name(value.name), *common]
            yield from _in_text(game, setup, expression, f"value {value.name!r}", asks)
    for part in _parts(setup):
        for step in part.steps:
            asks = [f"taken('{take.origin}')" for take in step.takes if take.origin in game.decks]
            asks += [as_name(step.place), f"removed('{step.place}')"]
            asks += [f"count('{step.place}', where=\"{take.where.text}\")" for take in step.takes if take.where]
            for expression in step_expressions(replace(step, slots=None)):  # the most that fits is a check itself
                name = part.id if isinstance(part, Variant) else ""
                yield from _in_text(
                    game, setup, expression, f"{step.kind.value} {step.place!r}", [*asks, *common], name
                )


def _in_text(
    game: Game, setup: Setup, expression: Expression, words: str, asks: list[str], part: str = ""
) -> Iterator[_Change]:
    for match in _NUMBER.finditer(without_strings(expression.text)):

        def changed(number: int, start: int = match.start(), end: int = match.end()) -> _Trial:
            text = f"{expression.text[:start]}{number}{expression.text[end:]}"
            return _Trial(game, _replaced(setup, expression, replace(expression, text=text)))

        whole = f"{expression.text!r} of the {words}" if match[0] != expression.text else f"an amount of the {words}"
        yield _Change(expression.at(match.start()), whole, int(match[0]), changed, asks, part)


def _replaced(record: Any, old: Expression, new: Expression) -> Any:
    """Return a record of a setup with another expression wherever it has one, as it stands at one place of the file."""
    if isinstance(record, Expression) and record == old:
        return new
    if isinstance(record, Struct):
        values = {field.name: getattr(record, field.name) for field in fields(record)}
        others = {name: _replaced(value, old, new) for name, value in values.items()}
        changes = {name: value for name, value in others.items() if value is not values[name]}
        return replace(record, **changes) if changes else record
    if isinstance(record, Mapping):
        mapping = {key: _replaced(value, old, new) for key, value in record.items()}
        return mapping if any(mapping[key] is not value for key, value in record.items()) else record
    if isinstance(record, tuple):
        entries = tuple(_replaced(entry, old, new) for entry in record)
        return entries if any(one is not other for one, other in zip(entries, record, strict=True)) else record
    return record


def _of_cards(game: Game, setup: Setup) -> Iterator[_Change]:
    """Yield the copies of one card of each kind, of the decks that the setup names."""
    texts = " ".join(expression.text for expression in every_expression(setup))
    texts += " ".join(f" {balance.by} {balance.field}" for part in _parts(setup) for balance in part.balances)
    origins = {take.origin for part in _parts(setup) for step in part.steps for take in step.takes}
    for deck in game.decks.values():
        if not deck.is_component or (deck.id not in origins and f"'{deck.id}'" not in texts):
            continue
        names = [name for name in ("id", *deck.fields) if re.search(rf"\b{re.escape(name)}\b", texts)]
        kinds: dict[str, list[int]] = {}
        for at, card in enumerate(deck.cards):
            seen = [card.id if name == "id" else card.values.get(name) for name in names]
            kinds.setdefault(repr((card.copies, seen)), []).append(at)
        groups = list(kinds.values())
        for group in groups[:: -(-len(groups) // MOST_KINDS)]:
            yield _of_card(game, setup, deck, group)


def _of_card(game: Game, setup: Setup, deck: Deck, group: list[int]) -> _Change:
    card = deck.cards[group[0]]

    def changed(number: int) -> _Trial:
        cards = tuple(replace(one, copies=number) if one is card else one for one in deck.cards)
        return _Trial(replace(game, decks={**game.decks, deck.id: replace(deck, cards=cards)}), setup)

    alike = f", as of {len(group) - 1} alike" if len(group) > 1 else ""
    words = f"copies of {card.id!r} in deck {deck.id!r}{alike}"
    return _Change(card.at("copies"), words, card.copies, changed, [f"count('{deck.id}')"])


def _parts(setup: Setup) -> tuple[Setup | Variant, ...]:
    return setup, *setup.all_variants.values()
