"""Faces of earlier runs put to use while a piece is laid out: what they use is asked again, and answered as now."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence

from duckpress.art.svg.svg_file import VectorArt
from duckpress.art.svg.svg_paint import Lines
from duckpress.core.sizes import Format
from duckpress.fonts import FontLibrary, Typeface
from duckpress.layout.dependencies import ART, COLOUR, DRAWING, FALLBACKS, FONT, ICON, ORDER, ORNAMENT, STYLE, Use
from duckpress.layout.elements.layout_context import Desk
from duckpress.layout.faces.face_cache import KnownFace, KnownFaces
from duckpress.layout.templates.face_xml import MARK

_MARKS = re.compile(rf' {MARK}="\d+"')


class Reuse:
    """Finds the faces of one piece among known ones, and adds those that are laid out."""

    def __init__(self, known: KnownFaces, desk: Desk, fonts: FontLibrary) -> None:
        self.known = known
        self._desk = desk
        self._fonts = fonts
        self._answers: dict[Use, str] = {}
        self._is_as_it_was: dict[str, bool] = {}  # by the names of uses
        self._named: dict[tuple[Use, ...], tuple[str, ...]] = {}
        self._digests: dict[str, str] = {}

    def key(self, xml: str, format_: Format) -> str:
        """Return the key of the face of an XML text, for the card at hand."""
        desk = self._desk
        # Where a text may name fields, the card's fields are part of what the face is made of.
        values = dict(desk.values) if "{=" in xml or "&#" in xml else None
        how = repr((format_[1:], sorted(desk.forced_pt.items()), values))
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
        self._desk.decorations.update((use[1], use[2]) for use in uses if use[0] == ORNAMENT)
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
        look, art = self._desk.look, self._desk.art
        if kind == COLOUR:
            (role,) = asked
            return f"{look.palette.get(role)} {role in look.unpainted}"
        if kind == STYLE:
            (name,) = asked
            return repr(look.styles.get(name))
        if kind == FONT:
            family, weight, lean = asked
            return self._digest(self._fonts.typeface(family, weight, lean == "italic"))
        if kind == FALLBACKS:
            weight, lean = asked
            return " ".join(map(self._digest, self._fonts.fallbacks(weight, lean == "italic")))
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
        if kind == ORNAMENT:
            return ""
        raise ValueError(kind)

    def _drawing(self, href: str, how: str) -> str:
        art = self._desk.art.find(href)
        if not isinstance(art, VectorArt):
            return ""
        repaint, lines = json.loads(how)
        wanted = tuple((str(name), str(colour)) for name, colour in repaint)
        return self._desk.art.drawing(art, wanted, Lines(*lines) if lines is not None else None).key

    def _digest(self, typeface: Typeface | None) -> str:
        if typeface is None:
            return ""
        digest = self._digests.get(typeface.key)
        if digest is None:
            digest = self._digests[typeface.key] = hashlib.sha256(typeface.data).hexdigest()
        return f"{typeface.key} {digest}"
