"""There is one door for each kind of thing that comes from outside; whoever opens another one has to say so here."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import duckpress

ROOT = Path(duckpress.__file__).parent
OPENING = {
    "open",
    "read_text",
    "read_bytes",
    "ZipFile",
    "ParserCreate",
    "fromstring",
    "XML",
    "fdopen",
    "parse",
    "CParser",
}
READERS = {"Image", "pikepdf", "os", "expat", "ElementTree", "zipfile", "tarfile", "io", "yaml", "minidom", "etree"}

# module -> the calls it makes, and why they open nothing of a game but what came through the door
DOORS = {
    "files/workspace.py": {"os.open", "os.fdopen"},  # the door for files
    "files/archives.py": {"zipfile.ZipFile", ".open"},  # the door for zips; `.open` is the archive's
    "content/tables/workbooks.py": {"expat.ParserCreate"},  # the door for spreadsheets
    "art/svg/file.py": {"expat.ParserCreate"},  # the door for SVG
    "art/svg/bare_svg.py": {"expat.ParserCreate"},  # writes anew what came through that door
    "layout/face_xml.py": {"ElementTree.fromstring"},  # the door for filled templates
    "layout/faces/face_maker.py": {".open"},  # templates, which `Workspace` reads
    "impose/rims.py": {".open"},  # as the next one
    "layout/legibility/checks.py": {".open"},  # no file: grounds that words lie on
    "art/picture_files.py": {".open"},  # the door for pictures
    "proof/opened.py": {"pikepdf.open", "os.fdopen"},  # PDFs that were just made
    "proof/embedded.py": {".read_bytes"},  # streams in them
    "proof/vendor_files.py": {"ElementTree.fromstring"},  # an order that was just made
    "store/output_places.py": {"os.open", "os.fdopen"},  # the door for outputs
    "store/file_writing.py": {"os.open"},  # locks
    "store/output_folder.py": {"os.open"},  # written, not read
    "store/cache.py": {".open", ".read_bytes"},  # written; the person's own key, the program's own modules
    "share/bundling.py": {".read_bytes"},  # what it made itself
    "views/live/web_process.py": {
        "os.open",
        ".open",
    },  # the null device; a place in the editor, an address in the browser
    "views/live/session.py": {".read_bytes"},  # the program's own files, as the next four
    "views/licence_list.py": {".read_text"},
    "views/page/game_page.py": {".read_text", ".read_bytes"},
    "views/new_game.py": {".read_bytes"},
    "vendors/orders.py": {".read_bytes"},
    "share/editions/inputs.py": {".read_bytes"},  # the program's own files, and those that come with it
    "cli/__init__.py": {"os.open", "os.fdopen"},  # the null device, as the next one
    "pool/starting.py": {"os.open"},
    "pool/worker_loop.py": {"os.open", ".read_bytes"},  # the null device, and what the system says of this process
}


def calls(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name) and node.func.id in ("open", "ZipFile", "ParserCreate"):
            yield node.func.id
        elif isinstance(node.func, ast.Attribute) and node.func.attr in OPENING:
            owner = node.func.value.id if isinstance(node.func.value, ast.Name) else ""
            if owner in READERS:
                yield f"{owner}.{node.func.attr}"
            elif node.func.attr in ("read_text", "read_bytes") or (node.func.attr == "open" and owner != "self"):
                yield f".{node.func.attr}"


def test_no_module_opens_what_has_a_door_elsewhere() -> None:
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        opened = set(calls(path))
        if opened:
            found[path.relative_to(ROOT).as_posix()] = opened
    assert found == DOORS
