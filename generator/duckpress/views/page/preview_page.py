"""A game's page as a folder, which works from the disk: `index.html`, its scripts, its data, and pictures as files."""

from __future__ import annotations

from pathlib import Path

from duckpress.files.workspace import Workspace
from duckpress.press.publishing import outputs_of
from duckpress.press.reading import Checked, Loaded
from duckpress.press.request import Step
from duckpress.views.export_files import MANIFEST, ExportRequest, manifest_bytes, write_export
from duckpress.views.page.game_page import GamePage, PageVersions
from duckpress.views.page.game_pieces import GamePieces
from duckpress.views.painted_files import paint_files

FOLDER = "preview"
FILE = f"{FOLDER}/index.html"


def preview(
    workspace: Workspace, loaded: Loaded, request: ExportRequest, out: Path, step: Step = lambda _name: None,
    versions: PageVersions | None = None, *, is_given: bool = False,
) -> Checked:  # fmt: skip
    """Write `out/<game>/preview/`, and return what was shown: every card that can be drawn, and what is wrong.

    Writes nothing where no card can be. A page that `is_given` to others says nothing of files and findings. Raises
    `MachineError`.
    """
    with outputs_of(workspace, loaded, out, step) as target:
        step("laying out")
        drawn = GamePieces(workspace, loaded, request)
        shown, game = drawn.shown, drawn.shown.checked.game
        if game is not None and shown.checked.pieces:
            page = GamePage(drawn, versions=versions, is_given=is_given)
            files = {**page.files, **{f"data/{name}.js": page.script(name) for name in page.data}}
            step(f"{len(page.pictures)} pictures")
            painted = paint_files(target, FOLDER, page.pictures, shown.fonts, loaded.frames)
            files[MANIFEST] = manifest_bytes(request, game, files, painted, {"dpi": request.dpi})
            step("writing")
            write_export(target, FOLDER, files, painted)
    return shown.checked
