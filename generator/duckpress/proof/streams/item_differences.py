"""What a stream paints otherwise than it should, in words: the first that is missing, odd, misplaced or changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from msgspec.structs import replace

from duckpress.core.frame import Group, Item, Outline, Picture, PlacedDrawing, Text, every_item
from duckpress.core.geometry import Matrix
from duckpress.core.paths import canonical_text
from duckpress.proof.streams.wanted_items import rounded_text, wanted_items

_CHANGES = {
    "glyphs": "with other glyphs or other gaps between them",
    "font": "in another typeface",
    "size_mm": "in another size",
    "fill": "in another colour",
    "paint": "in another paint",
    "path": "along another path",
    "key": "in another one's stead",
    "clip": "cut off elsewhere",
    "opacity": "in another opacity",
    "mask": "under another mask",
    "items": "with other things in it",
}
"""How fields differ; any other is a place."""
_FINEST_MM = 0.000051  # half of the last decimal that is written
_SHOWN = 60
_FIRST = 3
"""So many things of a group are named."""


def difference(painted: Sequence[Item], asked: Sequence[Item]) -> str | None:
    """Return in words the first thing that is painted otherwise than the items of a frame ask for, None for nothing."""
    wanted = list(wanted_items(asked))
    if _are_same(painted, wanted):
        return None
    said = {rounded_text(item): item.text for item in every_item(tuple(asked)) if isinstance(item, Text)}
    return _Teller(said).difference(painted, [*_rounded(wanted)])


def _are_same(painted: Sequence[Item], wanted: Sequence[Item]) -> bool:
    if len(painted) != len(wanted):
        return False
    for item, other in zip(painted, wanted, strict=True):
        if isinstance(item, Text) and isinstance(other, Text):
            if not (
                item.glyphs == other.glyphs
                and abs(item.x_mm - other.x_mm) <= _FINEST_MM
                and abs(item.y_mm - other.y_mm) <= _FINEST_MM
                and abs(item.size_mm - other.size_mm) <= _FINEST_MM
                and item.font == other.font
                and item.fill == other.fill
            ):
                return False
        elif isinstance(item, Group) and isinstance(other, Group):
            if item.matrix != other.matrix or item.clip != other.clip or item.opacity != other.opacity:
                return False
            if not (_are_same(item.items, other.items) and _are_same(item.mask, other.mask)):
                return False
        elif item != other:
            return False
    return True


def _rounded(items: Iterable[Item]) -> Iterator[Item]:
    """Yield items with texts as they are written."""
    for item in items:
        if isinstance(item, Text):
            yield rounded_text(item)
        else:
            yield _with_items(item, tuple(_rounded(item.items))) if isinstance(item, Group) else item


class _Teller:
    def __init__(self, said: dict[Text, str]) -> None:
        self._said = said

    def difference(self, painted: Sequence[Item], wanted: Sequence[Item]) -> str:
        for item, other in zip_longest(painted, wanted):
            if item == other:
                continue
            is_extra, is_missing = item not in wanted, other not in painted
            if other is not None and (item is None or (is_missing and not is_extra)):
                return f"lacks {self._named(other)}"
            if item is not None and (other is None or (is_extra and not is_missing)):
                return f"shows {self._named(item)}, which nothing asks for"
            if not is_extra:
                return f"shows {self._named(item)} before {self._named(other)}"
            if type(item) is not type(other):
                return f"shows {self._named(item)} instead of {self._named(other)}"
            if isinstance(item, Group) and isinstance(other, Group) and item == _with_items(other, item.items):
                return self.difference(item.items, other.items)
            return f"shows {self._named(other)} {_changes(item, other)}"
        return "is another face"

    def _named(self, item: Item) -> str:
        if isinstance(item, Text):
            return f"the text {_shortened(self._said.get(item, item.glyphs))!r}"
        if isinstance(item, Outline):
            return f"the path {_shortened(canonical_text(item.path))!r}"
        if isinstance(item, Picture):
            return f"the picture {item.key[:8]}"
        if isinstance(item, PlacedDrawing):
            return f"the drawing {item.key[:8]}"
        return f"a group of {', '.join(map(self._named, item.items[:_FIRST]))}"


def _with_items(group: Group, items: tuple[Item, ...]) -> Group:
    return replace(group, items=items, mask=tuple(_rounded(group.mask)))


def _changes(item: Item, other: Item) -> str:
    """Return how an item differs from the one that was wanted."""
    changes: list[str] = []
    for field in item.__struct_fields__:
        one, wanted = getattr(item, field), getattr(other, field)
        if one != wanted:
            change = _CHANGES.get(field)
            if change is None:
                change = f"at {_place(item)} instead of {_place(other)}"
            elif isinstance(one, str | float) and field != "glyphs":
                change += f" ({_shortened(str(one))} instead of {_shortened(str(wanted))})"
            changes.append(change)
    return ", ".join(dict.fromkeys(changes))


def _place(item: Item) -> str:
    if isinstance(item, Picture):
        return f"{item.x_mm:g}, {item.y_mm:g} mm ({item.width_mm:g} x {item.height_mm:g} mm)"
    if isinstance(item, Text):
        return f"{item.x_mm:g}, {item.y_mm:g} mm"
    matrix = item.matrix if isinstance(item, Group | PlacedDrawing) else Matrix()
    return f"{matrix.e:g}, {matrix.f:g} mm ({' '.join(f'{part:g}' for part in matrix[:4])})"


def _shortened(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
