"""The manifest: which files a folder of outputs holds, and which cards they show. Plain data, stable order.

    {"game", "title", "version", "created", "program",
     "files": [{"name", "sha256", "bytes", "pages", "sheets", "paper", "piece", "language", "ink", "backs"}],
     "cards": [{"deck", "card", "frame", "back", "copies", "piece", "language", "ink",
                "bare", "bare_back", "code", "changed"}]}

`created` is the source date (SOURCE_DATE_EPOCH) or null, `frame` and `back` are frame hashes (`back` may be null),
`piece` of a file with every piece is `all`, of one whose pieces share sheets `gang`, and `cover` of the
cover sheet of such a file, which shows no cards of its own.
Frames differ between languages and inks, so a card is listed for each. `bare` and `bare_back` are the hashes without
anything that tells a version, `code` is the card's short code, `changed` the version in which it last changed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple, NotRequired, TypedDict, cast

import msgspec

from duckpress import __version__
from duckpress.problems import MachineError

ALL_PIECES = "all"
GANG = "gang"
COVER = "cover"
SUMS = (ALL_PIECES, GANG, COVER)  # files that speak of every piece
PLAIN_INK = "color"
PLAIN_BACKS = "duplex"
_LATER_KEYS = frozenset(("paper", "bare", "bare_back", "code", "changed"))
_NAMED_BACKS = {"gutterfold": "gutterfold", "none": "fronts", "only": "backs"}


class FileFacts(NamedTuple):
    """What a file is: how much paper it takes, and what was asked for."""

    name: str
    pages: int
    sheets: int
    paper: str
    piece: str
    language: str
    ink: str
    backs: str = PLAIN_BACKS


class CardFacts(NamedTuple):
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
    bare: str | None = None  # the hashes without anything that tells a version
    bare_back: str | None = None
    code: str | None = None
    changed: str | None = None  # the version in which it last changed


class Edition(NamedTuple):
    """The game that is printed: names, version, source date (see `source_date`), the ids of all its pieces in order."""

    game: str
    title: str
    version: str
    created: str | None
    pieces: tuple[str, ...]


class FileEntry(TypedDict):
    """A file as the manifest lists it."""

    name: str
    sha256: str
    bytes: int
    pages: int
    sheets: int
    paper: str
    piece: str
    language: str
    ink: str
    backs: NotRequired[str]  # not in manifests written before there was more than duplex and fronts


class CardEntry(TypedDict):
    """A card as the manifest lists it."""

    deck: str
    card: str
    frame: str
    back: str | None
    copies: int
    piece: str
    language: str
    ink: str
    paper: NotRequired[str | None]
    bare: NotRequired[str]
    bare_back: NotRequired[str | None]
    code: NotRequired[str]
    changed: NotRequired[str]


class Manifest(TypedDict):
    """A manifest, as written to JSON."""

    game: str
    title: str
    version: str
    created: str | None
    program: str
    files: list[FileEntry]
    cards: list[CardEntry]


def file_name(
    game: str,
    piece: str,
    paper: str,
    ink: str,
    language: str,
    first_language: str,
    *,
    run: str = "",
    backs: str = PLAIN_BACKS,
) -> str:
    """Give `<game>-<piece>-<paper>[-<backs>][-<ink>][-<lang>][-<run>].pdf`.

    No backs stand for duplex, no ink for colour, no language for the game's first one, no `run` for files made for any
    printer and sleeve.
    """
    ways = ways_of(backs, ink, language if language != first_language else "")
    return "-".join([game, piece, paper, *ways, *([run] if run else [])]) + ".pdf"


def ways_of(backs: str, ink: str, language: str) -> list[str]:
    """Give what a name says of how something is printed: what is not usual, and a language unless it is empty."""
    named = [_NAMED_BACKS[backs]] if backs != PLAIN_BACKS else []
    named += [ink] if ink != PLAIN_INK else []
    return [*named, language] if language else named


def source_date(environ: Mapping[str, str]) -> str | None:
    """Give the date of the sources that SOURCE_DATE_EPOCH says, as ISO 8601 in UTC, or None where it says none.

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
    """Give the SHA-256 of a file's bytes, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def build_manifest(
    edition: Edition, files: Iterable[tuple[FileFacts, bytes]], cards: Iterable[CardFacts], old: Manifest | None = None
) -> Manifest:
    """Give the manifest of a build: its own files and cards, and those of an old manifest whose files still hold.

    `old` must already be cut down to files that are there as they were written (`publish` does that).
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


