"""reportlab's document objects; the one place that imports reportlab, so that nothing but reportlab comes with it.

On import, reportlab runs Python that it finds under four names wherever modules are looked for, and in two files of the
home folder, and takes settings that change the bytes of a file from the environment. In a container the home folder is
often the mounted workspace, which may be a stranger's. Empty modules stand under the four names here; with two of them
there it does not look into the home folder either. Source: `reportlab/__init__.py` and `rl_config.py` of 5.1.0.

Objects are written as they are, dictionaries and streams as finished bytes: reportlab's own dictionaries are formatted
one by one, which at two thousand faces costs more than drawing them; its forms lack graphics states; and its streams
depend on settings a user may keep for other programs.
"""

from __future__ import annotations

import os
import sys
from types import ModuleType

_HOOKS = ("reportlab_mods", "reportlab_settings", "reportlab.local_rl_mods", "reportlab.local_rl_settings")
for _name in _HOOKS:
    sys.modules[_name] = ModuleType(_name)
for _name in [name for name in os.environ if name.startswith("RL_")]:
    del os.environ[_name]

from reportlab.pdfbase.pdfdoc import (  # noqa: E402 - behind shut doors
    PDFDestinationFit,
    PDFDocument,
    PDFObject,
    ViewerPreferencesPDFDictionary,
)

__all__ = [
    "IndirectObject",
    "PDFDestinationFit",
    "PDFDocument",
    "ViewerPreferencesPDFDictionary",
    "reference",
    "stream",
]


class IndirectObject(PDFObject):  # type: ignore[misc]
    """An indirect object whose bytes may be set after it was given its number."""

    __RefOnly__ = 1

    def __init__(self, body: bytes = b"") -> None:
        self.body = body

    def format(self, document: PDFDocument) -> bytes:  # noqa: ARG002 - what reportlab calls it with
        """Return the bytes between `obj` and `endobj`."""
        return self.body


def stream(dictionary: str, data: bytes) -> bytes:
    """Return a stream object: the entries of its dictionary (without `/Length`) and its data as they are."""
    return b"<<%b/Length %d>>\nstream\n%b\nendstream\n" % (dictionary.encode("ascii"), len(data), data)


def reference(document: PDFDocument, thing: PDFObject) -> str:
    """Return the reference (`12 0 R`) to an object, which enters the document with this."""
    written: bytes = document.Reference(thing).format(document)
    return written.decode("ascii")
