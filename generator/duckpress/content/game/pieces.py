"""The pieces of a game: their keys in `game.yaml`, and their decks and texts, which must exist."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from duckpress.content.game.deck_file import Decks
from duckpress.content.game.naming import ID, id_problem
from duckpress.content.tables.cells import count_text, looks_like_copies
from duckpress.content.yaml import nodes
from duckpress.content.yaml.declared_shapes import Kind, Shape, When, optional, required
from duckpress.content.yaml.kinds import NULL, TEXT, TEXTS, TITLE, choice, number
from duckpress.content.yaml.nodes import Node, Scalar, quoted
from duckpress.core.limits import LIMITS, how_to_raise, limit, written
from duckpress.core.problems import Level, Problem, ProblemList, Read, Source, did_you_mean, nearest
from duckpress.files.workspace import Refused, Workspace
from duckpress.model import RULES_TEXT, STOCKS, Deck, Piece, SheetText, Value, texts_in

AUDIENCES = ("players", DESIGNER := "designer")
TAKEN = {"all": "the file with all pieces", "gang": "the file of pieces that share sheets"}
"""Ids that no piece may have: the program's own files have them in their names."""
_NOTHING: Kind[tuple[str, ...]] = Kind(lambda *_: Read(()), (), takes=(NULL,))
_SHOWN = re.compile(r"\]\((?:card|board|back):([a-z0-9-]+)")  # the deck that a picture of a rules sheet is taken from


def too_many(name: str, source: Source) -> Problem:
    what = f"the game has more than {written(limit(name))} {LIMITS[name].unit}"
    return Problem("game-too-large", source, what, f"make several games of it; {how_to_raise(name)}")


class PieceKeys(Shape):
    """A piece: cards that are printed together, one PDF for each paper."""

    id = required(TEXT, "its id; part of the file's name")
    title = required(TITLE, "what it is called")
    theme = optional(TEXT, None, "a theme of its own")
    instead_of = optional(TEXT, None, "id of the piece it stands for")
    scale = optional(number(0.25, 4.0), 1.0, "how many times as large as its decks say it is printed")
    stock = optional(choice(STOCKS), "", "what to print it on; without it as its decks suggest")
    for_ = optional(choice(AUDIENCES), AUDIENCES[0], "designer: printed only where it is asked for by name")
    decks = required(TEXTS, "ids of its decks")
    text = optional(TEXT, "", "a Markdown file it is typeset from, in place of decks")

    @classmethod
    def cases(cls) -> Sequence[tuple[When, type[PieceKeys]]]:
        return ((When("text"), TextPieceKeys),)

    @classmethod
    def called(cls, node: nodes.Mapping, what: str) -> str:
        id_ = node.entries["id"].value if "id" in node.entries else None
        text = id_.text.rstrip("\n") if isinstance(id_, Scalar) and not id_.is_null else ""
        return f"piece {text!r}" if text.strip() else what

    def check(self) -> Iterator[Problem]:
        if self.id and (problem := id_problem(self.id, self.at("id"), "the piece id")) is not None:
            yield problem
        if self.id in TAKEN:
            what = f"the piece id {self.id!r} is taken by {TAKEN[self.id]}, which is called so"
            yield Problem("duplicate-id", self.at("id"), what, "call the piece otherwise")
        if self.deck_nodes == []:
            fix = "name at least one: decks: [...]"
            yield Problem("no-decks", self.at("decks"), f"{self.what} prints no deck", fix)

    @property
    def deck_nodes(self) -> list[Node] | None:
        """The nodes of its decks as written, or None."""
        entry = self.node.entries.get("decks")
        return entry.value.items if entry is not None and isinstance(entry.value, nodes.Sequence) else None


class TextPieceKeys(PieceKeys):
    """A piece that is typeset from a text.

    Players' words stand in the rules: they are compared from version to version, and no other sheet is.
    """

    text = required(TEXT, PieceKeys.text.about)
    decks = optional(_NOTHING, (), "none, where it has a text")

    def check(self) -> Iterator[Problem]:
        yield from super().check()
        name = self.text.strip()
        stem = name.removesuffix(".md")
        what = fix = ""
        if not name.endswith(".md") or not ID.fullmatch(stem) or stem == RULES_TEXT:
            what = f"{self.what} is typeset from {quoted(name)}"
            fix = "name a file beside game.yaml, of small letters, digits and '-', such as designer-notes.md"
            if stem == RULES_TEXT:
                fix = "delete the piece: rules.md is printed anyway"
        elif self.has("decks"):
            what, fix = f"{self.what} has decks and a text", "make two pieces of it"
        elif self.for_ != DESIGNER:
            what = f"{self.what} is a text that is not for the designer"
            fix = "add 'for: designer', or write players' words in rules.md"
        if what:
            yield Problem("bad-text-piece", self.at("text"), what, fix)


