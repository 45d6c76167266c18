"""Sheets -> PDF bytes. Everything is already decided: here it is only written down, each object once."""

from duckpress.render.document import Booklet, DocumentInfo, Renderer, render_pdf
