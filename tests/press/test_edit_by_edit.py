"""Hundreds of edits, each built with what earlier builds left and once more cold: files, words and status are the same.

The edits are drawn by a seed: cards, rows of tables, fields, templates, themes, fonts, art, languages and options
change, break, are mended and are taken back.
"""

from __future__ import annotations

import json
import random
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from bingo import files_in
from duckpress.files.memo import Memo
from duckpress.files.workspace import Workspace
from duckpress.press.build_cache import BuildCache
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Built, Request
from duckpress.press.watching import builds
from kinds import FILES, MakeWorkspace, cache_in, font
from running import run

DECK, OTHER = "content/kinds/decks/kind.yaml", "content/kinds/decks/other.yaml"
OTHERS = (
    "title: Others\nsize: mini\nfront: other\nback: behind\n"
    "fields:\n  text: text\n  cost: {kind: whole, optional: yes}\n"
    "cards:\n- id: one\n  text: One {coin}.\n- id: two\n  cost: 2\n  text: |\n    Two,\n    and more.\n"
)
TABLE = "content/kinds/decks/listed.csv"
GAME = str(FILES["content/kinds/game.yaml"]) + "  - {id: others, title: Others, decks: [other, listed]}\n"
RULES = """# How to play

Everybody draws {{ count("kind") }} cards, and {{ table[2]["draw size"] }} lie there for two.

![A card that shows {coin}](card:kind/icon width=20mm) ![Another](card:other/two)

> A *box* with a card:
>
> ![](card:other/one width=15mm)

[components]
"""
_HEAD = '<face><text x="15" y="9" width="100" height="9">{{ game.title }} %s</text></face>'
HEADS = (
    _HEAD % "{{ card.subtitle }}",
    _HEAD % '{% for card in decks["kind"].cards %}{{ card.text }}{% endfor %}',
    '<face><card of="other/one" x="9" y="3" width="60" height="15"/></face>',
)
EDITED: dict[str, str | bytes] = {
    **FILES,
    "content/kinds/rules.md": RULES,
    "content/kinds/layouts/rules-head.xml": HEADS[0],
    "content/kinds/game.yaml": GAME,
    "content/kinds/setup.yaml": "setup:\n  - pile: draw\n    take: {kind: all, other: all, listed: all}\n",
    "content/kinds/decks/listed.yaml": OTHERS.partition("cards:")[0].replace("Others", "Rows") + "cards: listed.csv\n",
    TABLE: 'id,text,cost\nrow-one,One {coin}.,1\nrow-two,"Two, and *more*.",\nrow-three,3,3\n',
    OTHER: OTHERS,
    "content/kinds/layouts/other.xml": '<face><ground fill="paper"/><text x="4" y="4" width="36" height="30" '
    'together="all">{{ card.text }}</text><text x="4" y="40" width="36" height="9">{{ card.cost }}</text></face>',
    "content/kinds/layouts/behind.xml": '<face><ground fill="accent"/></face>',
}
OPTIONS = ("", "--ink grey", "--lang fr", "--backs gutterfold", "--piece cards", "--piece rules", "--gang")
FONTS = ("AlegreyaSans-Regular.ttf", "AlegreyaSans-Medium.ttf", "AlegreyaSans-Italic.ttf")
WORDS = ("quack", '"duck **egg** {coin}"', '"swims far and wide in the pond {=id}"')
NUMBERS = ["3", "4", "5", "6", "7", "8", "9"]
FIELDS = ("fields: {text: text}", "fields: {text: text, more: {kind: text, optional: yes}}")
CHANGES: list[tuple[str, str, Sequence[str]]] = [
    (DECK, r'(?<=text: )(?!text)("[^"\n]*"|[^"|\n}]+)', WORDS),
    (OTHER, r'(?<=text: )(?!text)("[^"\n]*"|[^"|\n}]+)', WORDS),
    (DECK, r"fields: {text: text(, more: {.*})?}", FIELDS),
    (TABLE, r"(?<=row-one,)[^,]*", WORDS),
    ("content/kinds/layouts/face.xml", r'(?<= y=")\d', NUMBERS),
    ("content/kinds/layouts/other.xml", r'(?<= x=")\d', NUMBERS),
    ("content/kinds/layouts/part.xml", r'(?<= x=")\d+', NUMBERS),
    ("content/kinds/layouts/macros.xml", r'(?<=cx="2)\d*', NUMBERS),
    ("content/kinds/layouts/rules-head.xml", r"(?s).+", HEADS),
    ("content/kinds/layouts/rules-head.xml", r"(?s).+", HEADS),
    ("content/kinds/theme.yaml", r"(?<=size: )\d", NUMBERS),
    ("content/kinds/art/pond.svg", r'(?<= r=")\d', ("3", "5")),
    ("content/kinds/art/icons/coin.svg", r'(?<= r=")\d', ("3", "5")),
    ("content/kinds/lang/fr.yaml", r"(?<=: T)\w+", NUMBERS),
    ("content/kinds/rules.md", r"(?<=width=1)\d", NUMBERS),
    ("content/kinds/game.yaml", r'(?<=version: "0.)\d', NUMBERS),
]
"""A file, a pattern, and what may be instead at one of the places that it fits."""
MISTAKES = [
    (DECK, "  - {id: ", "  - {idd: "),
    (DECK, "cards:", "cards: ["),
    (DECK, "text: text", "text: whole"),
    (DECK, "cards:\n", "cards:\n  - &a {id: anchored, text: One.}\n  - {id: alias, text: *a}\n"),
    (OTHER, "text:", "txt:"),
    ("content/kinds/layouts/face.xml", "card.text", "card.test"),
    ("content/kinds/layouts/other.xml", "</face>", ""),
    ("content/kinds/theme.yaml", "accent:", "accents:"),
    ("content/kinds/setup.yaml", "kind: all", "kind: 99"),
]


