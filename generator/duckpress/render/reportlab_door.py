"""The one place that imports reportlab, so that nothing but reportlab comes with it.

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
for _name in _HOOKS:
    sys.modules[_name] = ModuleType(_name)
for _name in [name for name in os.environ if name.startswith("RL_")]:
    del os.environ[_name]

from reportlab.lib.rl_accel import fp_str as fp_str  # noqa: E402 - behind shut doors
from reportlab.pdfbase import pdfdoc as pdfdoc  # noqa: E402
from reportlab.pdfbase.pdfutils import readJPEGInfo as readJPEGInfo  # noqa: E402
from reportlab.pdfgen.canvas import Canvas as Canvas  # noqa: E402
from reportlab.pdfgen.pathobject import PDFPathObject as PDFPathObject  # noqa: E402
from reportlab.pdfgen.textobject import PDFTextObject as PDFTextObject  # noqa: E402
