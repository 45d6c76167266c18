"""The schemas of YAML files: every file that is right passes, and every mistake in how one is built is refused.

Schemas are held against a YAML 1.2 reading, as editors have it: `yes` is a text there, `0.1` a number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import pytest
import yaml
from jsonschema import Draft202012Validator

import running
from duckpress.views.new_game import FOLDER, MODELINE, SCHEMAS, STARTER, schema_text, starter_files

ROOT = Path(__file__).resolve().parents[2]
GOOD = sorted(
    path
    for folder in ("content", "fonts", "layouts", "generator/duckpress/starter", "tests/content/good")
    for path in (ROOT / folder).rglob("*.yaml")
)
_UNITS = r"^\s*(- )?[{\w: ,-]*\b(width|height|corner|bleed|overlap|stock|room): "


class CoreYaml(yaml.SafeLoader):
    """YAML with the core schema of version 1.2."""

    yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {}


for tag, pattern, first in (
    ("bool", "true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", "[-+]?[0-9]+", "-+0123456789"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+0123456789."),
    ("null", "~|null|Null|NULL|", ["~", "n", "N", ""]),
):
    CoreYaml.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(rf"^({pattern})$"), list(first))
CoreYaml.add_constructor("tag:yaml.org,2002:int", lambda _loader, node: int(node.value[:1000]))


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads(schema_text(name)))


@cache
def errors(name: str, text: str) -> list[str]:
    """Return what a schema says of a file; what is no YAML at all, an editor underlines without one."""
    try:
        value = _with_texts_as_keys(yaml.load(text, CoreYaml))
    except (yaml.YAMLError, TypeError):
        return ["not YAML"]
    return [f"{list(error.absolute_path)}: {error.message}" for error in validator(name).iter_errors(value)]


def _with_texts_as_keys(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _with_texts_as_keys(inner) for key, inner in value.items()}
    return [_with_texts_as_keys(inner) for inner in value] if isinstance(value, list) else value


def schema_for(path: Path) -> str:
    if path.parent.name == "lang":
        return "words" if path.parent.parent.name == "layouts" else "lang"
    if path.parent.name in ("decks", "boards"):
        return "deck"
    return "theme" if path.parent.name == "themes" else path.stem


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_one(name: str) -> None:
    Draft202012Validator.check_schema(validator(name).schema)


@pytest.mark.sweep(5)
@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_file_that_is_right_passes(path: Path) -> None:
    assert errors(schema_for(path), path.read_text("utf-8")) == []


def test_printers_pass() -> None:
    assert errors("printers", "office: {offset-x: 0.5, margin: {top: 5, right: 5, bottom: 5, left: 5}}\n") == []
    assert errors("printers", "office: {offset: 0.5}\n") != []


class Case(NamedTuple):
    """A file with mistakes, and for each its code and the line it stands in."""

    name: str
    schema: str
    text: str
    mistakes: tuple[tuple[str, str], ...]


def bad_files() -> Iterator[Case]:
    for path in sorted((ROOT / "tests/content/bad").glob("*/*.yaml")):
        lines = path.read_text("utf-8").splitlines()
        mistakes = [
            (code, lines[number + bool(next_)])
            for number, line in enumerate(lines)
            for next_, code in re.findall(r"# expect(-next)?: ([a-z0-9-]+)", line)
        ]
        yield Case(f"{path.parent.name}/{path.stem}", path.parent.name, "\n".join(lines) + "\n", tuple(mistakes))
    for path in sorted((ROOT / "tests/check/mistakes").glob("*.yaml")):
        text = path.read_text("utf-8")
        codes = re.findall(r"# expect: ([a-z0-9-]+)", text)
        yield Case(f"mistakes/{path.stem}", "setup", text, tuple((code, "") for code in codes))


def examples() -> Iterator[Case]:
    """Yield the files of the examples in checks.md that have the mistake: those that stand alone."""
    for section in re.split(r"(?m)^### ", (ROOT / "docs/checks.md").read_text("utf-8"))[1:]:
        code = section.partition("\n")[0]
        for block in re.findall(r"(?ms)^```yaml\n# file: (.*?)^```", section):
            files = re.split(r"(?m)^# file: ", block)
            path, _, text = files[0].partition("\n")
            name = schema_for(Path("pond") / path)
            if len(files) == 1 and name in SCHEMAS:
                yield Case(f"checks.md/{code}", name, text, ((code, ""),))


STRUCTURE = {
    "bad-language", "bad-player-count", "bad-players", "bad-report", "bad-version", "empty-file", "empty-value",
    "missing-key", "no-cards", "no-place", "out-of-range", "several-places", "unknown-choice", "unknown-key",
    "unknown-size", "wrong-type", "yaml-syntax", "yaml-key", "yaml-alias", "yaml-tag", "yaml-documents", "merge-key",
}  # fmt: skip
"""Codes of how a file is built: a schema refuses it. All others are about what it means, and pass."""


def why_unseen(case: Case, code: str, line: str) -> str:
    """Return the rule by which a schema cannot see a mistake in how a file is built; nothing where it has to."""
    cards = case.text.partition("\ncards:")[2]
    if not line and code in ("unknown-choice", "out-of-range"):
        line = cards.splitlines()[-1]  # what the examples of these two are about
    if case.schema == "deck" and line and line.strip() in cards and code != "no-cards":
        return "the fields of a card are what the deck declares"
    if case.schema == "deck" and re.match(r"\s+default:|.*\bdefault: ", line):
        return "a default is of the kind that the field declares"
    if code == "out-of-range" and re.match(_UNITS, line):
        return "a length has a unit, and no number to compare"
    if code == "merge-key":
        return "an editor puts merged keys in their places"
    if code == "wrong-type" and line.startswith("cards: "):
        return "a name of a table that leads elsewhere is a name all the same"
    if code == "bad-players" and re.match(r"players: \[?[\d, -]+", line):
        return "which of two numbers is more, and how often one is there"
    return ""


CASES = [*bad_files(), *examples()]


@pytest.mark.sweep(2)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_mistake_in_how_a_file_is_built_is_refused(case: Case) -> None:
    built = [(code, line) for code, line in case.mistakes if code in STRUCTURE and not why_unseen(case, code, line)]
    said = errors(case.schema, case.text)
    assert said or not built, f"the schema lets {built} pass"


def test_each_rule_is_needed() -> None:
    """A rule without a file that passes by it would hide what a schema forgets."""
    passing = [case for case in CASES if not errors(case.schema, case.text)]
    by_rule = {why_unseen(case, code, line) for case in passing for code, line in case.mistakes if code in STRUCTURE}
    assert len(by_rule - {""}) == 6


@pytest.mark.parametrize(
    ("schema", "text", "place"),
    [
        ("game", "title: A\nversion: 0.1\nplayers: 2\npieces: [{id: a, title: A, deks: [b]}]\n", "['pieces', 0]"),
        ("setup", "setup:\n- {pile: a, take: {b: 1}, shufled: no}\n", "['setup', 0]"),
        ("theme", "text: {body: {aling: left}}\n", "['text', 'body']"),
    ],
)
def test_a_mistake_is_said_at_its_place(schema: str, text: str, place: str) -> None:
    assert [error for error in errors(schema, text) if error.startswith(place)]


def test_a_new_game_leads_its_editor_to_schemas_that_are_there(tmp_path: Path) -> None:
    assert running.run(tmp_path, "new", "pond").exit_code == 0
    folder = tmp_path / "content" / "pond"
    files = [file for file in starter_files() if file.endswith(".yaml")]
    assert len(files) == 6
    for file in files:
        first = (folder / file).read_text("utf-8").partition("\n")[0]
        assert first.startswith(MODELINE)
        schema = ((folder / file).parent / first.removeprefix(MODELINE)).resolve()
        assert schema.parent == folder / FOLDER
        assert schema.read_text("utf-8") == schema_text(schema_for(STARTER / file))


def test_schemas_are_printed_and_written(tmp_path: Path) -> None:
    assert json.loads(running.run(tmp_path, "schema", "deck").output) == validator("deck").schema
    listed = running.run(tmp_path, "schema").output
    assert all(f"    {name} " in listed for name in SCHEMAS)
    files = running.run_json(tmp_path, "schema", "--into", str(tmp_path / "schemas"))["files"]
    written = {path.name: path.read_text("utf-8") for path in (tmp_path / "schemas").iterdir()}
    assert written == {f"{name}.json": schema_text(name) for name in SCHEMAS}
    assert set(files) == set(written)
    running.run(tmp_path, "schema", "dekc", status=2)


def test_an_imported_deck_leads_its_editor_there_where_the_game_has_schemas(tmp_path: Path) -> None:
    table = tmp_path / "ducks.csv"
    table.write_text("Name,Cost\nHeron,2\nTeal,1\n", encoding="utf-8")
    games = tmp_path / "games"
    games.mkdir()
    running.run(games, "new", "pond", status=0)
    running.run(games, "import", str(table), status=0)
    deck = (games / "content/pond/decks/ducks.yaml").read_text("utf-8")
    assert deck.startswith(f"{MODELINE}../{FOLDER}/deck.json\n")
    assert errors("deck", deck) == []
    (games / "content/pond" / FOLDER / "deck.json").unlink()
    running.run(games, "import", str(table), "--deck", "more", status=0)
    assert MODELINE not in (tmp_path / "games/content/pond/decks/more.yaml").read_text("utf-8")


def test_what_is_read_in_other_words_passes() -> None:
    fields = "{a: Integer, b: {kind: boolean}, c: {kind: Choice, choices: [x]}}"
    assert errors("deck", f"title: A\nsize: 63x88\nfront: a\nfields: {fields}\ncards: [{{id: a}}]\n") == []
    assert errors("deck", "title: A\nsize: PoKer\nfront: a\ncards: [{id: a}]\n") == []
    assert errors("deck", "title: A\nsize: 63x\nfront: a\ncards: [{id: a}]\n") != []
    assert errors("setup", "setup: [{pile: a, only: 3+, take: {b: {2..3: 1, 4+: 2}}}]\n") == []
    assert errors("theme", "colours: {a: 112233, b: Tomato}\ntext: {body: {align: Left}}\n") == []