def without_doubles(entries: tuple[PieceKeys, ...]) -> Read[tuple[PieceKeys, ...]]:
    """Return the pieces without repeated ids. Problems: `duplicate-id`, `unknown-piece`."""
    problems = ProblemList()
    kept: list[PieceKeys] = []
    for entry in entries:
        if len(kept) >= limit("game-pieces"):
            problems.append(too_many("game-pieces", entry.source))
            break
        taken = [other for other in kept if other.id == entry.id != ""]
        if taken:
            what = f"the piece id {entry.id!r} is taken already, in line {taken[0].source.line}"
            problems.add("duplicate-id", entry.at("id"), what, "give every piece an id of its own")
        else:
            kept.append(entry)
    for entry in kept:
        others = [other.id for other in kept if other.id != entry.id]
        if entry.instead_of is not None and entry.instead_of not in others:
            what = f"{entry.what} stands instead of {quoted(entry.instead_of)}, which is no other piece"
            fix = did_you_mean(entry.instead_of, others) or "delete 'instead_of'"
            problems.add("unknown-piece", entry.at("instead_of"), what, fix)
    return Read(tuple(kept), problems)


def with_decks(entries: tuple[PieceKeys, ...], theme: str, decks: Decks) -> Read[tuple[Piece, ...]]:
    """Return the pieces with their valid decks; `theme` is the game's.

    Problems: `unknown-deck`, `duplicate-id` for a deck named twice, `mixed-packet`.
    """
    problems = ProblemList()
    pieces = []
    for entry in entries:
        kept: list[str] = []
        for name, node in zip(entry.decks, entry.deck_nodes or (), strict=False):
            if name not in decks.files:
                what = f"piece {entry.id!r} prints deck {quoted(name)}, and there is no such file"
                fix = did_you_mean(name, decks.files) or f"write decks/{name}.yaml"
                problems.add("unknown-deck", node.source, what, fix)
            elif name in kept:
                what = f"piece {entry.id!r} names deck {name!r} twice"
                problems.add("duplicate-id", node.source, what, "keep one of the two")
            elif name in decks.by_id:
                if kept and decks.by_id[kept[0]].dealt_to != decks.by_id[name].dealt_to:
                    what = f"piece {entry.id!r} mixes what is printed for everybody, for the host or for one player"
                    problems.add("mixed-packet", node.source, what, "print it as a piece of its own")
                    continue
                kept.append(name)
        text = entry.text.strip().removesuffix(".md")
        piece = entry.as_record(
            Piece,
            decks=tuple(kept),
            theme=theme if entry.theme is None else entry.theme,
            theme_source=entry.at("theme") if entry.has("theme") else None,
            text=text,
            book="sheet" if text else "",
            is_for_designer=entry.for_ == DESIGNER,
        )
        pieces.append(piece)
    return Read(tuple(pieces), problems)


def with_texts(
    folder: str, pieces: tuple[Piece, ...], texts: dict[str, dict[str, SheetText]]
) -> Read[tuple[Piece, ...]]:
    """Return the pieces without those whose text is missing. Problem: `missing-file`."""
    problems = ProblemList()
    missing = [piece for piece in pieces if piece.text and not texts[piece.text]]
    for piece in missing:
        what = f"piece {piece.id!r} is typeset from {piece.text}.md, and there is no such file"
        problems.add("missing-file", piece.source, what, f"write {folder}/{piece.text}.md")
    return Read(tuple(piece for piece in pieces if piece not in missing), problems)


def too_many_cards(pieces: tuple[Piece, ...], decks: Decks, players: int) -> list[Problem]:
    """Return `game-too-large` if the game prints more cards than the limit, at the piece that exceeds it."""
    most = limit("printed-cards")
    count = 0
    for piece in pieces:
        printed = [decks.by_id[name] for name in piece.decks]
        count += sum(deck.count * (players if deck.is_per_player else 1) for deck in printed)
        if count > most:
            what = f"the game prints more than {written(most)} cards, all copies counted"
            fix = f"print fewer copies; {how_to_raise('printed-cards')}"
            return [Problem("game-too-large", piece.source, what, fix)]
    return []


