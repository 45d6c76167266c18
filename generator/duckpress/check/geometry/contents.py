"""What the spaces of a board hold: told by a list, by a deck, or by a map of text."""

from __future__ import annotations

from collections.abc import Iterator

from duckpress.check.geometry.card_coordinates import Cell, CoordinateGrid
from duckpress.check.geometry.survey import Survey, SurveyRow, Thing
from duckpress.core.problems import did_you_mean
from duckpress.model.setup import SpaceContents


def things_on(survey: Survey, contents: SpaceContents, grid: CoordinateGrid) -> Iterator[Thing]:
    """Yield what the spaces of a board hold.

    Problems: `unknown-list`, `unknown-deck`, `unknown-fact`, `unknown-field`, `missing-key`, `bad-coordinate`,
    `off-board`, `space-taken`, `unknown-contents`, `bad-amount`, `bad-map`.
    """
    yield from _mapped(survey, contents, grid) if contents.kind == "map" else _listed(survey, contents, grid)


def kinds_of(contents: SpaceContents) -> tuple[str, ...]:
    """Return what a space can hold, as far as it is said; nothing where it can be anything."""
    return contents.kinds or tuple(dict.fromkeys(sign.holds for sign in contents.signs.values()))


def _listed(survey: Survey, contents: SpaceContents, grid: CoordinateGrid) -> Iterator[Thing]:
    is_deck = contents.kind == "deck"
    source = contents.sources.get(contents.kind, contents.source)
    if is_deck and contents.origin in survey.game.decks:
        named = (("at", contents.at), ("holds", contents.holds))
        if not all(survey.has_field(contents.origin, name, contents.sources.get(key, source)) for key, name in named):
            return
    rows = survey.rows_of_deck if is_deck else survey.rows_of_list
    seen: dict[Cell, SurveyRow] = {}
    for row in rows(contents.origin, source):
        thing = _thing(survey, contents, grid, row)
        if thing is None:
            continue
        if thing.space in seen or row.copies != 1:
            other = seen.get(thing.space, row)
            whose = f"and so is {other.id!r}" if other is not row else f"and there are {row.copies} of it"
            what = f"{row.id!r} is about {grid.label(thing.space)}, {whose}"
            survey.report("space-taken", row.at(contents.at), what, "say what a space holds once")
            continue
        seen[thing.space] = row
        yield thing


def _thing(survey: Survey, contents: SpaceContents, grid: CoordinateGrid, row: SurveyRow) -> Thing | None:
    values = {"id": row.id, **row.values}
    for key in (contents.at, contents.holds):
        if values.get(key) in (None, ""):
            survey.report("missing-key", row.source, f"{row.id!r} has no {key!r}", f"add '{key}: ...'")
            return None
    at = row.at(contents.at) if contents.at != "id" else row.source
    whose = f"a space of {contents.kind} {contents.origin!r}" if contents.at == "id" else f"the space of {row.id!r}"
    space = survey.place(values[contents.at], at, grid, whose, as_id=contents.at == "id")
    kind, amount = str(values[contents.holds]), values.get(contents.amount)
    if contents.kinds and kind not in contents.kinds:
        what, fix = f"{row.id!r} holds {kind!r}", did_you_mean(kind, contents.kinds, else_say="a space can hold")
        survey.report("unknown-contents", row.at(contents.holds), what, fix)
        return None
    if amount is None:
        amount = 1
    if isinstance(amount, bool) or not isinstance(amount, int) or amount < 1:
        what = f"{row.id!r} holds {amount!r} of {kind!r}"
        fix = "write a whole number from 1, or leave the space out"
        survey.report("bad-amount", row.at(contents.amount), what, fix)
        return None
    return None if space is None else Thing(space, kind, amount, row.source)


def _mapped(survey: Survey, contents: SpaceContents, grid: CoordinateGrid) -> Iterator[Thing]:
    """Yield what a fact with rows of text shows: a letter for each space, a point for an empty one."""
    source, facts = contents.sources["map"], survey.game.facts
    if contents.origin not in facts:
        fix = did_you_mean(contents.origin, facts, else_say="the facts are")
        survey.report("unknown-fact", source, f"no fact {contents.origin!r}", fix)
        return
    for sign in contents.signs.values():
        if contents.kinds and sign.holds not in contents.kinds:
            fix = did_you_mean(sign.holds, contents.kinds, else_say="a space can hold")
            survey.report("unknown-contents", sign.source, f"a sign stands for {sign.holds!r}", fix)
    rows = facts[contents.origin]
    places = survey.game.data_sources
    whole = places.get(("", contents.origin), source)
    if not isinstance(rows, tuple) or len(rows) != grid.names.rows:
        has = f"has {len(rows)} rows, and the board" if isinstance(rows, tuple) else "is no list of rows; the board"
        what = f"the map {contents.origin!r} {has} is {grid.names.rows} spaces high"
        fix = f"write {grid.names.rows} rows of {grid.names.columns} letters, '.' for an empty space"
        survey.report("bad-map", whole, what, fix)
        return
    for y, row in enumerate(rows):
        at = places.get(("", contents.origin, str(y)), whole)
        if len(str(row)) != grid.names.columns:
            has = f"has {len(str(row))} letters, and the board is {grid.names.columns} spaces wide"
            what = f"row {y + 1} of the map {contents.origin!r} {has}"
            survey.report("bad-map", at, what, "write a letter for each space, '.' for an empty one")
            continue
        survey.spend(1 + grid.names.columns // 8)
        for x, letter in enumerate(str(row)):
            if letter in contents.signs:
                sign = contents.signs[letter]
                yield Thing((x, y), sign.holds, sign.amount, at)
            elif letter != ".":
                fix = did_you_mean(letter, contents.signs, else_say="the signs are")
                what = f"{grid.label((x, y))} of the map {contents.origin!r} shows {letter!r}"
                survey.report("bad-map", at, what, fix)
