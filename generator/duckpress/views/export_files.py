"""The common parts of all exports: the request, the list of their files, and writing a folder of them."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import Struct

from duckpress import __version__
from duckpress.core.problems import MachineError
from duckpress.layout import LaidOut
from duckpress.model import Game
from duckpress.press.build_cache import MadeFile
from duckpress.press.reading import Checked
from duckpress.store import OutputFolder, is_as_written, read_whole
from duckpress.store.manifest import digest
from duckpress.views.pictures import PaintedFile, PictureSet

if TYPE_CHECKING:
    from duckpress.vendors import Vendor

Files = dict[str, bytes | PaintedFile]
MANIFEST = "manifest.json"
NOTHING_PAINTED = PictureSet({}, ())


class MadeFiles(NamedTuple):
    """The files of an export, the facts for its manifest, and the remarks for the user.

    `checked` is the game with what was found as they were made, if anything was.
    """

    files: Files
    facts: Mapping[str, Any] = {}
    said: Sequence[str] = ()
    checked: Checked | None = None


class ExportRequest(Struct, frozen=True):
    """What to export, and how: `to` is `png`, `preview`, `showcase`, a virtual table or a vendor's id.

    A virtual table's sheets have `max_px` a side at most, as many as it loads without. Without `pieces` those that
    stand for another are left out. With `players` the table is set as a deal of this seed and variant comes out.
    A preview can show cards in every other language, and in other inks, beside.
    """

    to: str
    vendor: Vendor | None = None
    dpi: float = 300.0
    has_bleed: bool = False
    language: str | None = None
    ink: str = "color"
    pieces: tuple[str, ...] = ()
    max_px: int | None = None
    url: str = ""
    players: int | None = None
    seed: str = "1"
    variant: str | None = None
    every_language: bool = False
    other_inks: tuple[str, ...] = ()


def chosen_pieces(checked: Checked, request: ExportRequest) -> list[LaidOut]:
    """Return the pieces with cards; pieces that replace another only if they are named."""
    return [one for one in checked.pieces if one.faces and (request.pieces or one.piece.instead_of is None)]


def manifest_bytes(
    request: ExportRequest, game: Game, files: Mapping[str, bytes], painted: PictureSet, more: Mapping[str, Any]
) -> bytes:
    """Return the list of an export's files, with their inputs; the same content gives the same bytes."""
    facts = {**painted.files, **{name: MadeFile(digest(data), len(data)) for name, data in files.items()}}
    data = {
        "program": f"duckpress {__version__}",
        "export": request.to,
        "game": game.id,
        "title": game.title,
        "version": game.version,
        "language": game.language,
        "ink": request.ink,
        **more,
        "files": [{"name": name, "sha256": facts[name].sha256, "bytes": facts[name].bytes} for name in sorted(facts)],
    }
    return json_bytes(data)


def json_bytes(data: Any) -> bytes:
    """Return data as readable JSON, as `json.dumps` writes it with `indent`, in a tenth of its time."""
    return msgspec.json.format(msgspec.json.encode(data), indent=2) + b"\n"


def write_export(
    target: OutputFolder, kind: str, files: Mapping[str, bytes], painted: PictureSet = NOTHING_PAINTED
) -> None:
    """Write an export's files into the folder of its kind and remove unchanged files of an earlier export.

    That folder lies in the target, the folder of the game's outputs.
    """
    folder = target.folder / kind
    stale = [
        name
        for name, known in _written_before(folder)
        if name not in files and name not in painted.files and is_as_written(folder, name, known)
    ]
    target.write(
        {f"{kind}/{name}": data for name, data in files.items()},
        [f"{kind}/{name}" for name in stale],
        [f"{kind}/{name}" for name in painted.staged],
    )


def _written_before(folder: Path) -> list[tuple[str, str]]:
    """Return name and hash of the files of an earlier export; `MachineError` for a manifest that is not one of ours."""
    path = folder / MANIFEST
    if not os.path.lexists(path):
        return []
    try:
        data = json.loads(read_whole(path))
        if data.get("export", data.get("vendor")) != folder.name:
            raise ValueError
        names = [(str(entry["name"]), str(entry["sha256"])) for entry in data["files"]]
        return [(name, known) for name, known in names if not name.startswith("/") and name.count("/") < 3]
    except OSError as error:
        raise MachineError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from error
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        message = f"{path} was not written by duckpress: move it away, or choose another folder with --out"
        raise MachineError(message) from error
