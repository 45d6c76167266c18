"""Pages that were proven in earlier files, under hashes of their bytes and of all that was expected of them.

What is kept of a page is where everything lies on it, and the warnings of its faces: what only all pages together tell
is checked over all of them in every file. A page has the hash that it had if it and all that it refers to are the same
bytes, but for fonts: those have other glyphs in every file. Each font in a file is proven by itself, and a page that
was proven with it still says the same if the font still says the same of every glyph that it had then.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import suppress

import msgspec
from msgspec import Struct

from duckpress.core.problems import Problem
from duckpress.impose import Side
from duckpress.proof.expected import Expected, FrameOfCard
from duckpress.proof.face_proof import CheckedThing
from duckpress.proof.opened import OpenedPdf
from duckpress.proof.page_reader import PageReadings
from duckpress.proof.placing import PageLayout
from duckpress.proof.used_things import Called, FontRead
from duckpress.proof.written_objects import UnusualPdf, WrittenObjects, WrittenPage

_MOST_KEPT = 4  # times as many pages and fonts as the newest file has: older ones may be wanted again
_LEAST_KEPT = 500
_LEAST_FONTS = 100
_MOST_ASKED = 8  # of a page: what is asked of it once it is proven
_MOST_BYTES = 64_000_000  # of files proven last that are kept to be compared with the next ones


class _FontFacts(Struct, frozen=True):
    """What a page's proof takes from a font."""

    kind: str
    texts: Mapping[int, str]
    widths: Mapping[int, float]
    facts: tuple[float, float, bool, bool, bool]

    @classmethod
    def of(cls, font: FontRead) -> _FontFacts:
        """Return those of a font in a file."""
        facts = (font.ascent, font.descent, font.has_map, font.is_direct, font.is_compact)
        return cls(font.kind, font.texts, font.widths, facts)

    def extends(self, other: _FontFacts) -> bool:
        """Return whether it says of every glyph what another one says."""
        return (
            (self.kind, self.facts) == (other.kind, other.facts)
            and self.texts.items() >= other.texts.items()
            and self.widths.items() >= other.widths.items()
        )


class _KeptPage(Struct, frozen=True, array_like=True):
    """A proven page: what lies on it, the fonts that it was proven with, and the warnings of its faces, by name."""

    layout: PageLayout
    fonts: Mapping[str, bytes]
    warnings: Mapping[str, Sequence[Problem]]


_encode = msgspec.msgpack.Encoder().encode
_decode_page = msgspec.msgpack.Decoder(_KeptPage).decode
_decode = msgspec.msgpack.Decoder(tuple[dict[bytes, bytes], dict[bytes, _FontFacts], list[bytes]]).decode


class Proven:
    """What was proven: `things` (faces, pictures, fonts) in other files of this build, pages in earlier builds too.

    Without `keeps_pages` no page is looked up, and none is kept.
    """

    def __init__(self, data: bytes | None = None) -> None:
        """Take what `news` returned in an earlier run; anything else counts for nothing, and None for no other runs."""
        self.keeps_pages = data is not None
        self.things: set[bytes] = set()
        self._pages: dict[bytes, bytes] = {}
        self._read: dict[bytes, _KeptPage] = {}
        self._fonts: dict[bytes, _FontFacts] = {}
        self.settled: dict[bytes, None] = {}  # what was asked of proven sides, and right
        self._digests: dict[bytes, bytes] = {}
        self._files: dict[str, WrittenObjects] = {}
        self._sides: dict[int, tuple[Side, bytes]] = {}
        self._sides_before = self._sides
        with suppress(msgspec.MsgspecError):
            self._pages, self._fonts, settled = _decode(data or b"")
            self.settled = dict.fromkeys(settled)
        self._known = frozenset(self._pages)
        self._used: dict[bytes, None] = {}

    def begin(self) -> None:
        """Begin another build."""
        self.things.clear()
        self._used.clear()
        self._sides, self._sides_before = {}, self._sides

    def written(self, file: str, pdf: bytes) -> WrittenObjects:
        """Return the objects of a file; what is as it was in the file of that name proven last is not hashed again.

        Raises `UnusualPdf`.
        """
        objects = WrittenObjects(pdf, self._files.pop(file, None))
        if sum(one.size for one in self._files.values()) + objects.size <= _MOST_BYTES:
            self._files[file] = objects
        return objects

    def side(self, side: Side) -> bytes:
        """Return the hash of what is planned for a page, that of the last build where it is the very same side."""
        known = self._sides_before.get(id(side))
        if known is None:
            placed = [placement[2:] for placement in side.placements]
            known = side, hashlib.sha256(_encode((side.items, side.map, side.code, placed))).digest()
        self._sides[id(side)] = known
        return known[1]

    def digest(self, key: bytes) -> bytes | None:
        """Return the hash of a page's key and of what is kept of it; None where it was proven just now."""
        digest = self._digests.get(key)
        if digest is None and (written := self._pages.get(key)) is not None:
            digest = self._digests[key] = hashlib.sha256(key + written).digest()
        return digest

    def news(self) -> bytes:
        """Return all that is worth keeping as bytes, what this build used last; empty where nothing is new."""
        if self._used.keys() <= self._known:
            return b""
        keys = _newest(self._pages, self._used, _LEAST_KEPT)
        pages = {key: self._pages.get(key) or _encode(self._read[key]) for key in keys}
        self._read = {key: self._read[key] for key in self._used}
        fonts = dict.fromkeys(digest for page in self._read.values() for digest in page.fonts.values())
        # A page whose fonts are gone is proven again.
        self._fonts = {digest: self._fonts[digest] for digest in _newest(self._fonts, fonts, _LEAST_FONTS)}
        self._pages = pages
        self._known = frozenset(pages)
        self._digests = {key: digest for key, digest in self._digests.items() if key in pages}
        self.settled = dict.fromkeys([*self.settled][-_MOST_ASKED * len(pages) :])
        return _encode((pages, self._fonts, list(self.settled)))

    def page(self, key: bytes, fonts: Mapping[str, _FontFacts]) -> _KeptPage | None:
        """Return a page that was proven with fonts of which those in the file say the same and more."""
        page = self._read.get(key)
        if page is None:
            written = self._pages.get(key)
            if written is None:
                return None
            try:
                page = self._read[key] = _decode_page(written)
            except msgspec.MsgspecError:
                return None
        for name, digest in page.fonts.items():
            before, now = self._fonts.get(digest), fonts.get(name)
            if before is None or now is None or not (before is now or now.extends(before)):
                return None
        self._used[key] = None
        return page

    def keep(self, key: bytes, page: _KeptPage) -> None:
        """Keep a page that was proven."""
        self._read[key] = page
        self._used[key] = None

    def font(self, facts: _FontFacts) -> tuple[bytes, _FontFacts]:
        """Return the hash of what a font says, and the facts under it."""
        digest = hashlib.sha256(_encode(facts)).digest()
        return digest, self._fonts.setdefault(digest, facts)


