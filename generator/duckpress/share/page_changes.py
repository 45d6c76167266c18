"""Changes since an earlier version, as data for a game's page, with the old faces if they can be found."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from duckpress.check import copies_for
from duckpress.core.backs import PLAIN
from duckpress.core.problems import MachineError, Problem
from duckpress.files.workspace import Workspace
from duckpress.layout import LaidOut
from duckpress.model import Game
from duckpress.press.releases.changes import CardChange, compare
from duckpress.press.releases.lock import CardKey, Lock, LockedCard, Plain, fields_of, lock_of, spoken_in
from duckpress.press.releases.release_files import releases_of
from duckpress.share.changes_report import listed
from duckpress.share.diff import GameDiff, diff_of
from duckpress.share.releasing import (
    Unknown,
    base_language,
    seen_faces,
    tables_of,
    unknown_version,
    written_version,
)
from duckpress.share.revisions import (
    LaidOutFace,
    OldDecks,
    faces_of,
    files_then,
    is_revision,
    keep_fonts,
    load_then,
    old_faces,
    pieces_with,
)
from duckpress.text.fonts import FontLibrary
from duckpress.views.page.card_rows import card_shape
from duckpress.views.page.game_page import GamePage
from duckpress.views.shown_game import GamePieces, lay_out_game

_Find = Callable[[Collection[str]], Iterable[LaidOut]]


class BaseVersion:
    """The version that a page is compared with, in one language; `ink` is that of the lock's faces.

    Faces are laid out at the first request. Their font files may be gone by then, so the fonts come with them.
    """

    def __init__(self, lock: Lock, fonts: FontLibrary, find: _Find) -> None:
        self.lock = lock
        self.ink = lock.printed_in or PLAIN
        self._fonts = fonts
        self._find = find
        self._tried: set[str] = set()
        self._faces: dict[CardKey, LaidOutFace] = {}

    def faces(self, decks: Collection[str], fonts: FontLibrary) -> dict[CardKey, LaidOutFace]:
        """Return the faces of some decks, if they can be found, and perhaps others; add their fonts to `fonts`."""
        if new := set(decks) - self._tried:
            self._tried |= new
            self._faces |= faces_of(self._find(new))
        keep_fonts({id(one): one for one, _ in self._faces.values()}.values(), self._fonts, fonts)
        return self._faces


def base_version(workspace: Workspace, drawn: GamePieces, name: str) -> BaseVersion:
    """Return the named version, in the language of a game's page.

    Raises `Unknown` where there is none, it cannot be read, or it is not in that language; and `MachineError`.
    """
    game = drawn.shown.checked.game
    assert game is not None
    language, ink, fonts = game.language, drawn.request.ink, FontLibrary(workspace)
    written = written_version(workspace, game.id, name, ink, drawn.loaded.game)
    if written is None:
        return _at_revision(workspace, drawn, name, fonts)
    lock, problems = written
    if lock is None or problems:
        raise Unknown(in_words(problems))

    def find(decks: Collection[str]) -> Iterable[LaidOut]:
        base = OldDecks(lock, language, ink, name, decks)
        return old_faces(workspace, base, fonts, drawn.loaded.frames)

    return BaseVersion(spoken_in(lock, base_language(lock, game, language)), fonts, find)


def _at_revision(workspace: Workspace, drawn: GamePieces, revision: str, fonts: FontLibrary) -> BaseVersion:
    """Return the game at a revision, laid out from its old files: all cards that can be drawn."""
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
    return BaseVersion(lock, fonts, lambda _decks: pieces)


def draft_lock(game: Game, original: Game, pieces: Iterable[LaidOut], decks: Collection[str]) -> Lock:
    """Return the lock of a game in its current language, with all faces that can be drawn.

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
    return "; ".join(f"{problem.source}: {problem.what}: {problem.fix}".rstrip(": ") for problem in problems)


