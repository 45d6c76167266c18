"""Pictures for presenting a game on a page or in a post: a fan of cards, a row with a back, a spread of all, the box.

They are cut to the shape of cards on a transparent ground, each card with a soft shadow, and come from the same faces
as the print.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby

from PIL import Image as Pictures
from PIL import ImageChops, ImageEnhance, ImageFilter
from PIL.Image import Image

from duckpress.art.picture_files import png_bytes
from duckpress.core.frame import Frame
from duckpress.core.tuckbox import NET_MARGINS, Net, TuckBox
from duckpress.layout import Face, LaidOut
from duckpress.model import Game
from duckpress.pool import jobs
from duckpress.pool.parallel import in_parts
from duckpress.press.request import Step
from duckpress.text.fonts import FontLibrary
from duckpress.views.export_files import MadeFiles
from duckpress.views.pictures import FacePainter, cut_out

MAX_PX = 2000
_LONGEST_IN = 10.0  # inches of cards that lie along the longest side of a picture
_SCREEN_DPI = 96.0
_IN_FAN, _IN_ROW = 7, 5
_FAN_DEGREES = 64.0  # from the first card to the last
_CARD_MM = 50.0  # what is at least as high, and has a back, is a card to show
_LARGE_MM = 130.0
_EDGE_PX = 5  # of the filter that finds the edge: two pixels of each side
_LINE_MM = 0.4  # at the edges of a box's sides, where the lines of its net run
_DEPTH, _DEPTH_DEGREES = 0.6, 35.0  # how far the sides of a box go back, as in a cabinet drawing


def showcase_files(game: Game, pieces: Sequence[LaidOut], max_px: int, fonts: FontLibrary, step: Step) -> MadeFiles:
    """Return the pictures of a game, at most so large; without those of missing parts."""
    dpi = max_px / _LONGEST_IN
    cards = [
        (one, face)
        for one in pieces
        for face in one.faces
        if game.decks[face.deck].is_component and face.copies > 0 and face.back is not None
        if _CARD_MM <= max(face.front.trim) <= _LARGE_MM
    ]
    pictures: dict[str, Callable[[], Image]] = {}
    if cards:
        fan, row = _spread_over(cards, _IN_FAN), _spread_over(cards, _IN_ROW)
        columns = math.ceil(math.sqrt(len(cards) * 1.6))
        pictures = {
            "fan.png": lambda: _fan(_fronts(fan, fonts, dpi)),
            "row.png": lambda: _grid([_back(*row[0], fonts, dpi), *_fronts(row, fonts, dpi)], len(row) + 1),
            "spread.png": lambda: _spread(_fronts(cards, fonts, dpi / 2), columns),
        }
    for one in pieces:
        for face in one.faces:
            box = game.decks[face.deck].box
            if box is not None:
                pictures[f"{face.deck}.png"] = partial(_box, box, one, face, fonts, dpi)
    step(f"{len(pictures)} pictures")
    makers = list(pictures.values())
    results = in_parts(lambda number: _fitted(makers[number](), max_px), len(makers), jobs())
    return MadeFiles(dict(zip(pictures, results, strict=True)), {"max_px": max_px})


def _spread_over(cards: Sequence[tuple[LaidOut, Face]], most: int) -> list[tuple[LaidOut, Face]]:
    """Return at most so many cards, evenly chosen from all decks with several cards."""
    decks = [face.deck for _, face in cards]
    several = [card for card in cards if decks.count(card[1].deck) > 1] or list(cards)
    number = min(most, len(several))
    return [several[(2 * place + 1) * len(several) // (2 * number)] for place in range(number)]


def _painted(one: LaidOut, frames: Sequence[Frame], fonts: FontLibrary, dpi: float) -> list[Image]:
    return list(FacePainter(fonts).pictures(one, frames, dpi))


def _fronts(cards: Sequence[tuple[LaidOut, Face]], fonts: FontLibrary, dpi: float) -> list[Image]:
    """Return the fronts of cards, in order; those of one piece are painted together."""
    shown: list[Image] = []
    for _, group in groupby(cards, key=lambda card: id(card[0])):
        some = list(group)
        pictures = _painted(some[0][0], [face.front for _, face in some], fonts, dpi)
        shown += [cut_out(picture, face.format) for picture, (_, face) in zip(pictures, some, strict=True)]
    return shown


def _back(one: LaidOut, face: Face, fonts: FontLibrary, dpi: float) -> Image:
    assert face.back is not None
    (picture,) = _painted(one, [face.back], fonts, dpi)
    return cut_out(picture, face.format)


def _shadowed(picture: Image) -> Image:
    """Return a picture with a light paper edge and a soft shadow, with room for them on all sides."""
    rim = max(6, max(picture.size) // 40)
    size = (picture.width + 2 * rim, picture.height + 2 * rim)
    ground, shape = Pictures.new("RGBA", size), Pictures.new("L", size)
    shape.paste(picture.convert("RGBA").getchannel("A"), (rim, rim + rim // 3))
    ground.putalpha(shape.filter(ImageFilter.GaussianBlur(rim / 3)).point(lambda value: value * 2 // 5))
    card = picture.convert("RGBA")
    # Dark cards that lie on each other would be one dark field. Nothing is beyond a picture, so it gets a clear rim.
    whole = Pictures.new("L", (card.width + 2, card.height + 2))
    whole.paste(card.getchannel("A"), (1, 1))
    edge = ImageChops.subtract(whole, whole.filter(ImageFilter.MinFilter(_EDGE_PX)))
    edge = edge.crop((1, 1, card.width + 1, card.height + 1))
    light = Pictures.new("RGBA", edge.size, "#ffffff")
    light.putalpha(edge.point(lambda value: value // 2))
    card.alpha_composite(light)
    ground.alpha_composite(card, (rim, rim))
    return ground


def _fan(cards: Sequence[Image]) -> Image:
    """Return cards in a fan, turned about a point below them, the first one lowest."""
    shown = [_shadowed(card) for card in cards]
    high = max(card.height for card in shown)
    reach = round(high * 2.1)
    ground = Pictures.new("RGBA", (2 * reach, reach + high))
    step = _FAN_DEGREES / max(1, len(shown) - 1)
    for number, card in enumerate(shown):
        angle = (number - (len(shown) - 1) / 2) * step
        turned = Pictures.new("RGBA", ground.size)
        turned.paste(card, (reach - card.width // 2, reach - round(high * 1.5)))
        turned = turned.rotate(-angle, Pictures.Resampling.BICUBIC, center=(reach, reach + round(high * 0.6)))
        ground.alpha_composite(turned)
    return ground


def _grid(cards: Sequence[Image], columns: int) -> Image:
    """Return cards row by row, each centred in its place; a row is as high as its highest card."""
    shown = [_shadowed(card) for card in cards]
    wide = max(card.width for card in shown)
    rows = [shown[start : start + columns] for start in range(0, len(shown), columns)]
    heights = [max(card.height for card in row) for row in rows]
    ground = Pictures.new("RGBA", (wide * len(rows[0]), sum(heights)))
    y = 0
    for row, high in zip(rows, heights, strict=True):
        for column, card in enumerate(row):
            ground.alpha_composite(card, (column * wide + (wide - card.width) // 2, y + (high - card.height) // 2))
        y += high
    return ground


def _spread(cards: Sequence[Image], columns: int) -> Image:
    """Return cards side by side, each size in its own rows, the commonest first; `columns` of the widest."""
    by_size: dict[tuple[int, int], list[Image]] = {}
    for card in cards:
        by_size.setdefault(card.size, []).append(card)
    widest = max(card.width for card in cards)
    grids = []
    for (width, _), some in sorted(by_size.items(), key=lambda one: -len(one[1])):
        grids.append(_grid(some, min(len(some), max(1, columns * widest // width))))
    ground = Pictures.new("RGBA", (max(grid.width for grid in grids), sum(grid.height for grid in grids)))
    y = 0
    for grid in grids:
        ground.alpha_composite(grid, ((ground.width - grid.width) // 2, y))
        y += grid.height
    return ground


def _box(box: TuckBox, one: LaidOut, face: Face, fonts: FontLibrary, dpi: float) -> Image:
    """Return a box in perspective: its front, right side and lid, cut out of its flat net."""
    (flat,) = _painted(one, [face.front], fonts, dpi)
    px = flat.width / box.net_size.width_mm
    panels = Net(box.width_mm, box.height_mm, box.depth_mm).panels()

    def panel(name: str, dimmed: float) -> Image:
        at = panels[name]
        left_mm, top_mm = at.x_mm + NET_MARGINS.width_mm + _LINE_MM, at.y_mm + NET_MARGINS.height_mm + _LINE_MM
        corners = (left_mm, top_mm, left_mm + at.width_mm - 2 * _LINE_MM, top_mm + at.height_mm - 2 * _LINE_MM)
        found = flat.crop(tuple(round(edge * px) for edge in corners))  # type: ignore[arg-type]
        return ImageEnhance.Brightness(found).enhance(dimmed).convert("RGBA")

    front, right, top = panel("front", 1.0), panel("right", 0.82), panel("top", 0.92)
    angle = math.radians(_DEPTH_DEGREES)
    across = max(1, round(right.width * _DEPTH * math.cos(angle)))
    up = max(1, round(right.width * _DEPTH * math.sin(angle)))
    ground = Pictures.new("RGBA", (front.width + across, front.height + up))
    method, fine = Pictures.Transform.AFFINE, Pictures.Resampling.BICUBIC
    # The side leans up as it goes back, the lid to the right: each pixel is taken from where it was on the panel.
    side = right.resize((across, front.height)).transform(
        (across, front.height + up), method, (1, 0, 0, up / across, 1, -up), fine
    )
    # The lid hangs on the back: who stands before the box sees it upside down.
    lid = top.transpose(Pictures.Transpose.ROTATE_180).resize((front.width, up))
    lid = lid.transform((front.width + across, up), method, (1, across / up, -across, 0, 1, 0), fine)
    ground.alpha_composite(lid, (0, 0))
    ground.alpha_composite(side, (front.width, 0))
    ground.alpha_composite(front, (0, up))
    return _shadowed(ground)


def _fitted(picture: Image, max_px: int) -> bytes:
    """Return a picture as PNG without empty edges, scaled down to at most so many pixels a side."""
    edges = picture.getbbox()
    picture = picture.crop(edges) if edges else picture
    scale = max_px / max(picture.size)
    if scale < 1:
        picture = picture.resize((max(1, round(picture.width * scale)), max(1, round(picture.height * scale))))
    return png_bytes(picture, _SCREEN_DPI)
