"""An SVG file -> the same drawing rewritten without references to other files, for a renderer that would open them.

Every element and attribute is written anew. What leads out of the file is left out: every `href` but those to its own
elements and to PNG or JPEG pictures inside of it (which are checked like those in files), every `url()`, style sheets,
XHTML, scripts, events and entities. The reader of SVG files has measured the file before: depth, elements, bytes.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Sequence
from html import escape
from xml.parsers import expat

from msgspec import Struct

from duckpress.art import BadArt
from duckpress.art.raster import JPEG_MAGIC, PNG_MAGIC, read_jpeg, read_png
from duckpress.art.svg.styles import is_of_another_ink, repainted
from duckpress.core.geometry import Rect

_SVG = "http://www.w3.org/2000/svg"
_XLINK, _XML = "http://www.w3.org/1999/xlink", "http://www.w3.org/XML/1998/namespace"
_UNWANTED = frozenset(("script", "foreignObject", "metadata", "handler", "listener", "audio", "video", "iframe"))
_URL = re.compile(r"url\(\s*+(?!['\"]?#)[^)]*+\)?", re.IGNORECASE)
_AT_RULE = re.compile(r"@[^;{}@]*(?:;|\{[^{}]*\}|\Z)")  # of other files, of fonts, of media: nothing that counts here
_DATA = re.compile(r"\s*data:[^,]{0,200};\s*base64\s*,", re.IGNORECASE)  # its bytes say what it is
_MOST_OCTAVES = 12  # of noise: each further one has half the strength, and takes as long as all others


class BareLook(Struct, frozen=True):
    """The look and size of a rewritten drawing: its box in pixels, its colours and its ink."""

    box: Rect
    width_px: int
    height_px: int
    colour: str
    fill: str
    ink: str
    repaint: tuple[tuple[str, str], ...] = ()


def bare_svg(path: str, data: bytes, look: BareLook) -> bytes:
    """Return a drawing that `read_art` accepted, rewritten as a self-contained SVG in the size of its look."""
    writer = _Writer(path, look)
    writer.parser.Parse(data.removeprefix(b"\xef\xbb\xbf"), True)
    return "".join(writer.out).encode("utf-8", "replace")


class _Writer:
    """Handlers of the parser that write the new SVG; `skipped` is the depth inside an omitted element."""

    def __init__(self, path: str, look: BareLook) -> None:
        self.out: list[str] = []
        self._path = path
        self._look = look
        self._repaint = dict(look.repaint)
        self._skipped = 0
        self._open: list[str] = []
        self._css = ""  # of the style sheet that is open: looked at whole, as what is left out of it would join words
        self.parser = parser = expat.ParserCreate("utf-8", "}")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._word

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        space, _, tag = name.rpartition("}")
        is_unwanted = space not in ("", _SVG) or tag in _UNWANTED or self._open[-1:] == ["style"]
        if self._skipped or is_unwanted or is_of_another_ink(attributes.get("class", ""), self._look.ink):
            self._skipped += 1
            return
        kept: dict[str, str] = {}
        for key, value in attributes.items():
            at, _, own = key.rpartition("}")
            if own == "href" and at in ("", _XLINK):
                # It may refer to elements of its own file, or to a picture inside of it.
                href = value.strip()
                if not href.startswith("#"):
                    href = picture_inside(self._path, href) if tag in ("image", "feImage") else ""
                kept |= {"xlink:href": href} if href else {}
            elif at == _XML and own == "space":
                kept["xml:space"] = value
            elif not at and not own.lower().startswith("on"):
                kept[own] = _checked(own, value)
        if not self._open:
            kept = self._of_whole(kept)
        if colours := repainted(kept.get("class", ""), self._repaint):  # at the end of its styles, where they count
            written = (f"{name}:{colour}" for name, colour in colours.items())
            kept["style"] = ";".join(filter(None, (kept.get("style", "").strip("; "), *written)))
        self.out.append(f"<{tag}" + "".join(f' {key}="{escape(value)}"' for key, value in kept.items()) + ">")
        self._open.append(tag)

    def _end(self, _name: str) -> None:
        if self._skipped:
            self._skipped -= 1
            return
        self.out.append(f"{escape(_own_styles(self._css))}</{self._open.pop()}>")
        self._css = ""

    def _word(self, words: str) -> None:
        if self._skipped or not self._open:
            return
        if self._open[-1] == "style":
            self._css += words
        else:
            self.out.append(escape(words))

    def _of_whole(self, own: dict[str, str]) -> dict[str, str]:
        """Return the attributes of the root element: its box fills the picture, whatever its own size."""
        look, box = self._look, self._look.box
        whole = {name: value for name, value in own.items() if name not in ("x", "y", "overflow")}
        whole |= {
            "xmlns": _SVG,
            "xmlns:xlink": _XLINK,
            "width": str(look.width_px),
            "height": str(look.height_px),
            "viewBox": f"{box.x_mm!r} {box.y_mm!r} {box.width_mm!r} {box.height_mm!r}",
            "preserveAspectRatio": "none",
        }
        return {"fill": look.fill, "color": look.colour, **whole}


def _checked(name: str, value: str) -> str:
    if name == "style":
        return _own_styles(value)
    if name == "numOctaves":
        return value if value.strip().isdigit() and len(value.strip()) < 3 and int(value) <= _MOST_OCTAVES else "1"
    return _URL.sub("none", value) if "(" in value else value


def _own_styles(css: str) -> str:
    """Return styles without references to other files, and without escapes, which could hide one."""
    return _URL.sub("none", _AT_RULE.sub(" ", css.replace("\\", "")))


def picture_inside(path: str, href: str) -> str:
    """Return the data URL of an embedded PNG or JPEG, encoded again after a check; empty for any other link."""
    match = _DATA.match(href)
    if match is None:
        return ""
    try:
        data = base64.b64decode("".join(href[match.end() :].split()), validate=True)
        if data.startswith(PNG_MAGIC):
            kind, bare = "png", read_png(path, data)
        elif data.startswith(JPEG_MAGIC):
            kind, bare = "jpeg", read_jpeg(path, data)
        else:
            return ""
    except (BadArt, binascii.Error, ValueError):
        return ""
    return f"data:image/{kind};base64,{base64.b64encode(bare.data).decode('ascii')}"


def svg_pixels(svg: str, font_files: Sequence[str], family: str) -> bytes:
    """Return a PNG of a drawing that `bare_svg` wrote; unknown font families are replaced by `family`.

    Raises `ValueError` where it cannot be drawn.
    """
    import resvg_py

    # A millimetre of an SVG is that of CSS, of which 96 pixels are an inch. Source: CSS Values 3, 5.2.
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg, dpi=96, skip_system_fonts=True, font_files=list(font_files), font_family=family,
            serif_family=family, sans_serif_family=family, cursive_family=family, fantasy_family=family,
            monospace_family=family,
        )
    )  # fmt: skip
