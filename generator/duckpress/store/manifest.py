"""The names of finished files, and the manifest: which files an output folder holds, and which cards they show.

The manifest is plain data in a stable order: a `Manifest` as JSON. `created` is the source date (SOURCE_DATE_EPOCH) or
null, `frame` and `back` are frame hashes; `piece` of a file with every piece is `all`, of one whose pieces share sheets
`gang`, and `cover` of the cover sheet of such a file, which shows no cards of its own. Frames differ between languages
and inks, so a card is listed for each.

A build's files and cards are merged with what earlier builds left in the folder (see `store`).
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import asdict, astuple, replace

from duckpress import __version__
from duckpress.core.backs import PLAIN, Backs
from duckpress.core.problems import MachineError
from duckpress.model import Game
from duckpress.store.output_folder import MANIFEST, OutputFolder
from duckpress.store.output_places import is_as_written, read_whole

# What stands for the piece where a file holds every one of them, where several share their sheets, and where a sheet
# says how to print and cut the others.
ALL_PIECES, GANG, COVER = "all", "gang", "cover"
SUMS = (ALL_PIECES, GANG, COVER)  # files that speak of every piece


class FileFacts(Struct, frozen=True):
    """The facts about a file: its paper, its sheets, and the options it was built with."""

    name: str
    pages: int
    sheets: int
    paper: str
    piece: str
    language: str
    ink: str
    backs: str | UnsetType = UNSET  # in manifests written before there was more than duplex and fronts
    finish: str | UnsetType = UNSET  # of a game that has none its theme decides
    unproven: bool | UnsetType = UNSET  # true where it was written although its proof failed


class FileEntry(FileFacts, frozen=True, kw_only=True):
    """A file as the manifest lists it."""

    sha256: str
    bytes: int
    outdated: bool | UnsetType = UNSET  # true where `watch` left it, and it shows the game as it was


class CardFacts(Struct, frozen=True):
    """A card as printed: the hashes of its frames and its copies in the piece."""

    deck: str
    card: str
    frame: str
    back: str | None
    copies: int
    piece: str
    language: str
    ink: str
    paper: str | None = None  # the only paper it is made for, as a page of rules is
    # What follows pages do not have, nor manifests written before there were releases.
    bare: str | UnsetType = UNSET  # the hashes without anything that tells a version
    bare_back: str | UnsetType | None = UNSET
    code: str | UnsetType = UNSET
    changed: str | UnsetType = UNSET  # the version in which it last changed


class Edition(NamedTuple):
    """The printed game: names, version, source date (see `source_date`), the ids of all its pieces in order.

    With `keeps_papers` files for papers that are not printed stay, also where cards have changed.
    """

    game: str
    title: str
    version: str
    created: str | None
    pieces: tuple[str, ...]
    keeps_papers: bool = False


class Manifest(Struct, frozen=True):
    """A manifest, as in its JSON file."""

    game: str
    title: str
    version: str
    created: str | None
    program: str
    files: list[FileEntry]
    cards: list[CardFacts]


def source_date(environ: Mapping[str, str]) -> str | None:
    """Return the date of the sources in SOURCE_DATE_EPOCH, as ISO 8601 in UTC, or None if it is not set.

    Raises `MachineError` where it is not a number of seconds. Source: reproducible-builds.org/specs/source-date-epoch.
    """
    text = environ.get("SOURCE_DATE_EPOCH", "")
    if not text:
        return None
    try:
        return datetime.fromtimestamp(int(text), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError) as error:
        message = f"SOURCE_DATE_EPOCH is {text!r}, which is not a number of seconds: correct it or unset it"
        raise MachineError(message) from error


def digest(data: bytes) -> str:
    """Return the SHA-256 of a file's bytes, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def manifest_bytes(manifest: Manifest) -> bytes:
    """Return the manifest as JSON with sorted keys, a line for every file and card."""

    def written(value: object) -> bytes:
        # Whole entries at once: key by key, the manifest of 2,000 cards would take as long as laying them on sheets.
        if isinstance(value, list) and value:
            return b"[\n  " + b",\n  ".join(map(encode, value)) + b"\n ]"
        return encode(value)

    encode = msgspec.json.Encoder(order="sorted").encode
    rows = b",\n".join(b" %b: %b" % (encode(key), written(value)) for key, value in sorted(asdict(manifest).items()))
    return b"{\n%b\n}\n" % rows


