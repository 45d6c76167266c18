"""What a game in many scripts is told: one finding a language, not one a text, a phrase or a letter."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping

from duckpress.core.problems import Problem
from duckpress.files.workspace import Workspace
from duckpress.press.checking import check
from duckpress.press.reading import load

Make = Callable[[Mapping[str, str | bytes]], Workspace]
SPOKEN = {
    "ar": ("بطة صغيرة", "تغوص البطة"),
    "he": ("ברווז קטן", "הברווז צולל"),
    "th": ("เป็ดน้อย", "เป็ดดำน้ำ"),
    "ko": ("작은 오리", "오리가 잠수한다"),
    "ka": ("პატარა იხვი", "იხვი ყვინთავს"),
}
FILES: dict[str, str | bytes] = {
    "content/pond/game.yaml": "title: Pond\nversion: '0.1'\ndesigner: Ann\nplayers: 2\ntheme: pond\n"
    f"languages: [en, {', '.join(SPOKEN)}]\npieces: [{{id: cards, title: Cards, decks: [duck]}}]\n",
    "content/pond/theme.yaml": "extends: base\nfamilies: {title: Gloock, text: Alegreya Sans}\n"
    "text: {title: {font: title, size: 14}}\n",
    "content/pond/decks/duck.yaml": "title: Ducks\nsize: poker\nfront: duck\nfields: {name: text, text: text}\ncards:\n"
    "  - {id: teal, name: A little duck, text: The duck dives}\n"
    "  - {id: smew, name: The duck dives, text: A little duck}\n",
    "content/pond/layouts/duck.xml": "<face>"
    '<text x="5" y="5" width="53" height="10" style="title">{{ card.name }}</text>'
    '<text x="5" y="30" width="53" height="20">{{ card.text }}</text></face>',
}
for code, (duck, dives) in SPOKEN.items():
    FILES[f"content/pond/lang/{code}.yaml"] = (
        f"title: Pond\npieces: {{cards: {duck}}}\ndecks:\n  duck:\n    title: {duck}\n    cards:\n"
        f"      teal: {{name: {duck}, text: {dives}}}\n      smew: {{name: {dives}, text: {duck}}}\n"
    )


def test_each_language_is_told_once(make_workspace: Make) -> None:
    workspace = make_workspace(FILES)
    found = check(workspace, load(workspace, "pond")).problems
    told = [(one.code, _language_of(one)) for one in found if one.code != "translation-missing"]
    lettered = {"ar", "he", "ka"}  # in a font that comes along
    assert Counter(told) == Counter(
        [("borrowed-letters", code) for code in lettered] + [("no-letters", code) for code in {*SPOKEN} - lettered]
    )
    assert all("; so it is at layouts/themes/base.yaml:" in one.what for one in found if one.code == "borrowed-letters")
    ours = [one.what.partition(":")[0] for one in found if "words of the program" in one.what]
    assert sorted(ours) == ["ka", "ko", "th"]  # Arabic and Hebrew come along


def _language_of(problem: Problem) -> str:
    return re.findall(r"language '(\w+)'", problem.what)[0]
