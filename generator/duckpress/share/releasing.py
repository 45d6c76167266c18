"""Versions of a game in its workspace: freezing one, and finding an older one.

A release is a lock file in `content/<game>/releases/`. What a tester holds may be named in many ways: the version, a
lock file, the manifest or the bundle that came with the printed files, or a revision of the version control.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from duckpress.check import setup_table
from duckpress.core.backs import PLAIN
from duckpress.core.problems import MachineError, Problem, Source, has_errors
from duckpress.files.archives import Archive, BadArchive, is_archive
from duckpress.files.workspace import Refused, Workspace, open_plain_file, read_plain_file
from duckpress.layout import LaidOut
from duckpress.model import Game
from duckpress.press.reading import Checked, Loaded, load, named, variants_of
from duckpress.press.releases.changes import Changes, compare
from duckpress.press.releases.lock import Lock, Plain, SeenFace, lock_of, recognised
from duckpress.press.releases.release_files import (
    SUFFIX,
    LockRead,
    lock_bytes,
    lock_from_manifest,
    newest_release,
    path_of,
    read_lock,
    read_release,
    releases_of,
)
from duckpress.share.revisions import files_then
from duckpress.store import write_file
from duckpress.views.export_files import MANIFEST
from duckpress.views.shown_game import lay_out_game


class Unknown(Exception):
    """A `--since` that names no version: the words list the searched places."""


class Frozen(NamedTuple):
    """A game with all findings, its current lock, and the changes since a version; None if there is an error."""

    checked: Checked
    lock: Lock | None
    changes: Changes | None = None


class Released(Struct, frozen=True):
    """A release: the findings, the lock's path (relative to the workspace), and its bytes if it is new."""

    checked: Checked
    path: str
    data: bytes | None
    changes: Changes | None


def freeze(
    workspace: Workspace, loaded: Loaded, before: Lock | None, *, has_pages: bool = False, ink: str = PLAIN
) -> Frozen:
    """Return the lock of a game's current files, laid out in all its languages.

    A lock holds the words of the rules, not their pages: those are laid out only with `has_pages`, to be checked too.
    It tells cards by their faces in colour; one of another `ink` is only good for what was printed in that ink.
    """
    game = loaded.game
    pieces = () if has_pages or game is None else tuple(piece.id for piece in game.chosen_pieces() if not piece.book)
    checked, _ = lay_out_game(workspace, loaded, pieces=pieces, ink=ink)
    game = checked.game
    if game is None or checked.has_errors:
        return Frozen(checked, None)
    faces = seen_faces(checked.pieces, game.languages[0].code)
    translated: list[Game] = []
    problems = list(checked.problems)
    for language in game.languages[1:]:
        other, _ = lay_out_game(workspace, loaded, language=language.code, pieces=pieces, ink=ink)
        problems += [problem for problem in other.problems if problem not in problems]
        faces += seen_faces(other.pieces, language.code)
        translated += [other.game] if other.game is not None else []
    checked = Checked(checked.game_id, game, named(game.id, problems), checked.pieces)
    if checked.has_errors:
        return Frozen(checked, None)
    lock = lock_of(game, faces, tables_of(game), before, translated)
    return Frozen(checked, lock if ink == PLAIN else replace(lock, printed_in=ink))


def seen_faces(pieces: Iterable[LaidOut], language: str) -> list[SeenFace]:
    """Return the faces of pieces for a lock, without pieces that replace another, and without books."""
    return [
        SeenFace(face.deck, face.card, language, face.bare, face.bare_back, face.copies)
        for piece in pieces
        if piece.piece.instead_of is None and not piece.piece.book
        for face in piece.faces
    ]


def tables_of(game: Game) -> dict[str, dict[str, dict[str, Plain]]]:
    """Return the setup tables of a game in the form of a lock."""
    tables: dict[str, dict[str, dict[str, Plain]]] = {}
    for variant in (None, *variants_of(game)):
        table = setup_table(game, variant)
        titles = {column.key: column.title for column in table.columns}
        tables[variant or "base"] = {
            str(row.players): {titles[key]: value for key, value in row.cells.items()} for row in table.rows
        }
    return tables


