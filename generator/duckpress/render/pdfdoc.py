"""reportlab's document objects; the one place that imports reportlab, so that nothing but reportlab comes with it.

On import, reportlab runs Python that it finds under four names wherever modules are looked for, and in two files of the
home folder, and takes settings that change the bytes of a file from the environment. In a container the home folder is
often the mounted workspace, which may be a stranger's. Empty modules stand under the four names here; with two of them
there it does not look into the home folder either. Source: `reportlab/__init__.py` and `rl_config.py` of 5.1.0.
"""

from __future__ import annotations

import os
import sys
from types import ModuleType

_HOOKS = ("reportlab_mods", "reportlab_settings", "reportlab.local_rl_mods", "reportlab.local_rl_settings")
_SETTING = "RL_"


def _shut_hooks() -> None:
    for name in _HOOKS:
        sys.modules[name] = ModuleType(name)
    for name in [name for name in os.environ if name.startswith(_SETTING)]:
        del os.environ[name]


_shut_hooks()

from reportlab.pdfbase.pdfdoc import (  # noqa: E402 - behind shut doors
    PDFDestinationFit,
    PDFDocument,
    PDFObject,
    ViewerPreferencesPDFDictionary,
)

__all__ = ["PDFDestinationFit", "PDFDocument", "PDFObject", "ViewerPreferencesPDFDictionary"]
