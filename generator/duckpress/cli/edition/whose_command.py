"""`duckpress whose`: tells whose copy a scan or a PDF is of."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from duckpress.cli import report
from duckpress.cli.asking import FORMAT, OUT, output_folder, workspace_of
from duckpress.cli.ending import CONTENT_ERROR
from duckpress.cli.terminal import echo, progress

if TYPE_CHECKING:
    from duckpress.views.whose_copy import FileOwners, PageOwner


@click.command("whose")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option(
    "--edition",
    "folders",
    multiple=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of an edition, with its key beside it; without it all among the outputs.",
)
@OUT
@FORMAT
@click.pass_context
def whose_command(
    ctx: click.Context, files: tuple[Path, ...], folders: tuple[Path, ...], out: Path | None, form: str
) -> None:
    """Say whose copy of an edition a PDF or a scan (PNG, JPEG, TIFF) is of, page by page."""
    from duckpress.views.whose_copy import known_editions, owners

    editions = known_editions(output_folder(workspace_of(ctx), out), folders)
    if not editions:
        where = ", ".join(map(str, folders)) or "the outputs"
        raise click.UsageError(
            f"there is no key of an edition beside {where}: name its folder with --edition, or print it anew"
        )
    found = []
    for file in files:
        with progress(str(file), is_quiet=form == "json") as step:
            step("looking for dots")
            found.append(owners(file, editions))
    if form == "json":
        report.print_json({"files": list(map(_data, found))}, [problem for one in found for problem in one.problems])
    else:
        for one in found:
            report.print_problems(one.problems)
            if len(one.pages) > 1 or not one.problems:
                _print_owners(one)
    if not all(one.is_known for one in found):
        sys.exit(CONTENT_ERROR)


def _print_owners(found: FileOwners) -> None:
    owned: dict[str, list[int]] = {}  # in the order of the pages
    for page in found.pages:
        owned.setdefault(_words(page), []).append(page.page)
    for words, pages in owned.items():
        where = "" if len(found.pages) == 1 else f", page{'s' * (len(pages) > 1)} {_in_runs(pages)}"
        echo(f"{found.file}{where}: {words}")


def _words(page: PageOwner) -> str:
    if page.number is None or page.edition is None:
        return f"unknown: {page.why}"
    return f"copy {page.number} of {page.edition.game}" + (f": {page.id}" if page.id is not None else "")


def _in_runs(numbers: list[int]) -> str:
    """Return numbers in order as people write them: 1-3, 7."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return ", ".join("-".join(map(str, run)) for run in runs)


def _data(found: FileOwners) -> dict[str, Any]:
    return {
        "file": found.file,
        "pages": [
            {
                "page": page.page,
                "copy": page.number,
                "id": page.id,
                "game": None if page.edition is None else page.edition.game,
                "edition": None if page.edition is None else str(page.edition.folder),
                "dots": page.dots,
                "why": page.why or None,
            }
            for page in found.pages
        ],
    }
