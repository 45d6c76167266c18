"""The cache of laid-out faces, each with its dependencies, as plain data.

A face is found by the hash of its finished XML (what included and imported templates, values, translations and macros
made of it) and of how it is laid out: size, sizes set in common. It is used only where everything it uses besides
(`uses`: colours, styles, fonts, files, icons) is answered today as it was then. Asking is what laying out would do too,
so files are read and what is wrong in them is told just the same. Faces with anything to tell about them are never
kept: they are laid out every time.

A pack for each piece, language and ink has the faces, and the uses with their answers by the first letters of the hash
of both, as most faces of a deck use the same. Every field is looked at for its kind when it is read. So are a face's
items, when they come from the worker that made them; what the seal holds of earlier runs is read when somebody wants to
see it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

import msgspec
from msgspec import field
from msgspec.structs import replace

from duckpress.art.svg.file import VectorArt
from duckpress.art.svg.paint import Lines
from duckpress.core.frame import Frame, read_items
from duckpress.core.geometry import Size
from duckpress.core.paths import Record
from duckpress.core.sizes import Format
from duckpress.files.memo import Pack
from duckpress.layout import laid_out as kinds
from duckpress.layout.elements.images import BACK, shown_as
from duckpress.layout.elements.layout_context import LayoutContext
from duckpress.layout.face_xml import MARK
from duckpress.text.fonts import FontLibrary, Typeface

_USE_LETTERS = 16

ShrunkText = tuple[str, float, float]
"""The style of a text that had to shrink, its size in points and the size it got."""


class KnownFace(NamedTuple):
    """A cached face: the frame, the sizes of texts to be set alike, the texts that shrank."""

    frame: Frame
    together: dict[str, float]
    shrunk: list[ShrunkText]


class KnownEntry(Record, frozen=True):
    """A cached face as it is stored: its key, its dependencies' names, the frame's hash and items (`written_items`)."""

    key: str
    uses: tuple[str, ...]
    frame_hash: str
    together: dict[str, float]
    shrunk: list[ShrunkText]
    items: bytes

    def face(self, format_: Format) -> KnownFace:
        frame = Frame.of_hash(format_.trim, format_.bleed_mm, self.items, self.frame_hash)
        return KnownFace(frame, self.together, self.shrunk)


AnsweredUse = tuple[kinds.Use, str]
"""A use, and how it was answered."""


class NewFaces(Record, frozen=True):
    """New entries of faces, and their dependencies, each with its answer."""

    uses: list[AnsweredUse] = field(default_factory=list)
    entries: list[KnownEntry] = field(default_factory=list)


_encode = msgspec.msgpack.Encoder().encode
_read_entry = msgspec.msgpack.Decoder(KnownEntry).decode
_use_decoder: msgspec.msgpack.Decoder[AnsweredUse] = msgspec.msgpack.Decoder(AnsweredUse)


class KnownFaces:
    """The cached faces of one piece in one language and ink, in a pack; `laid_out` counts newly made ones."""

    def __init__(self, pack: Pack | None = None) -> None:
        self.laid_out = 0
        self._pack = Pack() if pack is None else pack
        self._entries: dict[str, KnownEntry] = {}  # that were read or made since this was opened
        self._faces: dict[str, KnownFace] = {}
        self._marked: set[tuple[str, ...]] = set()
        self._new = NewFaces()

    def entry(self, key: str) -> KnownEntry | None:
        """Return a stored face; None if there is none, or if the entry is invalid."""
        body = self._pack.get(key.encode())
        if body is not None and key not in self._entries:
            with suppress(msgspec.MsgspecError, RecursionError):
                self._entries[key] = _read_entry(body)
        return self._entries.get(key) if body is not None else None

    def use(self, name: str) -> AnsweredUse:
        """Return the dependency of a name with its answer. Raises `ValueError` if there is none."""
        return _use_decoder.decode(self._pack.get(name.encode()) or b"")

    def face(self, key: str, format_: Format) -> KnownFace | None:
        """Return a cached face, or None; `Reuse.is_fresh` tells whether its dependencies are unchanged."""
        entry = self.entry(key)
        if entry is not None and key not in self._faces:
            self._faces[key] = entry.face(format_)
            if entry.uses not in self._marked:
                self._marked.add(entry.uses)
                for name in entry.uses:
                    self._pack.get(name.encode())  # what is used is kept
        return None if entry is None else self._faces[key]

    def take(self, new: NewFaces, made: int) -> None:
        """Add the entries that a worker made in this run, and the number of faces it made."""
        for answered in new.uses:
            self._pack.put(_name_of(answered).encode(), _encode(answered))
        for entry in new.entries:
            with suppress(ValueError):  # a worker may have been taken over, and answer with what is no face
                read_items(entry.items)
                self._put(entry)
        self.laid_out += made

    def _put(self, entry: KnownEntry) -> None:
        if self._entries.get(entry.key) is not entry:
            self._entries[entry.key] = entry
            self._faces.pop(entry.key, None)
            self._pack.put(entry.key.encode(), _encode(entry))

    def keep(self, entry: KnownEntry) -> None:
        """Cache a newly laid out face."""
        self._put(entry)
        self._new.entries.append(entry)

    def name(self, use: AnsweredUse) -> str:
        """Store a dependency with its answer, and return its name."""
        name = _name_of(use)
        if self._pack.get(name.encode()) is None:
            self._pack.put(name.encode(), _encode(use))
            self._new.uses.append(use)
        return name

    def news(self) -> NewFaces:
        """Return the entries added since the last call."""
        news, self._new = self._new, NewFaces()
        return news

    def forget(self, keys: Iterable[str]) -> None:
        """Drop invalid faces."""
        for key in keys:
            self._pack.drop(key.encode())
            self._entries.pop(key, None)


def _name_of(answered: AnsweredUse) -> str:
    return hashlib.sha256(_encode(answered)).hexdigest()[:_USE_LETTERS]


_MARKS = re.compile(rf' {MARK}="\d+"')


class Reuse:
    """Finds the faces of one piece in the cache, and adds newly laid out ones."""

    def __init__(self, known: KnownFaces, context: LayoutContext, fonts: FontLibrary) -> None:
        self.known = known
        self._context = context
        self._fonts = fonts
        self._answers: dict[kinds.Use, str] = {}
        self._is_as_it_was: dict[str, bool] = {}  # by the names of uses
        self._named: dict[tuple[kinds.Use, ...], tuple[str, ...]] = {}
        self._digests: dict[str, str] = {}

    def key(self, xml: str, format_: Format) -> str:
        """Return the cache key of the face of an XML text, for the current card."""
        context = self._context
        # Where a text may name fields, the card's fields are part of what the face is made of.
        values = dict(context.values) if "{=" in xml or "&#" in xml else None
        how = repr((format_[1:], sorted(context.forced_pt.items()), values))
        parts = how, _MARKS.sub("", xml)
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]

    def is_fresh(self, key: str) -> bool:
        """Return whether a face is cached and its dependencies are unchanged; this reads files as layout does."""
        entry = self.known.entry(key)
        try:
            if entry is None or not all(map(self._is_fresh_use, entry.uses)):
                return False
            uses = [self.known.use(name)[0] for name in entry.uses]
        except (ValueError, TypeError, KeyError, IndexError, RecursionError):
            return False  # it was not written by this program, or not in this way
        self._context.decorations.update((use[1], use[2]) for use in uses if use[0] == kinds.ORNAMENT)
        return True

    def _is_fresh_use(self, name: str) -> bool:
        if name not in self._is_as_it_was:
            use, answer = self.known.use(name)
            self._is_as_it_was[name] = self._answer(use) == answer
        return self._is_as_it_was[name]

    def keep(self, entry: KnownEntry, uses: Sequence[kinds.Use]) -> None:
        """Cache a newly laid out face, with its dependencies."""
        all_uses = tuple(uses)
        names = self._named.get(all_uses)  # most faces of a deck ask the same things in the same order
        if names is None:
            in_order = sorted(set(all_uses), key=lambda use: (kinds.ORDER.index(use[0]), use))
            names = self._named[all_uses] = tuple([self.known.name((use, self._answer(use))) for use in in_order])
        self.known.keep(replace(entry, uses=names))

    def _answer(self, use: kinds.Use) -> str:
        answer = self._answers.get(use)
        if answer is None:
            answer = self._answers[use] = self._answer_now(use)
        return answer

    def _answer_now(self, use: kinds.Use) -> str:
        look, art = self._context.look, self._context.art
        match use:
            case (kinds.COLOUR, role):
                return f"{look.colour(role)}"
            case (kinds.STYLE, name):
                return repr(look.styles.get(name))
            case (kinds.FONT, family, weight, lean):
                return self._digest(self._fonts.typeface(family, weight, lean == "italic"))
            case (kinds.FALLBACKS | kinds.OTHERS as kind, weight, lean):
                lenders = self._fonts.fallbacks(weight, lean == "italic", are_others=kind == kinds.OTHERS)
                return " ".join(map(self._digest, lenders))
            case (kinds.ART, href):
                return art.digest(href)
            case (kinds.DRAWING, href, how):
                return self._drawing(href, how)
            case (kinds.ICON, name, colour):
                glyph = art.icon(name, colour)
                return glyph.key if glyph is not None else ""
            case (kinds.SHOWN, name, side):
                return shown_as(self._context, name, is_back=side == BACK)
            case (kinds.ORNAMENT, *_):
                return ""
        raise ValueError(use)

    def _drawing(self, href: str, how: str) -> str:
        art = self._context.art.find(href)
        if not isinstance(art, VectorArt):
            return ""
        repaint, lines, size = json.loads(how)
        wanted = tuple((str(name), str(colour)) for name, colour in repaint)
        shown = Size(*size) if size is not None else None
        return self._context.art.drawing(art, wanted, Lines(*lines) if lines is not None else None, shown).key

    def _digest(self, typeface: Typeface | None) -> str:
        if typeface is None:
            return ""
        digest = self._digests.get(typeface.key)
        if digest is None:
            digest = self._digests[typeface.key] = typeface.file.digest()
        return f"{typeface.key} {digest}"
