"""docs/languages.md: its game checks and builds in both languages; every key of a translation stands on the page."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pypdfium2 as pdfium
import pytest
from click.testing import CliRunner
from PIL import Image

from duckpress.cli.commands import main
from duckpress.content.translations.translation_keys import TranslationKeys
from duckpress.files.workspace import Workspace

DOCS = Path(__file__).resolve().parents[2] / "docs"
sys.path.insert(0, str(DOCS))

from make_language_pictures import PICTURE, STAMP, laid_out, stamp_of  # noqa: E402

TEXT = (DOCS / "languages.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"(?ms)^```\w+ file=(\S+)\n(.*?)^```$", TEXT))
MakeWorkspace = Callable[[Mapping[str, str | bytes]], Workspace]


@pytest.fixture
def workspace(make_workspace: MakeWorkspace) -> Workspace:
    return make_workspace(FILES)


def test_the_examples_say_what_the_page_says(workspace: Workspace) -> None:
    shown = re.findall(r"(?ms)^```console\n\$ duckpress ([^\n]+)\n(.*?)^```$", TEXT)
    assert shown
    for line, promised in shown:
        done = CliRunner().invoke(main, ["--workspace", str(workspace.root), *line.split()])
        assert done.output == promised


def test_the_game_of_the_page_is_printed_in_french(workspace: Workspace) -> None:
    line = ["--workspace", str(workspace.root), "build", "marsh", "--lang", "fr", "--paper", "a4"]
    done = CliRunner().invoke(main, line)
    assert done.exit_code == 0, done.output
    page = pdfium.PdfDocument(workspace.root / "output/marsh/marsh-cards-a4-fr.pdf")[0]
    said = page.get_textpage().get_text_range()
    for words in ("Sarcelle", "mâle", "1 point", "2 points", "Marée haute\u202f!", "feuille 1 sur 1"):
        assert words in said


def test_every_key_of_a_translation_is_described() -> None:
    section = TEXT.partition("## The file of a translation")[2].partition("\n## ")[0]
    told = {word for cell in re.findall(r"(?m)^\| ([^|]+) \|", section) for word in re.findall(r"`([^`]+)`", cell)}
    assert set(TranslationKeys.keys) == told


def test_every_language_that_comes_along_is_named(project: Workspace) -> None:
    codes = {path.rpartition("/")[2].removesuffix(".yaml") for path in project.files("layouts/lang", ".yaml")}
    names = {"de": "German", "es": "Spanish", "fr": "French", "it": "Italian", "nl": "Dutch", "pt": "Portuguese"}
    names |= {"ja": "Japanese", "pl": "Polish", "ru": "Russian", "zh": "Chinese"}
    names |= {"ar": "Arabic", "he": "Hebrew"}
    assert codes == set(names)
    assert all(name in TEXT.partition("## Words that games share")[2].partition("\n## ")[0] for name in names.values())


def test_the_picture_shows_the_cards_of_today_in_four_scripts(tmp_path: Path) -> None:
    shown = list(laid_out(tmp_path))
    assert [problem for one in shown for problem in one.problems if problem.code != "translation-missing"] == []
    with Image.open(PICTURE) as picture:
        assert picture.info[STAMP] == stamp_of(shown), "stale; run: python docs/make_language_pictures.py"
    assert f"]({PICTURE.relative_to(DOCS).as_posix()})" in TEXT