def release(workspace: Workspace, loaded: Loaded) -> Released:
    """Freeze the version in `game.yaml`; return the file to write, unless it exists already.

    Problem: `version-released` where that version was released, and the game has changed since.
    """
    before, problems = newest_release(workspace, loaded.game_id)
    checked, lock, _ = freeze(workspace, loaded, before, has_pages=True)
    path = path_of(loaded.game_id, loaded.game.version if loaded.game else "")
    if lock is None or has_errors(problems):
        return Released(_with(checked, problems), path, None, None)
    if lock.version in releases_of(workspace, loaded.game_id):
        return Released(unless_released(workspace, loaded, Frozen(checked, lock)).checked, path, None, None)
    return Released(checked, path, lock_bytes(lock), compare(before, lock) if before is not None else None)


def unless_released(workspace: Workspace, loaded: Loaded, frozen: Frozen) -> Frozen:
    """Return a version to be handed out; without its lock if it was released and the game has changed since.

    Problem: `version-released`.
    """
    checked, lock, _ = frozen
    path = releases_of(workspace, loaded.game_id).get(lock.version) if lock is not None else None
    if lock is None or path is None or checked.game is None:
        return frozen
    old, problems = read_release(workspace, path)
    # A release knows faces in colour only.
    now = lock if lock.printed_in is None else freeze(workspace, loaded, old).lock
    if old is not None and now is not None and not compare(old, now).is_empty:
        what = f"version {lock.version} was released already, and the game has changed since"
        fix = "raise 'version', then release; `duckpress changes` says what has changed"
        problems = (Problem("version-released", checked.game.at("version"), what, fix),)
    return Frozen(_with(checked, problems), None) if problems else frozen


def store_release(workspace: Workspace, path: str, data: bytes) -> None:
    """Write a lock file at its path, relative to the workspace. Raises `MachineError`."""
    place = workspace.root / path
    if not Path(os.path.realpath(place.parent)).is_relative_to(os.path.realpath(workspace.root)):
        raise MachineError(f"{place.parent} leads out of the workspace: move the link away")
    write_file(place, data)


def changes_since(
    workspace: Workspace, loaded: Loaded, since: str | None, ink: str | None = None, *, is_handed_out: bool = False
) -> Frozen:
    """Compare a game as it is now with the version `since`; None is the newest release.

    What was printed is compared in the ink it was printed in; `ink` chooses one where there are several. What is handed
    out may be no released version that has changed: `version-released`. Raises `Unknown` where `since` names nothing
    that can be found.
    """
    before, problems = newest_release(workspace, loaded.game_id)
    old = before
    if since is not None:
        written = written_version(workspace, loaded.game_id, since, ink, loaded.game)
        old, more = _from_git(workspace, loaded.game_id, since, loaded.game) if written is None else written
        problems += more
        if old is None and not has_errors(problems):
            raise unknown_version(workspace, loaded.game_id, since)
    elif before is None and not has_errors(problems):
        raise Unknown(f"{loaded.game_id} has no release yet: `duckpress release {loaded.game_id}` makes one")
    if old is None or has_errors(problems):
        return Frozen(_with(Checked(loaded.game_id, loaded.game, loaded.problems), problems), None)
    frozen = freeze(workspace, loaded, before or old, ink=old.printed_in or PLAIN)
    checked, lock, _ = unless_released(workspace, loaded, frozen) if is_handed_out else frozen
    return Frozen(_with(checked, problems), lock, compare(old, lock) if lock is not None else None)


def unknown_version(workspace: Workspace, game_id: str, since: str) -> Unknown:
    """Return the error for an unknown version of a game."""
    known = ", ".join(releases_of(workspace, game_id)) or "none yet"
    what = f"{since!r} is no release of {game_id} (there are: {known}), no file"
    return Unknown(f"{what}, and no revision of version control that has content/{game_id}")


def base_language(old: Lock, game: Game, wanted: str | None) -> str:
    """Return the language of the cards to swap: the requested one, the game's, or the only one of the old cards.

    Raises `Unknown` where the old version has no cards in that language.
    """
    first = game.languages[0].code
    languages = {language for card in old.cards.values() for language in card.faces}
    if wanted is None:
        return first if first in languages or len(languages) != 1 else next(iter(languages))
    if languages and wanted not in languages:
        words = ", ".join(sorted(languages))
        raise Unknown(f"what is held has no cards in {wanted!r}, but in: {words}; print the whole game in {wanted!r}")
    return wanted


