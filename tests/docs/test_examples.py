"""Pages with a game or with commands: they say what the program says, and JSON has the keys of the page."""

from __future__ import annotations

import io
import json
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from pages import DOCS, ROOT, Page, in_tables, keys_in
from PIL import Image

from duckpress.content.game.game_file import EditionKeys
from duckpress.content.translations.translation_keys import TranslationKeys
from duckpress.files.workspace import Workspace
from duckpress.layout.rulebook.block_setting import COLOURS, STYLES
from duckpress.layout.rulebook.blocks import KINDS
from duckpress.layout.rulebook.filling import KEYS
from duckpress.layout.rulebook.markdown import DIRECTIVES
from running import MakeWorkspace, run, run_json

sys.path.insert(0, str(DOCS))

from make_language_pictures import PICTURE, STAMP, laid_out, stamp_of

EDITIONS, LANGUAGES, RULES, DEALS = map(Page, ("editions", "languages", "rules-sheets", "deals"))


@pytest.mark.parametrize(
    ("page", "files", "columns", "count"),
    [
        ("content", "content", 120, 0), ("deals", "content", 0, 2), ("languages", "languages", 0, 0),
        ("odds", "", 0, 3), ("playtests", "", 0, 1),
    ],
)  # fmt: skip
def test_the_examples_say_what_the_page_says(
    page: str, files: str, columns: int, count: int, make_workspace: MakeWorkspace
) -> None:
    root = make_workspace(Page(files).files).root if files else ROOT
    shown = Page(page).examples
    assert len(shown) == (count or len(shown)) > 0
    for line, promised in shown:
        assert run(root, *shlex.split(line), columns=columns).output.replace(f"{root}/", "") == promised


def test_the_edition_says_what_the_page_says(make_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make_workspace(EDITIONS.files).root
    monkeypatch.chdir(root)
    assert run(root, "check", "bingo").output == "bingo: no problems; checked: 2-40 players, 2 decks, 1 language\n"
    (said,) = re.findall(r"(?ms)^```console\n\$ [^\n]+\n(.*?)^```$", EDITIONS.text)
    words = ("edition", "bingo", "--for", "people.csv", "--seed", "a winter evening")
    assert run(root, *words, "--piece", "sheet", columns=120).output.replace(f"{root}/", "") == said
    folder = root / "output/bingo/edition/0001-0003"
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["bingo-ann-a4.pdf", "bingo-bob-a4.pdf", "bingo-eve-a4.pdf", "manifest.json"]
    told = in_tables(EDITIONS.sections["JSON"])
    # What every command reports, the name of a paper, and what only holds other keys.
    told |= {"problems", "sheets.a4", "copies", "copies[].files"}
    assert set(keys_in(json.loads((folder / "manifest.json").read_text()))) <= told
    assert set(keys_in(run_json(root, *words, "--replace"))) <= told
    assert set(EditionKeys.keys) <= in_tables(EDITIONS.sections["What differs"])


def test_the_json_of_a_deal_has_the_keys_of_the_page(make_workspace: MakeWorkspace) -> None:
    root = make_workspace(Page("content").files).root
    data = run_json(root, *["deal", "harbour", "--players", "2", "--seed", "tide"])
    own_names = ("seats[].relations.", "seats[].knows.")
    keys = {key for key in keys_in(data) if not key.startswith(own_names)}
    told = in_tables(DEALS.text.partition("## JSON")[2])
    assert {key for key in keys if not key.startswith(("problems", "removed[]", "left[]"))} == told
    for part in ("removed", "left"):
        assert {key.replace(f"{part}[]", "places[]") for key in keys if key.startswith(f"{part}[]")} <= told


def test_every_key_of_a_translation_and_every_language_is_described(project: Workspace) -> None:
    assert set(TranslationKeys.keys) == in_tables(LANGUAGES.sections["The file of a translation"])
    codes = {path.rpartition("/")[2].removesuffix(".yaml") for path in project.files("layouts/lang", ".yaml")}
    names = {"de": "German", "es": "Spanish", "fr": "French", "it": "Italian", "nl": "Dutch", "pt": "Portuguese"}
    names |= {"ja": "Japanese", "pl": "Polish", "ru": "Russian", "zh": "Chinese", "ar": "Arabic", "he": "Hebrew"}
    assert codes == set(names)
    assert all(name in LANGUAGES.sections["Words that games share"] for name in names.values())


def test_the_picture_shows_the_cards_of_today_in_four_scripts(tmp_path: Path) -> None:
    shown = list(laid_out(tmp_path))
    assert [problem for one in shown for problem in one.problems if problem.code != "translation-missing"] == []
    with Image.open(PICTURE) as picture:
        assert picture.info[STAMP] == stamp_of(shown), "stale; run: python docs/make_language_pictures.py"
    assert f"]({PICTURE.relative_to(DOCS).as_posix()})" in LANGUAGES.text


def test_the_rules_of_the_page_build_and_say_what_the_data_says(make_workspace: MakeWorkspace) -> None:
    root = make_workspace(RULES.files).root
    data: Any = run_json(root, "build", "skiff")
    assert data["problems"] == []
    built = {row["piece"]: row for row in data["games"][0]["pieces"]}
    assert built["rules"]["pages"] == {"a4": 1, "letter": 1}
    assert built["rules-booklet"]["sheets"] == {"a4": 1, "letter": 1}
    pdf = io.BytesIO((root / "output/skiff/skiff-rules-a4.pdf").read_bytes())
    words = " ".join(pypdfium2.PdfDocument(pdf)[0].get_textpage().get_text_range().split())
    for piece in ("24 Catch: three kinds of fish", "a pencil for each player", "12 cards are dealt and 12 are left",
                  "You may hold four cards", "Whoever has 12 points", "Calm water", "Tuna 4"):  # fmt: skip
        assert piece in words


def test_all_that_sheets_of_rules_may_hold_is_described() -> None:
    generated = {word.strip("[]") for word in in_tables(RULES.sections["Generated parts"])}
    assert generated == {name for name in DIRECTIVES if not name.endswith("break")}
    assert all(f"`[{name}]`" in RULES.text for name in DIRECTIVES)
    assert in_tables(RULES.sections["What may stand in it"].partition("front matter")[2]) == set(KEYS)
    assert {word.partition(":")[0] for word in in_tables(RULES.sections["Pictures"])} == set(KINDS)
    assert in_tables(RULES.sections["The look"]) == {*STYLES, *COLOURS}
