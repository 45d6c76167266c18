"""`duckpress calibrate` and `duckpress printer`: a test page, and its measurements."""

from __future__ import annotations

import re
from pathlib import Path

import click

from duckpress.cli import asking, options, report
from duckpress.cli.asking import Answer, command
from duckpress.cli.commands import COMMANDS, examples
from duckpress.cli.options import COMPLETE_PRINTER, FORMAT, TURN, known_printer, paper_option
from duckpress.cli.terminal import echo
from duckpress.core.printer_profile import (
    LEAST_SCALE,
    MOST_MARGIN_MM,
    MOST_SCALE,
    Margins,
    Printer,
    margins_in_words,
)
from duckpress.core.sizes import paper_of
from duckpress.files.workspace import Workspace
from duckpress.store import sources_of, write_file
from duckpress.store.printer_file import read_printers, write_printers

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,40}")


def scale(value: str) -> float:
    """Return the ratio of printed to intended length: `99.2`, `99.2%` (for 100 mm) or `0.992`."""
    try:
        number = float(value.removesuffix("%").strip())
    except ValueError:
        what = f"{value!r} is not a number: write what 100 mm came out as, such as 99.2."
        raise click.BadParameter(what) from None
    ratio = number / 100 if number > 2 else number
    if not LEAST_SCALE <= ratio <= MOST_SCALE:
        what = f"{value} is further from 100 than a printer strays: print at 100 % (not `fit to page`)."
        raise click.BadParameter(what)
    return round(ratio, 6)


def margins(value: str) -> Margins:
    """Return the unprintable margins: one number of millimetres, or four as `top,right,bottom,left`."""
    try:
        edges = [float(part) for part in value.split(",")]
    except ValueError:
        edges = []
    if len(edges) not in (1, 4):
        what = f"{value!r} is neither one number of millimetres nor four: top,right,bottom,left."
        raise click.BadParameter(what)
    for edge in edges:
        if not 0 <= edge <= MOST_MARGIN_MM:
            raise click.BadParameter(f"{edge:g} mm is no margin of a printer: 0 to {MOST_MARGIN_MM:g} mm.")
    return Margins(*(edges if len(edges) == 4 else edges * 4))


@command("duckpress calibrate --paper a4", "duckpress calibrate --printer office")
@paper_option("a4,letter")
@TURN
@click.option(
    "--printer",
    "name",
    help="Correct the sheet for this printer: all marks must meet.",
    shell_complete=COMPLETE_PRINTER,
)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Write here instead of output/.")
@FORMAT
def calibrate_command(
    workspace: Workspace, papers: tuple[str, ...], turn: str, name: str | None, out: Path | None
) -> Answer:
    from duckpress.impose import Turn
    from duckpress.views.calibration import calibration_pdf

    printer = known_printer(name) if name is not None else None
    folder = asking.output_folder(workspace, out)
    ending = "" if printer is None else f"-{printer.name}"
    files = {
        folder / f"calibration-{one}{ending}.pdf": calibration_pdf(workspace, paper_of(one), Turn(turn), printer)
        for one in papers
    }
    for file, data in files.items():  # each of them is complete by itself
        write_file(file, data, sources_of(workspace.root))

    def show() -> None:
        for file in files:
            echo(file)
        if printer is None:
            echo("Print one at 100 % on both sides, measure as it says, then: duckpress printer add NAME ...")

    return Answer({"files": [str(file) for file in files]}, (), show)


class _Printers(click.Group):
    """Commands about printers, each in full words."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, self.commands[name].help or "") for name in self.list_commands(ctx)])


@click.group(
    "printer",
    cls=_Printers,
    help=COMMANDS["printer"][1],
    epilog=examples("duckpress printer add office --offset-x 0.5 --margin 5", "duckpress printer list"),
)
def printer_command() -> None:
    pass


@printer_command.command(
    "add", epilog=examples("duckpress printer add office --offset-x 0.5 --offset-y -1 --scale 99.6")
)
@click.argument("name")
@click.option("--offset-x", type=click.FloatRange(-20, 20), default=0.0, help="How far right the back lies, in mm.")
@click.option("--offset-y", type=click.FloatRange(-20, 20), default=0.0, help="How far down the back lies, in mm.")
@click.option("--scale", type=scale, metavar="PERCENT", help="What 100 mm came out as, both ways.")
@click.option("--scale-x", type=scale, metavar="PERCENT", help="What 100 mm came out as, across.")
@click.option("--scale-y", type=scale, metavar="PERCENT", help="What 100 mm came out as, down.")
@click.option(
    "--margin", type=margins, metavar="MM", help="The edge it cannot print on, in mm; or top,right,bottom,left."
)
def add_printer(
    name: str,
    offset_x: float,
    offset_y: float,
    scale: float | None,
    scale_x: float | None,
    scale_y: float | None,
    margin: Margins | None,
) -> None:
    """Store a printer under a name, in place of one of that name."""
    if not _NAME.fullmatch(name):
        raise click.UsageError(f"{name!r} is no name for a printer: use small letters, digits and -, such as office.")
    both = 1.0 if scale is None else scale
    scales = (both if scale_x is None else scale_x, both if scale_y is None else scale_y)
    added = Printer(name, offset_x, offset_y, *scales, margin)
    printers, _ = read_printers(options.settings_folder())
    path = write_printers(options.settings_folder(), (printers | {name: added}).values())
    echo(f"{_words(added)}\nkept in {path}; use it with: duckpress build --printer {name}", lines=True)


@printer_command.command("list", epilog=examples("duckpress printer list"))
@FORMAT
def list_printers(form: str) -> None:
    """Show the printers that are stored."""
    printers, problems = read_printers(options.settings_folder())
    if form == "json":
        rows = []
        for one in printers.values():
            figures, edges = one._asdict(), one.margins
            del figures["margins"]  # comes after the widest of them
            widest_mm = None if edges is None else max(edges)
            rows.append({**figures, "margin_mm": widest_mm, "margins": None if edges is None else edges._asdict()})
        report.print_json({"printers": rows}, problems)
        return
    report.print_problems(problems)
    for one in printers.values():
        echo(_words(one))
    if not printers:
        echo("no printer is stored yet: `duckpress calibrate` makes the sheet to measure one")


@printer_command.command("remove", epilog=examples("duckpress printer remove office"))
@click.argument("name", shell_complete=COMPLETE_PRINTER)
def remove_printer(name: str) -> None:
    """Forget a printer."""
    known_printer(name)
    printers, _ = read_printers(options.settings_folder())
    write_printers(options.settings_folder(), (one for one in printers.values() if one.name != name))
    echo(f"{name} is forgotten")


def _words(one: Printer) -> str:
    margin = "" if one.margins is None else f", {margins_in_words(one.margins)}"
    return (
        f"{one.name}: back {one.offset_x_mm:+g} mm across and {one.offset_y_mm:+g} mm down, lengths "
        f"{one.scale_x * 100:g} % across and {one.scale_y * 100:g} % down{margin}"
    )
