"""Layers of a document: what shows on a screen, and may be left out where it is printed.

Verified with PDFium: an optional-content group whose usage says `Print OFF`, together with an `AS` entry for the event
`Print`, shows in a viewer and is gone on paper. Viewers that know no such event print what they show.
Source: ISO 32000-1, 8.11.4.4.
"""

from __future__ import annotations

from collections.abc import Sequence

from duckpress.impose import CUT_LAYER, FOLD_LAYER
from duckpress.render.booklets import DocumentInfo
from duckpress.render.objects import IndirectObject, reference
from duckpress.render.pdfdoc import PDFDocument

_ENGLISH = {CUT_LAYER: "Cut lines", FOLD_LAYER: "Fold line"}


class Layers:
    """The layers of one document, each an object from its first use on."""

    def __init__(self, pdf: PDFDocument, info: DocumentInfo) -> None:
        self._pdf = pdf
        self._info = info
        self._references: dict[str, str] = {}

    def properties(self, names: Sequence[str]) -> str:
        """Return the resources of a page with these layers: `/Properties<<...>>`, or nothing."""
        if not names:
            return ""
        return f"/Properties<<{''.join(f'/{resource_name(name)} {self._reference(name)}' for name in names)}>>"

    def _reference(self, name: str) -> str:
        known = self._references.get(name)
        if known is None:
            state = "ON" if self._info.prints_layers else "OFF"
            title = text_string(self._info.layers.get(name, _ENGLISH[name]))
            usage = f"/Usage<</Print<</Subtype/PrintersMarks/PrintState/{state}>>/View<</ViewState/ON>>>>"
            group = IndirectObject(f"<</Type/OCG/Name {title}/Intent/View{usage}>>".encode("ascii"))
            known = self._references[name] = reference(self._pdf, group)
        return known

    def write(self) -> None:
        """Enter the layers that were used into the document's catalog."""
        if not self._references:
            return
        groups = " ".join(self._references.values())
        events = "".join(f"<</Event/{event}/OCGs[{groups}]/Category[/{event}]>>" for event in ("View", "Print"))
        body = f"<</OCGs[{groups}]/D<</Name(Layers)/BaseState/ON/ON[{groups}]/Order[{groups}]/AS[{events}]>>>>"
        catalog = self._pdf.Catalog
        # reportlab writes the entries of a catalog that it lists, and knows no layers.
        catalog.__NoDefault__ = catalog.__Refs__ = [*type(catalog).__NoDefault__, "OCProperties"]
        catalog.OCProperties = IndirectObject(body.encode("ascii"))


def resource_name(layer: str) -> str:
    """Return the name by which the streams of pages call a layer."""
    return f"L-{layer}"


def text_string(text: str) -> str:
    """Return a text as a PDF string: UTF-16 with its mark, in hexadecimal."""
    return f"<FEFF{text.encode('utf-16-be').hex().upper()}>"
