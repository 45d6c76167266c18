"""The measured printers of a user: stored in a settings file, outside of any workspace.

A printer belongs to a desk, not to a game: the file lies in the folder for the person's settings and is never part of
what is shared. It is read as strictly as everything else.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from duckpress.content import Mapping, Shape, read_shape, read_yaml
from duckpress.content.yaml.declared_shapes import optional, required
from duckpress.content.yaml.kinds import either, number
from duckpress.core.printer_profile import LEAST_SCALE, MOST_MARGIN_MM, MOST_OFFSET_MM, MOST_SCALE, Margins, Printer
from duckpress.core.problems import MachineError, Problem, ProblemList, Source
from duckpress.files.workspace import Refused, read_plain_file
from duckpress.store import write_file
from duckpress.store.file_writing import machine_error

FILE = "printers.yaml"
_EDGES = ("top", "right", "bottom", "left")
_OFFSET = number(-MOST_OFFSET_MM, MOST_OFFSET_MM)
_SCALE = number(LEAST_SCALE, MOST_SCALE)
_MARGIN = number(0.0, MOST_MARGIN_MM)


class MarginKeys(Shape):
    """What the printer cannot reach at each edge, in mm."""

    top = required(_MARGIN, "at the upper edge")
    right = required(_MARGIN, "at the right edge")
    bottom = required(_MARGIN, "at the lower edge")
    left = required(_MARGIN, "at the left edge")


class PrinterKeys(Shape):
    """A printer of `printers.yaml`."""

    offset_x = optional(_OFFSET, 0.0, "how far the back lies to the right of its place, in mm", name="offset-x")
    offset_y = optional(_OFFSET, 0.0, "how far the back lies below its place, in mm", name="offset-y")
    scale_x = optional(_SCALE, 1.0, "how long a length across comes out", name="scale-x")
    scale_y = optional(_SCALE, 1.0, "how long a length down comes out", name="scale-y")
    margin = optional(either(_MARGIN, MarginKeys), None, "what it cannot reach, in mm: at every edge, or at each")


def read_printers(folder: Path) -> tuple[dict[str, Printer], list[Problem]]:
    """Return the printers stored in a folder, by name, and the problems of the file. Raises `MachineError`."""
    path = folder / FILE
    try:
        data = read_plain_file(path, "text-file")
    except FileNotFoundError:
        return {}, []
    except OSError as error:
        raise machine_error("read", path, error) from error
    except Refused as refused:
        return {}, [refused.problem(Source(str(path)))]
    problems = ProblemList()
    node = problems.take(read_yaml(str(path), data))
    if not isinstance(node, Mapping):
        if [problem.code for problem in problems] == ["empty-file"]:
            return {}, []  # all that it had were removed
        if node is not None:
            problems.add("wrong-type", Source(str(path)), "the file is no mapping of printers", "delete it")
        return {}, problems
    printers = {}
    for name, entry in node.entries.items():
        written = problems.take(read_shape(entry.value, PrinterKeys, f"printer {name!r}"))
        if written is not None:
            offsets, scales = (written.offset_x, written.offset_y), (written.scale_x, written.scale_y)
            printers[name] = Printer(name, *offsets, *scales, _margins(written.margin))
    return printers, problems


def _margins(written: float | MarginKeys | None) -> Margins | None:
    if isinstance(written, MarginKeys):
        return Margins(written.top, written.right, written.bottom, written.left)
    return None if written is None else Margins(written, written, written, written)


def margins_text(margins: Margins) -> str:
    """Return margins as the file has them: `6`, or `{top: 5, right: 4, bottom: 12.7, left: 4}`."""
    if len(set(margins)) == 1:
        return f"{margins[0]:g}"
    return "{" + ", ".join(f"{edge}: {mm:g}" for edge, mm in zip(_EDGES, margins, strict=True)) + "}"


def write_printers(folder: Path, printers: Iterable[Printer]) -> Path:
    """Store printers in place of the old ones; returns the file. Raises `MachineError`."""
    text = (
        "# Printers measured with `duckpress calibrate`; written by `duckpress printer add`. Lengths are millimetres.\n"
    )
    for printer in sorted(printers):
        text += f"{printer.name}:\n"
        text += f"  offset-x: {printer.offset_x_mm:g}\n  offset-y: {printer.offset_y_mm:g}\n"
        text += f"  scale-x: {printer.scale_x:g}\n  scale-y: {printer.scale_y:g}\n"
        text += "" if printer.margins is None else f"  margin: {margins_text(printer.margins)}\n"
    if not folder.is_absolute():
        raise MachineError(f"cannot write {folder / FILE}: nobody knows where your home folder is; set HOME")
    write_file(folder / FILE, text.encode())
    return folder / FILE
