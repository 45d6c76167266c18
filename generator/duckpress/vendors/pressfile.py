"""CMYK pictures -> a PDF for a press: one picture a page, with trim and bleed boxes and the printing condition.

It keeps the rules of PDF/X-1a:2003 (ISO 15930-4): PDF 1.4, CMYK alone, no transparency, no fonts, no layers, boxes on
every page, an output intent and the words in the document's information. No validator for PDF/X is free, so whether a
press agrees is for the press to say.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from duckpress.core.compression import deflated
from duckpress.core.geometry import Size
from duckpress.core.units import pt_from_mm
from duckpress.vendors.press_inks import CONDITION, PROFILE_NAME, profile_bytes

if TYPE_CHECKING:
    from PIL.Image import Image


class PressPage(Struct, frozen=True):
    """A page: the key of its picture, its size with bleed, and the trim in its middle, in millimetres."""

    picture: str
    size: Size
    trim: Size


def press_pdf(title: str, pages: Sequence[PressPage], pictures: Mapping[str, Image]) -> bytes:
    """Return the document; a picture that is on several pages is stored once. The same pictures give the same bytes."""
    import pikepdf
    from pikepdf import Array, Dictionary, Name, Stream, String

    pdf = pikepdf.new()
    images = {
        key: pdf.make_indirect(
            Stream(
                pdf,
                deflated(picture.tobytes()),
                Type=Name.XObject,
                Subtype=Name.Image,
                Width=picture.width,
                Height=picture.height,
                ColorSpace=Name.DeviceCMYK,
                BitsPerComponent=8,
                Filter=Name.FlateDecode,
            )
        )
        for key, picture in pictures.items()
    }
    for one in pages:
        width, height = (round(pt_from_mm(side_mm), 4) for side_mm in one.size)
        left, bottom = (width - pt_from_mm(one.trim.width_mm)) / 2, (height - pt_from_mm(one.trim.height_mm)) / 2
        whole = Array([0, 0, width, height])
        page = Dictionary(
            Type=Name.Page,
            MediaBox=whole,
            BleedBox=whole,
            TrimBox=Array([round(edge, 4) for edge in (left, bottom, width - left, height - bottom)]),
            Resources=Dictionary(XObject=Dictionary(P=images[one.picture])),
            Contents=pdf.make_indirect(Stream(pdf, f"q {width} 0 0 {height} 0 0 cm /P Do Q".encode())),
        )
        pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))
    profile = Stream(pdf, deflated(profile_bytes()), N=4, Filter=Name.FlateDecode)
    pdf.Root.OutputIntents = Array([
        Dictionary(
            Type=Name.OutputIntent,
            S=Name.GTS_PDFX,
            OutputConditionIdentifier=String(CONDITION),
            RegistryName=String("http://www.color.org"),
            Info=String(PROFILE_NAME),
            DestOutputProfile=pdf.make_indirect(profile),
        )
    ])  # fmt: skip
    pdf.docinfo["/Title"] = title
    pdf.docinfo["/Creator"] = "duckpress"
    pdf.docinfo["/Producer"] = "duckpress with pikepdf"
    pdf.docinfo["/GTS_PDFXVersion"] = "PDF/X-1a:2003"
    pdf.docinfo["/Trapped"] = Name("/False")
    # The standard wants dates; like all files of the program these carry no clock.
    pdf.docinfo["/CreationDate"] = pdf.docinfo["/ModDate"] = "D:20000101000000Z"
    out = io.BytesIO()
    pdf.save(
        out, force_version="1.4", deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.disable,
        compress_streams=False,  # by qpdf's own zlib
    )  # fmt: skip
    return out.getvalue()