def _newest(kept: Mapping[bytes, object], used: Mapping[bytes, object], least: int) -> list[bytes]:
    """Return the keys that were used, behind as many older ones as are worth keeping."""
    most = max(_MOST_KEPT * len(used), least) - len(used)
    old = [key for key in kept if key not in used]
    return [*old[-most:], *used]


class FileProof:
    """The pages of one file: which of them were proven before, and what is to be kept of the others."""

    def __init__(
        self,
        pdf: bytes,
        document: OpenedPdf,
        expected: Expected,
        frames: Mapping[str, FrameOfCard],
        proven: Proven,
        file: str,
    ) -> None:
        self._proven = proven
        self._frames = frames
        self._written: dict[int, WrittenPage] = {}
        self._keys: dict[int, bytes] = {}
        self._digests: dict[str, bytes] = {}
        self.readings: dict[int, PageReadings] = {}
        fonts: dict[str, _FontFacts] = {}
        self.fonts: dict[Called, None] = {}
        pages: list[WrittenPage] = []
        self.digests: dict[int, bytes] = {}
        with suppress(UnusualPdf):
            if proven.keeps_pages:
                objects, (numbers, parent) = proven.written(file, pdf), document.page_numbers()
                pages = [objects.page(number, parent) for number in numbers]
        for index, page in enumerate(pages):
            key = self._key(index, page, expected)
            if key is not None:
                self._written[index], self._keys[index] = page, key
                self.fonts |= dict.fromkeys(call for call in page.called if call[0].startswith("F-"))
        for name, number in self.fonts:
            self._digests[name], fonts[name] = proven.font(_FontFacts.of(document.font(number)))
        for index, key in self._keys.items():
            kept = proven.page(key, fonts)
            if kept is not None and kept.warnings.keys() <= set(map(self._name, self._faces(index))):
                self.readings[index] = self._reading(index, kept)
                digest = proven.digest(key)
                if digest is not None:
                    self.digests[index] = digest

    def _key(self, index: int, page: WrittenPage, expected: Expected) -> bytes | None:
        """Return the hash of a page and of all that is expected of it; None where it calls what nobody knows."""
        faces = []
        for name, _ in page.called:
            kind, _, key = name.partition("-")
            if kind == "C":
                if key not in self._frames:
                    return None
                faces.append((key, self._frames[key][1].is_cut))
            elif (kind == "D" and key not in expected.drawings) or (kind == "P" and key not in expected.pictures):
                return None
        asked = (
            page.digest,
            faces,
            None if expected.printer is None else (repr(expected.printer), index % 2),
            [self._proven.side(side) for side in expected.sides[index : index + 1]],
            expected.paper,
            expected.margin_mm,
            expected.duplex,
            expected.backs_turn,
            expected.cut,
            expected.is_grey,
            bool(expected.pictures),
        )
        return hashlib.sha256(_encode(asked)).digest()

    def _reading(self, index: int, kept: _KeptPage) -> PageReadings:
        """Return a page that was proven before as if it had been read now."""
        called = self._written[index].called
        faces = {
            call: CheckedThing(list(kept.warnings.get(self._name(call), ())), page=index + 1)
            for call in self._faces(index)
        }
        things = {call: CheckedThing([]) for call in called if call[0].startswith(("D-", "P-", "G-"))}
        layers = [call for call in called if call[0].startswith("L-")]
        return PageReadings({index: kept.layout}, [], layers, faces, things, ())

    def _faces(self, index: int) -> list[Called]:
        return [call for call in self._written[index].called if call[0].startswith("C-")]

    def _name(self, call: Called) -> str:
        _, face, side = self._frames[call[0].removeprefix("C-")]
        return f"the {side} of {face}"

    def keep(self, layouts: Mapping[int, PageLayout], faces: Mapping[Called, CheckedThing]) -> None:
        """Keep the pages of a file in which nothing was wrong."""
        for index in self._written.keys() - self.readings.keys():
            warnings = {self._name(call): faces[call].problems for call in self._faces(index) if faces[call].problems}
            called = self._written[index].called
            fonts = {name: self._digests[name] for name, _ in called if name in self._digests}
            self._proven.keep(self._keys[index], _KeptPage(layouts[index], fonts, warnings))