def read_manifest(data: bytes) -> Manifest | None:
    """Return a manifest from its bytes, or None if they are invalid."""
    try:
        manifest = msgspec.json.decode(data, type=Manifest)
    except (msgspec.MsgspecError, RecursionError):
        return None
    return manifest if manifest.program.startswith("duckpress ") else None


def file_name(
    game: Game, piece: str, paper: str, ink: str, language: str, *, run: str = "", backs: Backs = Backs.DUPLEX
) -> str:
    """Return `<game>-<piece>-<paper>[-<backs>][-<ink>][-<lang>][-<run>].pdf`.

    No backs stand for duplex, no ink for colour, no language for the game's first one, no `run` for files made for any
    printer and sleeve.
    """
    ways = ways_of(backs, ink, language if language != game.languages[0].code else "")
    return "-".join([game.id, piece, paper, *ways, *([run] if run else [])]) + ".pdf"


def ways_of(backs: Backs, ink: str, language: str) -> list[str]:
    """Return the words for a file's name: backs and ink other than the default, and a language unless it is empty."""
    words = backs.file_word, ink if ink != PLAIN else "", language
    return [word for word in words if word]


_Looks = dict[str | None, list[tuple[str, str, str, str | None, int]]]
"""What is printed of cards, by the paper that pages are made for: their versions by themselves are nothing printed."""


class Output(NamedTuple):
    """A finished file: its facts, and its bytes."""

    facts: FileFacts
    data: bytes

    def renamed(self, name: str) -> Output:
        return self._replace(facts=replace(self.facts, name=name))


def write_merged(
    target: OutputFolder,
    edition: Edition,
    outputs: Sequence[Output],
    cards: Sequence[CardFacts],
    run: str = "",
    beside: Mapping[str, bytes] | None = None,
    stale_beside: Collection[str] = (),
) -> Manifest:
    """Write a build's files and the manifest into a folder, all or nothing, and return the manifest.

    Other files of the old manifest stay while they hold and are removed otherwise; with `edition.keeps_papers` those
    for papers that were not printed stay, too, and are listed as outdated. Files of a `run` of their own go into a
    folder of that name. What is written `beside` them, such as a packet, is named as seen from the locked folder.
    Raises `MachineError`, with the folder as it was before.
    """
    before = f"{run}/" if run else ""
    old = _written_before(target.folder / run, {output.facts.name for output in outputs})
    manifest = _build_manifest(edition, outputs, cards, old)
    kept = {entry.name for entry in manifest.files}
    stale = [before + entry.name for entry in old.files if entry.name not in kept] if old is not None else []
    files = {before + output.facts.name: output.data for output in outputs}
    target.write({**(beside or {}), **files, before + MANIFEST: manifest_bytes(manifest)}, [*stale, *stale_beside])
    return manifest


def _written_before(folder: Path, replaced: Collection[str]) -> Manifest | None:
    """Return the old manifest without missing files and files changed since; None if there is none.

    At files that are `replaced` nobody looks.
    """
    path = folder / MANIFEST
    if not os.path.lexists(path):
        return None
    try:
        manifest = read_manifest(read_whole(path))
    except OSError as error:
        raise MachineError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from error
    if manifest is None:
        raise MachineError(f"{path} was not written by duckpress: move it away, or choose another folder with --out")
    # What is in a folder of the folder has a list of its own.
    own = [file for file in manifest.files if "/" not in file.name]
    kept = [file for file in own if file.name in replaced or is_as_written(folder, file.name, file.sha256)]
    return replace(manifest, files=kept)


