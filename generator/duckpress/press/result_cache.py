"""The cache of whole builds and checks, valid while all their dependencies are unchanged.

A finished build leaves a note of what it reported, with the hash of the manifest (which has those of the files); it is
up to date where its files lie there as they were written, too.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from duckpress.core.problems import Problem, has_errors, is_fault, sorted_problems
from duckpress.files.memo import Form, Memo, key_of
from duckpress.files.recording import Answers, RecordingWorkspace
from duckpress.files.workspace import Workspace
from duckpress.store.output_places import is_as_written, read_whole

if TYPE_CHECKING:
    from duckpress.press.reading import Loaded
    from duckpress.press.request import Built, Request, Step

_MANIFEST = "manifest.json"
_MOST_BYTES = 1_000_000_000  # far more than was ever written
_SOURCE_DATE = "SOURCE_DATE_EPOCH"
T = TypeVar("T", bound=Struct)


def _form_of(kind: type[T]) -> Form[T]:
    """Return the form of a record as JSON, also for names that are no valid Unicode."""
    return Form(
        lambda one: json.dumps(msgspec.to_builtins(one, enc_hook=str)).encode(),
        lambda body: msgspec.convert(json.loads(body), kind, dec_hook=lambda wanted, value: wanted(value)),
    )


class EarlierBuild(Struct, frozen=True):
    """A build that is up to date: its report, and its files in its folder."""

    game_id: str
    title: str
    folder: Path
    files: tuple[str, ...]
    problems: tuple[Problem, ...]
    data: dict[str, Any]
    shrunk: list[dict[str, Any]]
    manifest: str  # its hash
    closing: tuple[str, ...]  # the lines that end its report

    @property
    def language(self) -> str:
        return str(self.data["language"])

    @property
    def has_errors(self) -> bool:
        return has_errors(self.problems)


class Findings(Struct, frozen=True):
    """The result of a check: the game's problems, its shrunk texts, and what was covered."""

    game_id: str
    problems: tuple[Problem, ...]
    shrunk: list[dict[str, Any]]
    languages: int
    covered: str  # in words


_BUILD, _FINDINGS = _form_of(EarlierBuild), _form_of(Findings)


class Builds:
    """The builds of one request: which are up to date, and the dependencies of new ones.

    A build that tells `is_all` and one that does not are no answer to each other.
    """

    def __init__(self, workspace: Workspace, request: Request, out: Path, memo: Memo, *, is_all: bool = True) -> None:
        is_secret = request.seed is not None or request.copy is not None
        self._memo = Memo() if is_secret else memo  # of a packet, and of somebody's copy, nothing is left
        self._workspace = workspace
        self._asked = repr(request), str(is_all), str(out), str(out.resolve()), str(workspace.root)

    def up_to_date(self, game_id: str) -> EarlierBuild | None:
        """Return a game's build if it is up to date, else None."""
        build = self._memo.recall(self._slot(game_id), _outer_key(), self._workspace, _BUILD)
        with suppress(OSError, ValueError, KeyError, RecursionError):
            return build if build is not None and _is_as_written(build) else None
        return None

    def keep(self, built: Built, answers: Answers, data: dict[str, Any], closing: Sequence[str]) -> None:
        """Store a finished build with its dependencies in the workspace; not an unproven one.

        `data` is what is reported of it as JSON, `closing` the last lines of its text.
        """
        checked, shrunk = built.checked, built.checked.shrunk
        if not built.files or any(map(is_fault, checked.problems)):
            return
        title = checked.game.title if checked.game is not None else checked.game_id
        with suppress(OSError):
            manifest = hashlib.sha256(read_whole(built.folder / _MANIFEST, _MOST_BYTES)).hexdigest()
            own = checked.game_id, title, built.folder, built.files, checked.problems
            build = EarlierBuild(*own, data, shrunk, manifest, tuple(closing))
            self._memo.keep(self._slot(checked.game_id), _outer_key(), answers, build, _BUILD)

    def _slot(self, game_id: str) -> tuple[str, ...]:
        return "build", game_id, *self._asked


def _outer_key() -> str:
    return key_of(os.environ.get(_SOURCE_DATE, ""))


def _is_as_written(build: EarlierBuild) -> bool:
    """Return whether a build's manifest and files are unchanged. Raises `OSError` or `KeyError`."""
    manifest = read_whole(build.folder / _MANIFEST, _MOST_BYTES)
    if hashlib.sha256(manifest).hexdigest() != build.manifest:
        return False
    hashes = {file["name"]: file["sha256"] for file in json.loads(manifest)["files"]}
    return all(is_as_written(build.folder, name, hashes[name]) for name in build.files)


class Checks:
    """The checks of one request: at a player count or all, in one variant or all, in these inks."""

    def __init__(
        self, workspace: Workspace, players: int | None, variant: str | None, inks: Sequence[str], memo: Memo
    ) -> None:
        self._workspace = workspace
        self._asked = (players, variant, inks)
        self._memo = memo

    def up_to_date(self, games: Sequence[str]) -> list[Findings]:
        """Return the findings about all games if all are up to date, else an empty list."""
        findings = [found for game_id in games if (found := self._recall(game_id)) is not None]
        return findings if len(findings) == len(games) else []

    def check(self, loaded: Loaded) -> Findings:
        """Check a game, unless its findings are up to date; they are stored if there is no error."""
        from duckpress.press.checking import check, covered_words

        if (found := self._recall(loaded.game_id)) is not None:
            return found
        recording = RecordingWorkspace(self._workspace)
        recording.add(loaded.answers)
        players, variant, inks = self._asked
        checked = check(recording, loaded, players=players, variant=variant, inks=inks)
        languages = len(checked.game.languages) if checked.game is not None else 0
        covered = covered_words(checked, players, variant)
        found = Findings(checked.game_id, checked.problems, checked.shrunk, languages, covered)
        # With an error not all is looked at; and whoever has one changes a file next.
        if not has_errors(found.problems):
            self._memo.keep(self._slot(loaded.game_id), _outer_key(), recording.answers, found, _FINDINGS)
        return found

    def _recall(self, game_id: str) -> Findings | None:
        return self._memo.recall(self._slot(game_id), _outer_key(), self._workspace, _FINDINGS)

    def _slot(self, game_id: str) -> tuple[str, ...]:
        return "check", game_id, repr(self._asked), str(self._workspace.root)


def with_unnoticed(loaded: Loaded, found: Findings, step: Step) -> Findings:
    """Return findings with the changes that no check would notice; unchanged if there are errors."""
    if loaded.game is None or has_errors(found.problems):
        return found
    from duckpress.check.mutation_check import unnoticed_changes

    return replace(found, problems=tuple(sorted_problems((*found.problems, *unnoticed_changes(loaded.game, step)))))
