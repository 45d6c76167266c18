"""Plural forms, numbers and fixed words by language, and that the languages that come along say all of them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
import yaml

from duckpress.core.backs import WITH_FRONTS
from duckpress.core.language import RecordingSpeech, Speech, categories, category, program, write_number
from duckpress.core.language.program import PAGE_WORDS, READ_BACKS, WORDS

NARROW, NO_BREAK = "\u202f", "\u00a0"


# Samples of Unicode CLDR 47, common/supplemental/plurals.xml.
@pytest.mark.parametrize(
    ("language", "samples"),
    [
        ("en", {0: "other", 1: "one", 2: "other", 1.5: "other", 1_000_000: "other"}),
        ("fr", {0: "one", 1: "one", 1.5: "one", 2: "other", 17: "other", 1_000_000: "many", 1_000_001: "other"}),
        ("fr-CA", {0: "one", 2: "other"}),
        ("de", {0: "other", 1: "one", 1.5: "other", 21: "other"}),
        ("es", {0: "other", 1: "one", 1.5: "other", 2_000_000: "many"}),
        ("it", {0: "other", 1: "one", 1.5: "other", 1_000_000: "many"}),
        ("nl", {0: "other", 1: "one", 2: "other"}),
        ("pt", {0: "one", 1: "one", 1.5: "one", 2: "other", 1_000_000: "many"}),
        ("pt-PT", {0: "other", 1: "one", 2: "other"}),
        ("pl", {1: "one", 2: "few", 5: "many", 12: "many", 22: "few", 25: "many", 1.5: "other"}),
        ("cs", {1: "one", 3: "few", 5: "other", 0.5: "many"}),
        ("ru", {1: "one", 11: "many", 21: "one", 23: "few", 25: "many"}),
        ("da", {0: "other", 0.5: "one", 1: "one", 1.5: "one", 2: "other"}),
        ("ar", {0: "zero", 1: "one", 2: "two", 3: "few", 10: "few", 11: "many", 99: "many", 100: "other"}),
        ("ar", {1.5: "other", 101: "other", 102: "other", 103: "few", 111: "many", 200: "other"}),
        ("he", {0: "other", 1: "one", 2: "two", 3: "other", 20: "other", 0.5: "one", 1.5: "other"}),
        ("ja", {1: "other", 2: "other"}),
        ("th", {1: "other", 2: "other"}),
        ("xx", {1: "one", 2: "other"}),
    ],
)
def test_plural_categories(language: str, samples: dict[float, str]) -> None:
    assert {number: category(language, number) for number in samples} == samples


def test_the_forms_that_a_translation_may_have() -> None:
    assert categories("en") == ("one", "other")
    assert categories("fr") == ("one", "many", "other")
    assert categories("ar") == ("zero", "one", "two", "few", "many", "other")
    assert categories("he") == ("one", "two", "other")
    assert categories("pl") == ("one", "few", "many", "other")


@pytest.mark.parametrize(
    ("language", "value", "decimals", "expected"),
    [
        ("en", 12500, None, "12,500"), ("en", 2.5, None, "2.5"), ("fr", 1000, None, f"1{NARROW}000"),
        ("fr", 1234567.25, None, f"1{NARROW}234{NARROW}567,25"), ("fr", 2, 1, "2,0"),
        ("fr-CA", 12500, None, f"12{NO_BREAK}500"), ("de", 12500, None, "12.500"), ("es", 1000, None, "1000"),
        ("es", 12500.5, None, "12.500,5"), ("it", 1000, None, "1000"), ("nl", 1000, None, "1.000"),
        ("pt", 1000, None, "1.000"), ("pt-PT", 12500, None, f"12{NO_BREAK}500"), ("en", -3, None, "−3"),
        ("en", -0.0, None, "0"), ("en", 0.1 + 0.2, None, "0.3"),
    ],
)  # fmt: skip
def test_numbers(language: str, value: float, decimals: int | None, expected: str) -> None:
    assert write_number(language, value, decimals) == expected


def test_words_are_found_by_the_original_and_filled_in() -> None:
    words = {"Most shots": {"other": "Le plus de coups"}, "{n} cards": {"one": "{n} carte", "other": "{n} cartes"}}
    french = RecordingSpeech("fr", words, {"Players": {"other": "Joueurs"}}, is_original=False)
    assert french.t("Most\n   shots") == "Le plus de coups"
    assert french.t("Most\u00a0shots") == "Le plus de coups"
    assert french.t("Players") == "Joueurs"
    assert [french.t("{n} cards", {"n": n}) for n in (0, 1, 2)] == ["0 carte", "1 carte", "2 cartes"]
    assert french.t("{n} cards", {"n": 12500}) == f"12{NARROW}500 cartes"
    assert french.t("Gone") == "Gone"
    assert (french.asked, list(french.missing)) == ({"Most shots", "{n} cards"}, ["Gone"])


def test_the_first_language_needs_no_file() -> None:
    english = RecordingSpeech("en")
    forms = {"one": "{n} card"}
    assert [english.t("{n} cards", {"n": n}, forms) for n in (1, 3)] == ["1 card", "3 cards"]
    assert english.t("Take {star} and {n}", {"n": 2}) == "Take {star} and 2"
    assert english.t("{name} has {score}", {"name": "Ann {score}", "score": 3}) == "Ann {score} has 3"
    assert not english.missing
    assert Speech("fr").t("Cible") == "Cible"


def test_the_program_speaks_english_where_it_has_no_other_words() -> None:
    dutch = RecordingSpeech("nl", {}, {program.BACK: {"other": "achterkant"}})
    assert dutch.program(program.BACK) == "achterkant"
    assert dutch.program(program.SHEET, {"number": 1, "total": 2}) == "sheet 1 of 2"
    assert list(dutch.missing) == [program.SHEET]
    english = RecordingSpeech("en")
    assert english.program(program.BACK) == program.BACK
    assert not english.missing


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
