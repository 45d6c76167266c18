"""`game.yaml` -> what it says of the whole game: names, players, facts and lists, pieces, credits and notes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from duckpress.content.game.game_keys import DESIGNER, FALLBACK_LANGUAGE, BundleKeys, GameKeys, PieceKeys, too_many
from duckpress.content.yaml.declared_shapes import read_shape
from duckpress.content.yaml.kinds import plain_value
from duckpress.content.yaml.nodes import Node, quoted
from duckpress.core.limits import limit
from duckpress.core.problem_list import ProblemList, Read
from duckpress.core.problems import Source, did_you_mean
from duckpress.model import Accepted, BundlePlan, Credit, Game, Language, Note, Piece


class WrittenPiece(NamedTuple):
    """A piece as written; its decks have not been looked up, and `deck_sources` says where each was named."""

    piece: Piece
    deck_sources: tuple[Source, ...]


class GameFile(NamedTuple):
    """What `game.yaml` says: the game without decks, pieces and setup, the pieces as they are written."""

    game: Game
    pieces: tuple[WrittenPiece, ...]
    has_booklet: bool


def read_game_file(id_: str, node: Node) -> Read[GameFile | None]:
    """Return what a game's own file says, or None where it is no mapping.

    Problems: those of `read_shape`; `bad-version`, `bad-players`, `bad-language`, `bad-id`, `bad-name`,
    `duplicate-id`, `unknown-piece`, `no-decks`, `no-pieces`, `bad-text-piece`.
    """
    problems = ProblemList()
    written = problems.take(read_shape(node, GameKeys, "game.yaml"))
    if written is None:
        return Read(None, problems)
    theme = id_ if written.theme is None else written.theme
    most = limit("game-entries")
    languages = tuple(Language(*placed) for placed in written.languages)
    languages = languages or (Language(FALLBACK_LANGUAGE, written.source),)
    facts = written.facts.entries if written.facts is not None else {}
    game = written.as_record(
        Game,
        id=id_,
        languages=languages,
        decks={},
        pieces=(),
        lists={entry.name: entry.value for entry in written.lists},
        facts={key: plain_value(entry.value) for key, entry in facts.items()},
        setup=None,
        notes=tuple(note.as_record(Note) for note in written.notes[:most]),
        accepted=tuple(entry.as_record(Accepted) for entry in written.accept[:most]),
        credits=tuple(credit.as_record(Credit) for credit in written.credits[:most]),
        folder=f"content/{id_}",
        theme=theme,
        bring=written.bring[:most],
        has_cover=written.cover,
        bundle=_bundle(written.bundle, [language.code for language in languages]),
    )
    pieces = problems.take(_pieces(written.pieces, theme))
    return Read(GameFile(game, pieces, written.booklet), problems)


def _bundle(written: BundleKeys | None, codes: Sequence[str]) -> BundlePlan:
    """Return the plan of a bundle, completed where it is silent."""
    plan = BundlePlan()
    if written is None:
        return plan
    papers, backs, inks = (tuple(dict.fromkeys(words)) for words in (written.papers, written.backs, written.inks))
    languages = dict.fromkeys(code for code, _ in written.languages if code in codes)
    return BundlePlan(papers or plan.papers, backs or plan.backs, inks or plan.inks, tuple(languages), written.feedback)


def _pieces(entries: Sequence[PieceKeys], theme: str) -> Read[tuple[WrittenPiece, ...]]:
    """Return the pieces, those left out whose id is taken. Problems: `duplicate-id`, `unknown-piece`."""
    problems = ProblemList()
    pieces: list[WrittenPiece] = []
    kept: list[PieceKeys] = []
    for entry in entries:
        if len(kept) >= limit("game-pieces"):
            problems.append(too_many("game-pieces", entry.source))
            break
        taken = next((other for other in kept if other.id == entry.id), None) if entry.id else None
        if taken is not None:
            what = f"the piece id {entry.id!r} is taken already, in line {taken.source.line}"
            problems.add("duplicate-id", entry.at("id"), what, "give every piece an id of its own")
            continue
        pieces.append(_piece(entry, theme))
        kept.append(entry)
    for entry in kept:
        others = [other.id for other in kept if other.id != entry.id]
        if entry.instead_of is not None and entry.instead_of not in others:
            what = f"{entry.what} stands instead of {quoted(entry.instead_of)}, which is no other piece"
            fix = did_you_mean(entry.instead_of, others) or "delete 'instead_of'"
            problems.add("unknown-piece", entry.at("instead_of"), what, fix)
    return Read(tuple(pieces), problems)


def _piece(entry: PieceKeys, theme: str) -> WrittenPiece:
    text = entry.text.strip().removesuffix(".md")
    piece = entry.as_record(
        Piece,
        theme=theme if entry.theme is None else entry.theme,
        book="sheet" if text else "",
        theme_source=entry.at("theme") if entry.has("theme") else None,
        text=text,
        is_for_designer=entry.for_ == DESIGNER,
    )
    return WrittenPiece(piece, tuple(node.source for node in entry.deck_nodes or ()) if entry.decks else ())
