"""The fonts of a workspace and the bundled ones: families by name (`family.yaml`), files loaded when first used."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from copy import copy
from functools import cached_property, lru_cache

import uharfbuzz as hb
from msgspec import Struct

from duckpress.content import Mapping, Shape, read_shape, read_yaml
from duckpress.content.yaml.declared_shapes import optional, required
from duckpress.content.yaml.kinds import TEXT, YES_NO, Named, by_name
from duckpress.core import limits
from duckpress.core.problems import Problem, ProblemList, Read, Source, UnusableContent, did_you_mean
from duckpress.files.workspace import Refused, Workspace
from duckpress.text.fonts.font_files import MARK, MEMBER, pinned, plain_font
from duckpress.text.fonts.opentype import Unusable, damaged, refuse_container, refuse_tables
from duckpress.text.fonts.typeface import Typeface

# Source: OpenType OS/2 usWeightClass, and CSS Fonts 4 for the names.
WEIGHTS: dict[str, int] = {
    "light": 300, "regular": 400, "medium": 500, "semibold": 600, "bold": 700, "extrabold": 800, "black": 900,
}  # fmt: skip


class Style(Struct, frozen=True):
    """One font file of a family: weight (300 to 900), whether it is italic, its path and where it is named.

    `instance` is what was written after the file of a variable font, `member` after that of a collection.
    """

    weight: int
    is_italic: bool
    path: str
    source: Source
    instance: str = ""
    member: str = ""


class FontFamily(Struct, frozen=True):
    """The typefaces of a family, with their licence."""

    name: str
    styles: tuple[Style, ...]
    licence: str
    licence_path: str
    credit: str
    is_fallback: bool
    source: Source

    def nearest_style(self, weight: str, is_italic: bool) -> Style:
        """Return the style nearest to a weight.

        An italic of another weight comes before an upright one. Among weights the nearest wins; of two equally near,
        the bolder one for bold weights and the lighter one for others. Source: CSS Fonts 4, 5.2, in outline.
        """
        wanted = WEIGHTS.get(weight, 400)
        leaning = 1 if wanted > 500 else -1
        return min(
            self.styles,
            key=lambda style: (style.is_italic != is_italic, abs(style.weight - wanted), -leaning * style.weight),
        )


def style_of(name: str) -> tuple[int, bool] | None:
    """Return weight and slant from a style's name (`regular`, `italic`, `bold-italic`), or None."""
    if name == "italic":
        return 400, True
    weight = WEIGHTS.get(name.removesuffix("-italic"))
    return None if weight is None else (weight, name.endswith("-italic"))


def _file_and_member(written: str) -> tuple[str, str]:
    """Return the name of a file, and that of a font in it: the part after a collection's suffix."""
    for ending in (".ttc", ".otc"):
        start = written.lower().rfind(ending + MEMBER)
        if start >= 0:
            return written[: start + len(ending)], written[start + len(ending) + len(MEMBER) :].strip()
    return written, ""


class FamilyKeys(Shape):
    """`family.yaml`."""

    name = required(TEXT, "name of the family")
    styles = required(
        by_name(TEXT),
        "style -> file in the folder; ` @ ` and an instance after a variable one, `#` and a font after a .ttc",
    )
    licence = required(TEXT, "name of the licence")
    licence_file = required(TEXT, "file in the folder with its text; it has to be there", name="licence-file")
    credit = optional(TEXT, "", "who made it")
    fallback = optional(YES_NO, False, "whether it lends the letters that other families lack")

    def check(self) -> Iterator[Problem]:
        for name, source, _ in self.styles:
            if style_of(name) is None:
                known = [*WEIGHTS, "italic", *(f"{weight}-italic" for weight in WEIGHTS)]
                yield Problem("unknown-style", source, f"{name!r} is not a style of a font", did_you_mean(name, known))
        if self.has("styles") and isinstance(self.node.entries["styles"].value, Mapping) and not self.files:
            what = "the family names no font file"
            yield Problem("no-style", self.at("styles"), what, "write `regular: FILE.ttf`")

    @property
    def files(self) -> list[Named[str]]:
        return [style for style in self.styles if style.value and style_of(style.name) is not None]


def read_family(workspace: Workspace, folder: str) -> Read[FontFamily | None]:
    """Return the family of a folder (`fonts/<folder>`), its font files still unread; None if it is unusable.

    Problems: those of `read_yaml` and `read_shape`, `unknown-style`, `no-style`, `missing-licence`, and a refused
    `family.yaml`.
    """
    path = f"{folder}/family.yaml"
    try:
        data = workspace.read(path)
    except Refused as refused:
        return Read(None, [refused.problem(Source(path))])
    written, found = _family_keys(path, data, frozenset(limits.settings().items()))
    problems = ProblemList(found)
    if written is None:
        return Read(None, problems)
    styles = [
        Style(weight, is_italic, f"{folder}/{path}", source, " ".join(instance.split()), member)
        for name, source, said in written.files
        for file_name, _, instance in [said.partition(MARK)]
        for path, member in [_file_and_member(file_name.strip())]
        for weight, is_italic in [style_of(name) or (400, False)]
    ]
    licence_path = f"{folder}/{written.licence_file}"
    if not workspace.has(licence_path):
        what = f"the licence of the family {written.name!r}, {licence_path!r}, is not there"
        problems.add("missing-licence", written.at("licence-file"), what, "put its text beside the fonts")
    if not written.name or not styles:
        return Read(None, problems)
    family = written.as_record(
        FontFamily, styles=tuple(styles), licence_path=licence_path, is_fallback=written.fallback
    )
    return Read(family, problems)


