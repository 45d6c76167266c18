"""Faces laid out before, to be used again: each with what it is made of, as plain data.

A face is found by the hash of its finished XML (what included and imported templates, values, translations and macros
made of it) and of how it is laid out: size, ink, language, sizes set in common, the program itself. It is used only
where everything it uses besides (`uses`: colours, styles, fonts, files, icons) is answered today as it was then.
Asking is what laying out would do too, so files are read and what is wrong in them is told just the same. Faces with
anything to tell about them are never kept: they are laid out every time.

Entries are written in MessagePack: first the uses, each with its answer, then the faces, which name what they use by
the first letters of the hash of that, as most faces of a deck use the same. It is data and nothing else, and every
field is looked at for its kind when it is read. So are a face's items, when they come from the worker that made them;
what the seal holds of earlier runs is read when somebody wants to see it.
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

from duckpress.art.svg.file import VectorArt
from duckpress.art.svg.paint import Lines
from duckpress.core.frame import Frame, read_items, written_items
from duckpress.core.geometry import Size
from duckpress.core.paths import Record
from duckpress.core.sizes import Format
from duckpress.layout.dependencies import (
    ART,
    COLOUR,
    DRAWING,
    FALLBACKS,
    FONT,
    ICON,
    ORDER,
    ORNAMENT,
    OTHERS,
    SHOWN,
    STYLE,
    Use,
)  # fmt: skip
from duckpress.layout.elements.images import BACK, shown_as
from duckpress.layout.elements.layout_context import LayoutContext
from duckpress.layout.face_xml import MARK
from duckpress.text.fonts import FontLibrary, Typeface

_MOST_KEPT = 4  # times as many faces as the newest run used: older ones may be wanted again
_LEAST_KEPT = 1000
_USE_LETTERS = 16

ShrunkText = tuple[str, float, float]
"""The style of a text that had to shrink, its size in points and the size it got."""


class KnownFace(NamedTuple):
    """A face as it was laid out: the frame, the sizes of texts to be set alike, the texts that shrank."""

    frame: Frame
    together: dict[str, float]
    shrunk: list[ShrunkText]


class KnownEntry(Record, frozen=True):
    """A known face as it is kept: its key, the names of its uses, the frame's hash and items (`written_items`)."""

    key: str
    uses: tuple[str, ...]
    frame_hash: str
    together: dict[str, float]
    shrunk: list[ShrunkText]
    items: bytes


AnsweredUse = tuple[Use, str]
"""A use, and how it was answered."""


class NewFaces(Record, frozen=True):
    """Entries of faces, and the uses that they name, each with its answer."""

    uses: list[AnsweredUse] = field(default_factory=list)
    entries: list[KnownEntry] = field(default_factory=list)


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(NewFaces).decode


class KnownFaces:
    """The faces of one piece in one language and ink; `laid_out` counts those that had to be made."""

    def __init__(self, setting: str, data: bytes = b"") -> None:
        """Take what all faces depend on (the program's identity, language, ink), and the entries of earlier runs."""
        self.laid_out = 0
        self.is_changed = False
        self.setting = setting
        self.uses: dict[str, AnsweredUse] = {}  # by their names
        self.entries: dict[str, KnownEntry] = {}
        self._wanted: dict[str, None] = {}
        self._read: dict[str, tuple[KnownEntry, KnownFace]] = {}  # what was read since this was opened
        self._news = NewFaces()
        with suppress(msgspec.MsgspecError, ValueError, MemoryError, RecursionError):  # no entries: nothing is known
            self._add(_decode(data))

    def __reduce__(self) -> tuple[type[KnownFaces], tuple[str, bytes]]:
        """Return what a process that is started afresh needs: what all faces depend on, and the entries."""
        return KnownFaces, (self.setting, self._joined(list(self.entries.values())))

    def begin(self) -> None:
        """Begin another run: what it will use is wanted from now on."""
        self._wanted = {}

    def take(self, new: NewFaces, made: int) -> None:
        """Take entries in that a worker made in this run, and how many faces it made."""
        self.is_changed = self.is_changed or new != NewFaces()
        entries = []
        for entry in new.entries:
            with suppress(ValueError):  # a worker may have been taken over, and answer with what is no face
                read_items(entry.items)
                entries.append(entry)
        self._add(NewFaces(new.uses, entries))
        self.laid_out += made

    def news(self) -> NewFaces:
        """Return the entries added since this was asked last."""
        news, self._news = self._news, NewFaces()
        return news

    def _add(self, new: NewFaces) -> None:
        self.uses.update((_name_of(answered), answered) for answered in new.uses)
        self.entries.update((entry.key, entry) for entry in new.entries)

    def forget(self, keys: Iterable[str]) -> None:
        """Forget faces that turned out to be none."""
        for key in keys:
            self.entries.pop(key, None)

    def face(self, key: str, format_: Format) -> KnownFace | None:
        """Return a face of which nothing it uses has changed; None where there is none, or what is there is no face."""
        entry = self.entries.get(key)
        if entry is None:
            return None
        read = self._read.get(key)
        if read is None or read[0] is not entry:
            frame = Frame.of_hash(format_.trim, format_.bleed_mm, entry.items, entry.frame_hash)
            read = self._read[key] = entry, KnownFace(frame, entry.together, entry.shrunk)
        self._wanted[key] = None
        return read[1]

    def keep(self, key: str, face: KnownFace, uses: tuple[str, ...]) -> None:
        """Remember a face that has been laid out, with the names of all that it used."""
        items = written_items(face.frame.items)
        self.entries[key] = entry = KnownEntry(key, uses, face.frame.hash, face.together, face.shrunk, items)
        self._wanted[key] = None
        self._news.entries.append(entry)
        self.is_changed = True

    def name(self, use: AnsweredUse) -> str:
        """Return the name of a use with its answer, which is remembered by it."""
        name = _name_of(use)
        if name not in self.uses:
            self.uses[name] = use
            self._news.uses.append(use)
        return name

    def news_of_faces(self) -> bytes:
        """Return what `written` does; empty where nothing is new since this was asked last."""
        is_changed, self.is_changed = self.is_changed, False
        return self.written() if is_changed else b""

    def written(self) -> bytes:
        """Return all that is worth keeping: what this run used last, before it what earlier ones used."""
        most = max(_MOST_KEPT * len(self._wanted), _LEAST_KEPT)
        old = [key for key in self.entries if key not in self._wanted]
        kept = [*old[-max(most - len(self._wanted), 0) :], *self._wanted] if most > len(self._wanted) else self._wanted
        return self._joined([self.entries[key] for key in kept])

    def _joined(self, entries: list[KnownEntry]) -> bytes:
        """Return entries with those of their uses before them."""
        named = {name for uses in {entry.uses for entry in entries} for name in uses}
        return _encode(NewFaces([self.uses[name] for name in sorted(named) if name in self.uses], entries))


