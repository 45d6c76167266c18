"""The fonts of a workspace and the bundled ones: families by name, font files loaded when first used."""

from __future__ import annotations

from collections.abc import Collection
from copy import copy
from functools import cached_property

import uharfbuzz as hb

from duckpress.core.problems import Problem, Source, UnusableContent, did_you_mean
from duckpress.files.workspace import Refused, Workspace
from duckpress.fonts.font_containers import plain_font
from duckpress.fonts.font_families import FontFamily, Style, read_family
from duckpress.fonts.instances import pinned
from duckpress.fonts.opentype import Unusable, refuse_container, refuse_tables
from duckpress.fonts.typeface import Typeface

_MOST_OF_AN_ALPHABET = 0.7

Instance = tuple[int, bool, str, str]  # weight, whether italic, and what was written of instance and member


class FontLibrary:
    """All families of `fonts/`; what is wrong with them is gathered in `problems`, never raised.

    `typefaces_by_key` holds the typefaces loaded so far; `load_key` finds one of an earlier run again.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self.problems: list[Problem] = []
        self.typefaces_by_key: dict[str, Typeface] = {}
        self._by_path: dict[str, dict[Instance, Typeface | None]] = {}
        self._style_by_name: dict[str, Style] = {}

    def reading_through(self, workspace: Workspace) -> FontLibrary:
        """Return this library, with all that it has loaded, which reads further files through another workspace."""
        library = copy(self)
        library._workspace = workspace
        return library

    @cached_property
    def families(self) -> dict[str, FontFamily]:
        """The families by name; a workspace's folder hides the bundled one of the same name."""
        families: dict[str, FontFamily] = {}
        for folder in self._workspace.folders("fonts"):
            if not self._workspace.has(f"{folder}/family.yaml"):
                continue
            family, problems = read_family(self._workspace, folder)
            self.problems += problems
            if family is None:
                continue
            first = families.setdefault(family.name, family)
            if first is not family:
                what = f"the family {family.name!r} is also in {first.source.file!r}"
                self.problems.append(Problem("duplicate-family", family.source, what, "give one another name"))
        return families

    @property
    def common_family(self) -> str:
        """The family for words of drawings in one that is not there: the first that lends characters, or none."""
        return min((name for name, family in self.families.items() if family.is_fallback), default="")

    def unknown_family(self, name: str, source: Source) -> Problem | None:
        """Return the problem `unknown-family`, with the nearest name, where `source` names none of the families."""
        if name in self.families:
            return None
        fix = did_you_mean(name, self.families, else_say="the families in fonts/ are") or "add it to fonts/"
        return Problem("unknown-family", source, f"there is no font family {name!r}", fix)

    def typeface(self, family: str, weight: str = "regular", is_italic: bool = False) -> Typeface | None:
        """Return the typeface that draws a weight of a family best; None where the family or its file cannot be used.

        What is wrong with the file is then in `problems`; an unknown family is reported by `family` only.
        """
        known = self.families.get(family)
        return None if known is None else self.typeface_of(known.nearest_style(weight, is_italic))

    def fallbacks(
        self, weight: str = "regular", is_italic: bool = False, *, are_others: bool = False
    ) -> tuple[Typeface, ...]:
        """Return the typefaces, in order of their families' names, that draw the characters a family lacks.

        `are_others`: those of all other families, for what not even a fallback has.
        """
        names = sorted(name for name, family in self.families.items() if family.is_fallback is not are_others)
        faces = (self.typeface(name, weight, is_italic) for name in names)
        return tuple(typeface for typeface in faces if typeface is not None)

    def families_with(self, alphabet: Collection[str], weight: str, is_italic: bool) -> tuple[str, ...]:
        """Return the names of the families that have an alphabet, but for letters that few languages use."""
        faces = ((name, self.typeface(name, weight, is_italic)) for name in sorted(self.families))
        least = _MOST_OF_AN_ALPHABET * len(alphabet)
        return tuple(name for name, face in faces if face is not None and sum(map(face.covers, alphabet)) >= least)

    def load_key(self, key: str) -> Typeface | None:
        """Return the typeface with a key, loading fonts until it is found: a cached frame names only the key."""
        for family in self.families.values():
            for style in family.styles:
                if key in self.typefaces_by_key:
                    break
                self.typeface_of(style)
        return self.typefaces_by_key.get(key)

    @property
    def paths(self) -> tuple[str, ...]:
        """The font files that were read so far."""
        return tuple(self._by_path)

    def load_paths(self, paths: Collection[str]) -> None:
        """Load those font files of the families that have such paths, as another process did."""
        if all(path in self._by_path for path in paths):
            return
        for name in sorted(self.families):
            for style in self.families[name].styles:
                if style.path in paths:
                    self.typeface_of(style)

    def typeface_of(self, style: Style) -> Typeface | None:
        """Return the typeface of a family's style; None where its file cannot be used."""
        loaded = self._by_path.setdefault(style.path, {})
        wanted = (style.weight, style.is_italic, style.instance, style.member)
        if wanted not in loaded:
            same = [one for (_, _, _, member), one in loaded.items() if member == style.member]
            if any(one is None or not one.file.pins for one in same) and not style.instance:
                return same[0]  # a font that is not variable is one for all styles
            loaded[wanted] = self._read(style)
        return loaded[wanted]

    def _read(self, style: Style) -> Typeface | None:
        try:
            data = self._workspace.read(style.path, "font-file")
        except Refused as refused:
            self.problems.append(refused.problem(style.source))
            return None
        typeface = load_typeface(data, style.instance, style.weight, style.is_italic, style.member)
        if isinstance(typeface, Unusable):
            what = f"the font {style.path!r} {typeface.what}"
            self.problems.append(Problem(typeface.code, style.source, what, typeface.fix))
            return None
        family = next((family.name for family in self.families.values() if style in family.styles), "")
        typeface.source = style.source
        typeface.origin = f"{style.path!r} of the family {family!r}"
        other = self._style_by_name.setdefault(typeface.postscript_name, style)
        if other.path != style.path and typeface.key not in self.typefaces_by_key:
            first, second = sorted((other, style), key=lambda one: one.path)  # whichever of them was met first
            what = f"the fonts {second.path!r} and {first.path!r} both call themselves {typeface.postscript_name!r}"
            self.problems.append(Problem("duplicate-font-name", second.source, what, "keep one of them, or rename one"))
        return self.typefaces_by_key.setdefault(typeface.key, typeface)