@lru_cache(maxsize=100)
def _family_keys(
    path: str, data: bytes, _limits: frozenset[tuple[str, int]]
) -> tuple[FamilyKeys | None, tuple[Problem, ...]]:
    """Return what is written of a family: every library of a run reads the same files."""
    problems = ProblemList()
    node = problems.take(read_yaml(path, data))
    written = None if node is None else problems.take(read_shape(node, FamilyKeys, "a family of fonts"))
    return written, tuple(problems)


_MOST_OF_AN_ALPHABET = 0.7

Instance = tuple[int, bool, str, str]  # weight, whether italic, and what was written of instance and member


class FontLibrary:
    """All families of `fonts/`; gathers their problems in `problems`, never raises them.

    `typefaces_by_key` holds the typefaces loaded so far; `load_key` finds one of an earlier run again.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self.problems: list[Problem] = []
        self.typefaces_by_key: dict[str, Typeface] = {}
        self._by_path: dict[str, dict[Instance, Typeface | None]] = {}
        self._style_by_name: dict[str, Style] = {}

    def reading_through(self, workspace: Workspace) -> FontLibrary:
        """Return a copy of this library, with its loaded fonts, that reads through another workspace."""
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
        """The family for unknown families in drawings: the first fallback family, or empty."""
        return min((name for name, family in self.families.items() if family.is_fallback), default="")

    def unknown_family(self, name: str, source: Source) -> Problem | None:
        """Return the problem `unknown-family`, with the nearest name, or None for a known family."""
        if name in self.families:
            return None
        fix = did_you_mean(name, self.families, else_say="the families in fonts/ are") or "add it to fonts/"
        return Problem("unknown-family", source, f"there is no font family {name!r}", fix)

    def typeface(self, family: str, weight: str = "regular", is_italic: bool = False) -> Typeface | None:
        """Return a family's typeface nearest to a weight; None if the family or its file is unusable.

        What is wrong with the file is then in `problems`; an unknown family is reported by `family` only.
        """
        known = self.families.get(family)
        return None if known is None else self.typeface_of(known.nearest_style(weight, is_italic))

    def fallbacks(
        self, weight: str = "regular", is_italic: bool = False, *, are_others: bool = False
    ) -> tuple[Typeface, ...]:
        """Return the typefaces for characters that a family lacks, in order of their families' names.

        `are_others`: those of all other families, for what not even a fallback has.
        """
        names = sorted(name for name, family in self.families.items() if family.is_fallback is not are_others)
        faces = (self.typeface(name, weight, is_italic) for name in names)
        return tuple(typeface for typeface in faces if typeface is not None)

    def families_with(self, alphabet: Collection[str], weight: str, is_italic: bool) -> tuple[str, ...]:
        """Return the names of the families that have an alphabet, except perhaps a few rare letters."""
        faces = ((name, self.typeface(name, weight, is_italic)) for name in sorted(self.families))
        least = _MOST_OF_AN_ALPHABET * len(alphabet)
        return tuple(name for name, face in faces if face is not None and sum(map(face.covers, alphabet)) >= least)

    def load_key(self, key: str) -> Typeface | None:
        """Return the typeface with a key, loading fonts until it is found: a cached frame has only the key."""
        for family in self.families.values():
            for style in family.styles:
                if key in self.typefaces_by_key:
                    break
                self.typeface_of(style)
        return self.typefaces_by_key.get(key)

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(self._by_path)

    def load_paths(self, paths: Collection[str]) -> None:
        """Load the font files with these paths, as another process did."""
        if all(path in self._by_path for path in paths):
            return
        for name in sorted(self.families):
            for style in self.families[name].styles:
                if style.path in paths:
                    self.typeface_of(style)

    def typeface_of(self, style: Style) -> Typeface | None:
        """Return the typeface of a family's style; None if its file is unusable."""
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
        typeface = _typeface_in(data, style, frozenset(limits.settings().items()))
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


@lru_cache(maxsize=32)
def _typeface_in(data: bytes, style: Style, _limits: frozenset[tuple[str, int]]) -> Typeface | Unusable:
    """Return the typeface of a style, loaded once in a process: with it go the words that it has shaped."""
    return load_typeface(data, style.instance, style.weight, style.is_italic, style.member)


def load_typeface(
    data: bytes, instance: str = "", weight: int = 400, is_italic: bool = False, member: str = ""
) -> Typeface | Unusable:
    """Return the typeface of a font file's bytes, or why it is unusable.

    Of a variable font it is that instance, of a collection the font of that name.

    Its bytes may be anything: HarfBuzz passes over tables that make no sense, counts what its rules do, and draws
    nothing for the rest. What could not be put into a PDF is found out here.
    """
    plain = plain_font(data, member)
    if isinstance(plain, Unusable):
        return plain
    if refused := refuse_container(plain):
        return refused
    face = hb.Face(plain)
    try:
        tags = list(face.table_tags)
    except UnicodeDecodeError:
        return damaged("one of its tables has no name")
    if refused := refuse_tables(tags, lambda tag: bytes(face.reference_table(tag).data)):
        return refused
    pins = pinned(face, instance, weight, is_italic)
    if isinstance(pins, Unusable):
        return pins
    typeface = Typeface(plain, pins)
    if not typeface.glyph_length or not typeface.codes:
        return Unusable("not-a-font", "has no glyphs for any character", "get the whole file again")
    try:
        typeface.subset(())
    except UnusableContent:
        return damaged("no letter can be taken out of it")
    return typeface
