"""The setup table: the cards taken and dealt at each player count, for terminal, JSON and setup card."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial

from msgspec import Struct, to_builtins

from duckpress.check.expressions import Spent, Stopped, as_words
from duckpress.check.setup.combinations import parts_named
from duckpress.check.setup.moves import views_of
from duckpress.check.setup.rule_book import Book, book_of_table
from duckpress.check.setup.runs import Runs, SetupRun
from duckpress.check.setup.scene import Scene
from duckpress.check.setup.steps import run_steps
from duckpress.check.setup.steps_run import Repairs
from duckpress.core.language import program
from duckpress.core.problems import Problem, Source
from duckpress.expressions.parsing import fill_holes
from duckpress.model import Game
from duckpress.model.setup import Column, Each, Expression, Step, as_name

Cell = int | float | str | bool | None
_Seen = tuple[SetupRun, list[Scene]]


class TableColumn(Struct, frozen=True):
    """A column's key and headings; `short` is for narrow tables."""

    key: str
    title: str
    short: str


class TableRow(Struct, frozen=True):
    """The cells of one player count by column key.

    None is what cannot be computed, and '' what is asked of places that there are not.
    """

    players: int
    cells: Mapping[str, Cell]


class SetupTable(Struct, frozen=True):
    """A setup table; `variant` is None for the base game. `notes` are sentences below the table."""

    title: str
    variant: str | None
    columns: tuple[TableColumn, ...]
    rows: tuple[TableRow, ...]
    notes: tuple[str, ...]

    def as_data(self) -> dict[str, object]:
        """Return the table as plain data with stable keys, for JSON and for templates."""
        data: dict[str, object] = to_builtins(self)
        return {key: list(value) if isinstance(value, tuple) else value for key, value in data.items()}


def setup_table(game: Game, variant: str | None = None) -> SetupTable:
    """Return the setup table of the base game or of a variant, one row for each player count.

    The columns are those that `table` in setup.yaml names, with the variant's own after them; without any, one for
    every deck taken, every removal, every place and every named value. Reports nothing: `check_game` does.
    """
    with suppress(Spent):
        return setup_table_in_full(game, variant)
    return SetupTable("Setup" if game.setup is None else game.setup.title, variant, (), (), ())


def setup_table_in_full(game: Game, variant: str | None) -> SetupTable:
    """Return a setup table, worked out once for a game. Raises `Spent`.

    Of a variant or module that is not played alone, it is the table with what it is played with.
    """
    return game.once((SetupTable, variant), lambda: _setup_table(game, variant))


def _setup_table(game: Game, variant: str | None) -> SetupTable:
    if game.setup is None:
        return SetupTable("Setup", variant, (), (), ())
    book = book_of_table(game, game.setup)
    if variant not in book.combinations():
        variant = next((way for way in book.combinations() if way and variant in way.split(",")), variant)
    chosen = parts_named(book.setup, variant)
    columns = [column for part in book.parts_of(variant) for column in part.columns] or _all_columns(book, variant)
    runs = Runs(book)
    seen = [(run, _scenes(run)) for run in runs.of_variant(variant)]
    rows = [TableRow(run.players, {one.key: _cell(run, scenes, one) for one in columns}) for run, scenes in seen]
    heads = tuple(TableColumn(column.key, column.title, column.short) for column in columns)
    titles = {"setup": book.setup.title, "variant": ", ".join(part.title for part in chosen)}
    title = game.speech.program(program.SETUP_OF_VARIANT, titles) if chosen else book.setup.title
    return SetupTable(title, variant, heads, tuple(rows), _notes(book, variant, seen))


def table_problems(run: SetupRun) -> Iterator[Problem]:
    """Yield the problems of computing a table: its own columns, and the notes below it."""
    scene = run.steps.first_scene
    book = scene.book
    notes = [step.note for step in book.steps(run.variant) if id(step) in run.steps.carried_out]
    columns = (column for part in book.parts_of(run.variant) for column in part.columns)
    shown: list[tuple[Callable[[Expression], object], Expression]] = [(scene.value, column.shows) for column in columns]
    shown += [(scene.spoken, note) for note in (*notes, *book.setup.notes) if note is not None]
    for compute, expression in shown:
        try:
            compute(expression)
        except Stopped as stopped:
            if stopped.problem is not None:
                yield stopped.problem