def manifest_bytes(manifest: Manifest) -> bytes:
    """Give the manifest as it is written: JSON with sorted keys, a line for every file and card."""

    def written(value: object) -> bytes:
        # Whole entries at once: key by key, the manifest of 2,000 cards would take as long as laying them on sheets.
        if isinstance(value, list) and value:
            return b"[\n  " + b",\n  ".join(map(encode, value)) + b"\n ]"
        return encode(value)

    encode = msgspec.json.Encoder(order="sorted").encode
    rows = b",\n".join(b" %b: %b" % (encode(key), written(value)) for key, value in sorted(manifest.items()))
    return b"{\n%b\n}\n" % rows


def read_manifest(data: bytes) -> Manifest | None:
    """Give a manifest from its bytes, or None where they are not one."""
    try:
        read = json.loads(data)
    except (ValueError, RecursionError):
        return None
    is_ours = isinstance(read, dict) and str(read.get("program", "")).startswith("duckpress ")
    if not is_ours or not all(isinstance(read.get(key), str) for key in ("game", "title", "version")):
        return None
    if not _are_records(read.get("files"), frozenset(FileEntry.__annotations__) - {"backs"}):
        return None
    # Manifests written before rules sheets say nothing of papers, those before releases nothing of versions.
    if not _are_records(read.get("cards"), frozenset(CardEntry.__annotations__) - _LATER_KEYS):
        return None
    return cast(Manifest, {key: read.get(key) for key in Manifest.__required_keys__})


def _are_records(found: object, keys: frozenset[str]) -> bool:
    return isinstance(found, list) and all(isinstance(record, dict) and keys <= record.keys() for record in found)


def _file_entry(facts: FileFacts, data: bytes) -> FileEntry:
    return cast(FileEntry, {**facts._asdict(), "sha256": digest(data), "bytes": len(data)})


def _card_entry(facts: CardFacts) -> CardEntry:
    """Give a card's facts; those that are not known are left out."""
    entry = facts._asdict()
    if facts.bare is None:
        del entry["bare"], entry["bare_back"]
    for name in ("code", "changed"):
        if not entry[name]:
            del entry[name]
    return cast(CardEntry, entry)


def _print_run(entry: FileEntry | CardEntry) -> tuple[str, str, str]:
    """Give what decides which cards a file shows: piece, language, ink."""
    return entry["piece"], entry["language"], entry["ink"]


def _page_run(card: CardEntry) -> tuple[str, str, str, str | None]:
    """Give the print run of a card, and for a page of rules the paper that it is made for."""
    return *_print_run(card), card.get("paper")


def _by_run(cards: Iterable[CardEntry]) -> dict[tuple[str, str, str], dict[str | None, list[CardEntry]]]:
    runs: dict[tuple[str, str, str], dict[str | None, list[CardEntry]]] = {}
    for card in cards:
        runs.setdefault(_print_run(card), {}).setdefault(card.get("paper"), []).append(card)
    return runs


def _differ(new: Mapping[str | None, list[CardEntry]], old: Mapping[str | None, list[CardEntry]]) -> bool:
    """Tell whether a print run shows something else now; pages are compared on the papers that both have."""
    papers = new.keys() & old.keys()
    return not papers or any(_looks(new[paper]) != _looks(old[paper]) for paper in papers)


def _looks(cards: Iterable[CardEntry]) -> list[tuple[str, str, str, str | None, int]]:
    """Give what is printed of cards: a version by itself, which may not be known, is nothing printed."""
    return [(card["deck"], card["card"], card["frame"], card["back"], card["copies"]) for card in cards]


def _still_holding(
    edition: Edition, old: Manifest, files: Sequence[FileEntry], cards: Sequence[CardEntry]
) -> list[FileEntry]:
    """Give the old files that this build does not replace and that still show what the game is."""
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
    """Give what the file with everything and its cover sheet have in common."""
    return entry["paper"], entry["language"], entry["ink"], entry.get("backs", PLAIN_BACKS)
