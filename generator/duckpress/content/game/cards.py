"""The `cards` of a deck's file, or of the table it names -> `Card`s, and the same mistake in many of them told once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from msgspec import Struct

from duckpress.content.game.families import Data, fill_family
from duckpress.content.game.fields import FieldTyper, can_be_field
from duckpress.content.game.ids import ID, check_id
from duckpress.content.tables.cells import with_line_breaks
from duckpress.content.tables.column_names import looks_like_copies
from duckpress.content.tables.tables import Table
from duckpress.content.yaml import scalars
from duckpress.content.yaml.mapping_reader import Reader
from duckpress.content.yaml.nodes import Cell, Entry, Mapping, Scalar
from duckpress.core.limits import how_to_raise, limit, written
from duckpress.core.problems import Problem, Source, did_you_mean, nearest
from duckpress.model import Card, FieldKind

_WORDS = (FieldKind.TEXT, FieldKind.LIST)
MAX_LISTED = 5  # the same mistake in more cards than this is one problem that says in how many

TableReader = Callable[[str, Source], Table | None]


class _Written(Struct, frozen=True):
    """One card as written, its place, and the family's place or the table it comes from; None where it stands alone."""

    given: dict[str, Entry]
    source: Source
    family: Source | None = None
    table: Table | None = None


class ReadCards(NamedTuple):
    """A deck's cards in order, and whether they are all: none is missing that a problem has cost."""

    cards: tuple[Card, ...]
    is_whole: bool


def read_cards(
    deck: str, reader: Reader, typer: FieldTyper, data: Data, read_table: TableReader, problems: list[Problem]
) -> ReadCards:
    """Give the cards of a deck in order, families filled in from `data`; those without a usable id are left out.

    `deck` is its id. Problems: those of `Reader`, `scalars`, `fields`, `families` and `tables`; `bad-id`,
    `duplicate-id`, `unknown-key`, `missing-key`, `too-many-cards`.
    """
    words = frozenset(name for name, field in typer.fields.items() if field.kind in _WORDS and field.is_words)
    return _CardReader(deck, typer, problems).read(_entries(reader, data, read_table, words, problems))


def _entries(
    reader: Reader, data: Data, read_table: TableReader, words: frozenset[str], problems: list[Problem]
) -> Iterator[_Written]:
    """Yield the cards as written, families filled in, from the file itself or from the table it names."""
    node = reader.node("cards")
    if isinstance(node, Scalar) and not node.is_null:
        table = read_table(node.text, node.source)
        yield from _table_entries(table, words) if table else ()
        return
    for item in reader.items("cards", is_required=True):
        if not isinstance(item, Mapping):
            Reader.of(item, f"an entry of 'cards' of {reader.what}", problems)
        elif "for" in item.entries:
            for given in fill_family(item, data, problems):
                yield _Written(given, item.source, item.source)
        else:
            yield _Written(item.entries, item.source)


def _table_entries(table: Table, words: frozenset[str]) -> Iterator[_Written]:
    """Yield the rows of a table; `words` are the fields whose line breaks are those of the card."""
    new, shown = tuple.__new__, with_line_breaks
    names = [(name.text, name.source) for name in table.header]
    for row in table.rows:
        given = {
            name: Entry(new(Cell, (shown(cell.text) if name in words else cell.text, True, cell.source)), name_source)
            for (name, name_source), cell in zip(names, row, strict=False)
            if cell.text
        }
        yield _Written(given, row[0].source, table=table)


def _missing(key: str, label: str, entry: _Written) -> Problem:
    """Give the problem of a required field that a card lacks: its own, or that of a table without such a column."""
    header = entry.table.header if entry.table is not None else ()
    rest = "" if key == "id" else ", or make the field 'optional: yes'"
    if header and all(name.text != key for name in header):
        what = f"there is no column {key!r}"
        return Problem("missing-key", header[0].source, what, f"add it to the first row{rest}")
    return Problem("missing-key", entry.source, f"{label} has no {key!r}", f"add '{key}: ...'{rest}")


class _Crowd:
    """The same mistake in several cards: at the first places, and at how many in all."""

    def __init__(self) -> None:
        self._first: list[Problem] = []
        self._last: Source | None = None
        self._count = 0

    def is_told_at(self, source: Source) -> bool:
        """Tell whether the place was the last one, or is one of those that are only counted; counts it then."""
        if source == self._last:
            return True
        self._last = source
        self._count += 1
        return self._count > MAX_LISTED

    def take(self, problem: Problem) -> None:
        """Take in the mistake at a place that is to be told."""
        self._first.append(problem)

    def told(self) -> list[Problem]:
        """Give the problems: one for each place, or one that says at how many."""
        if self._count <= MAX_LISTED:
            return self._first
        return [self._first[0]._replace(what=f"{self._first[0].what} (and {self._count - 1} more cards)")]


