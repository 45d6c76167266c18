"""A tuck box for so many cards: its inner sides, and the places of its parts on the flat net."""

from __future__ import annotations

from msgspec import Struct

from duckpress.core.geometry import Rect, Size

PANELS = ("front", "back", "left", "right", "top", "bottom")
PLACES = (*PANELS, "glue", "note")  # where something may stand: beside the panels, the glue flap and what is cut away
DEFAULT_STOCK_MM = 0.32  # the usual playing card. 300 g/m2 card from a home printer is about as thick
SLEEVE_MM = 0.12  # what a sleeve adds to each card: two films of 60 micrometres. Source: the makers' penny sleeves
SLEEVE_ROOM = Size(3.0, 4.0)  # what a sleeve adds around a card. Source: 66 x 92 mm sleeves for 63 x 88 mm cards
DEFAULT_ROOM_MM = 1.0
BLEED_MM = 2.0
NET_MARGINS = Size(6.0, 3.4)  # left and right, above and below the net: for the bleed and for marks at the folds
MARK_GAP_MM = 0.4  # from the bleed to a mark


class TuckBox(Struct, frozen=True):
    """A box: its number of cards (dividers do not count), and its inner sides, upright like the cards in it."""

    cards: int
    width_mm: float
    height_mm: float
    depth_mm: float
    holds: tuple[tuple[str, int], ...] = ()  # ids of its decks, and how many cards of each; dividers are none of them

    @property
    def net_size(self) -> Size:
        """The size of its net, with a margin around the cut line."""
        net, (across_mm, down_mm) = Net(self.width_mm, self.height_mm, self.depth_mm), NET_MARGINS
        return Size(round(net.across_mm + 2 * across_mm, 2), round(net.down_mm + 2 * down_mm, 2))


def box_for(card: Size, count: int, stock_mm: float, room_mm: float, *, is_sleeved: bool, dividers: int = 0) -> TuckBox:
    """Return the box for a stack of cards and dividers: as deep as the stack, with a little room on all sides.

    Half of `room_mm` at each side, and the same once more to the depth for every fifty cards: a stack never lies as
    flat as its sum.
    """
    width_mm, height_mm = sorted(card)
    thickness_mm = stock_mm
    if is_sleeved:
        width_mm += SLEEVE_ROOM.width_mm
        height_mm += SLEEVE_ROOM.height_mm
        thickness_mm += SLEEVE_MM
    depth_mm = (count + dividers) * thickness_mm + room_mm * (1 + (count + dividers) / 50)
    return TuckBox(count, round(width_mm + room_mm, 1), round(height_mm + room_mm, 1), max(5.0, round(depth_mm, 1)))


class Net:
    """The places of a box's parts, in millimetres from the top left of the net."""

    def __init__(self, width_mm: float, height_mm: float, depth_mm: float) -> None:
        self.width_mm, self.height_mm, self.depth_mm = width_mm, height_mm, depth_mm
        self.glue_mm = min(12.0, max(6.0, depth_mm * 0.8))
        self.tuck_mm = min(12.0, max(8.0, depth_mm))  # no longer, so that the box for 100 cards fits A4 and Letter
        self.dust_mm = min(self.tuck_mm + depth_mm * 0.4, width_mm / 2 - 1)
        self.across_mm = self.glue_mm + 2 * width_mm + 2 * depth_mm
        self.down_mm = height_mm + 2 * (depth_mm + self.tuck_mm)
        self.left_mm = self.glue_mm
        self.top_mm = depth_mm + self.tuck_mm

    def panels(self) -> dict[str, Rect]:
        """Return the panels by name."""
        w, h, d = self.width_mm, self.height_mm, self.depth_mm
        x, y = self.left_mm, self.top_mm
        return {
            "front": Rect(x, y, w, h),
            "right": Rect(x + w, y, d, h),
            "back": Rect(x + w + d, y, w, h),
            "left": Rect(x + 2 * w + d, y, d, h),
            "top": Rect(x + w + d, y - d, w, d),
            "bottom": Rect(x + w + d, y + h, w, d),
        }

    def places(self) -> dict[str, Rect]:
        """Return the printable places by name: the panels, the glue flap, and the cut-off area above the front."""
        glue = Rect(0.0, self.top_mm, self.glue_mm, self.height_mm)
        return self.panels() | {"glue": glue, "note": Rect(self.left_mm, 0.0, self.width_mm, self.top_mm)}

    def printed(self, bleed_mm: float) -> dict[str, Rect]:
        """Return the inked area of each panel: with bleed at every edge that it shares with no other panel."""
        panels, b = self.panels(), bleed_mm
        grown = {
            "front": (b, b, 0.0, b), "right": (0.0, b, 0.0, b), "back": (0.0,) * 4, "left": (0.0, b, b, b),
            "top": (b, b, b, 0.0), "bottom": (b, 0.0, b, b),
        }  # fmt: skip
        return {
            name: Rect(x - left, y - top, wide + left + right, high + top + bottom)
            for name, (x, y, wide, high) in panels.items()
            for left, top, right, bottom in (grown[name],)
        }

    def fold_marks(self, bleed_mm: float) -> list[tuple[float, float, float, float]]:
        """Return short lines in the margins, outside of all ink, at both ends of every fold across the whole net."""
        panels, (across_mm, down_mm) = self.panels(), NET_MARGINS
        top, bottom = self.top_mm, self.top_mm + self.height_mm
        near = bleed_mm + MARK_GAP_MM
        lines = []
        for y in (top - self.depth_mm, top, bottom, bottom + self.depth_mm):
            lines.append((-across_mm, y, -near, y))
            lines.append((self.across_mm + near, y, self.across_mm + across_mm, y))
        for name in ("front", "right", "back", "left"):
            x = panels[name].x_mm
            lines.append((x, -down_mm, x, 0.0))  # the corners of the tongues are round: their bleed ends further down
            lines.append((x, self.down_mm, x, self.down_mm + down_mm))
        return lines
