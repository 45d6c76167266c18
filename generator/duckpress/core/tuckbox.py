"""A tuck box for so many cards: its inner sides, and where everything lies on the flat net it is folded from."""

from __future__ import annotations

from msgspec import Struct

from duckpress.core.geometry import Rect, Size

PANELS = ("front", "back", "left", "right", "top", "bottom")
DEFAULT_STOCK_MM = 0.32  # the usual playing card. 300 g/m2 card from a home printer is about as thick
SLEEVE_MM = 0.12  # what a sleeve adds to each card: two films of 60 micrometres. Source: the makers' penny sleeves
SLEEVE_ROOM = Size(3.0, 4.0)  # what a sleeve adds around a card. Source: 66 x 92 mm sleeves for 63 x 88 mm cards
DEFAULT_ROOM_MM = 1.0
_NET_MARGIN_MM = 1.0  # free all around, so that the cut line lies inside the trim


class TuckBox(Struct, frozen=True):
    """A box: how many cards it holds, and its inner sides in millimetres, upright as the cards stand in it."""

    cards: int
    width_mm: float
    height_mm: float
    depth_mm: float

    @property
    def net_size(self) -> Size:
        """The size of its net, with a margin around the cut line."""
        net = Net(self.width_mm, self.height_mm, self.depth_mm)
        return Size(round(net.across_mm + 2 * _NET_MARGIN_MM, 2), round(net.down_mm + 2 * _NET_MARGIN_MM, 2))


def box_for(card: Size, count: int, stock_mm: float, room_mm: float, *, is_sleeved: bool) -> TuckBox:
    """Return the box for a stack of cards: as deep as the stack, and a little room all round.

    Half of `room_mm` at each side, and the same once more to the depth for every fifty cards: a stack never lies as
    flat as its sum.
    """
    width_mm, height_mm = sorted(card)
    thickness_mm = stock_mm
    if is_sleeved:
        width_mm += SLEEVE_ROOM.width_mm
        height_mm += SLEEVE_ROOM.height_mm
        thickness_mm += SLEEVE_MM
    depth_mm = count * thickness_mm + room_mm * (1 + count / 50)
    return TuckBox(count, round(width_mm + room_mm, 1), round(height_mm + room_mm, 1), max(5.0, round(depth_mm, 1)))


class Net:
    """Where everything of a box lies, in millimetres from the top left of the net."""

    def __init__(self, width_mm: float, height_mm: float, depth_mm: float) -> None:
        self.width_mm, self.height_mm, self.depth_mm = width_mm, height_mm, depth_mm
        self.glue_mm = min(12.0, max(6.0, depth_mm * 0.8))
        self.tuck_mm = min(15.0, max(8.0, depth_mm))
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
