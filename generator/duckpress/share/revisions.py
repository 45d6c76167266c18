"""A game's files and faces at a revision of version control; no code from the workspace is run.

A folder that somebody shares may hold a `.git` of its own, and many commands of git run what stands in its config:
filters, hooks, file system monitors, helpers that fetch what is missing. So only four commands are used, none of which
runs anything (`rev-parse`, `rev-list`, `ls-tree`, `cat-file` without filters), fetching is forbidden by the
environment, which no config overrides, and files are written here, not by git. Git itself is taken from absolute
folders of the path alone.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from msgspec import Struct
from msgspec.structs import replace

from duckpress.core.frame import Text, every_item
from duckpress.core.limits import LIMITS, how_to_raise, limit, written
from duckpress.core.problems import MachineError
from duckpress.files.workspace import Workspace, bundled_root
from duckpress.layout import Face, LaidOut
from duckpress.model import Game
from duckpress.press.build_cache import BuildCache
from duckpress.press.reading import Loaded, load
from duckpress.press.releases.lock import CardKey, Lock
from duckpress.press.releases.release_files import releases_of
from duckpress.store import scratch_folder
from duckpress.text.fonts import FontLibrary
from duckpress.views.shown_game import lay_out_game

LaidOutFace = tuple[LaidOut, Face]
"""A face, and the piece that it was laid out with."""

_SECONDS = 60
_PLAIN_FILES = ("100644", "100755")
# Where the environment says which repository this is, it speaks of another one (in a hook, most often).
_KEPT = ("GIT_CONFIG_", "GIT_EXEC_PATH", "GIT_CEILING_DIRECTORIES")
_SAFE = {
    "GIT_ALLOW_PROTOCOL": "none",  # counts more than any `protocol.allow`; a missing object would be fetched otherwise
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    **{f"GIT_TRACE2{kind}": "0" for kind in ("", "_EVENT", "_PERF")},  # a config in the home folder may name any file
    "LC_ALL": "C",
}
_OPTIONS = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}", "-c", "core.alternateRefsCommand=")


class _Blob(Struct, frozen=True):
    """A file of a revision: its object, and its path relative to the workspace."""

    object_id: str
    size: int
    path: str


class OldDecks(Struct, frozen=True):
    """Decks of an earlier version, in a language and an ink; `since` is the version's name."""

    lock: Lock
    language: str
    ink: str
    since: str | None
    decks: Collection[str]


def old_faces(
    workspace: Workspace, base: OldDecks, fonts: FontLibrary, frames: BuildCache | None
) -> tuple[LaidOut, ...]:
    """Return the pieces with the old decks, if their files are found; their fonts are added to `fonts`.

    Found are a revision that was named, a tag of the version (`0.2`, `v0.2`, `<game>-0.2` or `<game>/0.2`), and the
    revision that the version's lock came in with. The files have to say that they are that version of the game.
    `frames` are those of the game as it is now.
    """
    old = base.lock
    for revision in _revisions(workspace, old, base.since):
        with files_then(workspace, old.game, revision) as then:
            if then is None:
                continue
            loaded = load_then(then, old.game, frames)
            if loaded.game is None or loaded.has_errors or loaded.game.version != old.version:
                continue
            if base.language not in [spoken.code for spoken in loaded.game.languages]:
                continue
            pieces = pieces_with(loaded.game, base.decks)
            if not pieces:
                return ()
            shown = lay_out_game(then, loaded, language=base.language, pieces=pieces, ink=base.ink)
            keep_fonts(shown.checked.pieces, shown.fonts, fonts)
            return shown.checked.pieces
    return ()


def load_then(then: Workspace, game_id: str, frames: BuildCache | None) -> Loaded:
    """Return a game from its old files, with cached faces of old files."""
    return replace(load(then, game_id), frames=frames.apart("held") if frames is not None else None)


def faces_of(pieces: Iterable[LaidOut]) -> dict[CardKey, LaidOutFace]:
    """Return the faces of a game's cards: of a card in several pieces, the first, as in a lock."""
    faces: dict[CardKey, LaidOutFace] = {}
    for one in pieces:
        if one.piece.instead_of is None and not one.piece.book:
            for face in one.faces:
                faces.setdefault((face.deck, face.card), (one, face))
    return faces


def pieces_with(game: Game, decks: Collection[str]) -> tuple[str, ...]:
    """Return the ids of the pieces with some of the decks, without pieces that replace another."""
    return tuple(piece.id for piece in game.pieces if piece.instead_of is None and set(decks) & set(piece.decks))


def _revisions(workspace: Workspace, old: Lock, since: str | None) -> list[str]:
    releases = releases_of(workspace, old.game)
    names = (old.version, f"v{old.version}", f"{old.game}-{old.version}", f"{old.game}/{old.version}")
    revisions = [f"refs/tags/{name}" for name in names]
    commit = commit_that_added(workspace, releases[old.version]) if old.version in releases else None
    revisions += [commit] if commit is not None else []
    return revisions if since is None or since in releases else [since, *revisions]


