"""A scan or a PDF, and the editions of a workspace -> whose copies its pages are of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from duckpress.core.problems import Problem, Source
from duckpress.files.workspace import Refused, read_plain_file
from duckpress.marks.scan_pages import ScanFile
from duckpress.marks.scan_reading import ScanReading, read_scan
from duckpress.store.edition_keys import key_file, read_key
from duckpress.store.output_places import read_whole

_MANIFEST = "manifest.json"
_MOST_BYTES = 100_000_000  # of a manifest
_EDITION = "edition"
_ZIP = b"PK\3\4"


class KnownEdition(Struct, frozen=True):
    """An edition: its folder, its key, its game, and the ids of its copies by their numbers."""

    folder: Path
    key: bytes
    game: str
    copies: Mapping[int, str]


class PageOwner(Struct, frozen=True):
    """Whose copy a page of a file is of, counted from 1: the number and the edition; `why` says why nobody knows."""

    page: int
    number: int | None = None
    edition: KnownEdition | None = None
    why: str = ""
    dots: int = 0  # that were read

    @property
    def id(self) -> str | None:
        """The copy's id, where the edition lists it."""
        return None if self.edition is None or self.number is None else self.edition.copies.get(self.number)


class FileOwners(Struct, frozen=True):
    """What was found out of a file, page by page; why it could not be read is a problem."""

    file: str
    pages: tuple[PageOwner, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def is_known(self) -> bool:
        """Whether any page says whose it is."""
        return any(page.number is not None for page in self.pages)


def known_editions(out: Path, chosen: Sequence[Path]) -> list[KnownEdition]:
    """Return editions with their keys: in folders that are `chosen`, else all that lie among the outputs."""
    folders = chosen or sorted(path.with_name(_EDITION) for path in out.glob(f"*/{key_file(Path(_EDITION)).name}"))
    editions = []
    for folder in folders:
        key = read_key(folder)
        if key is not None:
            editions.append(_edition(folder, key))
    return editions


class _ListedCopy(Struct, frozen=True):
    id: str
    number: int


class _Listed(Struct, frozen=True):
    """What is read of a manifest, that of an edition or that of one of its folders."""

    game: str = ""
    shards: Sequence[str] = ()
    copies: Sequence[_ListedCopy] | int = ()


def _edition(folder: Path, key: bytes) -> KnownEdition:
    whole = _listed(folder)
    copies: dict[int, str] = {}
    for name in whole.shards:
        listed = _listed(folder / Path(name).name).copies
        copies |= {copy.number: copy.id for copy in (listed if not isinstance(listed, int) else ())}
    return KnownEdition(folder, key, whole.game or folder.parent.name, copies)


def _listed(folder: Path) -> _Listed:
    with suppress(OSError, msgspec.MsgspecError, RecursionError):
        return msgspec.json.decode(read_whole(folder / _MANIFEST, _MOST_BYTES), type=_Listed)
    return _Listed()


def owners(path: Path, editions: Sequence[KnownEdition]) -> FileOwners:
    """Return whose copies the pages of a file are of. Problems: `not-a-file`, `file-too-large`, `unreadable-scan`."""
    name, source = str(path), Source(str(path))
    try:
        data = read_plain_file(path, "scan-file")
    except Refused as refused:
        return FileOwners(name, problems=(refused.problem(source),))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        return FileOwners(name, problems=(Problem("not-a-file", source, f"it cannot be read: {reason}"),))
    if data.startswith(_ZIP):
        what, fix = "this is a zip, such as a bundle", "unpack it, and name the PDF that was in it"
        return FileOwners(name, problems=(Problem("unreadable-scan", source, what, fix),))
    by_key = {edition.key: edition for edition in editions}
    pages, problems = [], []
    for one in read_scan(ScanFile(path.name, data), list(by_key)):
        pages.append(_owner(one, by_key))
        if one.why:
            what, _, fix = one.why.partition("; ")
            problems.append(Problem("unreadable-scan", source, what, fix))
    return FileOwners(name, tuple(sorted(pages, key=lambda page: page.page)), tuple(dict.fromkeys(problems)))


def _owner(one: ScanReading, by_key: Mapping[bytes, KnownEdition]) -> PageOwner:
    reading, page = one.reading, one.page + 1
    if reading.number is not None:
        return PageOwner(page, reading.number, by_key[reading.key], "", reading.dots)
    if one.why:
        why = one.why.partition("; ")[0]
    elif reading.is_marked:
        why = "it has the dots of a copy, but of no edition whose key is here, or too few of them are left"
    else:
        why = "no dots of a copy are to be seen on it"
    return PageOwner(page, why=why, dots=reading.dots if reading.is_marked else 0)
