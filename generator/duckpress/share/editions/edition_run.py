"""An edition, from its game and its copies to a folder with all shards: planned as a whole, printed shard by shard.

A shard is written as any set of outputs is: all its files together, its manifest last. So a run after one that was
killed goes on with the first shard that has no manifest, or one that was made of something else.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct, field
from msgspec.structs import asdict, replace

from duckpress.check.copy_games import edition_problems
from duckpress.core.limits import settings
from duckpress.core.problems import Level, MachineError, Problem, ProblemList, Read, Source, has_errors
from duckpress.files.workspace import Workspace
from duckpress.model import Game
from duckpress.model.game import Copy
from duckpress.press.checking import check_to_print
from duckpress.press.packet import SHORTEST_SEED
from duckpress.press.reading import Checked, Loaded, apply_finish, named
from duckpress.press.request import Request, Step, silent
from duckpress.share.editions.draws import Copier, CopyDraw, planned
from duckpress.share.editions.inputs import game_files, key_of, program_parts, unpacked
from duckpress.share.editions.shards import (
    MANIFEST,
    CopyEntry,
    EditionJob,
    Form,
    Shard,
    ShardMaker,
    ShardManifest,
    copier_of,
    print_shards,
    printed_ids,
    read_record,
    standing_shards,
    withdraw,
)
from duckpress.store import locked_outputs, scratch_folder, source_date, sources_of
from duckpress.store.file_writing import write_file

FOLDER = "edition"
SHARD = 100
"""Copies in a folder where nothing else is asked for."""

_DIGITS = 4  # of the numbers in the name of a folder, at least

PrintShards = Callable[[ShardMaker, Path, Sequence[Shard]], Iterator[ShardManifest]]
"""Prints shards into the folder of their edition, and yields their manifests as they come to lie there."""

CopiesOf = Callable[[Game], Read[tuple[Copy, ...]]]


class EditionRequest(Struct, frozen=True):
    """The request: how to print a copy, the seed, the copies, and the number of copies in a folder."""

    request: Request
    copies: CopiesOf
    seed: str = ""
    size: int = SHARD
    cluster: str = ""  # the address of the scheduler of a Dask cluster that makes the shards; empty: this computer
    is_shared: bool = False  # the workers of the cluster see the folder that is written into, under the same name
    form: Form = Form.PDF
    replaces: bool = False  # another edition that lies there may go

    @property
    def key(self) -> str:
        """A hash of everything that all copies depend on except the game: another hash means another edition."""
        usual = Request()
        ways = [(name, value) for name, value in asdict(self.request).items() if value != getattr(usual, name)]
        return hashlib.sha256(repr((ways, self.seed, self.form.value)).encode()).hexdigest()


class EditionRun(Struct, frozen=True):
    """The result of an edition: findings, its folder and shards, the number of reused ones, and its copies."""

    checked: Checked
    folder: Path
    shards: tuple[str, ...] = ()
    standing: int = 0
    copies: int = 0
    files: int = 0
    sheets: Mapping[str, int] = field(default_factory=dict)  # by paper, of all copies
    failed: tuple[CopyEntry, ...] = ()


class EditionManifest(Struct, frozen=True):
    """The manifest of an edition: its shards in order, the ids of failed copies, its key."""

    game: str
    title: str
    version: str
    copies: int
    shards: list[str]
    failed: list[str] = []
    asked: str = ""


def run_edition(
    workspace: Workspace, loaded: Loaded, asked: EditionRequest, out: Path, step: Step = silent
) -> EditionRun:
    """Print the copies of a game into `out/<game>/edition/`.

    Before anything is printed all is told that is wrong with the game, the table of people and the pools. A copy that
    cannot be printed is left out, and listed. Raises `MachineError`.
    """
    loaded = apply_finish(loaded, asked.request.finish)
    checked = check_to_print(workspace, loaded, asked.request, step)
    folder = out / loaded.game_id / FOLDER
    game = checked.game
    if game is None or checked.has_errors:
        return EditionRun(checked, folder)
    with scratch_folder() as scratch:
        files = game_files(workspace, game.id)
        kept = unpacked(files, scratch)
        step("drawing decks")
        copier = copier_of(kept, game, asked.seed)
        (copies, draws), problems = _planned(kept, copier, asked)
        problems = [*checked.problems, *problems]
        if has_errors(problems):
            return EditionRun(Checked(game.id, game, named(game.id, problems)), folder)
        identity = hashlib.sha256(repr((program_parts(), key_of(files), sorted(settings().items()))).encode())
        created = source_date(os.environ)
        drawn = copier.every_card(copies, draws)
        job = EditionJob(game.id, asked.request, asked.seed, identity.hexdigest(), asked.form, created, drawn)
        with locked_outputs(folder, sources_of(workspace.root)):
            stops = [*_lost_copies(folder, copies, asked)]
            if stops:
                return EditionRun(Checked(game.id, game, named(game.id, [*problems, *stops])), folder)
            shards = _shards(copies, draws, asked.size)
            names = [shard.folder for shard in shards]
            record = EditionManifest(game.id, game.title, game.version, len(copies), names, [], asked.key)
            standing = list(standing_shards(folder, job, shards))
            maker, on = ShardMaker(kept, job), _printing_on(asked, job, files)
            return _print(maker, Checked(game.id, game, tuple(problems)), record, folder, standing, on, step)


def _printing_on(asked: EditionRequest, job: EditionJob, files: Mapping[str, bytes]) -> PrintShards:
    """Return the function that prints shards: on this computer, or on a cluster."""
    if not asked.cluster:
        return print_shards
    try:
        from duckpress.share.editions.cluster import print_on_cluster
    except ImportError:
        what = "dask.distributed is not installed, which runs editions on a cluster"
        raise MachineError(f"{what}: pip install 'duckpress[cluster]'") from None

    return lambda _maker, folder, shards: print_on_cluster(
        asked.cluster, job, files, folder, shards, is_shared=asked.is_shared
    )


def _planned(
    workspace: Workspace, copier: Copier, asked: EditionRequest
) -> Read[tuple[Sequence[Copy], Sequence[CopyDraw]]]:
    """Return the copies, and the draw of each."""
    problems, game = ProblemList(), copier.games.game
    copies = problems.take(asked.copies(game))
    problems += edition_problems(workspace, game)
    if has_errors(problems) or not copies:
        return Read(((), ()), problems)
    is_secret = any(game.dealt_to(piece) for piece in game.chosen_pieces(asked.request.pieces))
    if is_secret and len(asked.seed) < SHORTEST_SEED:
        what = f"the seed is short ({len(asked.seed)} of {SHORTEST_SEED} letters): "
        what += "anybody can find it by trying, and with it every copy"
        fix = f"choose one of {SHORTEST_SEED} letters or more that nobody guesses"
        problems.add("guessable-seed", game.source, what, fix, Level.WARNING)
    draws = problems.take(planned(copier, copies))
    return Read((copies, draws), problems)


def _lost_copies(folder: Path, copies: Sequence[Copy], asked: EditionRequest) -> Iterator[Problem]:
    """Yield a problem if existing copies would be removed, or replaced by others with the same ids."""
    before, there = read_record(folder, EditionManifest), dict.fromkeys(printed_ids(folder))
    is_same = before is None or before.asked in ("", asked.key)  # empty: of a version that did not note it
    gone = [name for name in there if not is_same or name not in {copy.id for copy in copies}]
    if gone and not asked.replaces:
        some = ", ".join(gone[:3]) + (", ..." if len(gone) > 3 else "")
        of_others = "made with another seed or other options" if not is_same else "which this one does not have"
        what = f"an edition lies in {folder} already, and {len(gone)} of its copies would go ({some}), {of_others}"
        fix = "write this one elsewhere with --out DIR, or let it take the place of the other with --replace"
        yield Problem("other-edition", Source(str(folder / MANIFEST)), what, fix)


def _shards(copies: Sequence[Copy], draws: Sequence[CopyDraw], size: int) -> list[Shard]:
    digits = max(_DIGITS, len(str(len(copies))))
    shards = []
    for start in range(0, len(copies), size):
        part = list(copies[start : start + size])
        name = f"{part[0].number:0{digits}}-{part[-1].number:0{digits}}"
        shards.append(Shard(name, part, list(draws[start : start + size])))
    return shards


def _print(
    maker: ShardMaker, checked: Checked, record: EditionManifest, folder: Path,
    standing: Sequence[tuple[Shard, ShardManifest | None]], print_shards: PrintShards, step: Step,
) -> EditionRun:  # fmt: skip
    """Print the shards missing in the edition's folder, which is locked, and remove those of other editions."""
    before = read_record(folder, EditionManifest)
    for name in {*(before.shards if before is not None else ())} - {*record.shards}:
        withdraw(folder, name)

    def note(manifest: EditionManifest) -> None:
        write_file(folder / MANIFEST, msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n")

    note(record)
    manifests = [manifest for _, manifest in standing if manifest is not None]
    left = [shard for shard, manifest in standing if manifest is None]
    step("laying out what all copies share")
    problems = [*checked.problems]
    problems += maker.prepare(list(dict.fromkeys(copy.language for shard in left for copy in shard.copies)))
    if has_errors(problems):
        return EditionRun(replace(checked, problems=named(record.game, problems)), folder)
    done = sum(len(manifest.copies) for manifest in manifests)
    for manifest in print_shards(maker, folder, left):
        manifests.append(manifest)
        done += len(manifest.copies)
        step(f"{done} of {record.copies} copies")
    entries = sorted((entry for manifest in manifests for entry in manifest.copies), key=lambda entry: entry.number)
    failed = tuple(entry for entry in entries if entry.has_failed)
    note(replace(record, failed=[entry.id for entry in failed]))
    problems += [problem for entry in failed for problem in entry.problems]
    sheets = Counter[str]()
    for file in (file for entry in entries for file in entry.files):
        sheets[file.paper] += file.sheets
    checked = replace(checked, problems=named(record.game, list(dict.fromkeys(problems))))
    files = sum(len(manifest.files) for manifest in manifests)
    count = len(standing) - len(left)
    return EditionRun(checked, folder, tuple(record.shards), count, record.copies, files, dict(sheets), failed)
