"""A build's files and cards -> the folder of outputs: merged with what earlier builds left there, in one step.

The manifest of the build before describes one version of a game. Its files hold while the version is the same, the game
has the piece, and the cards they show look as they did; a cover sheet also goes where the pages behind it are printed
again without it. What holds is kept, the rest is removed in the same step, but for what somebody changed since.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, cast

from duckpress import __version__
from duckpress.core.problems import MachineError
from duckpress.store.file_names import ALL_PIECES, COVER, GANG, PLAIN_BACKS
from duckpress.store.manifest import (
    SUMS,
    CardEntry,
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


class Output(NamedTuple):
    """A finished file: what it is, and its bytes."""

    facts: FileFacts
    data: bytes


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

    Other files of the old manifest stay while they hold and are removed otherwise. Files of a `run` of their own go
    into a folder of that name. What is written `beside` them, such as a packet, is named as seen from the locked
    folder. Raises `MachineError`, with the folder as it was before.
    """
    before = f"{run}/" if run else ""
    old = _written_before(target.folder / run)
    manifest = _build_manifest(edition, outputs, cards, old)
    kept = {entry["name"] for entry in manifest["files"]}
    stale = [before + entry["name"] for entry in old["files"] if entry["name"] not in kept] if old is not None else []
    files = {before + output.facts.name: output.data for output in outputs}
    target.write({**(beside or {}), **files, before + MANIFEST: manifest_bytes(manifest)}, [*stale, *stale_beside])
    return manifest


def _written_before(folder: Path) -> Manifest | None:
    """Return the old manifest without the files that are gone or were changed by somebody since; None without one."""
    path = folder / MANIFEST
    if not os.path.lexists(path):
        return None
    try:
        manifest = read_manifest(read_whole(path))
    except OSError as error:
        raise MachineError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from error
    if manifest is None:
        raise MachineError(f"{path} was not written by duckpress: move it away, or choose another folder with --out")
    manifest["files"] = [entry for entry in manifest["files"] if _is_ours(folder, entry["name"], entry["sha256"])]
    return manifest


def _is_ours(folder: Path, name: object, sha256: object) -> bool:
    # What is in a folder of the folder has a list of its own.
    is_said = isinstance(name, str) and isinstance(sha256, str) and "/" not in name
    return is_said and is_as_written(folder, str(name), str(sha256))


def _build_manifest(
    edition: Edition, files: Iterable[tuple[FileFacts, bytes]], cards: Iterable[CardFacts], old: Manifest | None = None
) -> Manifest:
    """Return the manifest of a build: its own files and cards, and those of an old manifest whose files still hold.

    `old` must already be cut down to files that are there as they were written (`write_merged` does that).
    """
    new_files = [_file_entry(facts, data) for facts, data in files]
    new_cards = [_card_entry(card) for card in cards]
    kept = _still_holding(edition, old, new_files, new_cards) if old is not None else []
    built = {(*_print_run(file), None) for file in new_files} | {_page_run(card) for card in new_cards}
    shown = {(*_print_run(entry), paper) for entry in kept for paper in (None, entry["paper"])}
    # A file with every piece shows the cards of every piece.
    wholes = {run[1:] for run in shown if run[0] in (ALL_PIECES, GANG)}
    kept_cards = [
        card
        for card in (old["cards"] if old is not None else [])
        if (run := _page_run(card)) not in built and (run in shown or run[1:] in wholes)
    ]
    order = {piece: place for place, piece in enumerate(edition.pieces)}
    return Manifest(
        game=edition.game,
        title=edition.title,
        version=edition.version,
        created=edition.created,
        program=f"duckpress {__version__}",
        files=sorted((*kept, *new_files), key=lambda entry: entry["name"]),
        cards=sorted(
            (*kept_cards, *new_cards),
            key=lambda card: (order.get(card["piece"], len(order)), card["language"], card["ink"]),
        ),
    )


def _file_entry(facts: FileFacts, data: bytes) -> FileEntry:
    return cast(FileEntry, {**facts._asdict(), "sha256": digest(data), "bytes": len(data)})


def _card_entry(facts: CardFacts) -> CardEntry:
    """Return the entry of a card; facts that are not known are left out."""
    entry = facts._asdict()
    if facts.bare is None:
        del entry["bare"], entry["bare_back"]
    for name in ("code", "changed"):
        if not entry[name]:
            del entry[name]
    return cast(CardEntry, entry)


def _print_run(entry: FileEntry | CardEntry) -> tuple[str, str, str]:
    """Return what decides which cards a file shows: piece, language, ink."""
    return entry["piece"], entry["language"], entry["ink"]


def _page_run(card: CardEntry) -> tuple[str, str, str, str | None]:
    """Return the print run of a card, and for a page of rules the paper that it is made for."""
    return *_print_run(card), card.get("paper")


def _by_run(cards: Iterable[CardEntry]) -> dict[tuple[str, str, str], dict[str | None, list[CardEntry]]]:
    runs: dict[tuple[str, str, str], dict[str | None, list[CardEntry]]] = {}
    for card in cards:
        runs.setdefault(_print_run(card), {}).setdefault(card.get("paper"), []).append(card)
    return runs


def _differ(new: Mapping[str | None, list[CardEntry]], old: Mapping[str | None, list[CardEntry]]) -> bool:
    """Return whether a print run shows something else now; pages are compared on the papers that both have."""
    papers = new.keys() & old.keys()
    return not papers or any(_looks(new[paper]) != _looks(old[paper]) for paper in papers)


def _looks(cards: Iterable[CardEntry]) -> list[tuple[str, str, str, str | None, int]]:
    """Return what is printed of cards: a version by itself, which may not be known, is nothing printed."""
    return [(card["deck"], card["card"], card["frame"], card["back"], card["copies"]) for card in cards]


def _still_holding(
    edition: Edition, old: Manifest, files: Sequence[FileEntry], cards: Sequence[CardEntry]
) -> list[FileEntry]:
    """Return the old files that this build does not replace and that still show what the game is."""
    if (old["game"], old["version"]) != (edition.game, edition.version):
        return []
    names = {entry["name"] for entry in files}
    old_cards, new_cards = _by_run(old["cards"]), _by_run(cards)
    changed = {run for run, shown in new_cards.items() if _differ(shown, old_cards.get(run, {}))}
    changed |= {run for run in old_cards if run[0] not in edition.pieces}
    changed_wholes = {run[1:] for run in changed}
    # A cover sheet speaks of the pages behind it: where its bundle is printed again without it, it goes.
    bundles = {_bundle(entry) for entry in files if entry["piece"] in (ALL_PIECES, GANG)}
    return [
        entry
        for entry in old["files"]
        if entry["name"] not in names
        and (entry["piece"] in edition.pieces or entry["piece"] in SUMS)
        and _print_run(entry) not in changed
        and not (entry["piece"] in SUMS and _print_run(entry)[1:] in changed_wholes)
        and not (entry["piece"] == COVER and _bundle(entry) in bundles)
    ]


def _bundle(entry: FileEntry) -> tuple[str, str, str, str]:
    """Return what the file with everything and its cover sheet have in common."""
    return entry["paper"], entry["language"], entry["ink"], entry.get("backs", PLAIN_BACKS)
