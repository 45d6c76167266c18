"""`duckpress docs`: the pages come along, and are found by their names, their files and their sections."""

from __future__ import annotations

import json
import re
from pathlib import Path

from click.testing import CliRunner, Result

from duckpress import cli
from duckpress.cli.commands import main

ROOT = Path(__file__).resolve().parents[2]
PAGES = {path.stem for path in (ROOT / "docs").glob("*.md")}


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["docs", *arguments])


def test_all_pages_are_listed() -> None:
    assert set(json.loads(run("--format", "json").output)["pages"]) == PAGES
    assert all(f"    {name} " in run().output for name in PAGES)


def test_a_page_is_shown_as_it_is_but_for_its_pictures() -> None:
    for topic in ("content", "docs/content.md", "content.md", "Content"):
        done = run(topic)
        assert done.exit_code == cli.DONE
        assert done.output.startswith("# Content\n")
        assert "](pictures/" not in done.output
        assert run(topic, "--path").output == f"{ROOT / 'docs' / 'content.md'}\n"


def test_a_section_is_shown_with_what_is_below_it() -> None:
    text = run("content#decks-and-boards").output
    assert text.startswith("## Decks and boards\n")
    assert "\n### Fields\n" in text
    assert "\n## " not in text


def test_an_unknown_topic_gets_advice() -> None:
    for topic, advice in {
        "stups": "did you mean 'setups'?",
        "content#feilds": "did you mean 'fields'?",
        "text-overflow": "but sections: checks#text-overflow",
        "Table": "content#a-table-of-your-own",
        "pikepdf": "'pikepdf' stands in ",
        "../README": "there is no page '../README'",
    }.items():
        done = run(topic)
        assert (done.exit_code, advice in done.output) == (cli.USAGE_ERROR, True), done.output


def test_what_the_program_points_to_is_there() -> None:
    """Messages and the files that `new` and `import` write name pages by the command that opens them."""
    program = ROOT / "generator" / "duckpress"
    texts = [path.read_text("utf-8") for path in program.rglob("*") if path.suffix in (".py", ".yaml", ".xml", ".md")]
    named = {topic for text in texts for topic in re.findall(r"`duckpress docs ([\w#-]+)`", text)}
    assert {"content", "checks"} <= named
    assert [topic for topic in named if run(topic).exit_code != cli.DONE] == []
    starter = [path.read_text("utf-8") for path in (program / "starter").rglob("*.yaml")]
    assert [text for text in starter if "docs/" in text] == []