def _with(checked: Checked, problems: Sequence[Problem]) -> Checked:
    return Checked(
        checked.game_id, checked.game, named(checked.game_id, [*checked.problems, *problems]), checked.pieces
    )


def written_version(
    workspace: Workspace, game_id: str, since: str, ink: str | None, now: Game | None = None
) -> LockRead | None:
    """Return the named version: a release, or a file (lock, manifest, bundle); None if it is neither.

    `ink` chooses among the inks that a manifest tells of. What was printed is completed from the release of that
    version if there is one. Raises `Unknown` for another game's.
    """
    releases, path = releases_of(workspace, game_id), Path(since)
    if since in releases:
        base, problems = read_release(workspace, releases[since])
    elif path.is_file():
        base, problems = _from_file(path, ink)
    else:  # the lock of an unpacked bundle tells what it holds, or the manifest of a build
        inner = (*sorted(path.glob(f"*{SUFFIX}"))[:1], path / MANIFEST) if path.is_dir() else ()
        file = next((place for place in inner if place.is_file()), None)
        if file is None:
            return None
        base, problems = _from_file(file, ink)
    if base is None:
        return LockRead(None, problems)
    if base.game != game_id:
        raise Unknown(f"that is {base.version} of {base.game}, and no version of {game_id}")
    if base.printed_in == PLAIN and base.version in releases:  # a release knows faces in colour only
        released, more = read_release(workspace, releases[base.version])
        base, problems = recognised(base, released) if released is not None else base, (*problems, *more)
    return LockRead(_without_twins(base, now), problems)


def _without_twins(base: Lock, now: Game | None) -> Lock:
    """Return a version without cards of pieces that stand for another one: a lock has none, a manifest does."""
    pieces = () if now is None else now.pieces
    shown = {deck for piece in pieces if piece.instead_of is None for deck in piece.decks}
    twins = {deck for piece in pieces if piece.instead_of is not None for deck in piece.decks} - shown
    return replace(base, cards={key: card for key, card in base.cards.items() if card.deck not in twins})


def _from_file(path: Path, ink: str | None) -> LockRead:
    source = Source(str(path))
    try:
        with open_plain_file(path) as file:
            if is_archive(file):
                return _from_zip(Archive(file, "archive-all"), source, ink)
        data = read_plain_file(path, "lock-file")
    except OSError as error:
        raise MachineError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from error
    except Refused as refused:
        return LockRead(None, (refused.problem(source),))
    except BadArchive as bad:
        code = "unsafe-bundle" if bad.is_unsafe else "bad-lock"
        return LockRead(None, (Problem(code, source, bad.what, bad.fix or "fetch it again, from where it came"),))
    head = data[:200].lstrip()
    is_lock = path.suffix == SUFFIX or (head.startswith(b"{") and b'"lock"' in head)
    return read_lock(data, source) if is_lock else lock_from_manifest(data, source, ink)


def _from_zip(archive: Archive, source: Source, ink: str | None) -> LockRead:
    """Return the lock in a bundle, or else its manifest's version; an update pack inside has its own manifest."""
    names = [name for name in archive.entries if name.endswith(SUFFIX) or PurePosixPath(name).name == MANIFEST]
    if not names:
        what = "the bundle holds no lock and no manifest"
        return LockRead(None, (Problem("bad-lock", source, what, "name another"),))
    name = min(names, key=lambda name: (not name.endswith(SUFFIX), name.count("/"), name))
    data, place = archive.read(name, "lock-file"), Source(f"{source.file}/{name}")
    return read_lock(data, place) if name.endswith(SUFFIX) else lock_from_manifest(data, place, ink)


def _from_git(workspace: Workspace, game_id: str, revision: str, now: Game | None) -> LockRead:
    """Return the lock of the game at a revision, laid out from its old files; None for no such revision."""
    with files_then(workspace, game_id, revision) as then:
        if then is None:
            return LockRead(None)
        before, problems = newest_release(then, game_id)
        checked, lock, _ = freeze(then, load(then, game_id), before)
    errors = (problem for problem in checked.problems if has_errors([problem]))
    return LockRead(_without_twins(lock, now) if lock is not None else None, (*problems, *errors))
