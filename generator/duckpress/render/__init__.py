"""Sheets -> PDF bytes. Everything is decided before: here it is only written down, each thing once."""

from duckpress.render.document import Renderer, render_pdf
from duckpress.render.records import Booklet, DocumentInfo, PictureSource, Typefaces

__all__ = ["Booklet", "DocumentInfo", "PictureSource", "Renderer", "Typefaces", "render_pdf"]
