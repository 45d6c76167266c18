"""The `cards` of a deck's file, or of its table -> `Card`s; a mistake repeated in many cards has one cause."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from duckpress.content.game.families import Data, filled_cards
from duckpress.content.game.fields import CardKeys, FieldTyper, can_be_field
from duckpress.content.game.naming import ID, id_problem
from duckpress.content.tables.cells import count_text, looks_like_copies, with_line_breaks
from duckpress.content.tables.tables import Row, Table
from duckpress.content.yaml.declared_shapes import as_mapping
from duckpress.content.yaml.kinds import TEXT, whole
from duckpress.content.yaml.nodes import Cell, Entry, Node, Scalar, quoted
from duckpress.core.limits import how_to_raise, limit
from duckpress.core.limits import written as shown
from duckpress.core.problems import Level, Problem, ProblemList, Read, Source, did_you_mean, nearest
from duckpress.model import Card, Field, FieldKind

_WORDS = (FieldKind.TEXT, FieldKind.LIST)
_NUMBERS = (FieldKind.WHOLE, FieldKind.NUMBER)
_MARKS = ("x", "✓", "✔", "1", "y")  # of yes, in a column without other words


class _WrittenCard(Struct, frozen=True):
    """A card as written, its source, and the source of its family, or its table and row, if it has one."""

    given: dict[str, Entry]
    source: Source
    family: Source | None = None
    table: Table | None = None
    row: Row = ()
    unusable: frozenset[str] = frozenset()  # the columns of cells that are filled with what cannot be used


def _is_marked(table: Table, column: int, field: Field) -> bool:
    """Return whether a yes-no column holds one mark only, which is yes, so that its empty cells are no."""
    marks = {row[column].text.casefold() for row in table.rows if column < len(row) and row[column].is_filled}
    return len(marks) == 1 and marks.pop() in _MARKS and not field.default


def _missing(key: str, label: str, entry: _WrittenCard) -> Problem:
    """Return the problem of a required field without a value, or of a table without its column."""
    rest = "" if key == "id" else ", or make the field 'optional: yes'"
    table = entry.table
    if table is not None and all(name.text != key for name in table.header):
        what, fix = f"there is no column {key!r}", "add it to the first row"
        if table.columns is not None:
            what, fix = f"no column is called {key!r}", f"say which it is under 'columns': '{key}: ...'"
        return Problem("missing-key", table.header[0].source, what, f"{fix}{rest}")
    if table is not None:
        where = (table.columns or {}).get(key, repr(key))
        column = [name.text for name in table.header].index(key)
        source = entry.row[column].source if column < len(entry.row) else entry.source  # the empty cell, if it is there
        return Problem("missing-key", source, f"{label} has no {key!r}", f"fill its cell in column {where}{rest}")
    return Problem("missing-key", entry.source, f"{label} has no {key!r}", f"add '{key}: ...'{rest}")


class CardReader:
    """Reads the cards of one deck.

    Problems: those of `kinds`, `fields`, `families` and of the tables; `bad-id`, `duplicate-id`, `unknown-key`,
    `missing-key`, `too-many-cards`, `wrong-type`.
    """

    def __init__(self, deck: str, typer: FieldTyper, *, noun: str = "card") -> None:
        """Take a deck's id, its fields, and the word for a card in messages."""
        self._deck = deck
        self._noun = noun
        self._typer = typer
        self._problems = ProblemList()
        self._cards: list[Card] = []
        self._is_whole = True
        self._first: dict[str, Source] = {}
        self._known = frozenset(typer.fields) | frozenset(CardKeys.keys)
        self._meant: dict[str, str | None] = {}
        self._most = limit("deck-cards")
        self._copies_kind = whole(0, limit("card-copies"))
        self._spoilt: set[tuple[str, Source]] = set()  # what was reported of a family is not reported for its next card

    def read_list(self, items: Sequence[Node], data: Data) -> Read[tuple[tuple[Card, ...], bool]]:
        """Return the cards of a list in order, families filled in from `data`, and whether all cards could be read.

        One that has no usable id is left out for a problem.
        """
        return self._read(self._of_list(items, data))

    def read_tables(self, tables: Iterable[Read[Table | None]]) -> Read[tuple[tuple[Card, ...], bool]]:
        """Return the cards of tables in order, and whether all cards could be read."""
        return self._read(entry for table in tables for entry in self._of_table(table))

    def _read(self, entries: Iterable[_WrittenCard]) -> Read[tuple[tuple[Card, ...], bool]]:
        for entry in entries:
            if len(self._cards) >= self._most:
                what = f"deck {self._deck!r} has more than {shown(self._most)} different cards"
                fix = f"split it into several decks; {how_to_raise('deck-cards')}"
                self._add_problems([Problem("too-many-cards", entry.source, what, fix)])
                break
            card, problems = self._card(entry)
            if card is not None:
                self._cards.append(card)
            else:
                self._is_whole = False
            for problem in problems:
                key = (problem.code, problem.source)
                if entry.family is None or key not in self._spoilt:
                    self._problems.append(problem)
                if entry.family is not None:
                    self._spoilt.add(key)
        return Read((tuple(self._cards), self._is_whole and bool(self._cards)), self._problems)

    def _add_problems(self, problems: Sequence[Problem], level: Level | None = None) -> None:
        """Add problems; the cards are incomplete if one has the level, or for None if there is any."""
        self._problems += problems
        self._is_whole = self._is_whole and not any(level in (None, problem.level) for problem in problems)

    def _of_list(self, items: Sequence[Node], data: Data) -> Iterator[_WrittenCard]:
        for item in items:
            mapping, problems = as_mapping(item, f"an entry of 'cards' of deck {self._deck!r}")
            self._add_problems(problems)
            if mapping is not None and "for" in mapping.entries:
                wrong = ProblemList()
                cards = filled_cards(mapping, data, wrong)
                yield from (_WrittenCard(given, item.source, item.source) for given in cards)
                self._add_problems(wrong)
            elif mapping is not None:
                yield _WrittenCard(mapping.entries, item.source)

    def _of_table(self, read: Read[Table | None]) -> Iterator[_WrittenCard]:
        """Yield the cards of a table's rows; line breaks are kept in text fields.

        Problem: `table-value` for cells that cannot be used.
        """
        table, problems = read
        self._add_problems(problems, Level.ERROR)
        if table is None:
            return
        words = {name for name, field in self._typer.fields.items() if field.kind in _WORDS and field.is_words}
        numbers = {name for name, field in self._typer.fields.items() if field.kind in _NUMBERS} | {"copies"}
        names = [(name.text, name.source) for name in table.header]
        yes_no = {name: field for name, field in self._typer.fields.items() if field.kind is FieldKind.YES_NO}
        marked = [name for at, (name, _) in enumerate(names) if name in yes_no and _is_marked(table, at, yes_no[name])]
        new, with_breaks = tuple.__new__, with_line_breaks
        for row in table.rows:
            given = {}
            unusable = set()
            for (name, name_source), cell in zip(names, row, strict=False):
                text, problem = cell.read(as_number=name in numbers)
                if problem is not None:
                    self._add_problems([problem], Level.ERROR)
                if text:
                    text = "yes" if name in marked else text
                    text = with_breaks(text) if name in words else count_text(text) if name == "copies" else text
                    given[name] = Entry(new(Cell, (text, True, cell.source)), name_source)
                elif problem is not None:
                    unusable.add(name)
            for name in marked:
                if name not in given and name not in unusable:
                    given[name] = Entry(Cell("no", True, row[0].source), row[0].source)
            yield _WrittenCard(given, row[0].source, table=table, row=row, unusable=frozenset(unusable))

    def _card(self, entry: _WrittenCard) -> Read[Card | None]:
        given = entry.given
        id_node = given["id"].value if "id" in given else None
        shown = id_node.text if isinstance(id_node, Scalar) else ""
        label = f"{self._noun} {shown!r}" if shown else f"the {self._noun}"
        fields = self._typer.fields
        (values, sources, missing), wrong = self._typer.type_values(
            [pair for pair in given.items() if pair[0] in fields], label
        )
        problems = list(wrong)
        copies = 1
        if "copies" in given:
            node = given["copies"].value
            number, wrong = self._copies(node, f"'copies' of {label}")
            copies = 1 if number is None else number
            problems += wrong
            self._is_whole = self._is_whole and number is not None  # of how many there are nothing follows then
            sources["copies"] = node.source
        if id_node is None:
            missing.insert(0, "id")
        if entry.unusable:
            missing = [name for name in missing if name not in entry.unusable]
        # Each key is a field, the id, the copies, or unknown: so much for a sum, all is well for most cards.
        if missing or len(given) > len(sources) + 1:
            self._gather_keys(given, missing, label, entry)
        if id_node is None:
            return Read(None, problems)
        sources["id"] = id_node.source
        id_, wrong = TEXT.read(id_node, f"'id' of {label}")
        problems += wrong
        if id_ is not None and (problem := self._id_problem(id_, id_node.source, entry)) is not None:
            return Read(None, [*problems, problem])
        if id_ is None:
            return Read(None, problems)
        source = id_node.source if entry.family is None else entry.source
        return Read(Card(id_, self._deck, values, copies, source, sources), problems)

    def _copies(self, node: Node, label: str) -> Read[int | None]:
        number, problems = self._copies_kind.read(node, label)
        is_below = isinstance(node, Scalar) and node.text.startswith("-")
        if problems and problems[0].code == "out-of-range" and not is_below:
            problems = [problems[0]._replace(fix=f"{problems[0].fix}; {how_to_raise('card-copies')}")]
        return Read(number, [self._of_many(problem, "copies") for problem in problems])

    def _of_many(self, problem: Problem, key: str) -> Problem:
        return problem._replace(cause=f"deck {self._deck} {problem.code} {key}")

    def _id_problem(self, id_: str, source: Source, entry: _WrittenCard) -> Problem | None:
        if not ID.fullmatch(id_):
            problem = id_problem(id_, source, "the id")
            return problem and self._of_many(problem, "id")
        if id_ not in self._first:
            self._first[id_] = source
            return None
        first = self._first[id_]
        what = f"the id {id_!r} is taken already, in line {first.line}"
        fix = f"give every {self._noun}{' of a deck' if self._noun == 'card' else ''} an id of its own"
        if entry.table is not None and entry.table.columns is not None:
            fix = "make ids of several columns ('id: [...]'), or number equal ones with 'repeat: number'"
        if first == source:
            what, fix = f"several cards of this family get the id {id_!r}", "use every name of 'for' in the id"
        return self._of_many(Problem("duplicate-id", source, what, fix), "id")

    def _gather_keys(self, given: dict[str, Entry], missing: list[str], label: str, entry: _WrittenCard) -> None:
        """Add unknown keys and missing fields, without a missing field that is near an unknown key."""
        for key in given:
            if key in self._known:
                continue
            if key not in self._meant:  # once for all cards: a table may have it wrong in every row
                free = [name for name in self._known if name not in given]
                meant = "copies" if looks_like_copies(key) and "copies" in free else None
                self._meant[key] = meant or nearest(key, missing) or nearest(key, free)
            near = self._meant[key]
            if near in missing:
                missing.remove(near)
            fix = did_you_mean(near or key, self._known)
            if can_be_field(key):  # a name that is near may not be what is meant
                declared = f"declare it (add '{key}: text' under 'fields')"
                fix = f"{declared}, or {fix}" if near is None else f"{fix} Or {declared}"
            elif near is None and isinstance(value := given[key].value, Scalar) and value.is_null:
                fix = f"put the text before it in quotes, comma and all, or {fix}"
            what = f"{label} has {quoted(key)}, which is no field of deck {self._deck!r}"
            self._keep_once("unknown", key, Problem("unknown-key", given[key].source, what, fix))
        columns = (entry.table.columns if entry.table is not None else None) or {}
        id_column = columns.get("id") if "id" in missing else None
        for key in missing:
            if key != "id" and id_column is not None and columns.get(key) == id_column:
                continue  # one empty cell: it is told of the id
            self._keep_once("missing", key, _missing(key, label, entry))

    def _keep_once(self, kind: str, key: str, problem: Problem) -> None:
        """Add a repeated mistake once for each source (a family's cards share one), with one cause for all cards."""
        if (kind + key, problem.source) not in self._spoilt:
            self._spoilt.add((kind + key, problem.source))
            self._problems.append(problem._replace(cause=f"deck {self._deck} {kind} {key}"))