def _build_manifest(
    edition: Edition, outputs: Sequence[Output], cards: Sequence[CardFacts], old: Manifest | None = None
) -> Manifest:
    """Return the manifest of a build: its own files and cards, and those of an old manifest that are still valid.

    `old` must already be cut down to files that are there as they were written (`write_merged` does that).
    """
    new_files = [FileEntry(*astuple(facts), sha256=digest(data), bytes=len(data)) for facts, data in outputs]
    kept = _still_holding(edition, old, new_files, cards) if old is not None else []
    built = {(*_print_run(file), None) for file in new_files} | {_page_run(card) for card in cards}
    shown = {(*_print_run(entry), paper) for entry in kept for paper in (None, entry.paper)}
    # A file with every piece shows the cards of every piece.
    wholes = {run[1:] for run in shown if run[0] in (ALL_PIECES, GANG)}
    kept_cards = [
        card
        for card in (old.cards if old is not None and kept else [])
        if (run := _page_run(card)) not in built and (run in shown or run[1:] in wholes)
    ]
    if edition.keeps_papers and old is not None:
        papers, names = {file.paper for file in new_files}, {entry.name for entry in kept}
        others = [entry for entry in old.files if entry.paper not in papers and entry.name not in names]
        kept += [replace(entry, outdated=True) for entry in others]
    order = {piece: place for place, piece in enumerate(edition.pieces)}
    return Manifest(
        *edition[:4],
        program=f"duckpress {__version__}",
        files=sorted((*kept, *new_files), key=lambda entry: entry.name),
        cards=sorted(
            (*kept_cards, *cards),
            key=lambda card: (order.get(card.piece, len(order)), card.language, card.ink),
        ),
    )


def _print_run(entry: FileEntry | CardFacts) -> tuple[str, str, str]:
    """Return the key of the cards that a file shows: piece, language, ink."""
    return entry.piece, entry.language, entry.ink


def _page_run(card: CardFacts) -> tuple[str, str, str, str | None]:
    """Return the print run of a card, and for a page of rules its paper."""
    return *_print_run(card), card.paper


def _looks_by_run(cards: Iterable[CardFacts]) -> dict[tuple[str, str, str], _Looks]:
    runs: dict[tuple[str, str, str], _Looks] = {}
    for card in cards:
        look = card.deck, card.card, card.frame, card.back, card.copies
        runs.setdefault(_print_run(card), {}).setdefault(card.paper, []).append(look)
    return runs


def _still_holding(
    edition: Edition, old: Manifest, files: Sequence[FileEntry], cards: Sequence[CardFacts]
) -> list[FileEntry]:
    """Return the old files that this build does not replace and that still match the game."""
    if (old.game, old.version) != (edition.game, edition.version):
        return []
    names = {entry.name for entry in files}
    if names.issuperset(entry.name for entry in old.files):
        return []
    before, now = _looks_by_run(old.cards), _looks_by_run(cards)
    changed = {run for run in before if run[0] not in edition.pieces}
    for run, looks in now.items():  # pages are compared on their common papers
        papers = looks.keys() & before.get(run, {}).keys()
        if not papers or any(looks[paper] != before[run][paper] for paper in papers):
            changed.add(run)
    changed_wholes = {run[1:] for run in changed}
    # A cover sheet speaks of the pages behind it: where its bundle is printed again without it, it goes.
    bundles = {_bundle(entry) for entry in files if entry.piece in (ALL_PIECES, GANG)}
    return [
        entry
        for entry in old.files
        if entry.name not in names
        and entry.outdated is not True
        and (entry.piece in edition.pieces or entry.piece in SUMS)
        and _print_run(entry) not in changed
        and not (entry.piece in SUMS and _print_run(entry)[1:] in changed_wholes)
        and not (entry.piece == COVER and _bundle(entry) in bundles)
    ]


def _bundle(entry: FileEntry) -> tuple[str, str, str, str]:
    return entry.paper, entry.language, entry.ink, entry.backs or Backs.DUPLEX
