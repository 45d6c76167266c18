"""The faces of a version that is gone: laid out again from the files of then, where version control still has them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct

from duckpress.core.frame import Text, every_item
from duckpress.files.workspace import Workspace
from duckpress.fonts import FontLibrary
from duckpress.layout import Face, LaidOut
from duckpress.model import Game
from duckpress.press.reading import load
from duckpress.releases.lock import CardKey, Lock
from duckpress.releases.release_files import releases_of
from duckpress.share.updates.revisions import commit_that_added, files_then
from duckpress.views.face_pictures import lay_out_game


class HeldVersion(Struct, frozen=True):
    """What somebody holds: the lock of a version, its language and ink, and the revision that was named for it."""

    lock: Lock
    language: str
    ink: str
    revision: str | None = None


def old_faces(
    workspace: Workspace, game_id: str, held: HeldVersion, fonts: FontLibrary, decks: Collection[str]
) -> tuple[LaidOut, ...]:
    """Return the pieces with some decks as somebody holds them, where the files are found; their fonts go into `fonts`.

    Found are a revision that was named, a tag of the version (`0.2`, `v0.2`, `<game>-0.2` or `<game>/0.2`), and the
    revision that the version's lock came in with. The files have to say that they are that version of the game.
    """
    for revision in _revisions(workspace, game_id, held.revision, held.lock.version):
        with files_then(workspace, game_id, revision) as then:
            if then is None:
                continue
            loaded = load(then, game_id)
            if loaded.game is None or loaded.has_errors or loaded.game.version != held.lock.version:
                continue
            if held.language not in [language.code for language in loaded.game.languages]:
                continue
            pieces = pieces_with(loaded.game, decks)
            if not pieces:
                return ()
            shown = lay_out_game(then, loaded, language=held.language, pieces=pieces, ink=held.ink)
            _keep_fonts(shown.checked.pieces, shown.fonts, fonts)
            return shown.checked.pieces
    return ()


def faces_by_card(pieces: Sequence[LaidOut]) -> dict[CardKey, Face]:
    """Return the faces of a game's cards: of a card in several pieces, those of the first, as a lock has them."""
    faces: dict[CardKey, Face] = {}
    for piece in pieces:
        if piece.piece.instead_of is None and not piece.piece.book:
            for face in piece.faces:
                faces.setdefault((face.deck, face.card), face)
    return faces


def pieces_with(game: Game, decks: Collection[str]) -> tuple[str, ...]:
    """Return the pieces that hold some decks, but for those that stand for another one."""
    return tuple(piece.id for piece in game.pieces if piece.instead_of is None and set(decks) & set(piece.decks))


def _revisions(workspace: Workspace, game_id: str, since: str | None, version: str) -> list[str]:
    releases = releases_of(workspace, game_id)
    found = [f"refs/tags/{name}" for name in (version, f"v{version}", f"{game_id}-{version}", f"{game_id}/{version}")]
    commit = commit_that_added(workspace, releases[version]) if version in releases else None
    found += [commit] if commit is not None else []
    return found if since is None or since in releases else [since, *found]


def _keep_fonts(pieces: tuple[LaidOut, ...], then: FontLibrary, now: FontLibrary) -> None:
    """Load the fonts that old faces are set in while their files are there, for whoever renders them later."""
    keys = {
        item.font
        for one in pieces
        for face in one.faces
        for frame in (face.front, face.back)
        if frame is not None
        for item in every_item(frame.items, one.drawings)
        if isinstance(item, Text)
    }
    for key in sorted(keys):
        typeface = then.load_key(key)
        if typeface is not None and now.load_key(key) is None:
            now.typefaces_by_key[key] = typeface