class BaseVersions:
    """The versions for comparison on a game's page: the one in `since`, and its releases.

    Each is read and laid out at the first request.
    """

    def __init__(self, workspace: Workspace, game_id: str, since: str | None) -> None:
        """Raise `Unknown` if `since` names no version, and `MachineError`."""
        self._workspace = workspace
        self._game_id = game_id
        self._named = {} if since is None else {_public_name(workspace, game_id, since): since}
        self._held: dict[tuple[str, str, str], BaseVersion] = {}

    @property
    def names(self) -> Sequence[str]:
        """The requested version, and the releases, the newest first."""
        releases = reversed(releases_of(self._workspace, self._game_id))
        return list(dict.fromkeys([*self._named, *releases]))

    def changes(self, page: GamePage, name: str) -> Mapping[str, Any]:
        """Return the changes since a version; if it cannot be read, `told` says why."""
        try:
            return _as_data(page, self._version(page, name))
        except (Unknown, MachineError) as why:
            return {"told": str(why), "cards": [], "lines": [], "rules": []}

    def _version(self, page: GamePage, name: str) -> BaseVersion:
        key = name, page.game.language, page.drawn.request.ink
        if key not in self._held:
            self._held[key] = base_version(self._workspace, page.drawn, self._named.get(name, name))
        return self._held[key]


def _public_name(workspace: Workspace, game_id: str, since: str) -> str:
    """Return the public name of a version on the page: a file's name without its folder.

    Raises `Unknown` where it names none.
    """
    written = written_version(workspace, game_id, since, None)
    if written is None:
        if not is_revision(workspace, game_id, since):
            raise unknown_version(workspace, game_id, since)
        return since
    if written.lock is None:
        raise Unknown(in_words(written.problems))
    return since if since in releases_of(workspace, game_id) else f"{written.lock.version} ({Path(since).name})"


def _as_data(page: GamePage, base: BaseVersion) -> Mapping[str, Any]:
    """Return what changed in cards, setup and rules since the base version, as data for the page."""
    game, original, drawn = page.game, page.drawn.loaded.game, page.drawn
    assert original is not None
    pieces = [inked for one in drawn.every if (inked := drawn.in_ink(one, base.ink)) is not None]
    shown = {deck for one in drawn.every for deck in one.piece.decks}
    hidden = {deck for piece in game.pieces for deck in piece.decks} - shown
    cards = {key: card for key, card in base.lock.cards.items() if card.deck not in hidden}
    changes = compare(replace(base.lock, cards=cards), draft_lock(game, original, pieces, shown))
    diff = diff_of(page.drawn.loaded, page.game, changes, page.game.language)
    keys = diff.keys
    decks = {key[0] for key in keys if key in changes.old.cards}
    diff = diff._replace(new_faces=faces_of(page.drawn.every), old_faces=base.faces(decks, page.shown.fonts))
    changed = {change.new.key: change for change in changes.changed}
    return {
        "told": "",
        "cards": [_card(page, diff, key, changed.get(key)) for key in keys],
        "lines": diff.setup_lines(),
        "rules": [["\n\n".join(went), "\n\n".join(came)] for went, came in diff.rules()],
    }


def _card(page: GamePage, diff: GameDiff, key: CardKey, change: CardChange | None) -> dict[str, Any]:
    changes, before = diff.changes, diff.face_before(key)
    kind = "new" if key not in changes.old.cards else "gone" if key not in changes.new.cards else ""
    if change is not None and not change.fields and change.looks:
        kind = "looks"
    fields = () if change is None else diff.fields(change)
    pictures = None
    if before is not None:
        one, face = before
        pictures = {
            "front": page.picture(one, face.front),
            "back": None if face.back is None else page.picture(one, face.back),
            **card_shape(face.format, face.front.bleed_mm),
        }
    return {
        "key": "/".join(key),
        "deck": diff.deck_title(key[0]),
        "name": diff.name_of(key),
        "kind": kind,
        "sides": ["back" if is_back else "front" for is_back in diff.sides(key)],
        "before": pictures,
        "words": diff.words_before(key) if key in changes.old.cards else "",
        "copies": [] if change is None or not change.copies else [change.old.copies, change.new.copies],
        "fields": [{"label": label, "was": _written(was), "now": _written(now)} for label, was, now in fields],
    }


def _written(value: Plain) -> str:
    return "" if value is None else str(listed(list(value.values()) if isinstance(value, dict) else value))
