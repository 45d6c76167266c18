"""The things that pages and forms use -> plain records: images, fonts with their maps and widths, layers, opacities."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct

Number = int
"""The number of an indirect object; 0 for an object that stands in another one."""

Called = tuple[str, Number]
"""A thing by its name (`C-` a face, `D-` a drawing, `P-` a picture, `F-` a font, `G-` a group, `L-` a layer) and its
number."""

Opacity = tuple[float, float]
"""How opaque fills and strokes are, from 0 to 1."""


class ImageRead(Struct, frozen=True):
    """An image: its pixels across and down, its colour space written out, its bits, its data as they stand, its mask.

    `predictor` is which one its rows stand behind, with colours, bits and columns; empty for none.
    """

    width: int
    height: int
    space: str
    bits: int
    filter: str
    data: bytes
    predictor: tuple[int, ...] = ()
    mask: ImageRead | None = None


class FontRead(Struct, frozen=True):
    """A font: its name, what each glyph says and how wide it is (thousandths of an em), and its file, empty for none.

    `is_direct` says that the glyphs in texts are those of the file by their numbers, `is_compact` that the file is a
    bare `CFF ` table.
    """

    name: str
    kind: str
    texts: Mapping[int, str]
    widths: Mapping[int, float]
    ascent: float
    descent: float
    file: bytes
    has_map: bool
    is_direct: bool = False
    is_compact: bool = False


class LayerRead(Struct, frozen=True):
    """A layer: its title, whether viewers list it, whether it shows on a screen, and whether it is printed."""

    title: str
    is_listed: bool
    is_shown: bool
    is_printed: bool


_IMAGE_KEYS = frozenset(
    [
        "/Type",
        "/Subtype",
        "/Width",
        "/Height",
        "/ColorSpace",
        "/BitsPerComponent",
        "/Filter",
        "/DecodeParms",
        "/SMask",
        "/Length",
    ]
)
_STATE_KEYS = frozenset(["/Type", "/ca", "/CA", "/SMask"])
_MASK_KEYS = frozenset(["/Type", "/S", "/G"])  # others would change what is black, or how light something is


def refuse_keys(thing: Any, known: frozenset[str]) -> None:
    """Raise `ValueError` for what has more than these keys: others would change how it is painted."""
    for key in thing.keys() - known:
        raise ValueError(f"something in the file has a {key}")


def read_image(image: Any) -> ImageRead:
    """Return an image with its mask."""
    import pikepdf

    refuse_keys(image, _IMAGE_KEYS)
    space, parameters, mask = image.ColorSpace, image.get("/DecodeParms"), image.get("/SMask")
    parts = list(space) if isinstance(space, pikepdf.Array) else [space]
    names = " ".join(bytes(part).hex() if isinstance(part, pikepdf.String) else str(part) for part in parts)
    keys = ("/Predictor", "/Colors", "/BitsPerComponent", "/Columns")
    return ImageRead(
        int(image.Width),
        int(image.Height),
        names,
        int(image.BitsPerComponent),
        str(image.get("/Filter")),
        image.read_raw_bytes(),
        () if parameters is None else tuple(int(parameters.get(key, 0)) for key in keys),
        None if mask is None else read_image(mask),
    )


def read_opacity(state: Any) -> Opacity:
    """Return the opacities that a graphics state sets."""
    refuse_keys(state, _STATE_KEYS)
    return float(state.get("/ca", 1)), float(state.get("/CA", 1))


def mask_form(state: Any) -> Any:
    """Return the form that makes the soft mask of a graphics state, None where it has none."""
    mask = state.get("/SMask")
    if mask is None:
        return None
    refuse_keys(mask, _MASK_KEYS)
    if str(mask.get("/S")) != "/Luminosity":
        raise ValueError("a soft mask that is not of luminosity")
    return mask.G


def read_layers(properties: Any) -> dict[Number, LayerRead]:
    """Return the layers of a document. One that is not to be printed says so itself, and an event asks it."""
    if properties is None:
        return {}
    default = properties.get("/D", {})

    def numbers(owner: Any, key: str) -> set[Number]:
        return {group.objgen[0] for group in owner.get(key, [])}

    listed, hidden = numbers(default, "/Order"), numbers(default, "/OFF")
    asking = set()
    for event in default.get("/AS", []):
        if str(event.get("/Event")) == "/Print" and "/Print" in map(str, event.get("/Category", [])):
            asking |= numbers(event, "/OCGs")
    layers = {}
    for group in properties.get("/OCGs", []):
        number, usage = group.objgen[0], group.get("/Usage", {})
        says_off = str(usage.get("/Print", {}).get("/PrintState", "/ON")) == "/OFF"
        is_shown = number not in hidden and str(usage.get("/View", {}).get("/ViewState", "/ON")) == "/ON"
        is_printed = number not in hidden and not (says_off and number in asking)
        layers[number] = LayerRead(str(group.get("/Name", "")), number in listed, is_shown, is_printed)
    return layers


@lru_cache(maxsize=256)
def numbers_in(written: bytes) -> tuple[float, ...]:
    """Return the numbers of an array that is written out."""
    return tuple(map(float, written.strip(b"[] ").split()))


def read_font(font: Any) -> FontRead:
    """Return a font."""
    name, kind = str(font.get("/BaseFont", "")).lstrip("/"), str(font.get("/Subtype", "")).lstrip("/")
    to_unicode = font.get("/ToUnicode")
    texts = read_cmap(to_unicode.read_bytes()) if to_unicode is not None else {}
    descendants = font.get("/DescendantFonts")
    if kind != "Type0" or descendants is None:
        return FontRead(name, kind, texts, {}, 0.0, 0.0, b"", to_unicode is not None)
    inner = descendants[0]
    descriptor = inner.get("/FontDescriptor", {})
    is_compact = "/FontFile3" in descriptor
    file = descriptor.get("/FontFile3" if is_compact else "/FontFile2")
    widths = _read_widths(inner.W.unparse())
    ascent, descent = float(descriptor.get("/Ascent", 0)), float(descriptor.get("/Descent", 0))
    written = [str(one) for one in (font.get("/Encoding"), inner.get("/Subtype"), inner.get("/CIDToGIDMap"))]
    is_direct = written == ["/Identity-H", "/CIDFontType2", "/Identity"]
    if is_compact and file is not None:
        is_direct = [*written, str(file.get("/Subtype"))] == ["/Identity-H", "/CIDFontType0", "None", "/CIDFontType0C"]
    data = file.read_bytes() if file is not None else b""
    return FontRead(name, kind, texts, widths, ascent, descent, data, to_unicode is not None, is_direct, is_compact)


_BLOCKS = re.compile(rb"beginbfchar(.*?)endbfchar", re.DOTALL)
_ENTRIES = re.compile(rb"<([0-9A-Fa-f]{4})>\s*<((?:[0-9A-Fa-f]{4})+)>")


def read_cmap(data: bytes) -> dict[int, str]:
    """Return what each glyph says, from a ToUnicode map that names glyphs one by one."""
    texts = {}
    for block in _BLOCKS.findall(data):
        for glyph, letters in _ENTRIES.findall(block):
            texts[int(glyph, 16)] = bytes.fromhex(letters.decode()).decode("utf-16-be", "replace")
    return texts


_ROWS = re.compile(rb"(\d+)\s*\[([^\]]*)\]")


def _read_widths(written: bytes) -> dict[int, float]:
    """Return the widths in a `W` array of the form `first [width width ...]`."""
    return {
        glyph: width for first, row in _ROWS.findall(written) for glyph, width in enumerate(numbers_in(row), int(first))
    }
