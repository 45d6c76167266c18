"""Sheets -> PDF bytes. Everything is decided before: here it is only written down, each thing once."""

from duckpress.render.document import Booklet, DocumentInfo, Renderer, render_pdf

__all__ = ["Booklet", "DocumentInfo", "Renderer", "render_pdf"]
