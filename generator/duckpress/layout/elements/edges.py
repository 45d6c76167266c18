"""What lies too near the cut or beyond the bleed: warnings, once for every place in a template."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from duckpress.core.bounds import item_bounds, items_bounds, lies_in_disc, lies_in_hexagon
from duckpress.core.frame import Drawing, Item
from duckpress.core.geometry import IDENTITY, Rect
from duckpress.core.sizes import Format
from duckpress.layout.elements.layout_context import Desk

_SLACK_MM = 0.05


def warn_outside_bleed(desk: Desk, tag: str, items: tuple[Item, ...], drawings: Mapping[str, Drawing]) -> None:
    """Warn of an element that lies outside the bleed altogether, so that nobody will ever see it."""
    _warn_of_first_unseen(desk, f"<{tag}>", (items_bounds(items, drawings),))


def warn_of_labels(desk: Desk, tag: str, labels: tuple[Item, ...], drawings: Mapping[str, Drawing]) -> None:
    """Warn of an element's labels, once for all of them: of one outside the bleed, and of one near the cut."""
    _warn_of_first_unseen(desk, f"a label of <{tag}>", (item_bounds(label, drawings) for label in labels))
    around = items_bounds(labels, drawings)
    if around is not None:
        warn_outside_safe_zone(desk, labels, drawings, around)


def _warn_of_first_unseen(desk: Desk, name: str, boxes: Iterable[Rect | None]) -> None:
    inked = Rect(0, 0, *desk.format.trim).grown(desk.format.bleed_mm)
    for box in boxes:
        if box is None:
            continue
        bounds = desk.matrix.around(box) if desk.matrix is not IDENTITY else box
        if bounds.is_apart(inked):
            what = f"{name} at {bounds.x_mm:.1f}, {bounds.y_mm:.1f} mm lies outside the bleed and is never seen"
            desk.tell_once("outside-bleed", what, "move it onto the face, or take it away")
            return


def lies_inside(format_: Format, box: Rect, inset_mm: float) -> bool:
    """Return whether a box keeps so far from the cut, whatever its shape."""
    if format_.is_round:
        radius_mm = format_.trim.width_mm / 2
        return lies_in_disc(box, radius_mm, radius_mm, radius_mm - inset_mm)
    if format_.is_hex:
        return lies_in_hexagon(box, format_.trim, inset_mm)
    return Rect(0, 0, *format_.trim).grown(-inset_mm).holds(box)


def warn_outside_safe_zone(desk: Desk, items: tuple[Item, ...], drawings: Mapping[str, Drawing], box: Rect) -> None:
    """Warn of words and icons (`items`, inside `box` as a rule) that a cut a little beside its line may hit."""
    format_ = desk.format
    safe = Rect(0, 0, *format_.trim).grown(_SLACK_MM - format_.safe_mm)
    if desk.matrix is IDENTITY and not (format_.is_round or format_.is_hex) and safe.holds(box):
        return
    for item in items:
        bounds = item_bounds(item, drawings)
        if bounds is None:
            continue
        bounds = desk.matrix.around(bounds) if desk.matrix is not IDENTITY else bounds
        if not lies_inside(format_, bounds, format_.safe_mm - _SLACK_MM):
            over_mm = max(
                safe.x_mm - bounds.x_mm, bounds.right_mm - safe.right_mm,
                safe.y_mm - bounds.y_mm, bounds.bottom_mm - safe.bottom_mm,
            )  # fmt: skip
            near = f" by {over_mm:.1f} mm" if over_mm > 0 else ""
            what = f"words or icons reach{near} into the {format_.safe_mm:g} mm along the cut"
            desk.tell_once("outside-safe-zone", what, "move them inwards, or make them smaller")
            return
