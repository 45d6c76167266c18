"""The bytes of a font file, from anyone -> a `Typeface`, or why they cannot be used."""

from __future__ import annotations

import uharfbuzz as hb

from duckpress.core.problems import MachineError
from duckpress.fonts.opentype import Unusable, refuse_container, refuse_tables
from duckpress.fonts.typeface import Typeface


def load_typeface(data: bytes) -> Typeface | Unusable:
    """Return the typeface of a font file's bytes, or why it cannot be used.

    Its bytes may be anything: HarfBuzz passes over tables that make no sense, counts what its rules do, and draws
    nothing for the rest. What could not be put into a PDF is found out here.
    """
    refused = refuse_container(data)
    if refused is not None:
        return refused
    face = hb.Face(data)
    try:
        tags = list(face.table_tags)
    except UnicodeDecodeError:
        return Unusable("not-a-font", "is damaged: one of its tables has no name", "get the whole file again")
    refused = refuse_tables(tags, lambda tag: bytes(face.reference_table(tag).data))
    if refused is not None:
        return refused
    typeface = Typeface(data)
    if not typeface.glyph_length or not typeface.codes:
        return Unusable("not-a-font", "has no glyphs for any character", "get an undamaged TrueType file")
    try:
        typeface.subset(())
    except MachineError:
        return Unusable("not-a-font", "is damaged: no letter can be taken out of it", "get the whole file again")
    return typeface
