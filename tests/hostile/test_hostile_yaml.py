"""YAML made to crash its reader, to grow without end, or to mean something else than it looks like."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from harness import assert_prints, assert_refused, assert_sound, needs_posix, run_command, run_here
from hostile_game import DECK, GOOD, game

PATH = "content/g/setup.yaml"
BOMB = b"a: &a [x, x, x, x, x, x, x, x, x]\n" + b"".join(
    b"%c: &%c [%s]\n" % (letter, letter, b", ".join([b"*%c" % (letter - 1)] * 9)) for letter in range(98, 107)
)

# The file, the code of the one error, and its line.
KILLERS = [
    pytest.param(BOMB, "yaml-size", 6, id="10-alias-bomb"),
    pytest.param(b"a: &a {x: 1}\nb: {<<: [" + b"*a, " * 50_000 + b"]}\n", "merge-key", 2, id="11-merge-bomb"),
    pytest.param(b"[" * 7_000_000, "yaml-depth", 1, id="12-seven-million-brackets"),
    pytest.param(b"a: 1\nb:\n" + b"- " * 50_000, "yaml-depth", 3, id="12-dashes"),
    pytest.param(b"? " * 50_000, "yaml-key", 1, id="12-question-marks"),
    pytest.param(b"".join(b"%%TAG !a%d! x\n" % n for n in range(300_000)) + b"---\na: 1\n", "yaml-tag", 1, id="x-tags"),
    pytest.param(b"%FOO bar\n" * 600_000 + b"---\na: 1\n", "yaml-syntax", 1, id="x-directives"),
    pytest.param(b"a: " + b"x" * 7_900_000, "text-too-long", 1, id="17-long-scalar"),
    pytest.param(b"a: " + b"x" * 8_000_000, "file-too-large", 1, id="17-ten-megabytes"),
    pytest.param(b"[" + b"&a x," * 300_000 + b"]", "yaml-size", 1, id="x-anchors"),
    pytest.param(b"---\n" * 1_500_000, "yaml-documents", 2, id="x-documents"),
    pytest.param(b"a: 1\n" * 1_500_000, "too-many-problems", None, id="15-a-million-times-the-same-key"),
    pytest.param(b"".join(b"k%d: 1\n" % n for n in range(6_000)), "too-many-problems", None, id="x-unknown-keys"),
]

AS_PROCESS = {("yaml-size", 1), ("yaml-size", 6), ("yaml-depth", 1)}


@pytest.mark.sweep(10)
@needs_posix
@pytest.mark.parametrize(("data", "code", "line"), KILLERS)
def test_a_file_that_kills_readers(data: bytes, code: str, line: int | None, tmp_path: Path) -> None:
    at = "content/g/game.yaml" if line is None else f"{PATH}:{line}"
    others = ("repeated-key", "yaml-tag", "unknown-key", "missing-key", "yaml-syntax")
    how = {"as_process": True, "megabytes": 800} if (code, line) in AS_PROCESS else {}
    ran = assert_refused(tmp_path, {PATH: data}, code=code, at=at, others=others if line is None else (), **how)
    assert len(ran.out) < 1_500_000


def test_x_comments_of_eight_megabytes_are_nothing(tmp_path: Path) -> None:
    assert_prints(tmp_path, {PATH: b"#" + b"x" * 3_900_000 + b"\n" + b"#\n" * 1_900_000 + b"setup: []\n"})


# What is as small as can be for each value, key or line, so that eight megabytes hold as many as can be.
MANY: dict[str, tuple[str, Callable[[], bytes]]] = {
    "x-items": ("yaml-size", lambda: b"x: [" + b"a," * 3_990_000 + b"]\n"),
    "x-items-of-a-block": ("yaml-size", lambda: b"x:\n" + b"-\n" * 3_990_000),
    "x-lines-and-a-mistake": ("yaml-syntax", lambda: b"x: a #b\n" + b"#\n" * 3_990_000 + b"y: [\n"),
}


@pytest.mark.sweep(6)
@needs_posix
@pytest.mark.parametrize("case", MANY)
def test_eight_megabytes_of_anything_take_bounded_memory(case: str, tmp_path: Path) -> None:
    """Of two games they do not add up: 1.5 GB, where items were counted at the end of their list."""
    code, make = MANY[case]
    files = {path.replace("/g/", f"/{game_id}/"): text for game_id in "gh" for path, text in GOOD.items()}
    games = "gh" if case == "x-items" else "g"
    files |= {f"content/{game_id}/game.yaml": make() for game_id in games}
    ran = run_command(tmp_path, "check", *games, files=files, seconds=60)
    assert_sound(ran, status=1)
    assert ran.codes() == [code] * len(games)
    assert ran.megabytes < 300


ODD = [
    pytest.param("a: &a [*a]\n", "yaml-alias", 1, id="13-recursive-list"),
    pytest.param("a: !!python/object/apply:os.system [ls]\n", "yaml-tag", 1, id="14-python"),
    pytest.param("a: !duck x\n", "yaml-tag", 1, id="14-own-tag"),
    pytest.param("%TAG ! tag:yaml.org,2002:\n---\na: 1\n", "yaml-tag", 1, id="x-tag-directive"),
    pytest.param("%YAML 9.9\n---\na: 1\n", "yaml-syntax", 1, id="x-yaml-directive"),
    pytest.param("title: a\ntable: {}\ntitle: b\n", "repeated-key", 3, id="15-repeated-key"),
    pytest.param('title: a\n"t\\x69tle": b\n', "repeated-key", 2, id="x-repeated-in-escapes"),
    pytest.param("&a title: x\nnote: *a\n", "yaml-alias", 2, id="x-anchor-on-a-key"),
    pytest.param("? [a, b]\n: x\n", "yaml-key", 1, id="x-list-for-a-key"),
    pytest.param('title: "\\ud83d"\n', "yaml-syntax", 1, id="17-half-a-character-escaped"),
    pytest.param("title: x\n\tnote: y\n", "yaml-syntax", 2, id="17-tab"),
]


@pytest.mark.sweep(3)
@pytest.mark.parametrize(("text", "code", "line"), ODD)
def test_a_file_that_says_two_things(text: str, code: str, line: int, tmp_path: Path) -> None:
    ran = assert_refused(tmp_path, {PATH: text}, code=code, at=f"{PATH}:{line}", others=("unknown-key", "missing-key"))
    assert "\x1b" not in ran.out
    if code == "repeated-key":
        assert "line 1 and again in line" in ran.problems[0]["what"] + ran.problems[-1]["what"]


NUMBERS = [
    pytest.param("size: poker", "size: {width: 0mm, height: 0mm}", "out-of-range", id="29-no-size"),
    pytest.param("size: poker", "size: {width: nanmm, height: 88mm}", "wrong-type", id="29-nan"),
]


@pytest.mark.parametrize(("old", "new", "code"), NUMBERS)
def test_numbers_beyond_all_measure(old: str, new: str, code: str, tmp_path: Path) -> None:
    ran = run_here(tmp_path, "check", "g", files=game(deck=DECK.replace(old, new)))
    assert_sound(ran, status=1)
    assert code in ran.codes(), ran.problems
    assert ran.problems[0]["file"] == "content/g/decks/duck.yaml"


def test_x_twenty_thousand_fields_of_as_many_cards_are_too_many(tmp_path: Path) -> None:
    fields = ", ".join(f"f{n}: {{kind: text, optional: yes}}" for n in range(20_000))
    cards = "cards: [{for: {n: 1-20000}, id: 'a-{{ n }}'}]\n"
    deck = f"title: D\nsize: poker\nfront: face\nfields: {{{fields}}}\n{cards}"
    ran = run_here(tmp_path, "check", "g", files=game(deck=deck))
    assert_sound(ran, status=1)
    assert ran.codes() == ["game-too-large"]
