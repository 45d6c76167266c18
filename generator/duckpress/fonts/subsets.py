"""Fonts -> subsets: the outlines of the glyphs in use alone, as PDFs hold them."""

from __future__ import annotations

from collections.abc import Iterable

import uharfbuzz as hb

from duckpress.fonts.compact import read_compact

_NO_TABLES = ("GSUB", "GPOS", "GDEF", "BASE", "STAT", "DSIG", "name", "post", "OS/2", "kern", "gasp", "meta", "FFTM")


def is_compact_font(face: hb.Face) -> bool:
    """Return whether the outlines of a font are those of PostScript (CFF)."""
    return "glyf" not in face.table_tags


def subset_of(face: hb.Face, pins: Iterable[tuple[str, float]], glyphs: Iterable[int]) -> bytes | None:
    """Return a TrueType file, or a bare `CFF ` table, with these glyphs (and .notdef); None where one is damaged.

    They have their own numbers, by which also a reader of PDFs finds them: without that flag, it would go by the
    CIDs of fonts that have such, and draw nothing. `pins` are the values of a variable font's axes.
    """
    is_compact = is_compact_font(face)
    request = hb.SubsetInput()
    request.sets(hb.SubsetInputSets.GLYPH_INDEX).update(sorted({0, *glyphs}))
    request.sets(hb.SubsetInputSets.DROP_TABLE_TAG).update(
        int.from_bytes(t.ljust(4).encode(), "big") for t in _NO_TABLES
    )
    request.flags = hb.SubsetFlags.RETAIN_GIDS | hb.SubsetFlags.NO_HINTING
    if is_compact:
        request.flags |= (
            hb.SubsetFlags.CFF_IDENTITY_CHARSET | hb.SubsetFlags.DESUBROUTINIZE | hb.SubsetFlags.DOWNGRADE_CFF2
        )
    for tag, value in pins:
        request.pin_axis_location(face, tag, value)
    try:
        cut = hb.subset(face, request)
    except RuntimeError:
        cut = hb.Face(b"")
    subset = bytes((cut.reference_table("CFF ") if is_compact else cut.blob).data)
    if not subset or (is_compact and read_compact(subset) is None):  # HarfBuzz leaves out tables it cannot cut
        return None
    return subset