def load_typeface(
    data: bytes, instance: str = "", weight: int = 400, is_italic: bool = False, member: str = ""
) -> Typeface | Unusable:
    """Return the typeface of a font file's bytes, or why it cannot be used.

    Of a variable font it is that instance, of a collection the font of that name.

    Its bytes may be anything: HarfBuzz passes over tables that make no sense, counts what its rules do, and draws
    nothing for the rest. What could not be put into a PDF is found out here.
    """
    plain = plain_font(data, member)
    if isinstance(plain, Unusable):
        return plain
    data = plain
    refused = refuse_container(data)
    if refused is not None:
        return refused
    face = hb.Face(data)
    try:
        tags = list(face.table_tags)
    except UnicodeDecodeError:
        return Unusable("not-a-font", "is damaged: one of its tables has no name", "get the whole file again")
    refused = refuse_tables(tags, lambda tag: bytes(face.reference_table(tag).data))
    if refused is not None:
        return refused
    pins = pinned(face, instance, weight, is_italic)
    if isinstance(pins, Unusable):
        return pins
    typeface = Typeface(data, pins)
    if not typeface.glyph_length or not typeface.codes:
        return Unusable("not-a-font", "has no glyphs for any character", "get the whole file again")
    try:
        typeface.subset(())
    except UnusableContent:
        return Unusable("not-a-font", "is damaged: no letter can be taken out of it", "get the whole file again")
    return typeface
