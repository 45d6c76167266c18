"""Faces laid out before, to be used again: each with what it is made of, as plain data.

A face is found by the hash of its finished XML (what included and imported templates, values, translations and macros
made of it) and of how it is laid out: size, ink, language, sizes set in common, the program itself. It is used only
where everything it uses besides (`uses`: colours, styles, fonts, files, icons) is answered today as it was then.
Asking is what laying out would do too, so files are read and what is wrong in them is told just the same. Faces with
anything to tell about them are never kept: they are laid out every time.

Entries are written in MessagePack: first the uses, each with its answer, then the faces, which name what they use by
the first letters of the hash of that, as most faces of a deck use the same. A face's items are those of the frame if
their hash says so. It is data and nothing else, and every field is looked at for its kind when it is read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import NamedTuple

import msgspec
from msgspec import field

from duckpress.core.frame import Frame, read_items, written_items
from duckpress.core.paths import Record
from duckpress.core.sizes import Format
from duckpress.layout.dependencies import ORDER, Use

_MOST_KEPT = 4  # times as many faces as the newest run used: older ones may be wanted again
_LEAST_KEPT = 1000
_USE_LETTERS = 16

Answer = Callable[[Use], str]
"""Gives what is found today for a use."""

ShrunkText = tuple[str, float, float]
"""The style of a text that had to shrink, its size in points and the size it got."""


class KnownFace(NamedTuple):
    """A face as it was laid out: the frame, the sizes of texts to be set alike, the texts that shrank."""

    frame: Frame
    together: dict[str, float]
    shrunk: list[ShrunkText]


class _Entry(Record, frozen=True):
    """A known face as it is kept: its key, the names of its uses, the frame's hash and items (`written_items`)."""

    key: str
    uses: tuple[str, ...]
    frame_hash: str
    together: dict[str, float]
    shrunk: list[ShrunkText]
    items: bytes


_Answered = tuple[Use, str]
"""A use, and how it was answered."""


class NewFaces(Record, frozen=True):
    """Entries of faces, and the uses that they name, each with its answer."""

    uses: list[_Answered] = field(default_factory=list)
    entries: list[_Entry] = field(default_factory=list)


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(NewFaces).decode


