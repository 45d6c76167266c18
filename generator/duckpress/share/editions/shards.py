"""Copies of one folder -> their files and the folder's manifest: the same shard, the same bytes.

Several processes make them, each shard is written whole or not at all; the next run leaves those alone that stand."""

from __future__ import annotations

import gc
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from duckpress import __version__
from duckpress.check.copy_games import copy_games, pools_of
from duckpress.core.problems import MachineError, Problem, has_errors
from duckpress.files.workspace import Workspace
from duckpress.model import Game
from duckpress.model.game import Copy
from duckpress.pool import Done, Handle, ProcessPool, Work, jobs, use_jobs
from duckpress.pool.process_pool import can_fork
from duckpress.press.reading import apply_finish, load, translate
from duckpress.press.request import Request
from duckpress.share.editions.copy_printer import CopyBundler, CopyFile, CopyPrinter, PrintedCopy, print_joint
from duckpress.share.editions.draws import Copier, CopyDraw
from duckpress.store import clear_up, locked_outputs, write_outputs
from duckpress.store.output_places import read_whole

MANIFEST = "manifest.json"
Record = TypeVar("Record")

_NAME = re.compile("[0-9]+-[0-9]+")
_MOST_BYTES = 100_000_000  # of a manifest
_AT_ONCE = 25
"""Copies whose files are in memory together, and whose own faces are laid out together."""

Put = Callable[[Mapping[str, bytes]], None]
"""Takes finished files by their names: they may go on before the shard is complete."""


class Form(StrEnum):
    """The form of copies: a PDF or a bundle of each, or one PDF of all in a folder."""

    PDF = "pdf"
    BUNDLE = "bundle"
    SHARD = "shard"


class EditionJob(Struct, frozen=True):
    """The common data of all shards of an edition.

    That is the game, how it is printed, the seed, a hash of all inputs, what is made of copies, the time that manifests
    tell, if any, and all cards that copies draw (`Copier.every_card`).
    """

    game: str
    request: Request
    seed: str
    identity: str
    form: Form = Form.PDF
    created: str | None = None
    drawn: list[dict[str, list[int]]] = []


class Shard(Struct, frozen=True):
    """Copies in one folder, each with its draw."""

    folder: str
    copies: list[Copy]
    draws: list[CopyDraw]

    def made_of(self, job: EditionJob) -> str:
        """Return the hash of all dependencies of its files."""
        ways = job.identity, job.game, job.seed, job.form, job.created
        written = msgspec.json.encode((*ways, self.copies, self.draws))
        return hashlib.sha256(written + repr(job.request).encode()).hexdigest()


class CopyEntry(Struct, frozen=True):
    """A copy as the manifest lists it: its files, or why it failed."""

    id: str
    number: int
    files: list[CopyFile]
    problems: list[Problem] = []

    @property
    def has_failed(self) -> bool:
        return has_errors(self.problems)


class ShardManifest(Struct, frozen=True):
    """The manifest of a shard, as written to JSON."""

    game: str
    title: str
    version: str
    program: str
    created: str | None
    folder: str
    made_of: str
    copies: list[CopyEntry]

    @property
    def files(self) -> list[str]:
        return list(dict.fromkeys(file.name for copy in self.copies for file in copy.files))

    def written(self) -> bytes:
        """Return it as JSON, a line for each copy."""
        head = {name: getattr(self, name) for name in self.__struct_fields__ if name != "copies"}
        copies = b",\n  ".join(map(msgspec.json.encode, self.copies))
        body = b",\n".join(b' "%b": %b' % (name.encode(), msgspec.json.encode(value)) for name, value in head.items())
        return b'{\n%b,\n "copies": [\n  %b\n ]\n}\n' % (body, copies)


def read_record(folder: Path, kind: type[Record]) -> Record | None:
    """Return the manifest of a shard, or of an edition, from its folder; None if there is no valid one."""
    try:
        return msgspec.json.decode(read_whole(folder / MANIFEST, _MOST_BYTES), type=kind)
    except (OSError, msgspec.MsgspecError, RecursionError):
        return None


def copier_of(workspace: Workspace, original: Game, seed: str, language: str | None = None) -> Copier:
    """Return the maker of copies' games in a language; the edition's problems are known already."""
    game, _ = translate(workspace, original, language)
    return Copier(copy_games(workspace, game).value, pools_of(original).value, seed)