def keep_fonts(pieces: Iterable[LaidOut], then: FontLibrary, now: FontLibrary) -> None:
    """Load the fonts of old faces while their files exist, for later rendering."""
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


def is_revision(workspace: Workspace, game_id: str, revision: str) -> bool:
    """Return whether the revision exists, with the game in it. Raises `MachineError` as `files_then` does."""
    return bool(_blobs(workspace, game_id, revision))


@contextmanager
def files_then(workspace: Workspace, game_id: str, revision: str) -> Iterator[Workspace | None]:
    """Yield a game's files at a revision; None if the revision does not exist, or lacks the game.

    They are written into a folder of their own, which is gone afterwards. Raises `MachineError` for more than may be.
    """
    blobs = _blobs(workspace, game_id, revision)
    if not blobs:
        yield None
        return
    with scratch_folder() as scratch:
        with tempfile.TemporaryFile() as given:
            wanted = "".join(f"{blob.object_id}\n" for blob in blobs).encode()
            is_given = _git_output(workspace, "cat-file", "--batch", wanted=wanted, into=given) is not None
            given.seek(0)
            is_written = is_given and all(_write_one(given, blob, scratch) for blob in blobs)
        yield Workspace(scratch, bundled_root()) if is_written else None


def commit_that_added(workspace: Workspace, path: str) -> str | None:
    """Return the revision that added a file of the workspace to version control, or None."""
    commits = _git_output(workspace, "rev-list", "--reverse", "HEAD", "--", path)
    first = (commits or b"").split(b"\n", 1)[0].decode("ascii", "replace")
    return first if first.isalnum() else None


def _blobs(workspace: Workspace, game_id: str, revision: str) -> list[_Blob]:
    """Return the plain files of a game, of layouts and of fonts at a revision; none for an unknown revision."""
    if revision.startswith("-") or not revision.isprintable():
        return []
    commit = _git_output(workspace, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    name = commit.decode("ascii", "replace").strip() if commit is not None else ""
    if not name.isalnum():
        return []
    listed = _git_output(workspace, "ls-tree", "-r", "-z", "-l", name, "--", f"content/{game_id}", "layouts", "fonts")
    blobs, left = [], limit("revision-all")
    for line in (listed or b"").split(b"\0"):
        facts, _, path = line.partition(b"\t")
        mode, kind, object_id, size = facts.decode("ascii").split() if path else ("", "", "", "")
        if mode not in _PLAIN_FILES or kind != "blob":
            continue  # a link or another repository is none of the game's own files
        if not size.isdecimal():  # the object is missing, and where it might be fetched from is not asked
            return []
        blobs.append(_Blob(object_id, int(size), os.fsdecode(path)))
        left -= int(size)
        over = "revision-all" if left < 0 else "revision-files" if len(blobs) > limit("revision-files") else ""
        if over:
            what = f"the revision holds more than {written(limit(over))} {LIMITS[over].unit}"
            raise MachineError(f"{what} of the game, layouts and fonts; {how_to_raise(over)}")
    return blobs if any(blob.path == f"content/{game_id}/game.yaml" for blob in blobs) else []


def _write_one(given: IO[bytes], blob: _Blob, folder: Path) -> bool:
    if given.readline(200).split() != [blob.object_id.encode(), b"blob", str(blob.size).encode()]:
        return False
    data = given.read(blob.size)
    if len(data) != blob.size or given.read(1) != b"\n":
        return False
    # A repository may hold any name, `..` and `.git` among them; what no workspace reads is not written either.
    parts = blob.path.split("/")
    if any(part.startswith(".") or not part or set(part) & set("\\:\0") for part in parts):
        return True
    place = folder.joinpath(*parts)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)
    return True


def _git_output(
    workspace: Workspace, *words: str, wanted: bytes | None = None, into: IO[bytes] | None = None
) -> bytes | None:
    """Return git's output, unless it goes into a file; None if git fails, or is missing."""
    git = _git_program(workspace)
    if git is None:
        return None
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name.startswith(_KEPT)}
    command = [git, *_OPTIONS, "-C", str(workspace.root), *words]
    out = subprocess.PIPE if into is None else into
    try:
        done = subprocess.run(
            command, input=wanted, stdout=out, stderr=subprocess.DEVNULL, timeout=_SECONDS, check=False,
            env=kept | _SAFE,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return None
    return (done.stdout or b"") if done.returncode == 0 else None


def _git_program(workspace: Workspace) -> str | None:
    """Return the path of git: from absolute folders of the path, never a program in the workspace."""
    name = "git.exe" if os.name == "nt" else "git"
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        program = os.path.join(folder, name)  # noqa: PTH118 - a text, as the system takes it
        is_own = Path(os.path.realpath(program)).is_relative_to(workspace.roots[0])
        if os.path.isabs(folder) and not is_own and os.access(program, os.X_OK) and os.path.isfile(program):  # noqa: PTH117, PTH113
            return program
    return None