def _scenes(run: SetupRun) -> list[Scene]:
    """Return the possible final moments of a run of the game as it is; none if it cannot finish."""
    steps = run.steps
    if run.is_mended:
        steps = run_steps(steps.book, run.players, run.variant, Repairs(), goes_on=True, is_rough=True)
    return steps.scenes


def _shown(scenes: Sequence[Scene], expression: Expression, text: str, offset: int = 0) -> Cell:
    """Return the value of a part of an expression: a range if seats or draws differ. Raises `Stopped`."""
    values = [seen.part_of(expression, text, offset) for scene in scenes for seen in views_of(scene, [text])]
    value = values[0]
    if any(other != value for other in values):
        numbers = [number for number in values if isinstance(number, int | float)]
        if len(numbers) == len(values):
            return f"{as_words(min(numbers))}-{as_words(max(numbers))}"
        return ", ".join(dict.fromkeys(map(as_words, values)))
    return value if isinstance(value, Cell) else as_words(value)


def _cell(run: SetupRun, scenes: Sequence[Scene], column: Column) -> Cell:
    book = run.steps.book
    places = _places_named(book, column.shows) if scenes else []
    formed = {step.place for step in book.steps(run.variant) if id(step) in run.steps.carried_out} if places else set()
    if places and not formed & set(places):
        return ""
    try:
        return _shown(scenes, column.shows, column.shows.text) if scenes else None
    except Stopped:
        return None


def _places_named(book: Book, expression: Expression) -> list[str]:
    """Return the places in an expression; none if it depends on anything else."""
    reading, names = book.reading(expression.text), book.by_name[1]
    places = [names.get(use.text, "") for use in reading.names]
    places += [call.origin.text if call.origin else "" for call in reading.calls]
    return places if all(name in book.all_places for name in places) else []


def _value_in_note(scenes: Sequence[Scene], text: Expression, inner: str, offset: int) -> str:
    """Return the value of an expression in a note, as a table shows it. Raises `Stopped`."""
    return as_words(_shown(scenes, text, inner, offset))


def _all_columns(book: Book, variant: str | None) -> list[Column]:
    """Return a column for every deck taken to a place, for removed cards, for the place itself and for each value."""
    columns: dict[str, Column] = {}
    said = book.game.speech.program

    def add(key: str, title: str, shows: str) -> None:
        columns.setdefault(key, Column(key, title, title, Expression(shows, Source("")), Source("")))

    for step in book.steps(variant):
        for take in step.takes:
            deck = book.game.decks.get(take.origin)
            if deck is not None:
                add(take.origin, deck.title, f"taken('{take.origin}')")
        if step.remove is not None:
            title = said(program.REMOVED, {"place": step.place})
            add(f"{step.place} removed", title, f"removed('{step.place}')")
        title = said(program.EACH, {"place": step.place}) if step.each is not Each.NOBODY else step.place
        add(f"{step.place} size", title, as_name(step.place))
    for name in book.setup.values:
        add(name, name, as_name(name))
    return list(columns.values())


def _notes(book: Book, variant: str | None, seen: Sequence[_Seen]) -> tuple[str, ...]:
    """Return the notes of the steps and of the setup; a note that differs by player count says for which."""
    notes: list[str] = [part.about for part in parts_named(book.setup, variant) if part.about]
    texts: list[tuple[Expression | None, Step | None]] = [(step.note, step) for step in book.steps(variant)]
    texts += [(note, None) for note in book.setup.notes]
    for text, step in texts:
        if text is None:
            continue
        spoken: dict[str, list[int]] = {}
        counts = [(run, scenes) for run, scenes in seen if scenes]
        for run, scenes in counts:
            if step is None or id(step) in run.steps.carried_out:
                try:
                    said = fill_holes(text.text, partial(_value_in_note, scenes, text))
                    spoken.setdefault(said, []).append(run.players)
                except Stopped:
                    continue
        for words, players in spoken.items():
            if len(players) == len(counts):
                notes.append(words)
            else:
                head = program.FOR_ONE_PLAYER if players == [1] else program.FOR_PLAYERS
                values = {"counts": ", ".join(map(str, players)), "words": words}
                notes.append(book.game.speech.program(head, values))
    return tuple(notes)
