"""Versions of a game in its workspace: freezing one, and finding the one that somebody holds.

A release is a lock file in `content/<game>/releases/`. What a tester holds may be named in many ways: the version, a
lock file, the manifest or the bundle that came with the printed files, or a revision of the version control.
"""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from duckpress.build.checking import Checked, Loaded, load, named, variants_of
from duckpress.build.faces import lay_out_game
from duckpress.build.locks import FOLDER, SUFFIX, newest_release, read_release, releases_of
from duckpress.export import scratch_folder, write_file
from duckpress.model import Game
from duckpress.problems import MachineError, Problem, Source, has_errors
from duckpress.releases import Changes, Lock, SeenFace, compare, lock_bytes, lock_from_manifest, lock_of, read_lock
from duckpress.releases.lock import Plain
from duckpress.releases.lockfile import MAX_BYTES
from duckpress.rules import setup_table
from duckpress.workspace import Workspace, bundled_root

_MANIFEST = "manifest.json"
_GIT_SECONDS = 60
_MOST_FROM_GIT = 500_000_000


class Unknown(Exception):
    """What `--since` names is no version that can be found: the words say where was looked."""


class Frozen(NamedTuple):
    """A game with all findings, and its lock as it is now; None where an error stands."""

    checked: Checked
    lock: Lock | None


class Released(NamedTuple):
    """What `release` came to: the findings, the lock's path (as seen from the workspace), and its bytes if new."""

    checked: Checked
    path: str
    data: bytes | None
    changes: Changes | None


class Compared(NamedTuple):
    """What `changes` came to: the findings, and what changed; None where an error stands."""

    checked: Checked
    changes: Changes | None


def freeze(workspace: Workspace, loaded: Loaded, before: Lock | None) -> Frozen:
    """Give the lock of a game as its files are now, laid out in all its languages, in colour."""
    checked, _ = lay_out_game(workspace, loaded)
    game = checked.game
    if game is None or checked.has_errors:
        return Frozen(checked, None)
    faces = _seen(checked, game.languages[0].code)
    problems = list(checked.problems)
    for language in game.languages[1:]:
        other, _ = lay_out_game(workspace, loaded, language=language.code)
        problems += [problem for problem in other.problems if problem not in problems]
        faces += _seen(other, language.code)
    checked = Checked(checked.game_id, game, named(game.id, problems), checked.pieces)
    if checked.has_errors:
        return Frozen(checked, None)
    return Frozen(checked, lock_of(game, faces, _tables(game), before))


def _seen(checked: Checked, language: str) -> list[SeenFace]:
    return [
        SeenFace(
            face.deck,
            face.card,
            language,
            face.bare,
            face.bare_back,
            face.copies,
        )
        for one in checked.pieces
        if one.piece.instead_of is None and not one.piece.book
        for face in one.faces
    ]


def _tables(game: Game) -> dict[str, dict[str, dict[str, Plain]]]:
    found: dict[str, dict[str, dict[str, Plain]]] = {}
    for variant in (None, *variants_of(game)):
        table = setup_table(game, variant)
        titles = {column.key: column.title for column in table.columns}
        found[variant or "base"] = {
            str(row.players): {titles[key]: value for key, value in row.cells.items()} for row in table.rows
        }
    return found


def release(workspace: Workspace, loaded: Loaded) -> Released:
    """Freeze the version that `game.yaml` names; gives the file to write, unless it is written already.

    Problem: `version-released` where that version was released, and the game has changed since.
    """
    problems: list[Problem] = []
    before = newest_release(workspace, loaded.game_id, problems)
    checked, lock = freeze(workspace, loaded, before)
    path = f"content/{loaded.game_id}/{FOLDER}/{loaded.game.version if loaded.game else ''}{SUFFIX}"
    if lock is None or has_errors(problems):
        return Released(_with(checked, problems), path, None, None)
    known = releases_of(workspace, loaded.game_id).get(lock.version)
    if known is not None:
        old = read_release(workspace, known, problems)
        if old is not None and not compare(old, lock).is_empty:
            game = checked.game
            assert game is not None
            what = f"version {lock.version} was released already, and the game has changed since"
            fix = "raise 'version', then release; `duckpress changes` says what has changed"
            problems.append(Problem("version-released", game.at("version"), what, fix))
        return Released(_with(checked, problems), known, None, None)
    return Released(checked, path, lock_bytes(lock), compare(before, lock) if before is not None else None)


def store_release(workspace: Workspace, path: str, data: bytes) -> None:
    """Write a lock file at its path, as seen from the workspace. Raises `MachineError`."""
    place = workspace.root / path
    if not Path(os.path.realpath(place.parent)).is_relative_to(os.path.realpath(workspace.root)):
        raise MachineError(f"{place.parent} leads out of the workspace: move the link away")
    write_file(place, data)


def changes_since(workspace: Workspace, loaded: Loaded, since: str | None) -> Compared:
    """Compare a game as it is now with what `since` names; None is the newest release.

    Raises `Unknown` where it names nothing that can be found.
    """
    problems: list[Problem] = []
    before = newest_release(workspace, loaded.game_id, problems)
    if since is not None:
        old = find_version(workspace, loaded.game_id, since, problems)
        old = _without_stand_ins(old, loaded.game) if old is not None and loaded.game is not None else old
    elif before is None and not has_errors(problems):
        raise Unknown(f"{loaded.game_id} has no release yet: `duckpress release {loaded.game_id}` makes one")
    else:
        old = before
    if old is None or has_errors(problems):
        return Compared(_with(Checked(loaded.game_id, loaded.game, loaded.problems), problems), None)
    if old.game != loaded.game_id:
        raise Unknown(f"{since} is a version of {old.game}, not of {loaded.game_id}")
    checked, lock = freeze(workspace, loaded, before or old)
    return Compared(_with(checked, problems), compare(old, lock) if lock is not None else None)


