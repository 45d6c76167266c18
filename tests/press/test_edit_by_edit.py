"""Hundreds of edits, each built with what earlier builds left and once more cold: files, words and status are the same.

The edits are drawn by a seed: cards, rows of tables, fields, templates, themes, fonts, art, languages and options
change, break, are mended and are taken back.
"""

from __future__ import annotations

import json
import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from duckpress.content.tables.tables import as_csv, read_table
from duckpress.files.memo import Memo
from duckpress.files.workspace import Workspace
from duckpress.press.build_cache import BuildCache
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Built, Request
from duckpress.press.watching import builds
from kinds import FILES, MakeWorkspace, cache_in, font
from running import run

DECK = "content/kinds/decks/kind.yaml"
OTHERS = (
    "title: Others\nsize: mini\nfront: other\nback: behind\n"
    "fields:\n  text: text\n  cost: {kind: whole, optional: yes}\n"
    "cards:\n- id: one\n  text: One {coin}.\n- id: two\n  cost: 2\n  text: |\n    Two,\n    and more.\n"
)
TABLE = "content/kinds/decks/listed.csv"
GAME = str(FILES["content/kinds/game.yaml"]) + "  - {id: others, title: Others, decks: [other, listed]}\n"
ROWS = [
    ["id", "text", "cost"],
    ["row-one", "One {coin}.", "1"],
    ["row-two", "Two, and *more*.", ""],
    ["row-three", "3", "3"],
]


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
    TABLE: as_csv(ROWS),
    "content/kinds/decks/other.yaml": OTHERS,
    "content/kinds/layouts/other.xml": '<face><ground fill="paper"/><text x="4" y="4" width="36" height="30" '
    'together="all">{{ card.text }}</text><text x="4" y="40" width="36" height="9">{{ card.cost }}</text></face>',
    "content/kinds/layouts/behind.xml": '<face><ground fill="accent"/></face>',
}
WORDS = ("duck", "pond", "reed", "**egg**", "{coin}", "swims far and wide", "{=id}", "quack")
OPTIONS = ("", "--ink grey", "--lang fr", "--backs gutterfold", "--piece cards", "--piece rules", "--gang")
FONTS = ("AlegreyaSans-Regular.ttf", "AlegreyaSans-Medium.ttf", "AlegreyaSans-Italic.ttf")
_CARD = re.compile(r"(?m)^ *- .*\n(?: +.*\n|\n)*")  # with the lines under it that are set in


