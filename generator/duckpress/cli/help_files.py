"""`duckpress docs` and `duckpress schema`: the documentation that comes along, and what editors know of the files."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from duckpress.cli import completion, report
from duckpress.cli.asking import FORMAT
from duckpress.cli.terminal import echo, echo_in_pager
from duckpress.core.problems import did_you_mean


@click.command("docs")
@click.argument("topic", required=False, shell_complete=completion.one_of(completion.topics))
@click.option("--path", "shows_path", is_flag=True, help="Say where the page lies instead of showing it.")
@FORMAT
def docs_command(topic: str | None, form: str, *, shows_path: bool) -> None:
    """Show a page of the documentation, or which there are. TOPIC is a page, or a section of it: content#fields."""
    from duckpress.files.handbook import NoSuchPage, page, page_file, pages

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
        echo_in_pager(text)
    else:
        echo(text, lines=True, nl=False)


@click.command("schema")
@click.argument("name", required=False, shell_complete=completion.one_of(completion.schemas))
@click.option(
    "--into", type=click.Path(file_okay=False, path_type=Path), help="Write all of them into this folder, as files."
)
@FORMAT
def schema_command(name: str | None, into: Path | None, form: str) -> None:
    """Print the JSON Schema of a kind of YAML file, by which editors check and complete it; or say which there are."""
    from duckpress.store import write_outputs
    from duckpress.views.editor_schemas import MODELINE, SCHEMAS, schema_files, schema_text

    if name is not None and name not in SCHEMAS:
        raise click.UsageError(f"there is no schema {name!r}; {did_you_mean(name, SCHEMAS)}")
    if name is not None and into is not None:
        raise click.UsageError("--into writes all schemas: leave the name out.")
    if name is not None:
        echo(schema_text(name), lines=True, nl=False)
        return
    files = schema_files() if into is not None else {}
    if into is not None:
        write_outputs(into, files)
    if form == "json":
        report.print_json({"schemas": {name: one.files for name, one in SCHEMAS.items()}, "files": list(files)}, ())
        return
    report.print_columns([(name, one.files) for name, one in SCHEMAS.items()])
    echo(f"An editor reads it where a file begins with `{MODELINE}PATH`, the schema's path seen from that file.")