class Designer:
    """Whoever changes one thing after the other, by chance, and sometimes takes all back."""

    def __init__(self, root: Path, seed: int) -> None:
        self._root = root
        self._chance = random.Random(seed)
        self._before: list[dict[str, bytes]] = []
        self._is_broken = False

    def edit(self) -> str:
        """Change something, and return what it was."""
        if self._is_broken and self._chance.random() < 0.8:
            self._is_broken = False
            return self._restored(self._before[-1])
        self._before.append({path: (self._root / path).read_bytes() for path in EDITED})
        hows = (self._change, self._change, self._change, self._cards, self._cards, self._font, self._mistake)
        how = self._chance.choice((*hows, lambda: self._restored(self._chance.choice(self._before))))
        return how()

    def _rewrite(self, path: str, change: Callable[[str], str]) -> str:
        file = self._root / path
        file.write_text(change(file.read_text(encoding="utf-8")), encoding="utf-8")
        return path

    def _change(self) -> str:
        path, pattern, others = self._chance.choice(CHANGES)

        def changed(text: str) -> str:
            places = [one.span() for one in re.finditer(pattern, text)] or [(0, 0)]
            start, end = self._chance.choice(places)
            return text if not end else text[:start] + self._chance.choice(others) + text[end:]

        return self._rewrite(path, changed)

    def _cards(self) -> str:
        """Add, remove, move or copy cards and rows, or put a note between them."""
        path = self._chance.choice((DECK, OTHER, TABLE))
        how = self._chance.choice(("add", "remove", "move", "copies", *(() if path == TABLE else ("note", "twin"))))

        def changed(text: str) -> str:
            head, mark, tail = text.partition("cost\n" if path == TABLE else "cards:\n")
            # Cards are with the lines under them that are set in.
            cards = re.findall(r".+\n" if path == TABLE else r"(?m)^ *- .*\n(?: +[^ -].*\n|\n)*", tail) or [tail]
            at = self._chance.randrange(len(cards))
            new = f"new-{len(self._before)}"
            if how == "add":
                cards.insert(at, re.sub(r"(?<=id: )[\w-]+|^[\w-]+(?=,)", new, cards[at]))
            elif how == "remove" and len(cards) > 1:
                del cards[at]
            elif how == "move":
                self._chance.shuffle(cards)
            elif how == "copies":
                copies = f", copies: {self._chance.randint(0, 3)}"
                cards[at] = re.sub(r"({id: [\w-]+)(, copies: \d)?", rf"\1{copies}", cards[at])
            elif how in ("note", "twin"):
                cards.insert(at, "\n# a note\n" if how == "note" else cards[at])
            return head + mark + "".join(cards)

        return f"{self._rewrite(path, changed)}: {how}"

    def _font(self) -> str:
        (self._root / "fonts/own/regular.ttf").write_bytes(font(self._chance.choice(FONTS)))
        return "a font"

    def _mistake(self) -> str:
        path, old, new = self._chance.choice(MISTAKES)
        self._is_broken = True
        return self._rewrite(path, lambda text: text.replace(old, new, 1)) + ": a mistake"

    def _restored(self, files: dict[str, bytes]) -> str:
        """Make the game one that it was before."""
        for path, data in files.items():
            (self._root / path).write_bytes(data)
        return "taken back"


