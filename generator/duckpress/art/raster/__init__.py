"""The one door for pictures: PNG and JPEG files -> what is printed of them, or why they cannot be.

A file is known by its first bytes and measured by its headers; how many pixels it may have is asked before anything is
decoded. What is kept is the picture and nothing else: no notes, no place where a photograph was taken, no profile.
"""

from duckpress.art.raster.damage import BadPicture, damaged, kind_of_file
from duckpress.art.raster.jpeg import JPEG_MAGIC, Jpeg, read_jpeg
from duckpress.art.raster.opening import opened, upright
from duckpress.art.raster.png import PNG_MAGIC, Png, chunks_of, read_png
from duckpress.art.raster.saving import png_bytes

__all__ = [
    "JPEG_MAGIC",
    "PNG_MAGIC",
    "BadPicture",
    "Jpeg",
    "Png",
    "chunks_of",
    "damaged",
    "kind_of_file",
    "opened",
    "png_bytes",
    "read_jpeg",
    "read_png",
    "upright",
]
