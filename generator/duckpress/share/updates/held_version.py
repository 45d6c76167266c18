"""A version of a game that a page compares itself with: its lock in one language, and its faces where they are had."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from msgspec.structs import replace

from duckpress.check import copies_for
from duckpress.core.inks import PLAIN
from duckpress.core.problems import Problem
from duckpress.files.workspace import Workspace
from duckpress.fonts import FontLibrary
from duckpress.layout import LaidOut
from duckpress.model import Game
from duckpress.releases.lock import CardKey, Lock, LockedCard, fields_of, lock_of, spoken_in
from duckpress.share.updates.releasing import (
    Unknown,
    as_held,
    language_held,
    seen_faces,
    tables_of,
    unknown_version,
    written_version,
)
from duckpress.share.updates.revisions import (
    Held,
    LaidOutFace,
    faces_of,
    files_then,
    keep_fonts,
    load_then,
    old_faces,
    pieces_with,
)
from duckpress.views.face_pictures import lay_out_game
from duckpress.views.page.game_pieces import GamePieces

_Find = Callable[[Collection[str]], Iterable[LaidOut]]


class HeldVersion:
    """A version in one language; `ink` is that of the faces that its lock knows. Its faces are laid out when asked for.

    The files that fonts were read from may be gone: whoever paints old faces gets their fonts with them.
    """

    def __init__(self, lock: Lock, fonts: FontLibrary, find: _Find) -> None:
        self.lock = lock
        self.ink = lock.printed_in or PLAIN
        self._fonts = fonts
        self._find = find
        self._tried: set[str] = set()
        self._faces: dict[CardKey, LaidOutFace] = {}

    def faces(self, decks: Collection[str], fonts: FontLibrary) -> dict[CardKey, LaidOutFace]:
        """Return the faces of some decks, as far as they are had, and perhaps others; their fonts go into `fonts`."""
        if new := set(decks) - self._tried:
            self._tried |= new
            self._faces |= faces_of(self._find(new))
        keep_fonts({id(one): one for one, _ in self._faces.values()}.values(), self._fonts, fonts)
        return self._faces


def held_version(workspace: Workspace, drawn: GamePieces, name: str) -> HeldVersion:
    """Return the version that a word names, in the language that the page of a game is in.

    Raises `Unknown` where there is none, it cannot be read, or it is not in that language; and `MachineError`.
    """
    game = drawn.shown.checked.game
    assert game is not None
    language, ink, fonts = game.language, drawn.request.ink, FontLibrary(workspace)
    written = written_version(workspace, game.id, name, ink)
    if written is None:
        return _at_revision(workspace, drawn, name, fonts)
    lock, problems = written
    if lock is not None:
        lock, more = as_held(workspace, drawn.loaded, lock)
        problems += more
    if lock is None or problems:
        raise Unknown(in_words(problems))
    held = Held(lock, language, ink, name)

    def find(decks: Collection[str]) -> Iterable[LaidOut]:
        return old_faces(workspace, held, decks, fonts, drawn.loaded.frames)

    return HeldVersion(spoken_in(lock, language_held(lock, game, language)), fonts, find)


def _at_revision(workspace: Workspace, drawn: GamePieces, revision: str, fonts: FontLibrary) -> HeldVersion:
    """Return the game as it was at a revision, laid out from the files of then: what of it can be drawn."""
    now, ink = drawn.shown.checked.game, drawn.request.ink
    assert now is not None
    with files_then(workspace, now.id, revision) as then:
        if then is None:
            raise unknown_version(workspace, now.id, revision)
        loaded = load_then(then, now.id, drawn.loaded.frames)
        if loaded.game is None:
            raise Unknown(f"{revision} cannot be read: {in_words(loaded.problems)}")
        if now.language not in [language.code for language in loaded.game.languages]:
            raise Unknown(f"{revision} has no cards in {now.language!r}")
        decks = {deck for piece in loaded.game.chosen_pieces() for deck in piece.decks}
        names = pieces_with(loaded.game, decks)
        shown = lay_out_game(then, loaded, language=now.language, ink=ink, pieces=names, is_draft=True)
        keep_fonts(shown.checked.pieces, shown.fonts, fonts)
    game, pieces = shown.checked.game, shown.checked.pieces
    assert game is not None
    lock = replace(draft_lock(game, loaded.game, pieces, decks), printed_in=None if ink == PLAIN else ink)
    return HeldVersion(lock, fonts, lambda _decks: pieces)


def draft_lock(game: Game, original: Game, pieces: Iterable[LaidOut], decks: Collection[str]) -> Lock:
    """Return the lock of a game in the language that it is in, as far as its faces can be drawn.

    `original` is the game in its first language, which names the columns of setup tables. Cards of `decks` that cannot
    be drawn are there without faces.
    """
    lock = spoken_in(lock_of(game, seen_faces(pieces, game.language), tables_of(original), None), game.language)
    copies = copies_for(game, None)
    cards = {(deck, card.id): card for deck in decks for card in game.decks[deck].cards}
    undrawn = {
        key: LockedCard(*key, "", "", count, fields_of(card), {})
        for key, card in cards.items()
        if key not in lock.cards and (count := copies.get(key, card.copies))
    }
    return replace(lock, cards={**lock.cards, **undrawn})


def in_words(problems: Iterable[Problem]) -> str:
    """Return problems on one line."""
    return "; ".join(f"{problem.source}: {problem.what}: {problem.fix}".rstrip(": ") for problem in problems)
