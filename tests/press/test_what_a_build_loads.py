"""What a build loads before it knows its game: every start pays for it."""

from __future__ import annotations

import subprocess
import sys

SELDOM = (
    "urllib.request", "ssl", "xml.sax", "PIL", "duckpress.press.cover", "duckpress.chance",
    "duckpress.chance", "duckpress.layout.rulebook", "resvg_py", "duckpress.views",
)  # fmt: skip


def test_what_few_games_need_is_not_loaded_for_all() -> None:
    """A code of a sheet, too, is encoded without what else comes with its encoder."""
    words = "import sys, duckpress.press.pipeline as _, duckpress.art.qr_code as codes; codes.modules_of('x'); "
    words += f"print([name for name in {SELDOM} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_what_one_kind_of_export_needs_is_not_loaded_for_all() -> None:
    others = ("pikepdf", "duckpress.vendors", "duckpress.views.virtual", "duckpress.views.showcase")
    words = f"import sys, duckpress.views.exporting; print([name for name in {others} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
