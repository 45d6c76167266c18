"""The languages that come along say the same: every phrase of the program, its values, and its plural forms."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
import yaml

from duckpress.core.backs import WITH_FRONTS
from duckpress.core.language import categories, category
from duckpress.core.language.program import PAGE_WORDS, READ_BACKS, WORDS

FOLDER = Path(__file__).resolve().parents[3] / "layouts" / "lang"
CODES = sorted(path.stem for path in FOLDER.iterdir())
_VALUE = re.compile(r"\{(\w+)\}")


@cache
def book(code: str) -> dict[str, dict[str, str | dict[str, str]]]:
    found: dict[str, dict[str, str | dict[str, str]]] = yaml.load(
        (FOLDER / f"{code}.yaml").read_text("utf-8"), yaml.CSafeLoader
    )
    return found


def forms(code: str, phrase: str | dict[str, str]) -> dict[str, str]:
    return phrase if isinstance(phrase, dict) else dict.fromkeys(categories(code), phrase)


def is_of_one_number(code: str, form: str) -> bool:
    return sum(category(code, number) == form for number in range(201)) == 1


@pytest.mark.parametrize("code", CODES)
def test_every_phrase_is_there_with_its_values(code: str) -> None:
    own, french = book(code), book("fr")
    assert (
        own["words"].keys()
        == french["words"].keys()
        >= {" ".join(words.split()) for words in (*PAGE_WORDS.values(), *WORDS)}
    )
    assert own["fields"].keys() == french["fields"].keys()
    for original, phrase in own["words"].items():
        for form, said in forms(code, phrase).items():
            # What is said of one number alone may say it in a word, as Arabic and Hebrew say "two players" in one.
            left_out = ["n"] if isinstance(phrase, dict) and is_of_one_number(code, form) else []
            values = sorted(_VALUE.findall(original))
            assert sorted(_VALUE.findall(said)) in (values, [name for name in values if name not in left_out]), said


@pytest.mark.sweep(3)
@pytest.mark.parametrize("code", CODES)
def test_plural_forms_are_those_of_the_language(code: str) -> None:
    for phrase in book(code)["words"].values():
        found = set(forms(code, phrase))
        # A form for whole millions only is not needed for players.
        assert {"other"} <= found <= set(categories(code)), phrase
        assert set(categories(code)) - found <= ({"many"} if "few" not in categories(code) else set()), phrase


def test_every_way_of_backs_has_its_words() -> None:
    assert set(WITH_FRONTS) == READ_BACKS.keys()
    assert PAGE_WORDS.keys() >= READ_BACKS.keys()


def test_the_scripts_of_the_page_say_words_that_there_are() -> None:
    program = FOLDER.parents[1] / "generator" / "duckpress"
    scripts = [*(program / "views" / "page" / "static").glob("*.js"), program / "views" / "live" / "live.js"]
    said = {word for path in scripts for word in re.findall(r'\bsay\("(\w+)"', path.read_text("utf-8"))}
    assert len(said) > 50
    assert said <= PAGE_WORDS.keys()