class _CardReader:
    """Makes cards of a deck's entries and gathers what is wrong with them."""

    def __init__(self, deck: str, typer: FieldTyper, problems: list[Problem]) -> None:
        self._deck = deck
        self._typer = typer
        self._problems = problems
        self._cards: list[Card] = []
        self._first: dict[str, Source] = {}
        self._known = frozenset(typer.fields) | {"id", "copies"}
        self._crowds: dict[tuple[str, str], _Crowd] = {}
        self._most_crowds = limit("problems")
        self._meant: dict[str, str | None] = {}
        self._most = limit("deck-cards")
        self._most_copies = limit("card-copies")
        self._spoilt: set[tuple[str, Source]] = set()  # what was reported of a family is not reported for its next card

    def read(self, entries: Iterator[_Written]) -> ReadCards:
        """Give the cards in order; those without a usable id are left out."""
        is_whole = True
        told = len(self._problems)
        for entry in entries:
            is_whole = is_whole and len(self._problems) == told
            if len(self._cards) >= self._most:
                what = f"deck {self._deck!r} has more than {written(self._most)} different cards"
                fix = f"split it into several decks; {how_to_raise('deck-cards')}"
                self._problems.append(Problem("too-many-cards", entry.source, what, fix))
                is_whole = False
                break
            found: list[Problem] = []
            card = self._card(entry, found)
            if card is not None:
                self._cards.append(card)
            else:
                is_whole = False
            if found:
                self._keep(found, entry.family)
            told = len(self._problems)
        # What the entries themselves report is a table or a family of which no card came.
        is_whole = is_whole and len(self._problems) == told and bool(self._cards)
        for crowd in self._crowds.values():
            self._problems.extend(crowd.told())
        return ReadCards(tuple(self._cards), is_whole)

    def _card(self, entry: _Written, found: list[Problem]) -> Card | None:
        given = entry.given
        id_node = given["id"].value if "id" in given else None
        shown = id_node.text if isinstance(id_node, Scalar) else ""
        label = f"card {shown!r}" if shown else "the card"
        fields = self._typer.fields
        (values, sources), missing = self._typer.type_values(
            [pair for pair in given.items() if pair[0] in fields], label, found
        )
        copies = 1
        if "copies" in given:
            node = given["copies"].value
            before = len(found)
            number = scalars.whole_of(node, f"'copies' of {label}", found, 0, self._most_copies)
            is_below = isinstance(node, Scalar) and node.text.startswith("-")
            if len(found) > before and found[-1].code == "out-of-range" and not is_below:
                found[-1] = found[-1]._replace(fix=f"{found[-1].fix}; {how_to_raise('card-copies')}")
            copies = 1 if number is None else number
            sources["copies"] = node.source
        if id_node is None:
            missing.insert(0, "id")
        # Each key is a field, the id, the copies, or unknown: so much for a sum, all is well for most cards.
        if missing or len(given) > len(sources) + 1:
            self._gather_keys(given, missing, label, entry)
        if id_node is None:
            return None
        sources["id"] = id_node.source
        id_ = scalars.text_of(id_node, f"'id' of {label}", found)
        if id_ is None or not self._is_new(id_, id_node.source, found):
            return None
        return Card(id_, self._deck, values, copies, id_node.source if entry.family is None else entry.source, sources)

    def _is_new(self, id_: str, source: Source, found: list[Problem]) -> bool:
        if not ID.fullmatch(id_) and not check_id(id_, source, "the id", found):
            return False
        first = self._first.get(id_)
        if first is None:
            self._first[id_] = source
            return True
        what = f"the id {id_!r} is taken already, in line {first.line}"
        fix = "give every card of a deck an id of its own"
        if first == source:
            what, fix = f"several cards of this family get the id {id_!r}", "use every name of 'for' in the id"
        found.append(Problem("duplicate-id", source, what, fix))
        return False

    def _gather_keys(self, given: dict[str, Entry], missing: list[str], label: str, entry: _Written) -> None:
        """Keep unknown keys and missing fields apart by name; a missing one that an unknown one meant is left out."""
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
            crowd = self._crowd("unknown", key)
            if crowd is None or crowd.is_told_at(given[key].source):
                continue
            fix = did_you_mean(near or key, self._known)
            if near is None and can_be_field(key):
                fix = f"declare it (add '{key}: text' under 'fields'), or {fix}"
            elif near is None and isinstance(value := given[key].value, Scalar) and value.is_null:
                fix = f"put the text before it in quotes, comma and all, or {fix}"
            what = f"{label} has {scalars.quoted(key)}, which is no field of deck {self._deck!r}"
            crowd.take(Problem("unknown-key", given[key].source, what, fix))
        for key in missing:
            crowd = self._crowd("missing", key)
            problem = _missing(key, label, entry)
            if crowd is not None and not crowd.is_told_at(problem.source):
                crowd.take(problem)

    def _crowd(self, kind: str, key: str) -> _Crowd | None:
        """Give the crowd of a mistake; None where there are more kinds of them than will be told."""
        if (kind, key) not in self._crowds and len(self._crowds) > self._most_crowds:
            return None
        return self._crowds.setdefault((kind, key), _Crowd())

    def _keep(self, found: list[Problem], family: Source | None) -> None:
        for problem in found:
            if family is not None:
                if (problem.code, problem.source) in self._spoilt:
                    continue
                self._spoilt.add((problem.code, problem.source))
            self._problems.append(problem)