class Designer:
    """Whoever changes one thing after the other, by chance, and sometimes takes all back."""

    def __init__(self, root: Path, seed: int) -> None:
        self._root = root
        self._chance = random.Random(seed)
        self._new = 0
        self._before: list[dict[str, bytes]] = []
        self._is_broken = False

    def edit(self) -> str:
        """Change something, and return what it was."""
        if self._is_broken and self._chance.random() < 0.8:
            self._is_broken = False
            self._restore(self._before[-1])
            return "mended"
        kinds = (
            self._card, self._card, self._cards, self._row, self._field, self._file, self._file, self._broken,
            self._taken_back,
        )  # fmt: skip
        self._before.append({path: (self._root / path).read_bytes() for path in EDITED})
        return self._chance.choice(kinds)()

    def _rewrite(self, path: str, change: Callable[[str], str]) -> None:
        file = self._root / path
        file.write_text(change(file.read_text(encoding="utf-8")), encoding="utf-8")

    def _deck(self) -> str:
        return self._chance.choice((DECK, "content/kinds/decks/other.yaml"))

    def _card(self) -> str:
        """Give a card other words."""
        path, words = self._deck(), self._words()

        def changed(text: str) -> str:
            found = list(re.finditer(r'text: (?!text)("[^"\n]*"|[^|\n}]+(?=\n))', text))
            one = self._chance.choice(found) if found else None
            return text if one is None else f'{text[: one.start()]}text: "{words}"{text[one.end() :]}'

        self._rewrite(path, changed)
        return f"{path}: a text"

    def _words(self) -> str:
        return " ".join(self._chance.choices(WORDS, k=self._chance.randint(1, 9)))

    def _cards(self) -> str:
        """Add, remove, copy or move cards, or put notes and lines between them."""
        path, how = self._deck(), self._chance.choice(("add", "remove", "swap", "note", "copies", "twin", "table"))

        def changed(text: str) -> str:
            head, _, tail = text.partition("cards:\n")
            cards = _CARD.findall(tail) or [tail]
            at = self._chance.randrange(len(cards))
            if how == "add":
                self._new += 1
                cards.insert(at, re.sub(r"id: [\w-]+", f"id: new-{self._new}", cards[at]))
            elif how == "remove" and len(cards) > 1:
                del cards[at]
            elif how == "swap":
                self._chance.shuffle(cards)
            elif how == "note":
                cards.insert(at, "\n# a note\n")
            elif how == "copies":
                count = self._chance.randint(0, 3)
                cards[at] = re.sub(r"id: ([\w-]+)(,?)", rf"id: \1\2 copies: {count},", cards[at], count=1)
                if "{" not in cards[at]:
                    cards[at] = re.sub(r" copies: \d,", "", cards[at])
            elif how == "twin":
                cards.insert(at, cards[at])  # of one id
            return head + "cards:\n" + "".join(cards)

        self._rewrite(path, changed)
        return f"{path}: {how}"

    def _row(self) -> str:
        """Change, add, remove or move rows of a table."""
        how = self._chance.choice(("text", "add", "remove", "swap"))
        table, _ = read_table(TABLE, (self._root / TABLE).read_bytes())
        assert table is not None
        header, *rows = [[cell.text for cell in row] for row in (table.header, *table.rows)]
        row = self._chance.choice(rows)
        if how == "text":
            row[1] = self._words()
        elif how == "add":
            self._new += 1
            rows.insert(rows.index(row), [f"new-{self._new}", *row[1:]])
        elif how == "remove" and len(rows) > 1:
            rows.remove(row)
        elif how == "swap":
            self._chance.shuffle(rows)
        (self._root / TABLE).write_bytes(as_csv([header, *rows]))
        return f"{TABLE}: {how}"

    def _field(self) -> str:
        """Declare a field that no card has to have, or take it back."""
        without, more = "fields: {text: text}", "fields: {text: text, more: {kind: text, optional: yes}}"
        self._rewrite(DECK, lambda text: text.replace(more, without) if more in text else text.replace(without, more))
        return f"{DECK}: a field"

    def _file(self) -> str:
        """Change a number of a template, the theme, art, a font, a translation or the game's title."""
        number = self._chance.randint(3, 9)
        radius = r'r="\d"', f'r="{min(number, 5)}"', 0
        how = {
            "layouts/face.xml": (r'y="\d"', f'y="{number}"', 1),
            "layouts/other.xml": (r'x="\d"', f'x="{number}"', 0),
            "layouts/part.xml": (r'x="\d+"', f'x="{number}"', 0),
            "layouts/macros.xml": (r'cx="\d+"', f'cx="2{number}"', 0),
            "theme.yaml": (r"size: \d", f"size: {number}", 1),
            "art/pond.svg": radius,
            "art/icons/coin.svg": radius,
            "lang/fr.yaml": (r": T\w+", f": Tirs{number}", 0),
            "rules.md": (r"width=\d+", f"width=1{number}", 1),
            "layouts/rules-head.xml": (r"(?s).+", HEADS[number % len(HEADS)], 1),
            "game.yaml": (r'version: "0.\d"', f'version: "0.{number}"', 0),
        }
        name = self._chance.choice([*how, "layouts/rules-head.xml", "regular.ttf"])
        if name in how:
            old, new, count = how[name]
            self._rewrite(f"content/kinds/{name}", lambda text: re.sub(old, lambda _: new, text, count=count))
        else:
            (self._root / "fonts/own" / name).write_bytes(font(self._chance.choice(FONTS)))
        return name

    def _broken(self) -> str:
        """Make a mistake."""
        path, old, new = self._chance.choice(
            (
                (DECK, "  - {id: ", "  - {idd: "),
                (DECK, "cards:", "cards: ["),
                (DECK, "text: text", "text: whole"),
                (DECK, "cards:\n", "cards:\n  - &a {id: anchored, text: One.}\n  - {id: alias, text: *a}\n"),
                ("content/kinds/decks/other.yaml", "text:", "txt:"),
                ("content/kinds/layouts/face.xml", "card.text", "card.test"),
                ("content/kinds/layouts/other.xml", "</face>", ""),
                ("content/kinds/theme.yaml", "accent:", "accents:"),
                ("content/kinds/setup.yaml", "kind: all", "kind: 99"),
            )
        )
        self._rewrite(path, lambda text: text.replace(old, new, 1))
        self._is_broken = True
        return f"{path}: a mistake"

    def _taken_back(self) -> str:
        """Make the game one that it was before."""
        self._restore(self._chance.choice(self._before))
        return "taken back"

    def _restore(self, files: dict[str, bytes]) -> None:
        for path, data in files.items():
            (self._root / path).write_bytes(data)


def files_in(folder: Path) -> dict[str, bytes]:
    """Return all files in a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


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
