"""`duckpress docs` and `duckpress schema`: the documentation that comes along, and what editors know of the files."""

from __future__ import annotations

import sys

import click

from duckpress.cli import completion, report
from duckpress.cli.asking import FORMAT
from duckpress.cli.terminal import as_shown, echo


@click.command("docs")
@click.argument("topic", required=False, shell_complete=completion.one_of(completion.topics))
@click.option("--path", "shows_path", is_flag=True, help="Say where the page lies instead of showing it.")
@FORMAT
def docs_command(topic: str | None, form: str, *, shows_path: bool) -> None:
    """Show a page of the documentation, or which there are. TOPIC is a page, or a section of it: content#fields."""
    from duckpress.views.handbook import NoSuchPage, page, page_file, pages

    try:
        if topic is None:
            known = pages()
            if form == "json":
                report.print_json({"pages": known}, ())
                return
            report.print_columns([(name, title) for name, title in known.items()])
            echo("`duckpress docs content` shows a page, `duckpress docs content#fields` a section of it.")
            return
        path, text = str(page_file(topic)), page(topic)
    except NoSuchPage as error:
        raise click.UsageError(str(error)) from error
    if form == "json":
        report.print_json({"path": path, "text": text}, ())
    elif shows_path:
        echo(path)
    elif sys.stdout.isatty():
        click.echo_via_pager(as_shown(text, lines=True))
    else:
        echo(text, lines=True, nl=False)
