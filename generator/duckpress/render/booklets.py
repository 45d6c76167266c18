"""What `render` is given: booklets of sheets with everything on them, and what the document says about itself."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from duckpress.art.picture_files import PictureData
from duckpress.core.frame import Drawing, Frame
from duckpress.impose import Sheet


class Booklet(NamedTuple):
    """The sheets of one piece, in printing order, with all that lies on them, each thing under its key or hash."""

    title: str
    sheets: tuple[Sheet, ...]
    frames: Mapping[str, Frame]
    drawings: Mapping[str, Drawing]
    pictures: Mapping[str, PictureData]


class DocumentInfo(NamedTuple):
    """What a document says about itself; `duplex` is the edge it is turned on (`long`, `short`), None for one side.

    `layers` are the titles of its layers by their names, English where there is none. With `prints_layers` False they
    show on a screen and are left out in print.
    """

    title: str
    author: str = ""
    subject: str = ""
    keywords: str = ""
    language: str = "en"
    duplex: str | None = None
    creator: str = "duckpress"
    layers: Mapping[str, str] = MappingProxyType({})
    prints_layers: bool = True
