"""How much is allowed to a game: the option that sets limits, and `duckpress limits`, which lists them."""

from __future__ import annotations

import os
from collections.abc import Sequence

import click

from duckpress.cli import report
from duckpress.cli.asking import FORMAT
from duckpress.cli.terminal import echo
from duckpress.core.limits import LIMITS, VARIABLE, BadLimit, limit, read_settings, settings, use, written

LIMIT = click.option(
    "--limit",
    "limits",
    multiple=True,
    metavar="NAME=NUMBER",
    help="Allow a game more, or less; `duckpress limits` lists the names.",
)


def take_limits(options: Sequence[str]) -> None:
    """Let the limits of the environment hold, and those of the options over them; status 2 for a bad one."""
    found: dict[str, int] = {}
    for words, where in ((os.environ.get(VARIABLE, "").split(), VARIABLE), (options, "--limit")):
        try:
            found |= read_settings(words)
        except BadLimit as bad:
            raise click.UsageError(f"{where}: {bad}") from None
    use(found)


@click.command("limits")
@FORMAT
def limits_command(form: str) -> None:
    """Show how much is allowed to a game: every limit, the value that holds, and its unit."""
    if form == "json":
        rows = [
            {"limit": name, "value": limit(name), "usual": one.usual, "most": one.most, "unit": one.unit, "of": one.of}
            for name, one in LIMITS.items()
        ]
        report.print_json({"limits": rows, "problems": []})
        return
    width, changed = max(map(len, LIMITS)), settings()
    for name, one in LIMITS.items():
        usual = f" (usually {written(one.usual)})" if name in changed else ""
        echo(f"{name:<{width}}  {written(limit(name)):>6} {one.unit}{usual}: {one.of}")
