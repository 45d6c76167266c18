"""A bare SVG text -> a PNG file of its pixels, by resvg, in a worker: it may crash, or take for ever."""

from __future__ import annotations

from collections.abc import Sequence


def svg_pixels(svg: str, font_files: Sequence[str], family: str) -> bytes:
    """Return a PNG of a drawing that `bare_svg` wrote; words in a family that is not in the files are set in `family`.

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
