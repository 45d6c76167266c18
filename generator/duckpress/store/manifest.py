"""What finished files are called, and the manifest: which files a folder of outputs holds, and which cards they show.

The manifest is plain data in a stable order: a `Manifest` as JSON. `created` is the source date (SOURCE_DATE_EPOCH) or
null, `frame` and `back` are frame hashes; `piece` of a file with every piece is `all`, of one whose pieces share sheets
`gang`, and `cover` of the cover sheet of such a file, which shows no cards of its own. Frames differ between languages
and inks, so a card is listed for each.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import asdict

from duckpress.core.backs import Backs
from duckpress.core.inks import PLAIN
from duckpress.core.problems import MachineError
from duckpress.model import Game

# What stands for the piece where a file holds every one of them, where several share their sheets, and where a sheet
# says how to print and cut the others.
ALL_PIECES, GANG, COVER = "all", "gang", "cover"
SUMS = (ALL_PIECES, GANG, COVER)  # files that speak of every piece


class FileFacts(Struct, frozen=True):
    """What a file is: how much paper it takes, and what was asked for."""

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
    """The game that is printed: names, version, source date (see `source_date`), the ids of all its pieces in order.

    With `keeps_papers` files for papers that are not printed stay, also where cards have changed.
    """

    game: str
    title: str
    version: str
    created: str | None
    pieces: tuple[str, ...]
    keeps_papers: bool = False


class Manifest(Struct, frozen=True):
    """A manifest, as written to JSON."""

    game: str
    title: str
    version: str
    created: str | None
    program: str
    files: list[FileEntry]
    cards: list[CardFacts]


def source_date(environ: Mapping[str, str]) -> str | None:
    """Return the date of the sources that SOURCE_DATE_EPOCH says, as ISO 8601 in UTC, or None where it says none.

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
    """Return the manifest as it is written: JSON with sorted keys, a line for every file and card."""

    def written(value: object) -> bytes:
        # Whole entries at once: key by key, the manifest of 2,000 cards would take as long as laying them on sheets.
        if isinstance(value, list) and value:
            return b"[\n  " + b",\n  ".join(map(encode, value)) + b"\n ]"
        return encode(value)

    encode = msgspec.json.Encoder(order="sorted").encode
    rows = b",\n".join(b" %b: %b" % (encode(key), written(value)) for key, value in sorted(asdict(manifest).items()))
    return b"{\n%b\n}\n" % rows


def read_manifest(data: bytes) -> Manifest | None:
    """Return a manifest from its bytes, or None where they are not one."""
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
    """Return what a name says of how something is printed: what is not usual, and a language unless it is empty."""
    words = backs.file_word, ink if ink != PLAIN else "", language
    return [word for word in words if word]
