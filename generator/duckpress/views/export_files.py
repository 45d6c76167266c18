"""What all exports have in common: the request, the list of their files, and how a folder of them is written."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from duckpress import __version__
from duckpress.core.problems import MachineError
from duckpress.layout import LaidOut
from duckpress.store import OutputFolder, is_as_written, read_whole
from duckpress.views.face_pictures import ShownGame

Files = dict[str, bytes]
Step = Callable[[str], None]
MANIFEST = "manifest.json"
_PROGRAM = f"duckpress {__version__}"


class ExportRequest(Struct, frozen=True):
    """What to export, and how: `to` is `png` or `tts`; a virtual table's sheets have `max_px` a side at most."""

    to: str
    dpi: float = 300.0
    has_bleed: bool = False
    language: str | None = None
    ink: str = "color"
    pieces: tuple[str, ...] = ()
    max_px: int = 4096
    url: str = ""


def chosen_pieces(shown: ShownGame, *, is_by_name: bool) -> list[LaidOut]:
    """Return the pieces with cards; those that stand for another one only where they were named."""
    return [one for one in shown.checked.pieces if one.faces and (is_by_name or one.piece.instead_of is None)]


def manifest_bytes(
    request: ExportRequest, shown: ShownGame, files: Mapping[str, bytes], more: Mapping[str, Any]
) -> bytes:
    """Return the list of an export's files, with what they were made of; the same content gives the same bytes."""
    game = shown.checked.game
    assert game is not None
    data = {
        "program": _PROGRAM,
        "export": request.to,
        "game": game.id,
        "title": game.title,
        "version": game.version,
        "language": game.language,
        "ink": request.ink,
        **more,
        "files": [{"name": name, "sha256": _digest(files[name]), "bytes": len(files[name])} for name in sorted(files)],
    }
    return (json.dumps(data, ensure_ascii=False, indent=2) + "\n").encode()


def write_export(held: OutputFolder, kind: str, files: Mapping[str, bytes]) -> None:
    """Write an export's files into the folder of its kind and remove those of an earlier one that are as it left them.

    That folder lies in the one held, that of the game's outputs.
    """
    before = _written_before(held.folder / kind)
    stale = [name for name, digest in before if name not in files and is_as_written(held.folder / kind, name, digest)]
    held.write({f"{kind}/{name}": data for name, data in files.items()}, [f"{kind}/{name}" for name in stale])


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
        return [(name, digest) for name, digest in names if not name.startswith("/") and name.count("/") < 2]
    except OSError as error:
        raise MachineError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from error
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        message = f"{path} was not written by duckpress: move it away, or choose another folder with --out"
        raise MachineError(message) from error


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