class KnownFaces:
    """The faces of one piece in one language and ink; `laid_out` counts those that had to be made."""

    def __init__(self, setting: str, data: bytes = b"") -> None:
        """Take what all faces depend on (the program's identity, language, ink), and the entries of earlier runs."""
        self.laid_out = 0
        self.is_changed = False
        self._setting = setting.encode()
        self._entries: dict[str, _Entry] = {}
        self._uses: dict[str, _Answered] = {}
        self._formats: dict[Format, str] = {}
        self._names: dict[tuple[Use, str], str] = {}
        self._together: dict[tuple[Use, ...], tuple[str, ...]] = {}  # what a face made in this run asked
        self._holding: dict[str, Use | None] = {}  # what came of asking in this run; None: it is answered otherwise
        self._wanted: dict[str, None] = {}
        self._read: dict[str, tuple[_Entry, KnownFace]] = {}  # what was read since this was opened
        self._news = NewFaces()
        self._fresh: set[str] = set()  # the keys of what was laid out in this process's time: it needs no proof
        with suppress(msgspec.MsgspecError, MemoryError, RecursionError):  # no entries at all: nothing is known then
            self._add(_decode(data))

    def __reduce__(self) -> tuple[type[KnownFaces], tuple[str, bytes]]:
        """Return what a process that is started afresh needs: what all faces depend on, and the entries."""
        return KnownFaces, (self._setting.decode(), self._joined(list(self._entries.values())))

    def begin(self) -> None:
        """Begin another run: what it will use is wanted from now on, and everything is asked again."""
        self._wanted = {}
        self._holding = {}
        self._together = {}

    def take(self, new: NewFaces, made: int) -> None:
        """Take entries in that a worker made in this run, and how many faces it made."""
        self.is_changed = self.is_changed or new != NewFaces()
        self._add(new)
        self._fresh.update(entry.key for entry in new.entries)
        self.laid_out += made

    def news(self) -> NewFaces:
        """Return the entries added since this was asked last."""
        news, self._news = self._news, NewFaces()
        return news

    def _add(self, new: NewFaces) -> None:
        self._uses.update((_name_of(answered), answered) for answered in new.uses)
        self._entries.update((entry.key, entry) for entry in new.entries)

    def forget(self, keys: Iterable[str]) -> None:
        """Forget faces that turned out to be none."""
        for key in keys:
            self._entries.pop(key, None)

    def key(self, xml: str, format_: Format, forced_pt: dict[str, float], values: object) -> str:
        """Return the key of a face: `xml` without marks of places, `values` where its texts may name fields."""
        is_plain = not forced_pt and values is None
        how = self._formats.get(format_, "") if is_plain else ""
        if not how:
            how = repr((format_[1:], sorted(forced_pt.items()), values))
            if is_plain:
                self._formats[format_] = how
        found = hashlib.sha256(b"\0".join((self._setting, how.encode(), xml.encode("utf-8", "surrogatepass"))))
        return found.hexdigest()[:32]

    def uses_held(self, key: str, answer: Answer) -> list[Use] | None:
        """Return what a face uses, where all of it is answered as it was; None: it is to be laid out then."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        uses = []
        try:
            for name in entry.uses:
                use = self._still_holding(name, answer)
                if use is None:
                    return None
                uses.append(use)
        except (ValueError, TypeError, KeyError, IndexError, RecursionError):
            return None  # it was not written by this program, or not in this way
        return uses

    def face(self, key: str, format_: Format) -> KnownFace | None:
        """Return a face of which nothing it uses has changed; None where there is none, or what is there is no face."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        read = self._read.get(key)
        if read is None or read[0] is not entry:
            try:
                face = _face_of(entry, format_, is_sure=key in self._fresh)
            except ValueError:
                return None
            read = self._read[key] = entry, face
        self._wanted[key] = None
        return read[1]

    def has(self, key: str) -> bool:
        """Return whether there is a face with a key, whatever has become of what it uses."""
        return key in self._entries

    def frame_hash(self, key: str) -> str:
        """Return the hash of the frame of a face that there is, without reading the face."""
        return self._entries[key].frame_hash

    def keep(self, key: str, face: KnownFace, asked: Iterable[Use], answer: Answer) -> None:
        """Remember a face that has been laid out, with all that it asked for."""
        # Most faces of a deck ask the same things in the same order.
        asked = tuple(asked)
        uses = self._together.get(asked)
        if uses is None:
            names = (self._named(use, answer(use)) for use in sorted(set(asked), key=_in_order))
            uses = self._together[asked] = tuple(names)
        frame = face.frame
        try:
            items = written_items(frame.items)
        except ValueError:
            return  # half a letter, which no font has, or a number beyond all sense
        self._entries[key] = entry = _Entry(key, uses, frame.hash, face.together, face.shrunk, items)
        self._wanted[key] = None
        self._news.entries.append(entry)
        self.is_changed = True

    def _still_holding(self, name: str, answer: Answer) -> Use | None:
        """Return a use that is answered as it was; None where it is not."""
        if name not in self._holding:
            use, found = self._uses[name]
            self._holding[name] = use if answer(use) == found else None
        return self._holding[name]

    def _named(self, use: Use, answer: str) -> str:
        name = self._names.get((use, answer))
        if name is None:
            answered = use, answer
            name = self._names[answered] = _name_of(answered)
            self._uses[name] = answered
            self._news.uses.append(answered)
            self._holding[name] = use
        return name

    def written(self) -> bytes:
        """Return all that is worth keeping: what this run used last, before it what earlier ones used."""
        most = max(_MOST_KEPT * len(self._wanted), _LEAST_KEPT)
        old = [key for key in self._entries if key not in self._wanted]
        kept = [*old[-max(most - len(self._wanted), 0) :], *self._wanted] if most > len(self._wanted) else self._wanted
        return self._joined([self._entries[key] for key in kept])

    def _joined(self, entries: list[_Entry]) -> bytes:
        """Return entries with those of their uses before them."""
        named = {name for uses in {entry.uses for entry in entries} for name in uses}
        return _encode(NewFaces([self._uses[name] for name in sorted(named) if name in self._uses], entries))

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of all entries."""
        return tuple(self._entries)


def _face_of(entry: _Entry, format_: Format, *, is_sure: bool) -> KnownFace:
    """Return the face of an entry; raises `ValueError` where its items are none, or not those of the frame.

    `is_sure` says that the hash comes from where the frame was made just now, and need not be made again.
    """
    frame = Frame(format_.trim, format_.bleed_mm, read_items(entry.items))
    if is_sure:
        frame.__dict__["hash"] = entry.frame_hash
    elif frame.hash != entry.frame_hash:
        raise ValueError(entry.frame_hash)
    return KnownFace(frame, entry.together, entry.shrunk)


def _name_of(answered: _Answered) -> str:
    return hashlib.sha256(_encode(answered)).hexdigest()[:_USE_LETTERS]


def _in_order(use: Use) -> tuple[int, Use]:
    return ORDER.index(use[0]), use
