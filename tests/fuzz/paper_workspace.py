"""A workspace whose own files are in memory, for thousands of games a minute; the bundled ones are on the disk."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from duckpress.core.limits import limit
from duckpress.files.workspace import Refused, Workspace, bundled_root

_MARK = re.compile(rb"^@@ ([^\n]{1,200})\n", re.MULTILINE)


def parts_of(data: bytes) -> dict[str, bytes]:
    """Cut a text at its lines `@@ name` into parts by name; what stands before the first is the part without a name."""
    first, *rest = _MARK.split(data)
    parts = {"": first} if first else {}
    for name, content in zip(rest[::2], rest[1::2], strict=True):
        parts.setdefault(name.decode("utf-8", "replace"), content)
    return parts


class PaperWorkspace(Workspace):
    """The files given, and behind them the bundled layouts and fonts."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        super().__init__(Path(os.devnull), bundled_root())
        self._files = dict(files)

    def read(self, path: str, limited_by: str = "text-file") -> bytes:
        """Return a file's bytes, with the refusals of a real workspace where its name or size is at fault."""
        data = self._files.get(path)
        if data is None:
            if path.startswith("content/") and not path.startswith(("content/.", "content/..")):
                raise Refused("missing-file", f"there is no file {path!r}", "check the name and the folder")
            return super().read(path, limited_by)
        if len(data) > limit(limited_by):
            raise Refused("file-too-large", f"{path!r} is larger than allowed", "make it smaller")
        return data

    def read_all(self, path: str, limited_by: str = "text-file") -> list[bytes]:
        """Return the own file and the bundled one."""
        own = [self._files[path]] if path in self._files else []
        return own + super().read_all(path, limited_by)

    def has(self, path: str) -> bool:
        """Return whether there is a file of that path."""
        return path in self._files or (not path.startswith("content/") and super().has(path))

    def _names(self, folder: str, suffixes: tuple[str, ...], *, want_folders: bool) -> Iterator[str]:
        for path in self._files:
            if path.startswith(f"{folder}/"):
                name, below, _ = path[len(folder) + 1 :].partition("/")
                is_wanted = bool(below) if want_folders else not below and name.endswith(suffixes)
                if is_wanted and name and not name.startswith("."):
                    yield f"{folder}/{name}"
        if not folder.startswith("content"):
            yield from super()._names(folder, suffixes, want_folders=want_folders)
