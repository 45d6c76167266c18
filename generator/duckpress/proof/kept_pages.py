"""Pages that were proven in earlier files, under hashes of their bytes and of all that was expected of them.

What is kept of a page is where everything lies on it, and the warnings of its faces: what only all pages together tell
is checked over all of them in every file. A page has the hash that it had if it and all that it refers to are the same
bytes, but for fonts: those have other glyphs in every file. Each font in a file is proven by itself, and a page that
was proven with it still says the same if the font still says the same of every glyph that it had then.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType

import msgspec
from msgspec import Struct

from duckpress.core.kept import Kept
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
_MOST_THINGS = 100_000
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


_Place = tuple[int, tuple[Called, ...]]
"""Which page of a file it is, and what it calls there."""


class _KeptPage(Struct, frozen=True, array_like=True):
    """A proven page: what lies on it, the fonts that it was proven with, and the warnings of its faces, by name."""

    layout: PageLayout
    fonts: Mapping[str, bytes]
    warnings: Mapping[str, Sequence[Problem]]


_encode = msgspec.msgpack.Encoder().encode
_decode_page = msgspec.msgpack.Decoder(_KeptPage).decode
_decode = msgspec.msgpack.Decoder(tuple[dict[bytes, bytes], dict[bytes, _FontFacts]]).decode


class Proven:
    """What was proven: pages, also by earlier programs; `things` (faces, pictures, fonts), by this one.

    Without `keeps_pages` no page is looked up, and none is kept.
    """

    def __init__(self, data: bytes | None = None) -> None:
        """Take what `news` returned in an earlier run; anything else counts for nothing, and None for no other runs."""
        self.keeps_pages = data is not None
        self.things: set[bytes] = set()
        self._pages: dict[bytes, bytes] = {}
        self._read: dict[bytes, _KeptPage] = {}
        self._fonts: dict[bytes, _FontFacts] = {}
        self._files: dict[str, WrittenObjects] = {}
        self._sides: dict[tuple[int, ...], tuple[Side, bytes]] = {}
        self._sides_before = self._sides
        self._extending: dict[tuple[int, int], bool] = {}
        self.keys = defaultdict[str, Kept[WrittenPage, object, bytes]](Kept)  # by files
        self.readings = defaultdict[str, Kept[_KeptPage, _Place, PageReadings]](Kept)
        with suppress(msgspec.MsgspecError):
            self._pages, self._fonts = _decode(data or b"")
        self._known = frozenset(self._pages)
        self._used: dict[bytes, None] = {}

    def branch(self) -> Proven:
        """Return what begins with all that is proven here; what is proven with it is its own."""
        self.news()  # which lets go of what is not used any more
        other = Proven(b"")
        other.things, other._files = {*self.things}, {**self._files}
        other._pages, other._read, other._fonts = {**self._pages}, {**self._read}, {**self._fonts}
        return other

    def begin(self) -> None:
        """Begin another build."""
        if not self.keeps_pages or len(self.things) > _MOST_THINGS:
            self.things.clear()
        self._used.clear()
        self._extending.clear()
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
        """Return the hash of what is planned for a page, that of the last build where it is the very same side.

        What is only a copy's own is not covered: it is held against its stream in each file.
        """
        parts = (id(side.placements), id(side.items), id(side.map), id(side.code))
        known = self._sides_before.get(parts)
        if known is None:
            placed = [placement[2:] for placement in side.placements]
            known = side, hashlib.sha256(_encode((side.items, side.map, side.code, placed))).digest()
        self._sides[parts] = known
        return known[1]

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
        return _encode((pages, self._fonts))

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
            if before is None or now is None or not (before is now or self._extends(now, before)):
                return None
        self._used[key] = None
        return page

    def _extends(self, now: _FontFacts, before: _FontFacts) -> bool:
        """Return whether a font says what another one says; most pages of a file were proven with the same ones."""
        key = id(now), id(before)  # both of which are kept
        if key not in self._extending:
            self._extending[key] = now.extends(before)
        return self._extending[key]

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
        pages: list[WrittenPage] = []
        with suppress(UnusualPdf):
            if proven.keeps_pages:
                objects, (numbers, parent) = proven.written(file, pdf), document.page_numbers()
                pages = [objects.page(number, parent) for number in numbers]
        art = {*(f"D-{key}" for key in expected.drawings), *(f"P-{key}" for key in expected.pictures)}
        for index, (page, key) in enumerate(zip(pages, self._page_keys(pages, expected, file), strict=True)):
            if page.art <= art and all(map(frames.__contains__, page.faces)):  # else it calls what nobody knows
                self._written[index], self._keys[index] = page, key
        called = {page.fonts: None for page in self._written.values()}
        self.fonts = dict.fromkeys(call for fonts in called for call in fonts)
        facts: dict[str, _FontFacts] = {}
        for name, number in self.fonts:
            self._digests[name], facts[name] = proven.font(_FontFacts.of(document.font(number)))
        self._find(facts, file)

    def _page_keys(self, pages: Sequence[WrittenPage], expected: Expected, file: str) -> list[bytes]:
        """Return the hashes of pages with all that is expected of them."""
        uncut = frozenset(name for name, (_, face, _) in self._frames.items() if not face.is_cut)
        printer = expected.printer
        of_all = (
            None if printer is None else repr(printer),
            expected.paper,
            expected.margin_mm,
            expected.duplex,
            expected.backs_turn,
            expected.cut,
            expected.is_grey,
            bool(expected.pictures),
        )
        of_each = (
            (
                None if printer is None else index % 2,
                [self._proven.side(page.side) for page in expected.pages[index : index + 1]],
                [] if uncut.isdisjoint(page.faces) else [name in uncut for name in page.faces],
            )
            for index, page in enumerate(pages)
        )

        def key(page: WrittenPage, given: object) -> bytes:
            return hashlib.sha256(_encode((page.digest, page.faces, given, of_all))).digest()

        return self._proven.keys[file].each(pages, of_each, key, of_all)

    def _find(self, fonts: Mapping[str, _FontFacts], file: str) -> None:
        """Find the pages that were proven before."""
        known = {index: self._proven.page(key, fonts) for index, key in self._keys.items()}
        found = {index: kept for index, kept in known.items() if kept is not None}
        plain = {index: kept for index, kept in found.items() if not kept.warnings}
        places = ((index, self._written[index].called) for index in plain)
        readings = self._proven.readings[file].each(plain.values(), places, _reading)
        self.readings.update(zip(plain, readings, strict=True))
        for index, kept in found.items():
            called = self._written[index].called
            if kept.warnings and kept.warnings.keys() <= set(map(self._name, self._faces(index))):
                warnings = {call: kept.warnings.get(self._name(call), ()) for call in self._faces(index)}
                self.readings[index] = _reading(kept, (index, called), warnings)

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


def _reading(
    kept: _KeptPage, place: _Place, warnings: Mapping[Called, Sequence[Problem]] = MappingProxyType({})
) -> PageReadings:
    """Return a page that was proven before as if it had been read now."""
    index, called = place
    faces = {
        call: CheckedThing(list(warnings.get(call, ())), page=index + 1) for call in called if call[0].startswith("C-")
    }
    things = {call: CheckedThing([]) for call in called if call[0].startswith(("D-", "P-", "G-"))}
    layers = [call for call in called if call[0].startswith("L-")]
    return PageReadings({index: kept.layout}, [], layers, faces, things, ())