class ShardMaker:
    """Makes the shards of one edition; shared parts are laid out, drawn and proven once for each language."""

    def __init__(self, workspace: Workspace, job: EditionJob) -> None:
        """Read the game. Raises `MachineError` if it has changed."""
        self._loaded = apply_finish(load(workspace, job.game), job.request.finish)
        if self._loaded.game is None:
            raise MachineError(f"the game {job.game!r} cannot be read any more")
        self._workspace, self._job, self._game = workspace, job, self._loaded.game
        self._printers: dict[str | None, CopyPrinter] = {}
        self._bundlers: dict[str | None, CopyBundler] = {}

    def prepare(self, languages: Sequence[str]) -> list[Problem]:
        """Lay out, draw and prove the shared parts in some languages, and return their problems."""
        problems: list[Problem] = []
        for language in dict.fromkeys(map(self._spoken, languages)):
            problems += self._printer(language).problems
            if self._job.form is Form.BUNDLE and not has_errors(problems):
                problems += self._bundler(language).problems
        return problems

    def make(self, shard: Shard, put: Put) -> ShardManifest:
        """Print the copies of a shard into `put`, and return its manifest, which the caller writes."""
        entries: list[CopyEntry] = []
        groups: dict[str | None, list[tuple[Copy, CopyDraw]]] = {}
        for copy, draw in zip(shard.copies, shard.draws, strict=True):
            groups.setdefault(self._spoken(copy.language), []).append((copy, draw))
        for language, copies in groups.items():
            for one in self._printed(language, copies, shard.folder, put):
                put({name: output.data for name, output in one.outputs.items()})
                entries.append(CopyEntry(one.copy.id, one.copy.number, one.files, list(one.problems)))
        entries.sort(key=lambda entry: entry.number)
        _collect()
        game, job, program = self._game, self._job, f"duckpress {__version__}"
        return ShardManifest(
            game.id, game.title, game.version, program, job.created, shard.folder, shard.made_of(job), entries
        )

    def _printed(
        self, language: str | None, copies: Sequence[tuple[Copy, CopyDraw]], folder: str, put: Put
    ) -> Iterator[PrintedCopy]:
        """Yield copies in one language, as they are printed; joint files are written first."""
        printer = self._printer(language).branch()
        if self._job.form is Form.SHARD:
            every, outputs = print_joint(printer, copies, folder)
            put({name: output.data for name, output in outputs.items()})
            yield from every
            return
        for start in range(0, len(copies), _AT_ONCE):
            for one in printer.imposed(copies[start : start + _AT_ONCE]):
                printed = printer.print(one)
                yield self._bundler(language).bundled(one, printed) if self._job.form is Form.BUNDLE else printed

    def _spoken(self, language: str) -> str | None:
        """Return the language of a copy; None for the game's first."""
        code = language or self._job.request.language
        return code if code != self._game.language else None

    def _printer(self, language: str | None) -> CopyPrinter:
        if language not in self._printers:
            job, copier = self._job, copier_of(self._workspace, self._game, self._job.seed, language)
            request = replace(job.request, language=language)
            self._printers[language] = CopyPrinter(self._workspace, copier, request, job.drawn)
            _collect(keep=True)  # what all shards share is not looked through after each of them
        return self._printers[language]

    def _bundler(self, language: str | None) -> CopyBundler:
        if language not in self._bundlers:
            request = replace(self._job.request, language=language)
            self._bundlers[language] = CopyBundler(self._workspace, self._loaded, request, self._job.created)
        return self._bundlers[language]


def _collect(*, keep: bool = False) -> None:
    """Free reference cycles of finished shards: the collector is off, and an edition may run for hours."""
    if not gc.isenabled():
        gc.collect()
        if keep:
            gc.freeze()


def standing_shards(
    folder: Path, job: EditionJob, shards: Sequence[Shard]
) -> Iterator[tuple[Shard, ShardManifest | None]]:
    """Yield shards with their manifests if all their files are up to date, else with None."""
    for shard in shards:
        place = folder / shard.folder
        clear_up(place)
        manifest = read_record(place, ShardManifest)
        is_same = manifest is not None and manifest.made_of == shard.made_of(job)
        if manifest is None or not is_same or any(copy.has_failed for copy in manifest.copies):
            yield shard, None
            continue
        try:  # as large as they were written: a shard is never there in part
            files = (file for copy in manifest.copies for file in copy.files)
            is_there = all((place / file.name).stat().st_size == file.bytes or file.bytes is None for file in files)
        except OSError:
            is_there = False
        yield shard, manifest if is_there else None


def printed_ids(folder: Path) -> list[str]:
    """Return the ids of the copies in an existing edition's folder."""
    places = sorted(path for path in folder.glob("*-*") if _NAME.fullmatch(path.name))
    manifests = filter(None, (read_record(place, ShardManifest) for place in places))
    return [copy.id for manifest in manifests for copy in manifest.copies if not copy.has_failed]


def withdraw(folder: Path, name: str) -> None:
    """Remove a shard of an earlier edition: the files in its manifest, and the folder if it is then empty."""
    manifest = read_record(folder / name, ShardManifest) if _NAME.fullmatch(name) else None
    if manifest is not None:
        write_outputs(folder / name, {}, [*manifest.files, MANIFEST])
        with suppress(OSError):
            (folder / name).rmdir()


def print_shards(maker: ShardMaker, folder: Path, shards: Sequence[Shard]) -> Iterator[ShardManifest]:
    """Yield the manifests of shards as they are written, by all available processes.

    A shard whose process is lost is made once more, here. Raises `MachineError`.
    """
    count = min(jobs(), len(shards))
    if count < 2 or not can_fork():
        yield from (write_shard(maker, folder, shard) for shard in shards)
        return

    def make(_given: None) -> Handle[int, ShardManifest]:
        use_jobs(1)  # each lays out in one closed worker of its own
        return lambda at, _note: write_shard(maker, folder, shards[at])

    with ProcessPool(Work(make, None, int, ShardManifest, is_trusted=True), count, method="fork") as pool:
        pool.add(range(len(shards)))
        pool.start()
        for event in pool.events():
            yield event.result if isinstance(event, Done) else write_shard(maker, folder, shards[event.task])


def write_shard(maker: ShardMaker, folder: Path, shard: Shard) -> ShardManifest:
    """Make a shard in its folder, and return its manifest."""
    with locked_outputs(folder / shard.folder) as target:
        names: list[str] = []

        def put(files: Mapping[str, bytes]) -> None:
            target.stage(files)
            names.extend(files)

        manifest = maker.make(shard, put)
        target.write({MANIFEST: manifest.written()}, stale_files(target.folder, names), names)
        return manifest


def stale_files(folder: Path, names: Sequence[str]) -> list[str]:
    """Return the files of the shard that was there and that this one does not have."""
    before = read_record(folder, ShardManifest)
    return [name for name in (before.files if before is not None else ()) if name not in names]
