"""Elements that hold no others -> what they have to show, worked out from their attributes alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from duckpress.art.picture_files import PictureData
from duckpress.art.qr_code import QUIET, code_path, modules_of
from duckpress.art.svg.file import VectorArt
from duckpress.art.svg.paint import Lines
from duckpress.art.svg.paths import parse_path, parse_points
from duckpress.art.values import rounded
from duckpress.core import paths
from duckpress.core.frame import Group, Item, Outline, Paint, Picture, PlacedDrawing
from duckpress.core.geometry import IDENTITY, Matrix, Rect, Size, rotation, translation
from duckpress.core.paths import NO_PATH, Path
from duckpress.core.sizes import Format
from duckpress.layout.elements.art_shelf import ArtShelf
from duckpress.layout.elements.images import stand_in, trim_path
from duckpress.layout.theme import Look
from duckpress.model import Deck
from oracle.frame_check.asked_values import (
    Attributes,
    WrongFrame,
    area_of,
    box_in,
    colour_in,
    is_alike,
    is_near,
    matrix_in,
    mm,
    number,
    paint_in,
    painted,
)

_SLIP = 1e-3


class ShapeCheck:
    """Holds what elements without others in them show against what they ask for."""

    def __init__(self, look: Look, art: ArtShelf, decks: Mapping[str, Deck]) -> None:
        self._look, self._art, self._decks = look, art, decks
        self._askers: Mapping[str, Callable[[Attributes, Rect], Sequence[Item]]] = {
            "image": self._image, "icon": self._icon, "qr": self._qr, "card": self._card,
        }  # fmt: skip

    def check(self, tag: str, attributes: Attributes, cell: Rect, format_: Format, items: Sequence[Item]) -> None:
        if tag == "pips":
            self._check_pips(attributes, cell, items)
        elif tag == "polyomino":
            self._check_polyomino(attributes, cell, items)
        elif tag == "ground":
            whole = Rect(0.0, 0.0, *format_.trim).grown(format_.bleed_mm)
            asked = painted(paths.rectangle(*whole), paint_in(self._look, attributes, fill="ground"))
            _compare(tag, asked, items)
        else:
            asker = self._askers.get(tag)
            _compare(tag, self._shape(tag, attributes, cell) if asker is None else asker(attributes, cell), items)

    def _shape(self, tag: str, attributes: Attributes, cell: Rect) -> Sequence[Item]:
        has_points = tag in ("path", "polygon", "polyline")
        is_moved = has_points or "transform" in attributes
        at = Rect(0.0, 0.0, cell.width_mm, cell.height_mm) if is_moved else cell
        paint = paint_in(self._look, attributes, stroke="ink" if tag == "line" else "none")
        items = painted(shape_path(tag, attributes, at), paint, number(attributes, "opacity"))
        matrix = translation(cell.x_mm, cell.y_mm).after(matrix_in(attributes))
        return (Group(tuple(items), rounded(matrix)),) if is_moved and matrix != IDENTITY and items else items

    def _image(self, attributes: Attributes, cell: Rect) -> Sequence[Item]:
        art, box = self._art.find(attributes["href"].strip()), box_in(attributes, cell)
        if not isinstance(art, VectorArt | PictureData) or not (box.width_mm and box.height_mm):
            return ()
        own = Rect(0.0, 0.0, art.width_px, art.height_px) if isinstance(art, PictureData) else art.box
        across, down = box.width_mm / own.width_mm, box.height_mm / own.height_mm
        fit = attributes.get("fit", "contain")
        if fit != "stretch":
            across = down = max(across, down) if fit == "cover" else min(across, down)
        shown = placed_in(attributes, box, own.width_mm * across, own.height_mm * down)
        item: Item
        if isinstance(art, PictureData):
            item = Picture(art.key, *shown)
        else:
            colour, lines = colour_in(self._look, attributes.get("outline", "none")), None
            if colour is not None:
                lines = Lines(colour, round(mm(attributes, "outline-width", 0.2) / (across * down) ** 0.5, 4))
            paints = [part.split(":") for part in attributes.get("paint", "").split(";") if part.strip()]
            wanted = {name.strip(): colour_in(self._look, written.strip()) or "none" for name, written in paints}
            size = Size(shown.width_mm, shown.height_mm)
            item = _placed(self._art.drawing(art, tuple(sorted(wanted.items())), lines, size).key, own, shown)
        opacity, rx_mm = number(attributes, "opacity"), mm(attributes, "rx", 0.0)
        is_clipped = rx_mm > 0 or not box.holds(shown, 1e-4)
        clip = paths.rectangle(*box, rx_mm) if is_clipped else NO_PATH
        return (Group((item,), clip=clip, opacity=opacity),) if is_clipped or opacity < 1 else (item,)

    def _icon(self, attributes: Attributes, cell: Rect) -> Sequence[Item]:
        colour = colour_in(self._look, attributes.get("fill", "ink"))
        icon, box = self._art.icon(attributes["name"].strip(), colour or "#000000"), box_in(attributes, cell)
        assert icon is not None
        high_mm = min(box.height_mm, box.width_mm * icon.box.height_mm / icon.box.width_mm)
        if "size" in attributes:
            high_mm = mm(attributes, "size", 0.0)
            if ("x" in attributes or "y" in attributes) and not {"width", "height", "align"} & attributes.keys():
                box = Rect(box.x_mm, box.y_mm, high_mm * icon.box.width_mm / icon.box.height_mm, high_mm)
        wide_mm = high_mm * icon.box.width_mm / icon.box.height_mm
        is_shown = colour is not None and high_mm > 0
        return (_placed(icon.key, icon.box, placed_in(attributes, box, wide_mm, high_mm)),) if is_shown else ()

    def _check_pips(self, attributes: Attributes, cell: Rect, items: Sequence[Item]) -> None:
        """Hold pips against their number and order: two columns, the middle; below the middle on their heads."""
        count, colour = int(attributes["count"]), colour_in(self._look, attributes.get("fill", "ink"))
        icon, box = self._art.icon(attributes["icon"].strip(), colour or "#000000"), box_in(attributes, cell)
        assert icon is not None
        if len(items) != (count if colour else 0):
            raise WrongFrame(f"<pips> shows {len(items)} icons, not {count}")
        high_mm = mm(attributes, "size", box.height_mm / 6)
        high_mm = mm(attributes, "ace-size", high_mm) if count == 1 else high_mm
        wide_mm = high_mm * icon.box.width_mm / icon.box.height_mm
        free_mm = box.width_mm - wide_mm, box.height_mm - high_mm
        places = []
        for item in items:
            assert isinstance(item, PlacedDrawing)
            at = item.matrix.around(icon.box)
            is_turned = item.matrix.a < 0 and item.matrix.d < 0
            across, down = ((at[i] - box[i]) / free_mm[i] if abs(free_mm[i]) > _SLIP else 0.5 for i in (0, 1))
            places.append((round(across, 2), round(down, 2)))
            is_upright = abs(item.matrix.b) + abs(item.matrix.c) < _SLIP
            if (
                item.key != icon.key
                or not is_upright
                or abs(at.width_mm - wide_mm) + abs(at.height_mm - high_mm) > _SLIP
            ):
                raise WrongFrame("<pips> shows other icons than it asks for")
            if min(free_mm) > _SLIP and is_turned != (down > 0.5 + _SLIP):
                raise WrongFrame(f"a pip of {count} stands the wrong way round")
        if min(free_mm) > _SLIP and items:
            mirrored = {(round(1 - across, 2), down) for across, down in places}
            turned = {(across, round(1 - down, 2)) for across, down in places} if count != 7 else set(places)
            ends = {down for _, down in places} & {0.0, 1.0}
            is_good = len(set(places)) == count and set(places) == mirrored == turned and (count == 1 or len(ends) == 2)
            if not is_good or {across for across, _ in places} - {0.0, 0.5, 1.0}:
                raise WrongFrame(f"the {count} pips do not stand as on playing cards")

    def _qr(self, attributes: Attributes, cell: Rect) -> Sequence[Item]:
        modules = modules_of(attributes["text"].strip(), attributes.get("error", "m"))
        quiet, box = int(attributes.get("quiet", QUIET)), box_in(attributes, cell)
        side_mm = mm(attributes, "size", min(box.width_mm, box.height_mm))
        x_mm, y_mm = box.x_mm, box.y_mm
        if "size" not in attributes or "width" in attributes or "height" in attributes:
            x_mm, y_mm = x_mm + (box.width_mm - side_mm) / 2, y_mm + (box.height_mm - side_mm) / 2
        dark = colour_in(self._look, attributes.get("fill", "ink"))
        light = colour_in(self._look, attributes.get("ground", "#ffffff"))
        if dark is None or side_mm <= 0:
            return ()
        module_mm = side_mm / (len(modules) + 2 * quiet)
        path = code_path(modules, x_mm + quiet * module_mm, y_mm + quiet * module_mm, module_mm)
        square = painted(paths.rectangle(x_mm, y_mm, side_mm, side_mm), Paint(light))
        return (*square, Outline(path, Paint(dark)))

    def _card(self, attributes: Attributes, cell: Rect) -> Sequence[Item]:
        """Return the face that a card shows, its middle in its place, and its edge."""
        deck_id, _, card_id = attributes["of"].strip().partition("/")
        deck, box = self._decks[deck_id], box_in(attributes, cell)
        own = deck.size.trim
        if ("width" in attributes) != ("height" in attributes):
            sides = (box.width_mm, box.width_mm / own.width_mm * own.height_mm)
            if "height" in attributes:
                sides = (box.height_mm / own.height_mm * own.width_mm, box.height_mm)
            box = Rect(box.x_mm, box.y_mm, *sides)
        scale, opacity = min(box.width_mm / own.width_mm, box.height_mm / own.height_mm), number(attributes, "opacity")
        at = placed_in(attributes, box, own.width_mm * scale, own.height_mm * scale)
        card_id = card_id or deck.cards[0].id
        key = stand_in(deck, card_id, is_back=attributes.get("side") == "back").key
        face = PlacedDrawing(key, Matrix(scale, 0, 0, scale, at.x_mm, at.y_mm))
        paint = paint_in(self._look, {"stroke": "ink", "stroke-width": "0.2", "stroke-opacity": "0.45", **attributes})
        items = (face, *painted(trim_path(deck.size, at), paint))
        turn = number(attributes, "turn", 0.0)
        if not scale or not opacity:
            return ()
        middle = at.x_mm + at.width_mm / 2, at.y_mm + at.height_mm / 2
        return (Group(items, rotation(turn, *middle), opacity=opacity),) if turn or opacity < 1 else items

    def _check_polyomino(self, attributes: Attributes, cell: Rect, items: Sequence[Item]) -> None:
        """Hold an outline of squares against how many squares there are, and against the corners of the shape."""
        rows = attributes["rows"].replace("/", " ").split()
        squares = {(x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark not in ".-0_"}
        box, columns = box_in(attributes, cell), max(map(len, rows))
        side_mm = mm(attributes, "cell", min(box.width_mm / columns, box.height_mm / len(rows)))
        left_mm, top_mm = box.x_mm, box.y_mm
        if "cell" not in attributes:
            left_mm += (box.width_mm - columns * side_mm) / 2
            top_mm += (box.height_mm - len(rows) * side_mm) / 2
        paint, inner = paint_in(self._look, attributes), colour_in(self._look, attributes.get("inner", "none"))
        outlines = [item for item in items if isinstance(item, Outline)]
        if len(outlines) > sum(bool(colour) for colour in (paint.fill, inner, paint.stroke)):
            raise WrongFrame("<polyomino> is painted more often than it asks for")
        corner = (left_mm + min(x for x, _ in squares) * side_mm, top_mm + min(y for _, y in squares) * side_mm)
        for item in outlines:
            if inner is None or item.paint.stroke != inner:
                area, at = area_of(item.path)
                if abs(area - len(squares) * side_mm**2) > 0.01 * side_mm**2 or not is_near(at, corner, 0.01):
                    raise WrongFrame("<polyomino> shows another shape than its rows")


def shape_path(tag: str, attributes: Attributes, cell: Rect) -> Path:
    """Return the path of one of SVG's shapes."""
    x_mm, y_mm, wide_mm, high_mm = cell
    if tag == "rect":
        rx_mm = mm(attributes, "rx", 0.0)
        ry_mm = mm(attributes, "ry", rx_mm)
        return paths.rectangle(*box_in(attributes, cell), rx_mm or ry_mm, ry_mm)
    if tag == "line":
        x1_mm, y1_mm = x_mm + mm(attributes, "x1", 0.0), mm(attributes, "y1", 0.0)
        ends = x1_mm, y_mm + y1_mm, x_mm + mm(attributes, "x2", wide_mm), y_mm + mm(attributes, "y2", y1_mm)
        return paths.strokes([ends])
    if tag == "path":
        return parse_path(attributes["d"])
    if tag in ("polyline", "polygon"):
        return paths.polyline(parse_points(attributes["points"]) or (), is_closed=tag == "polygon")
    if tag == "circle":
        rx_mm = ry_mm = mm(attributes, "r", min(wide_mm, high_mm) / 2)
    else:
        rx_mm, ry_mm = mm(attributes, "rx", wide_mm / 2), mm(attributes, "ry", high_mm / 2)
    middle = x_mm + mm(attributes, "cx", wide_mm / 2), y_mm + mm(attributes, "cy", high_mm / 2)
    return paths.ellipse(*middle, rx_mm, ry_mm) if rx_mm and ry_mm else NO_PATH


def placed_in(attributes: Attributes, box: Rect, wide_mm: float, high_mm: float) -> Rect:
    """Return where something of a size stands in a box."""
    words = attributes.get("align", "").split()
    across = 0 if "left" in words else 2 if "right" in words else 1
    down = 0 if "top" in words else 2 if "bottom" in words else 1
    x_mm, y_mm = box.x_mm + (box.width_mm - wide_mm) * across / 2, box.y_mm + (box.height_mm - high_mm) * down / 2
    return Rect(x_mm, y_mm, wide_mm, high_mm)


def _placed(key: str, own: Rect, shown: Rect) -> PlacedDrawing:
    across, down = shown.width_mm / own.width_mm, shown.height_mm / own.height_mm
    return PlacedDrawing(key, Matrix(across, 0, 0, down, shown.x_mm - own.x_mm * across, shown.y_mm - own.y_mm * down))


def _compare(tag: str, asked: Sequence[Item], items: Sequence[Item]) -> None:
    if not is_alike(asked, items):
        raise WrongFrame(f"<{tag}> shows {_words(items)} where it asks for {_words(asked)}")


def _words(items: Sequence[Item]) -> str:
    return (" and ".join(str(item)[:120] for item in items) or "nothing").replace("\n", " ")