def unprinted_decks(
    workspace: Workspace, decks: Decks, pieces: tuple[PieceKeys, ...], texts: dict[str, dict[str, SheetText]]
) -> list[Problem]:
    """Return `deck-not-printed` for each deck that no piece prints and neither rules nor a layout show.

    Without pieces nothing is said, nor of a deck whose name a piece misspells.
    """
    if not pieces:
        return []
    named = {name for piece in pieces for name in piece.decks}
    named.update(name for sheets in texts.values() for sheet in sheets.values() for name in _SHOWN.findall(sheet.text))
    meant = {nearest(name, decks.files) for name in named if name not in decks.files}
    problems = ProblemList()
    for id_, path in decks.files.items():
        if id_ in named or id_ in meant:
            continue
        # A layout places a card of it: `of="duck"`, or in an expression.
        placed = re.compile(rf"""\bof=["']{id_}["'/]|["']{id_}/|\.(?:fan|pile|row)\([^)]*["']{id_}["']""")
        if not is_written_in(workspace, workspace.files(f"{path.rsplit('/', 2)[0]}/layouts", ".xml"), placed):
            what, fix = f"no piece prints deck {id_!r}", f"add {id_!r} to the 'decks' of a piece in game.yaml"
            problems.add("deck-not-printed", Source(path), what, fix, Level.WARNING)
    return problems


def unused_copies(workspace: Workspace, folder: str, decks: Mapping[str, Deck]) -> Iterator[Problem]:
    """Yield a `looks-like-copies` for each field that seems to count copies, if the deck prints every card once.

    Not where a layout, a text or the setup uses the field: then it means something else.
    """
    for deck in decks.values():
        if any("copies" in card.sources for card in deck.cards):
            continue
        for field in deck.fields.values():
            if not looks_like_copies(field.name):
                continue
            values = [card.values.get(field.name) for card in deck.cards]
            known = [count for value in values if (count := _count(value)) is not None]
            filled = [value for value in values if value not in (None, "")]
            other = next((value for value in filled if _count(value) is None), None)
            is_likely = 2 * sum(_count(value) is not None for value in filled) > len(filled)
            if not is_likely or max(known) < 2 or _is_used(workspace, folder, deck, field.name):
                continue
            cards = f"{len(values)} card{'s' * (len(values) != 1)}"
            what = f"{field.name!r} looks like copies, and is only a field: deck {deck.id!r} prints {cards}"
            is_table = deck.cards[0].source.file != deck.source.file
            first = next(count for count in known if count > 1)
            fix = f"call the column 'copies' in {deck.cards[0].source.file.rpartition('/')[2]}"
            fix = fix if is_table else f"write 'copies: {first}' instead of '{field.name}: {first}'"
            ending = f"to print {sum(known)}" if other is None else f"and write a whole number for {quoted(str(other))}"
            fix = f"{fix}, and delete {field.name!r} under 'fields', {ending}"
            yield Problem("looks-like-copies", field.source, what, fix, Level.WARNING)


def _count(value: Value) -> int | None:
    """Return a value as a number of copies; 1 if it is empty, None if it is no such number."""
    if value is None or value == "":
        return 1
    text = f"{value:g}" if isinstance(value, int | float) and not isinstance(value, bool) else value
    text = count_text(text) if isinstance(text, str) else ""
    return int(text) if text.isdecimal() and len(text) <= 4 else None


def _is_used(workspace: Workspace, folder: str, deck: Deck, name: str) -> bool:
    """Return whether any text or layout uses a field; `deck.count`, `decks.x.count`, `box.count` do not count."""
    elsewhere = rf"(?<!\bdeck)(?<!\bbox)(?<!\bdecks\.{re.escape(deck.id)})"
    named = re.compile(rf"{elsewhere}\.{name}\b|\{{={name}\}}|['\"]{name}['\"]")
    values = (value for card in deck.cards for value in card.values.values())
    if any(named.search(text) for value in values for text in texts_in(value)):
        return True
    paths = [path for place in (f"{folder}/layouts", "layouts") for path in workspace.files(place, ".xml")]
    return is_written_in(workspace, [*paths, *workspace.files(folder, "setup.yaml", ".md")], named)


def is_written_in(workspace: Workspace, paths: Iterable[str], pattern: re.Pattern[str]) -> bool:
    """Return whether a pattern matches in one of the files; refused files are skipped."""
    for path in paths:
        try:
            if pattern.search(workspace.read(path, "template-file").decode("utf-8", "replace")):
                return True
        except Refused:
            continue
    return False
