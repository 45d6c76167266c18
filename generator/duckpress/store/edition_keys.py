"""The key of an edition's dots, in a file beside its folder: who has it can tell whose a copy is, and make others."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from duckpress.store.file_writing import write_file
from duckpress.store.output_places import read_whole

_ENDING = ".key"
_WORDS = "# Reads the marks of the copies beside, and could forge them: keep it, and give it to nobody.\n"
_KEY = re.compile(r"(?m)^[0-9a-f]{64}$", re.ASCII)
_MOST_BYTES = 10_000


def key_file(folder: Path) -> Path:
    """Return where the key of the edition in a folder lies: beside it, as the folder may be given away."""
    return folder.with_name(folder.name + _ENDING)


def keep_key(folder: Path, key: bytes) -> None:
    """Write the key of the edition in a folder, for its owner alone. Raises `MachineError`."""
    if read_key(folder) != key:
        write_file(key_file(folder), f"{_WORDS}{key.hex()}\n".encode(), mode=0o600)


def read_key(folder: Path) -> bytes | None:
    """Return the key of the edition in a folder; None where there is none that can be read."""
    with suppress(OSError):
        found = _KEY.search(read_whole(key_file(folder), _MOST_BYTES).decode("ascii", "replace"))
        return None if found is None else bytes.fromhex(found[0])
    return None
