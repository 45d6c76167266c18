"""Copies, as many as lie in one folder -> their files and the folder's manifest: the same shard, the same bytes."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from duckpress import __version__
from duckpress.core.problems import MachineError, Problem, has_errors
from duckpress.editions.card_pools import pools_of
from duckpress.editions.copy_games import copy_games
from duckpress.editions.people import Copy
from duckpress.editions.planning import Copier, CopyDraw
from duckpress.files.workspace import Workspace
from duckpress.model import Game
from duckpress.press.reading import load, spoken
from duckpress.press.request import Request
from duckpress.printrun.copy_printer import CopyPrinter, PrintedCopy
from duckpress.store import Output, source_date
from duckpress.store.manifest import digest

_AT_ONCE = 25
"""Copies whose files are in memory together, and whose own faces are laid out together."""

Put = Callable[[Mapping[str, bytes]], None]
"""Takes finished files by their names: they may go on before the shard is complete."""


class EditionJob(Struct, frozen=True):
    """What all shards of an edition have in common: the game, how it is printed, the seed, and a hash of all inputs."""

    game: str
    request: Request
    seed: str
    identity: str


class Shard(Struct, frozen=True):
    """Copies that lie in one folder, each with the number of its draw."""

    folder: str
    copies: list[Copy]
    draws: list[CopyDraw]

    def made_of(self, job: EditionJob) -> str:
        """Return the hash of all that its files depend on."""
        written = msgspec.json.encode((job.identity, job.game, job.seed, self.copies, self.draws))
        return hashlib.sha256(written + repr(job.request).encode()).hexdigest()


class CopyFile(Struct, frozen=True):
    """A file of a copy; of one in a packet no hash is told, which a guess could be tried against."""

    name: str
    paper: str
    pages: int
    sheets: int
    bytes: int | None = None
    sha256: str | None = None


class CopyEntry(Struct, frozen=True):
    """A copy as the manifest lists it: its files, or why it has none."""

    id: str
    number: int
    files: list[CopyFile]
    problems: list[Problem] = []

    @property
    def has_failed(self) -> bool:
        """Whether there are no files of it."""
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
        """The names of all its files."""
        return [file.name for copy in self.copies for file in copy.files]

    def written(self) -> bytes:
        """Return it as JSON, a line for each copy."""
        head = {name: getattr(self, name) for name in self.__struct_fields__ if name != "copies"}
        copies = b",\n  ".join(map(msgspec.json.encode, self.copies))
        body = b",\n".join(b' "%b": %b' % (name.encode(), msgspec.json.encode(value)) for name, value in head.items())
        return b'{\n%b,\n "copies": [\n  %b\n ]\n}\n' % (body, copies)


def read_shard_manifest(data: bytes) -> ShardManifest | None:
    """Return the manifest of a shard, or None where it is none."""
    try:
        return msgspec.json.decode(data, type=ShardManifest)
    except (msgspec.MsgspecError, RecursionError):
        return None


def copier_of(workspace: Workspace, original: Game, seed: str, language: str | None = None) -> Copier:
    """Return what makes the games of copies in a language; what is wrong with the edition is known by then."""
    game, _ = spoken(workspace, original, language)
    return Copier(copy_games(workspace, game).value, pools_of(original).value, seed)


class ShardMaker:
    """Makes the shards of one edition; what copies share is laid out, drawn and proven once for each language."""

    def __init__(self, workspace: Workspace, job: EditionJob) -> None:
        """Read the game. Raises `MachineError` where it is not as it was."""
        game = load(workspace, job.game).game
        if game is None:
            raise MachineError(f"the game {job.game!r} cannot be read any more")
        self._workspace, self._job, self._game = workspace, job, game
        self._printers: dict[str, CopyPrinter] = {}

    def prepare(self, languages: Sequence[str]) -> list[Problem]:
        """Lay out, draw and prove what copies in some languages share, and return what is wrong with that."""
        return [problem for language in languages for problem in self._printer(language).problems]

    def make(self, shard: Shard, put: Put) -> ShardManifest:
        """Print the copies of a shard, and return its manifest, which is one of the files."""
        entries: list[CopyEntry] = []
        printers: dict[str, CopyPrinter] = {}
        copies = list(zip(shard.copies, shard.draws, strict=True))
        for language, group in groupby(copies, lambda one: one[0].language):
            if language not in printers:
                printers[language] = self._printer(language).branch()
            same = list(group)
            for start in range(0, len(same), _AT_ONCE):
                for printed in printers[language].print_all(same[start : start + _AT_ONCE]):
                    put({name: output.data for name, output in printed.outputs.items()})
                    entries.append(_entry(printed))
        game = self._game
        program, created = f"duckpress {__version__}", source_date(os.environ)
        return ShardManifest(
            game.id, game.title, game.version, program, created, shard.folder, shard.made_of(self._job), entries
        )

    def _printer(self, language: str) -> CopyPrinter:
        if language not in self._printers:
            job = self._job
            code = language or job.request.language
            request = replace(job.request, language=code)
            copier = copier_of(self._workspace, self._game, job.seed, code)
            self._printers[language] = CopyPrinter(self._workspace, copier, request)
        return self._printers[language]


def _entry(printed: PrintedCopy) -> CopyEntry:
    files = [_file(name, output, is_secret=name in printed.secret) for name, output in printed.outputs.items()]
    return CopyEntry(printed.copy.id, printed.copy.number, files, list(printed.problems))


def _file(name: str, output: Output, *, is_secret: bool) -> CopyFile:
    facts = output.facts
    if is_secret:
        return CopyFile(name, facts.paper, facts.pages, facts.sheets)
    return CopyFile(name, facts.paper, facts.pages, facts.sheets, len(output.data), digest(output.data))
