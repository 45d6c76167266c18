"""Where the pips of a playing card stand: the classical layouts of 1 to 10 in the French suits."""

from __future__ import annotations

MAX_PIPS = 10

_LEFT, _MIDDLE, _RIGHT = 0.0, 0.5, 1.0
# Heights from the top (0) to the bottom (1). Pips below the middle stand on their heads.
_PAIRS: dict[int, tuple[float, ...]] = {
    1: (), 2: (), 3: (), 4: (0, 1), 5: (0, 1), 6: (0, 1 / 2, 1), 7: (0, 1 / 2, 1), 8: (0, 1 / 2, 1),
    9: (0, 1 / 3, 2 / 3, 1), 10: (0, 1 / 3, 2 / 3, 1),
}  # fmt: skip
_SINGLES: dict[int, tuple[float, ...]] = {
    1: (1 / 2,), 2: (0, 1), 3: (0, 1 / 2, 1), 4: (), 5: (1 / 2,), 6: (), 7: (1 / 4,), 8: (1 / 4, 3 / 4),
    9: (1 / 2,), 10: (1 / 6, 5 / 6),
}  # fmt: skip


def pip_places(count: int) -> list[tuple[float, float]]:
    """Return the places of 1 to 10 pips as parts of the width (0 left, 1 right) and the height (0 top, 1 bottom)."""
    pairs = [(across, down) for down in _PAIRS[count] for across in (_LEFT, _RIGHT)]
    return sorted([*pairs, *((_MIDDLE, down) for down in _SINGLES[count])], key=lambda place: (place[1], place[0]))
