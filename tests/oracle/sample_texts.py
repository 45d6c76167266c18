"""Texts: all of this project's own (docs, rules, cards, translations), and random ones of many scripts."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

ROOT = Path(__file__).resolve().parents[2]
ALIGNS = ("left", "center", "right", "justify", "at-left", "at-right")
VALIGNS = ("top", "middle", "bottom")
WIDTHS_MM = (190, 120, 80, 55, 40, 28, 18)
HEIGHTS_MM = (240, 140, 60, 25, 9)
_SHORTEST, _LONGEST = 2, 900  # letters
_CODE = re.compile(r"(?s)```.*?```|<!--.*?-->|^---\n.*?\n---\n")
_JINJA = re.compile(r"(?s)\{%.*?%\}|\{#.*?#\}")
_VALUE = re.compile(r"(?s)\{\{.*?\}\}")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_IN_BRACES = re.compile(r"\{[^{}]*\}")


class Sample(NamedTuple):
    """A text, and how it is set."""

    words: str
    style: str
    align: str
    valign: str
    width_mm: int
    height_mm: int
    is_hyphenated: bool


def own_texts() -> list[str]:
    """Return the paragraphs and lists of all pages, rules, cards and translations here, each once."""
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("content/*/rules*.md")]
    texts = [text for page in sorted(pages) for text in _of_page(page.read_text(encoding="utf-8"))]
    data = [*ROOT.glob("content/*/**/*.yaml"), *ROOT.glob("layouts/lang/*.yaml")]
    for file in sorted(data):
        texts += _strings(yaml.safe_load(file.read_text(encoding="utf-8")))
    plain = (_IN_BRACES.sub("{star}", _VALUE.sub("7", _JINJA.sub("", text))).strip() for text in texts)
    return list(dict.fromkeys(text for text in plain if _SHORTEST <= len(text) <= _LONGEST))


def _of_page(page: str) -> Iterator[str]:
    for part in re.split(r"\n\s*\n", _CODE.sub("", page)):
        if part.lstrip().startswith("|"):
            yield from (cell for row in part.split("\n") for cell in row.strip("| ").split(" | "))
        else:
            yield _LINK.sub(r"\1", re.sub(r"(?m)^#+ |^> ?|^\d+\. ", "", part)).replace("`", "")


def _strings(data: object) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for key, value in data.items():
            yield from (key,) if isinstance(key, str) and " " in key else ()
            yield from _strings(value)
    elif isinstance(data, Sequence):
        for value in data:
            yield from _strings(value)


_LATIN = [
    "duck", "ducks", "Quarry", "jay", "Ångström", "É", "fjord", "officially", "AVATAR", "internationalisation",
    "well-known", "and/or", "a", "I", "of", "the", "Qj", "(one)", "l'été", "œuf", "Straße", "ÄÖÜ", "żółw", "ığdır",
    "Škoda", "3:1", "1–2", "12", "100%", "“so”", "«oui»", "»nein«", "N°", "…", "(", ")", "¿qué?", "¡ya!", "[x]",
    "a_b", "su\xadper\xadman", "Wald\xadschnepfe", "5\xa0%", "12\u202f000", "no\xa0break", "zero\u200bwidth",
    "T-shirt", "½", "€", "—", "–", "•", "→", "♠", "★", "áb", "ñ",
]  # fmt: skip
_WORDS = {
    "en": _LATIN,
    "fr": [*_LATIN, "Attention", "vraiment", "canard", "aujourd'hui", '"oui"', "qu'il"],
    "de": [*_LATIN, "Donaudampfschiff", "Waldschnepfen", "Übung", "„ja“"],
    "el": [*_LATIN, "ἄνθρωπος", "πάπια", "Ὀδύσσεια", "και"],
    "ru": [*_LATIN, "утка", "Щука", "объявление", "и", "ёж"],
    "he": ["ברווז", "שלום", "אב", "(שלוש)", "12", "duck", "Duck Blind", "ג'ירפה", "שָׁלוֹם", "10–12"],
    "ar": ["بطة", "السلام", "لا", "(ثلاثة)", "12", "duck", "بَطَّةٌ", "و", "كتاب"],
    "ja": ["鴨", "「かも」", "カモを一枚", "引く。", "duck", "12枚", "（山札）", "です、", "ー"],
}  # fmt: skip
LANGUAGES = tuple(_WORDS)
_SIGNS = (":", ";", "!", "?", "…", ")", ",", "%", "⁉", ".", "»", "‼")
_STARS = ("*", "**", "***")


def random_text(chance: random.Random, language: str) -> str:
    """Return a random text with emphasis, icons, lists, breaks and signs before which there is a blank."""
    kinds = chance.choices(("prose", "list"), (3, 2), k=chance.choice((1, 1, 1, 2, 3)))
    parts = []
    for kind in kinds:
        if kind == "prose":
            parts.append(_prose(chance, language, chance.choice((1, 3, 8, 20, 40))))
        else:
            count = chance.randint(1, 4)
            parts.append("\n".join(f"- {_prose(chance, language, chance.choice((1, 3, 12)))}" for _ in range(count)))
    return chance.choice(("\n\n", "\n\n", "\n")).join(parts)


def _prose(chance: random.Random, language: str, count: int) -> str:
    words: list[str] = []
    for _ in range(count):
        word = chance.choice(_WORDS[language])
        dice = chance.random()
        if dice < 0.08:
            stars = chance.choice(_STARS)
            word = f"{stars}{word} {chance.choice(_WORDS[language])}{stars}" if dice < 0.04 else f"{stars}{word}{stars}"
        elif dice < 0.13:
            word = chance.choice(("{star}", "{heart}", "{star}{star}", f"{word}{{star}}", "2{arrow}"))
        elif dice < 0.18:
            word = chance.choice(_SIGNS)
        elif dice < 0.20 and words:
            word = f"<br/>{word}"
        elif dice < 0.22:
            word = f"\\*{word}"
        words.append(word)
    return " ".join(words)


def samples(texts: Sequence[str], styles: Sequence[str], seed: int) -> list[Sample]:
    """Return texts with each style, alignment and box in turn, by chance."""
    chance = random.Random(seed)
    columns = [_in_turn(chance, values, len(texts)) for values in (styles, ALIGNS, VALIGNS, WIDTHS_MM, HEIGHTS_MM)]
    return [Sample(text, *values, chance.random() < 0.3) for text, *values in zip(texts, *columns, strict=True)]


def _in_turn(chance: random.Random, values: Sequence[Any], count: int) -> list[Any]:
    """Return so many values: all of them in a random order, again and again in another one."""
    return [value for _ in range(count) for value in chance.sample(values, len(values))][:count]