def _name_of(answered: AnsweredUse) -> str:
    return hashlib.sha256(_encode(answered)).hexdigest()[:_USE_LETTERS]


_MARKS = re.compile(rf' {MARK}="\d+"')


class Reuse:
    """Finds the faces of one piece among known ones, and adds those that are laid out."""

    def __init__(self, known: KnownFaces, context: LayoutContext, fonts: FontLibrary) -> None:
        self.known = known
        self._context = context
        self._fonts = fonts
        self._answers: dict[Use, str] = {}
        self._is_as_it_was: dict[str, bool] = {}  # by the names of uses
        self._named: dict[tuple[Use, ...], tuple[str, ...]] = {}
        self._digests: dict[str, str] = {}

    def key(self, xml: str, format_: Format) -> str:
        """Return the key of the face of an XML text, for the card at hand."""
        context = self._context
        # Where a text may name fields, the card's fields are part of what the face is made of.
        values = dict(context.values) if "{=" in xml or "&#" in xml else None
        how = repr((format_[1:], sorted(context.forced_pt.items()), values))
        parts = self.known.setting, how, _MARKS.sub("", xml)
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]

    def is_fresh(self, key: str) -> bool:
        """Return whether a face is known and still the same; what laying it out would ask has been asked then."""
        entry = self.known.entries.get(key)
        try:
            if entry is None or not all(map(self._is_fresh_use, entry.uses)):
                return False
            uses = [self.known.uses[name][0] for name in entry.uses]
        except (ValueError, TypeError, KeyError, IndexError, RecursionError):
            return False  # it was not written by this program, or not in this way
        self._context.decorations.update((use[1], use[2]) for use in uses if use[0] == ORNAMENT)
        return True

    def _is_fresh_use(self, name: str) -> bool:
        if name not in self._is_as_it_was:
            use, answer = self.known.uses[name]
            self._is_as_it_was[name] = self._answer(use) == answer
        return self._is_as_it_was[name]

    def keep(self, key: str, face: KnownFace, uses: Sequence[Use]) -> None:
        """Remember a face, now that it is laid out, with all that it asked for."""
        asked = tuple(uses)
        names = self._named.get(asked)  # most faces of a deck ask the same things in the same order
        if names is None:
            in_order = sorted(set(asked), key=lambda use: (ORDER.index(use[0]), use))
            names = self._named[asked] = tuple([self.known.name((use, self._answer(use))) for use in in_order])
        self.known.keep(key, face, names)

    def _answer(self, use: Use) -> str:
        answer = self._answers.get(use)
        if answer is None:
            answer = self._answers[use] = self._asked(use)
        return answer

    def _asked(self, use: Use) -> str:
        kind, *asked = use
        look, art = self._context.look, self._context.art
        if kind == COLOUR:
            (role,) = asked
            return f"{look.palette.get(role)} {role in look.unpainted}"
        if kind == STYLE:
            (name,) = asked
            return repr(look.styles.get(name))
        if kind == FONT:
            family, weight, lean = asked
            return self._digest(self._fonts.typeface(family, weight, lean == "italic"))
        if kind in (FALLBACKS, OTHERS):
            weight, lean = asked
            lenders = self._fonts.fallbacks(weight, lean == "italic", are_others=kind == OTHERS)
            return " ".join(map(self._digest, lenders))
        if kind == ART:
            (href,) = asked
            return art.digest(href)
        if kind == DRAWING:
            href, how = asked
            return self._drawing(href, how)
        if kind == ICON:
            name, colour = asked
            glyph = art.icon(name, colour)
            return glyph.key if glyph is not None else ""
        if kind == SHOWN:
            name, side = asked
            return shown_as(self._context, name, is_back=side == BACK)
        if kind == ORNAMENT:
            return ""
        raise ValueError(kind)

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
