"""Families of fonts: a folder's `family.yaml` -> its name, its licence, and the file of each style, still unread."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from duckpress.content import Mapping, Shape, read_shape, read_yaml
from duckpress.content.yaml.declared_shapes import optional, required
from duckpress.content.yaml.kinds import TEXT, YES_NO, Named, by_name
from duckpress.core.problem_list import ProblemList, Read
from duckpress.core.problems import Problem, Source, did_you_mean
from duckpress.files.workspace import Refused, Workspace
from duckpress.fonts.font_containers import MEMBER
from duckpress.fonts.instances import MARK

# Source: OpenType OS/2 usWeightClass, and CSS Fonts 4 for the names.
WEIGHTS: dict[str, int] = {
    "light": 300, "regular": 400, "medium": 500, "semibold": 600, "bold": 700, "extrabold": 800, "black": 900,
}  # fmt: skip


class Style(Struct, frozen=True):
    """One font file of a family: weight (300 to 900), whether it is italic, and where the file is and was named.

    `instance` is what was written after the file of a variable font, `member` after that of a collection.
    """

    weight: int
    is_italic: bool
    path: str
    source: Source
    instance: str = ""
    member: str = ""


class FontFamily(Struct, frozen=True):
    """Typefaces that belong together, with their licence."""

    name: str
    styles: tuple[Style, ...]
    licence: str
    licence_path: str
    credit: str
    is_fallback: bool
    source: Source

    def nearest_style(self, weight: str, is_italic: bool) -> Style:
        """Return the style that draws a weight best.

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
    """Return weight and slant of a style's name (`regular`, `italic`, `bold-italic`), or None where it is none."""
    if name == "italic":
        return 400, True
    weight = WEIGHTS.get(name.removesuffix("-italic"))
    return None if weight is None else (weight, name.endswith("-italic"))


def _file_and_member(written: str) -> tuple[str, str]:
    """Return the name of a file, and that of a font in it: behind the ending of a collection."""
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
        """The font files, by the names of their styles."""
        return [style for style in self.styles if style.value and style_of(style.name) is not None]


def read_family(workspace: Workspace, folder: str) -> Read[FontFamily | None]:
    """Return the family of a folder (`fonts/<folder>`), its font files still unread; None where it cannot be used.

    Problems: those of `read_yaml` and `read_shape`, `unknown-style`, `no-style`, `missing-licence`, and a refused
    `family.yaml`.
    """
    path = f"{folder}/family.yaml"
    try:
        data = workspace.read(path)
    except Refused as refused:
        return Read(None, [refused.problem(Source(path))])
    problems = ProblemList()
    node = problems.take(read_yaml(path, data))
    written = None if node is None else problems.take(read_shape(node, FamilyKeys, "a family of fonts"))
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
