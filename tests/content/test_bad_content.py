"""Bad content: every file in `bad/` holds its mistakes with the expected problems beside them; exact, both ways.

`# expect: CODE at COLUMN` speaks of its own line, `# expect-next:` of the line below, `# expect-in FILE: CODE at
LINE:COLUMN` of another file. A table, which cannot hold comments, has them in a file beside it. Each file takes its
place in the good game of `good/`.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from duckpress.content import load_game, read_yaml
from duckpress.core.problems import Problem
from duckpress.files.workspace import Workspace
from problem_lines import problem_lines

HERE = Path(__file__).parent
SAMPLES = sorted(path for path in (HERE / "bad").glob("*/*") if path.suffix in (".yaml", ".csv"))
PLACES = {"game": "game.yaml", "deck": "decks/cards.yaml", "table": "decks/cards.csv"}
DECK_OF_TABLE = """title: Cards
size: poker
front: card
fields: {title: text, cost: {kind: whole, optional: yes}}
cards: cards.csv
"""
EXPECT = re.compile(r"# expect(-next)?: ([a-z0-9-]+) at (\d+)")
EXPECT_IN = re.compile(r"# expect-in (\S+): ([a-z0-9-]+) at (\d+):(\d+)")


def expected_of(sample: Path, place: str) -> set[tuple[str, str, int, int]]:
    """Return (file, code, line, column) of every problem a sample announces."""
    if sample.suffix == ".csv":
        lines = sample.with_suffix(".expect").read_text(encoding="utf-8").splitlines()
        found = [re.fullmatch(r"(\S+) at (\d+):(\d+)", line) for line in lines]
        return {(place, match[1], int(match[2]), int(match[3])) for match in found if match}
    expected = set()
    for number, line in enumerate(sample.read_text(encoding="utf-8").splitlines(), 1):
        for match in EXPECT.finditer(line):
            expected.add((place, match[2], number + bool(match[1]), int(match[3])))
        for match in EXPECT_IN.finditer(line):
            expected.add((match[1], match[2], int(match[3]), int(match[4])))
    return expected


def problems_of(sample: Path, place: str, folder: Path) -> list[Problem]:
    """Return the problems of the good game with the sample in its place."""
    game = folder / "content" / "pond"
    shutil.copytree(HERE / "good", game)
    if sample.suffix == ".csv":
        (game / "decks/cards.yaml").write_text(DECK_OF_TABLE, encoding="utf-8")
    shutil.copyfile(sample, game / place)
    return load_game(Workspace(folder), "pond")[1]


@pytest.mark.parametrize("sample", SAMPLES, ids=[f"{path.parent.name}/{path.stem}" for path in SAMPLES])
def test_a_bad_file_gives_exactly_its_problems(sample: Path, tmp_path: Path) -> None:
    place = PLACES[sample.parent.name]
    problems = problems_of(sample, place, tmp_path)
    found = [(p.source.file.removeprefix("content/pond/"), p.code, p.source.line, p.source.column) for p in problems]
    expected = expected_of(sample, place)
    assert expected, "the sample announces nothing"
    assert sorted(found) == sorted(expected), "\n".join(map(str, problems))
    for problem in problems:
        assert problem.what, problem
        assert problem.fix, problem
        assert not re.search(r"\w:,", problem.fix), "no YAML to paste"
        assert problem.game == "pond"
        assert len(str(problem)) < 700


HERON = "title: Cards\nsize: poker\nfront: card\nfields: {title: text}\ncards: [{id: heron, "


@pytest.mark.parametrize(
    ("card", "fix"),
    [
        ("title: Draw, then stop.", "put the text before it in quotes, comma and all, or use one of: "),
        ("title: x, power: 3", "declare it (add 'power: text' under 'fields'), or use one of: "),
        ("title: x, the rest: 3", "use one of: copies, id, title"),
        ("title: x, copies: 1001", "write a number from 0 to 1000; if you trust this game, allow more with --limit "),
    ],
)
def test_a_fix_can_be_followed(card: str, fix: str, tmp_path: Path) -> None:
    sample = tmp_path / "sample.yaml"
    sample.write_text(HERON + card + "}]\n", encoding="utf-8")
    (problem,) = problems_of(sample, PLACES["deck"], tmp_path)
    assert problem.fix.startswith(fix)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("fields {c: text, d: text}\n", "1:19 yaml-syntax: there is no ':' after 'fields' -> write 'fields: {...'"),
        ("a: b\ncards [\n", "2:1 yaml-syntax: there is no ':' after 'cards' -> write 'cards: [...'"),
        ("a: {b: c {x} d: 2}\n", "1:10 yaml-syntax: there is no ',' or '}' before '{x} d: 2}' -> write a ',' there"),
    ],
)
def test_a_sign_that_is_missing_is_named(text: str, told: str) -> None:
    (line,) = problem_lines(read_yaml("f.yaml", text.encode()).problems, "f.yaml")
    assert line.startswith(told)
