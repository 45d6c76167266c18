"""Sheets -> PDF bytes. Everything is decided before: here it is only written down, each thing once."""

from duckpress.render.booklets import Booklet, DocumentInfo, PictureSource, Typefaces
from duckpress.render.renderer import Renderer, render_pdf

__all__ = ["Booklet", "DocumentInfo", "PictureSource", "Renderer", "Typefaces", "render_pdf"]
