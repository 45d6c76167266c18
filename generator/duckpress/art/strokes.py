"""The words and numbers of a line's look, in layouts and in SVG files alike."""

from __future__ import annotations

from duckpress.art.number_lists import parse_numbers

# Source: the numbers are those of PDF's operators J and j: ISO 32000-1, 8.4.3.
CAPS = {"butt": 0, "round": 1, "square": 2}
JOINS = {"miter": 0, "round": 1, "bevel": 2}


def dash_lengths(text: str) -> tuple[float, ...] | None:
    """Return dashes and gaps; an odd number of them is written twice, as SVG does; None where they are not lengths."""
    if text.strip() in ("none", ""):
        return ()
    numbers = parse_numbers(text)
    if numbers is None or len(numbers) > 32 or any(number < 0 for number in numbers):
        return None
    if not any(numbers):
        return ()
    return tuple(numbers * 2 if len(numbers) % 2 else numbers)