def _without_stand_ins(lock: Lock, game: Game) -> Lock:
    """Give a version without the cards of pieces that stand for another one: a lock has none, a manifest does."""
    shown = {deck for piece in game.pieces if piece.instead_of is None for deck in piece.decks}
    twins = {deck for piece in game.pieces if piece.instead_of is not None for deck in piece.decks} - shown
    return replace(lock, cards={key: card for key, card in lock.cards.items() if card.deck not in twins})


def _with(checked: Checked, problems: list[Problem]) -> Checked:
    return Checked(
        checked.game_id, checked.game, named(checked.game_id, [*checked.problems, *problems]), checked.pieces
    )


def find_version(workspace: Workspace, game_id: str, since: str, problems: list[Problem]) -> Lock | None:
    """Give the version that a word names: a release, a file (lock, manifest, bundle), or a revision.

    Raises `Unknown`; what is found and cannot be read is a problem.
    """
    releases = releases_of(workspace, game_id)
    if since in releases:
        return read_release(workspace, releases[since], problems)
    path = Path(since)
    if path.is_file():
        return _from_file(path, problems)
    found = _from_git(workspace, game_id, since, problems)
    if found is None and not has_errors(problems):
        known = ", ".join(releases) or "none yet"
        raise Unknown(
            f"{since!r} is no release of {game_id} (there are: {known}), no file, and no revision of version control"
        )
    return found


def _from_file(path: Path, problems: list[Problem]) -> Lock | None:
    source = Source(str(path))
    try:
        if zipfile.is_zipfile(path):
            return _from_zip(path, source, problems)
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise MachineError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from error
    if len(data) > MAX_BYTES:
        problems.append(Problem("bad-lock", source, "the file is too large for a lock or a manifest", "name another"))
        return None
    head = data[:200].lstrip()
    is_lock = path.suffix == SUFFIX or (head.startswith(b"{") and b'"lock"' in head)
    return read_lock(data, source, problems) if is_lock else lock_from_manifest(data, source, problems)


def _from_zip(path: Path, source: Source, problems: list[Problem]) -> Lock | None:
    """Give the lock in a bundle, or else what its manifest knows; an update pack inside has a manifest of its own."""
    try:
        with zipfile.ZipFile(path) as archive:
            every = archive.namelist()
            names = [name for name in every if name.endswith(SUFFIX) or PurePosixPath(name).name == _MANIFEST]
            if names:
                name = min(names, key=lambda one: (not one.endswith(SUFFIX), one.count("/"), one))
                with archive.open(name) as part:
                    inner = part.read(MAX_BYTES + 1)
                read = read_lock if name.endswith(SUFFIX) else lock_from_manifest
                return read(inner, Source(f"{source.file}/{name}"), problems)
    except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError, EOFError, zlib.error) as error:
        problems.append(Problem("bad-lock", source, f"the bundle cannot be read: {error}", "fetch it again"))
        return None
    problems.append(Problem("bad-lock", source, "the bundle holds no lock and no manifest", "name another"))
    return None


def _from_git(workspace: Workspace, game_id: str, revision: str, problems: list[Problem]) -> Lock | None:
    """Give the game as it was at a revision, laid out from the files of then; None where there is no such revision."""
    with files_then(workspace, game_id, revision) as then:
        if then is None:
            return None
        frozen = freeze(then, load(then, game_id), newest_release(then, game_id, problems))
    problems += [problem for problem in frozen.checked.problems if has_errors([problem])]
    return frozen.lock


@contextmanager
def files_then(workspace: Workspace, game_id: str, revision: str) -> Iterator[Workspace | None]:
    """Give a game's files as they were at a revision; None where there is no such revision, or no such game in it.

    They are unpacked into a folder of their own, which is gone afterwards, and nothing of them is run.
    """
    packed = _packed(workspace, game_id, revision)
    if packed is None:
        yield None
        return
    with scratch_folder() as scratch:
        _unpack(packed, scratch)
        yield Workspace(scratch, bundled_root())


def _packed(workspace: Workspace, game_id: str, revision: str) -> bytes | None:
    if revision.startswith("-"):
        return None
    rooms = [f"content/{game_id}", "layouts", "fonts"]
    root = str(workspace.root)
    present = [room for room in rooms if _git(root, "cat-file", "-e", f"{revision}:./{room}") is not None]
    if f"content/{game_id}" not in present:
        return None
    return _git(root, "archive", "--format=tar", revision, *present)


def _git(root: str, *words: str) -> bytes | None:
    try:
        done = subprocess.run(["git", "-C", root, *words], capture_output=True, timeout=_GIT_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def _unpack(packed: bytes, folder: Path) -> None:
    left = _MOST_FROM_GIT
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        for member in archive:
            left -= member.size
            if left < 0:
                raise MachineError("the revision's files are too large to compare with")
            if member.isreg() or member.isdir():
                archive.extract(member, folder, filter="data")
