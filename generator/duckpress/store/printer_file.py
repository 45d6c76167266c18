"""The printers a person has measured: kept in a file of their own, outside of any workspace.

A printer belongs to a desk, not to a game: the file lies in the folder for the person's settings and is never part of
what is shared. It is read as strictly as everything else.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from duckpress.content.yaml.mapping_reader import Reader
from duckpress.content.yaml.nodes import Mapping, read_yaml
from duckpress.core.printer_profile import LEAST_SCALE, MOST_MARGIN_MM, MOST_OFFSET_MM, MOST_SCALE, Margins, Printer
from duckpress.core.problems import MachineError, Problem, Source
from duckpress.files.workspace import Refused, read_plain_file
from duckpress.store import write_file
from duckpress.store.faults import machine_error

FILE = "printers.yaml"
_EDGES = ("top", "right", "bottom", "left")


def read_printers(folder: Path) -> tuple[dict[str, Printer], list[Problem]]:
    """Give the printers stored in a folder, by name, and what is wrong with the file. Raises `MachineError`."""
    path = folder / FILE
    try:
        data = read_plain_file(path, "text-file")
    except FileNotFoundError:
        return {}, []
    except OSError as error:
        raise machine_error("read", path, error) from error
    except Refused as refused:
        return {}, [refused.problem(Source(str(path)))]
    problems: list[Problem] = []
    node = read_yaml(str(path), data, problems)
    if not isinstance(node, Mapping):
        if node is not None:
            problems.append(Problem("wrong-type", Source(str(path)), "the file is no mapping of printers", "delete it"))
        return {}, problems
    found = {}
    for name, inner in Reader(node, "the printers", problems).nodes():
        reader = Reader.of(inner, f"printer {name!r}", problems)
        if reader is not None:
            found[name] = _printer(name, reader)
    return found, problems


def _printer(name: str, reader: Reader) -> Printer:
    printer = Printer(
        name,
        reader.number("offset-x", low=-MOST_OFFSET_MM, high=MOST_OFFSET_MM, default=0.0),
        reader.number("offset-y", low=-MOST_OFFSET_MM, high=MOST_OFFSET_MM, default=0.0),
        reader.number("scale-x", low=LEAST_SCALE, high=MOST_SCALE, default=1.0),
        reader.number("scale-y", low=LEAST_SCALE, high=MOST_SCALE, default=1.0),
        _margins(reader),
    )
    reader.finish()
    return printer


def _margins(reader: Reader) -> Margins | None:
    """Give the margins: one number for all edges, or one for each by its name."""
    if isinstance(reader.node("margin"), Mapping):
        own = reader.reader("margin")
        assert own is not None
        edges = [own.number(edge, low=0.0, high=MOST_MARGIN_MM) for edge in _EDGES]
        own.finish()
        return Margins(*edges)
    one: float | None = reader.number("margin", low=0.0, high=MOST_MARGIN_MM, default=None)
    return None if one is None else Margins(one, one, one, one)


def margins_text(margins: Margins) -> str:
    """Give margins as the file has them: `6`, or `{top: 5, right: 4, bottom: 12.7, left: 4}`."""
    if len(set(margins)) == 1:
        return f"{margins[0]:g}"
    return "{" + ", ".join(f"{edge}: {mm:g}" for edge, mm in zip(_EDGES, margins, strict=True)) + "}"


def write_printers(folder: Path, printers: Iterable[Printer]) -> Path:
    """Store printers, in place of those stored before; gives the file. Raises `MachineError`."""
    text = (
        "# Printers measured with `duckpress calibrate`; written by `duckpress printer add`. Lengths are millimetres.\n"
    )
    for one in sorted(printers):
        text += f"{one.name}:\n"
        text += f"  offset-x: {one.offset_x_mm:g}\n  offset-y: {one.offset_y_mm:g}\n"
        text += f"  scale-x: {one.scale_x:g}\n  scale-y: {one.scale_y:g}\n"
        text += "" if one.margins is None else f"  margin: {margins_text(one.margins)}\n"
    if not folder.is_absolute():
        raise MachineError(f"cannot write {folder / FILE}: nobody knows where your home folder is; set HOME")
    write_file(folder / FILE, text.encode())
    return folder / FILE
