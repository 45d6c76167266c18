"""A frame -> an SVG that shows the same anywhere: every letter is an outline, and nothing is looked up elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from duckpress.core.frame import Frame, Group, Item, Outline, Paint, Text
from duckpress.core.geometry import Matrix
from duckpress.core.paths import RECTANGLE, Path, joined
from duckpress.fonts import FontLibrary

_LETTERS = {"m": "M", "l": "L", "c": "C", "h": "Z"}


def svg_text(frame: Frame, fonts: FontLibrary, title: str) -> str:
    """Return a frame of paths, texts and groups of them as the text of an SVG file; `title` says what it shows."""
    width_mm, height_mm = frame.trim
    size = f'width="{width_mm:g}mm" height="{height_mm:g}mm" viewBox="0 0 {width_mm:g} {height_mm:g}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">\n<title>{escape(title)}</title>\n'
    return head + "\n".join(_elements(frame.items, fonts)) + "\n</svg>\n"


def _elements(items: tuple[Item, ...], fonts: FontLibrary) -> Iterator[str]:
    for item in items:
        if isinstance(item, Outline):
            yield f"<path d={quoteattr(_data(item.path))} {_painted(item.paint)}/>"
        elif isinstance(item, Text):
            yield f'<path d="{_data(_letters(item, fonts))}" fill="{item.fill}"/>'
        elif isinstance(item, Group):
            yield f'<g transform="matrix({" ".join(f"{number:g}" for number in item.matrix)})">'
            yield from _elements(item.items, fonts)
            yield "</g>"


def _painted(paint: Paint) -> str:
    line = f' stroke="{paint.stroke}" stroke-width="{paint.stroke_mm:g}"' if paint.stroke else ""
    return f'fill="{paint.fill or "none"}"{line}'


def _letters(text: Text, fonts: FontLibrary) -> Path:
    matrix = Matrix(text.size_mm, 0.0, 0.0, -text.size_mm, text.x_mm, text.y_mm)
    return joined(fonts.typefaces_by_key[text.font].outlines(text.glyphs, matrix))


def _data(path: Path) -> str:
    words = []
    for kind, numbers in path.segments():
        if kind == RECTANGLE:
            x, y, width, height = numbers
            words.append(f"M{x:g} {y:g}h{width:g}v{height:g}h{-width:g}Z")
        else:
            words.append(_LETTERS[kind] + " ".join(f"{round(number, 3):g}" for number in numbers))
    return "".join(words)
