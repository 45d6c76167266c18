"""A build's files and cards -> the folder of outputs: merged with what earlier builds left there (see `store`)."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import astuple, replace

from duckpress import __version__
from duckpress.core.backs import Backs
from duckpress.core.problems import MachineError
from duckpress.store.manifest import (
    ALL_PIECES,
    COVER,
    GANG,
    SUMS,
    CardFacts,
    Edition,
    FileEntry,
    FileFacts,
    Manifest,
    digest,
    manifest_bytes,
    read_manifest,
)
from duckpress.store.output_folder import MANIFEST, OutputFolder
from duckpress.store.output_places import is_as_written, read_whole

_Looks = dict[str | None, list[tuple[str, str, str, str | None, int]]]
"""What is printed of cards, by the paper that pages are made for: their versions by themselves are nothing printed."""


class Output(NamedTuple):
    """A finished file: what it is, and its bytes."""

    facts: FileFacts
    data: bytes

    def renamed(self, name: str) -> Output:
        """Return the file under another name."""
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
    """Return the old manifest without the files that are gone or were changed by somebody since; None without one.

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
    """Return the manifest of a build: its own files and cards, and those of an old manifest whose files still hold.

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
    """Return what decides which cards a file shows: piece, language, ink."""
    return entry.piece, entry.language, entry.ink


def _page_run(card: CardFacts) -> tuple[str, str, str, str | None]:
    """Return the print run of a card, and for a page of rules the paper that it is made for."""
    return *_print_run(card), card.paper


def _looks_by_run(cards: Iterable[CardFacts]) -> dict[tuple[str, str, str], _Looks]:
    runs: dict[tuple[str, str, str], _Looks] = {}
    for card in cards:
        look = card.deck, card.card, card.frame, card.back, card.copies
        runs.setdefault(_print_run(card), {}).setdefault(card.paper, []).append(look)
    return runs


def _differ(new: _Looks, old: _Looks) -> bool:
    """Return whether a print run shows something else now; pages are compared on the papers that both have."""
    papers = new.keys() & old.keys()
    return not papers or any(new[paper] != old[paper] for paper in papers)


def _still_holding(
    edition: Edition, old: Manifest, files: Sequence[FileEntry], cards: Sequence[CardFacts]
) -> list[FileEntry]:
    """Return the old files that this build does not replace and that still show what the game is."""
    if (old.game, old.version) != (edition.game, edition.version):
        return []
    names = {entry.name for entry in files}
    if names.issuperset(entry.name for entry in old.files):
        return []
    before, now = _looks_by_run(old.cards), _looks_by_run(cards)
    changed = {run for run, looks in now.items() if _differ(looks, before.get(run, {}))}
    changed |= {run for run in before if run[0] not in edition.pieces}
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
    """Return what the file with everything and its cover sheet have in common."""
    return entry.paper, entry.language, entry.ink, entry.backs or Backs.DUPLEX
