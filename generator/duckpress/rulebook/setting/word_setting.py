"""Words -> slugs: a text set in the styles of a rules sheet, and what is wrong with its words."""

from __future__ import annotations

from collections.abc import Sequence

from duckpress.core.frame import Outline, Paint
from duckpress.core.paths import rectangle
from duckpress.core.problems import Problem, Source, did_you_mean
from duckpress.core.units import MM_PER_PT
from duckpress.layout import Look
from duckpress.rulebook.setting.slugs import Slug, shifted
from duckpress.text import Galley, TextStyle, Typesetter, missing_words

_PAPER = "#ffffff"


class WordSetting:
    """Sets texts in columns of a width; what is wrong with their words is gathered in `problems`, once each."""

    def __init__(
        self, typesetter: Typesetter, look: Look, icons: Sequence[str], problems: list[Problem], *, scale: float = 1.0
    ) -> None:
        self.typesetter = typesetter
        self.look = look
        self._icons = icons
        self._problems = problems
        self._scale = scale
        self._styles: dict[str, TextStyle] = {}

    def style(self, name: str) -> TextStyle:
        """Return a style of rules sheets, as large as it is set here."""
        style = self._styles.get(name)
        if style is None:
            own = self.look.styles[name]
            own = own if own.colour != "none" else own._replace(colour=_PAPER)
            style = self._styles[name] = own._replace(size_pt=round(own.size_pt * self._scale, 3))
        return style

    def colour(self, role: str) -> str:
        """Return a colour by its role."""
        return self.look.palette.get(role, _PAPER)  # a role may be `none` in an ink

    @property
    def line_mm(self) -> float:
        """The height of a line of the running text."""
        return self.leading_mm("rules-text")

    def leading_mm(self, name: str) -> float:
        """Return the height of a line of a style."""
        style = self.style(name)
        return style.size_pt * style.leading * MM_PER_PT

    def bar(self, x_mm: float, y_mm: float, width_mm: float, height_mm: float, role: str) -> Outline:
        """Return a filled rectangle, such as a thin line."""
        return Outline(rectangle(x_mm, y_mm, width_mm, height_mm, 0.0), Paint(fill=self.colour(role)))

    def galley(self, source: str, style: TextStyle, width_mm: float, place: Source) -> Galley:
        """Set a text in lines, and report what is wrong with its words."""
        galley = self.typesetter.galley(source, style, width_mm)
        self._report(source, galley, place)
        return galley

    def lines(self, source: str, style: TextStyle, width_mm: float, place: Source) -> list[Slug]:
        """Return a text as slugs, a line each, no first or last line of a paragraph alone in a column."""
        galley = self.galley(source, style, width_mm, place)
        leading_mm = galley.leading_mm
        baseline_mm = (leading_mm - galley.ascent_mm - galley.descent_mm) / 2 + galley.ascent_mm
        count = len(galley.lines)
        slugs: list[Slug] = []
        for number, line in enumerate(galley.lines):
            is_held = number < count - 1 and (number == 0 or number == count - 2)
            items = shifted(line.items, 0.0, baseline_mm)
            slugs.append(Slug(leading_mm, items, line.gap_mm if number else 0.0, is_held))
        return slugs

    def _report(self, source: str, galley: Galley, place: Source) -> None:
        found: list[Problem] = []
        for name in galley.unknown_icons:
            found.append(Problem("unknown-icon", place, f"there is no icon {name!r}", did_you_mean(name, self._icons)))
        if galley.missing_glyphs:
            words = missing_words(galley.missing_glyphs)
            found.append(Problem("missing-glyph", place, f"no font has {words}", "write it otherwise, or add a font"))
        if galley.is_right_to_left:
            words = f"{source[:40]!r} is in a script that runs from right to left"
            what = f"{words}, which cannot be set in the right order yet"
            found.append(Problem("right-to-left", place, what, "draw the words as an SVG, and show it as a picture"))
        for word in galley.over_words:
            what = f"{word[:60]!r} is wider than its column"
            found.append(Problem("text-overflow", place, what, "shorten it, or give it more room"))
        for name in galley.unknown_fields:
            what = f"{{={name}}} stands for a card's field, and this is no card"
            found.append(Problem("unknown-field", place, what, "write {{ an expression }}"))
        self._problems += [problem for problem in found if problem not in self._problems]
