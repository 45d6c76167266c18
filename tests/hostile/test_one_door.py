"""There is one door for each kind of thing that comes from outside; whoever opens another one has to say so here."""

from __future__ import annotations

import ast

from program_trees import nodes

OPENING = {
    "open", "read_text", "read_bytes", "ZipFile", "ParserCreate", "fromstring", "XML", "fdopen", "parse", "CParser",
}  # fmt: skip
READERS = {"Image", "pikepdf", "os", "expat", "ElementTree", "zipfile", "tarfile", "io", "yaml", "minidom", "etree"}

# module -> the calls it makes, and why they open nothing of a game but what came through the door
DOORS = {
    "files/workspace.py": {"os.open", "os.fdopen"},  # the door for files
    "files/archives.py": {"zipfile.ZipFile", ".open"},  # the door for zips; `.open` is the archive's
    "content/tables/workbooks.py": {"XMLParser"},  # the door for spreadsheets
    "art/svg/file.py": {"expat.ParserCreate"},  # the door for SVG
    "art/svg/bare_svg.py": {"expat.ParserCreate"},  # writes anew what came through that door
    "layout/face_xml.py": {"ElementTree.fromstring"},  # the door for filled templates
    "layout/faces/face_maker.py": {".open"},  # templates, which `Workspace` reads
    "impose/rims.py": {".open"},  # as the next one
    "layout/legibility/checks.py": {".open"},  # no file: grounds that words lie on
    "art/picture_files.py": {".open"},  # the door for pictures
    "proof/opened.py": {"pikepdf.open", "os.fdopen", ".read_bytes"},  # PDFs that were just made, and streams in them
    "proof/vendor_files.py": {"ElementTree.fromstring"},  # an order that was just made
    "store/output_places.py": {"os.open", "os.fdopen"},  # the door for outputs
    "store/file_writing.py": {"os.open"},  # locks
    "store/output_folder.py": {"os.open"},  # written, not read
    "store/cache.py": {".open", ".read_bytes"},  # written; the person's own key, the program's own modules
    "share/bundling.py": {".read_bytes"},  # what it made itself
    "views/live/web_process.py": {"os.open", ".open"},  # the null device, an address in the browser
    "views/live/web_server.py": {".open"},  # a place in the editor
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


def call_of(node: ast.AST) -> str:
    """Return which door a call opens, empty for none."""
    assert isinstance(node, ast.Call)
    if isinstance(node.func, ast.Name) and node.func.id in ("open", "ZipFile", "ParserCreate", "XMLParser"):
        return node.func.id
    if isinstance(node.func, ast.Attribute) and node.func.attr in OPENING:
        owner = node.func.value.id if isinstance(node.func.value, ast.Name) else ""
        if owner in READERS:
            return f"{owner}.{node.func.attr}"
        if node.func.attr in ("read_text", "read_bytes") or (node.func.attr == "open" and owner != "self"):
            return f".{node.func.attr}"
    return ""


def test_no_module_opens_what_has_a_door_elsewhere() -> None:
    found: dict[str, set[str]] = {}
    for path, node in nodes(ast.Call, having="|".join(OPENING | {"XMLParser"})):
        if call := call_of(node):
            found.setdefault(path, set()).add(call)
    assert found == DOORS
