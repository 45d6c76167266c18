"""`family.yaml` -> a family: its name, its licence and the file of each style."""

from __future__ import annotations

from msgspec import Struct

from duckpress.content import Reader, read_yaml
from duckpress.core.problems import Problem, Source, did_you_mean
from duckpress.files.workspace import Refused, Workspace

# Source: OpenType OS/2 usWeightClass, and CSS Fonts 4 for the names.
WEIGHTS = {"light": 300, "regular": 400, "medium": 500, "semibold": 600, "bold": 700, "extrabold": 800, "black": 900}


class Style(Struct, frozen=True):
    """One font file of a family: weight (300 to 900), whether it is italic, and where the file is and was named."""

    weight: int
    is_italic: bool
    path: str
    source: Source


class Family(Struct, frozen=True):
    """Typefaces that belong together, with their licence."""

    name: str
    styles: tuple[Style, ...]
    licence: str
    licence_path: str
    credit: str
    is_fallback: bool
    source: Source

    def nearest_style(self, weight: str, is_italic: bool) -> Style:
        """Give the style that draws a weight best.

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
    """Give weight and slant of a style's name, such as `regular`, `italic` or `bold-italic`; None where it is none."""
    if name == "italic":
        return 400, True
    weight = WEIGHTS.get(name.removesuffix("-italic"))
    return None if weight is None else (weight, name.endswith("-italic"))


def read_family(workspace: Workspace, folder: str, problems: list[Problem]) -> Family | None:
    """Give the family of a folder (`fonts/<folder>`), its font files still unread; None where it cannot be used.

    Problems: those of reading YAML, `unknown-style`, `no-style`, `missing-licence`, and a refused `family.yaml`.
    """
    path = f"{folder}/family.yaml"
    try:
        data = workspace.read(path)
    except Refused as refused:
        problems.append(refused.problem(Source(path)))
        return None
    node = read_yaml(path, data, problems)
    reader = None if node is None else Reader.of(node, "a family of fonts", problems)
    if reader is None:
        return None
    family = Family(
        name=reader.text("name"),
        styles=_read_styles(reader, folder, problems),
        licence=reader.text("licence"),
        licence_path=f"{folder}/{reader.text('licence-file')}",
        credit=reader.text("credit", default=""),
        is_fallback=reader.yes_no("fallback", default=False),
        source=reader.source,
    )
    reader.finish()
    if not workspace.has(family.licence_path):
        what = f"the licence of the family {family.name!r}, {family.licence_path!r}, is not there"
        problems.append(Problem("missing-licence", reader.at("licence-file"), what, "put its text beside the fonts"))
    return family if family.name and family.styles else None


def _read_styles(reader: Reader, folder: str, problems: list[Problem]) -> tuple[Style, ...]:
    named = reader.reader("styles", is_required=True)
    if named is None:
        return ()
    styles = []
    for name in tuple(named.keys()):
        file_name, source = named.text(name), named.key_at(name)
        style = style_of(name)
        if style is None:
            known = [*WEIGHTS, "italic", *(f"{weight}-italic" for weight in WEIGHTS)]
            problems.append(
                Problem("unknown-style", source, f"{name!r} is not a style of a font", did_you_mean(name, known))
            )
        elif file_name:
            styles.append(Style(*style, f"{folder}/{file_name}", source))
    if not styles:
        problems.append(
            Problem("no-style", reader.at("styles"), "the family names no font file", "write `regular: FILE.ttf`")
        )
    return tuple(styles)