def same(one: dict[str, bytes], other: dict[str, bytes]) -> list[str]:
    """Return the names of files that differ."""
    return [name for name in {**one, **other} if one.get(name) != other.get(name)]


@pytest.fixture
def workspace(make_workspace: MakeWorkspace) -> Workspace:
    return make_workspace(EDITED)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(24))
def test_commands_after_an_edit_do_what_they_do_cold(
    seed: int, workspace: Workspace, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
    scratch = tmp_path_factory.mktemp("built")
    warm, cold = scratch / "warm", scratch / "cold"
    designer, chance = Designer(workspace.root, seed), random.Random(seed)
    edits: list[str] = []

    def told(cache: str, *words: str) -> tuple[int, object]:
        done = run(workspace, *words, "--format", "json", DUCKPRESS_CACHE=cache)
        return done.exit_code, json.loads(done.stdout.replace(str(cold), str(warm)))

    for _ in range(6):
        shutil.rmtree(cold, ignore_errors=True)
        if warm.exists():
            shutil.copytree(warm, cold)  # what is built is merged with what is there
        words = ("build", "kinds", "--paper", "a5", *chance.choice(OPTIONS).split())
        built = told(str(scratch / "cache"), *words, "--out", str(warm))
        assert built == told("off", *words, "--out", str(cold)), edits
        assert not same(files_in(warm), files_in(cold)), edits
        edits.append(designer.edit())
    for _ in range(2):
        assert told(str(scratch / "cache"), "check", "kinds") == told("off", "check", "kinds"), edits


@pytest.mark.sweep(24)
@pytest.mark.parametrize("seed", range(100, 124))
def test_what_is_watched_is_what_a_cold_build_gives(
    seed: int, workspace: Workspace, tmp_path_factory: pytest.TempPathFactory
) -> None:
    scratch = tmp_path_factory.mktemp("built")
    warm, cold, request = scratch / "warm", scratch / "cold", Request(papers=("a5",))
    watcher = builds(workspace, ("kinds",), request, warm, BuildCache(Memo(cache_in(workspace), "program")))
    designer = Designer(workspace.root, seed)
    edits: list[str] = []

    def told(built: Built) -> tuple[object, ...]:
        return built.checked.problems, built.checked.shrunk, built.files, built.pieces, built.sheets_in_all

    for number in range(12 if seed > 100 else 4):  # `make soak` goes further
        if number % 3:
            watcher.rest()
        shutil.rmtree(cold, ignore_errors=True)
        if warm.exists():
            shutil.copytree(warm, cold)
        assert told(watcher.make("kinds")) == told(build(workspace, load(workspace, "kinds"), request, cold)), edits
        assert not same(files_in(warm), files_in(cold)), edits
        edits.append(designer.edit())
