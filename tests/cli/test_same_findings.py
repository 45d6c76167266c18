"""`check`, `build`, `watch` and the page tell the same findings of the same files, the most important last."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest

import running
from duckpress.core.backs import INKS
from duckpress.files.memo import Memo
from duckpress.files.workspace import Workspace
from duckpress.press.build_cache import BuildCache
from duckpress.press.request import Request
from duckpress.press.watching import Watcher, builds
from duckpress.store.cache import Cache
from duckpress.views.export_files import ExportRequest
from duckpress.views.shown_game import GamePieces
from running import MakeWorkspace

Told = tuple[str, str, str, str]  # level, code, place, words
LONG = "much too many words for so small a box " * 6
FILES: dict[str, str | bytes] = {
    "content/pond/game.yaml": (
        'title: Pond\nversion: "1.0"\ndesigner: Nobody\nplayers: 2-3\ntheme: pond\nlanguages: [en, fr]\n'
        "accept: [{code: unused-cards, reason: they wait for the next game}]\n"
        "pieces: [{id: cards, title: Cards, decks: [duck, egg]}]\n"
    ),
    "content/pond/theme.yaml": (
        'families: {body: Alegreya Sans}\ncolours: {paper: "#ffffff", ink: "#303030", line: "#888888"}\n'
        "text: {body: {font: body, size: 12, min: 11, colour: ink}}\n"
    ),
    "content/pond/decks/duck.yaml": (
        "title: Ducks\nsize: poker\nfront: face\nfields: {text: text}\n"
        "cards: [{id: teal, copies: 5, text: Quack.}, {id: coot, copies: 1, text: Splash.}]\n"
    ),
    "content/pond/decks/egg.yaml": (
        "title: Eggs\nsize: poker\nfront: face\nfields: {text: text}\ncards: [{id: egg, text: Crack.}]\n"
    ),
    "content/pond/layouts/face.xml": (
        '<face><ground fill="#e8d8b0"/><text x="5" y="5" width="50" height="20">{{ card.text }}</text></face>\n'
    ),
    "content/pond/setup.yaml": "setup:\n  - {hand: hand, each: player, take: {duck: 2}}\n",
    "content/pond/lang/fr.yaml": (
        "title: Mare\npieces: {cards: Cartes}\ndecks:\n  duck:\n    title: Canards\n    cards:\n"
        '      teal: {text: {of: Quack., is: "Coin."}}\n'
    ),
}
STATES: dict[str, dict[str, tuple[str, str]]] = {
    "sound": {},
    "another language": {"content/pond/lang/fr.yaml": ('"Coin."', f'"{LONG}"')},
    "setup": {"content/pond/setup.yaml": ("duck: 2", "duck: 3, goose: 1")},
    "setup and layout": {
        "content/pond/setup.yaml": ("duck: 2", "duck: 3"),
        "content/pond/decks/egg.yaml": ("Crack.", LONG),
        "content/pond/layouts/face.xml": ('fill="#e8d8b0"', 'fill="#2e2e2e"'),
    },
    "form": {
        "content/pond/decks/duck.yaml": ("copies: 1", "copies: few"),
        "content/pond/decks/egg.yaml": ("Crack.", LONG),
    },
    "too large": {"content/pond/decks/egg.yaml": ("size: poker", "size: {width: 400mm, height: 500mm}")},
}
LEVELS = ("note", "warning", "error")


@pytest.fixture(params=STATES)
def workspace(request: pytest.FixtureRequest, make_workspace: MakeWorkspace) -> Workspace:
    files = dict(FILES)
    for path, (before, after) in STATES[request.param].items():
        assert before in str(files[path])
        files[path] = str(files[path]).replace(before, after)
    return make_workspace(files)


def run(workspace: Workspace, line: str) -> tuple[str, int]:
    done = running.run(workspace, *line.split(), columns=120)
    assert done.exit_code in (0, 1), done.output
    return done.stdout, done.exit_code


def told(workspace: Workspace, line: str) -> list[Told]:
    words, _ = run(workspace, f"{line} --format json")
    problems = json.loads(words)["problems"]
    places = [":".join(str(one[key]) for key in ("file", "line", "column")) for one in problems]
    return [(one["level"], one["code"], at, one["what"]) for one, at in zip(problems, places, strict=True)]


def kept(workspace: Workspace) -> list[list[Told]]:
    """Return what `watch` and a page that is served tell."""
    request = ExportRequest("preview", every_language=True, other_inks=INKS)
    frames = BuildCache(Memo(Cache(None, None), "program"))
    watch = builds(workspace, ("pond",), Request(papers=("a4",)), workspace.root / "output", frames)
    live = Watcher(workspace, ("pond",), lambda files, loaded: GamePieces(files, loaded, request), frames)
    found = [watch.make("pond").checked.problems, live.make("pond").shown.checked.problems]
    found += [watch.make("pond").checked.problems, live.make("pond").shown.checked.problems]  # from what is kept
    return [[(one.level.value, one.code, str(one.source), one.what) for one in problems] for problems in found]


@pytest.mark.sweep(6)
def test_the_same_findings_stand_everywhere_the_most_important_last(
    workspace: Workspace, request: pytest.FixtureRequest
) -> None:
    """Of files that cannot be read, the page also tells what is wrong with the cards that it shows."""
    more = {"text-overflow"} if "form" in request.node.name else set()
    checked = told(workspace, "check pond")
    assert [LEVELS.index(level) for level, *_ in checked] == sorted(LEVELS.index(level) for level, *_ in checked)
    assert checked
    for line in ("build pond", "build pond --no-cache", "build pond", "check pond --no-cache"):
        assert told(workspace, line) == checked, line
    for one in (told(workspace, "build pond --paper a4"), *kept(workspace)):
        found, wanted = ([each for each in some if "'letter'" not in each[-1]] for some in (one, checked))
        found = [each for each in found if each[1] not in more]
        assert found == wanted  # what does not fit a paper is told by who prints on it
    run(workspace, "preview pond")
    page = workspace.root / "output/pond/preview/data/findings.js"
    if page.exists():  # else no card can be drawn
        groups = json.loads(re.findall(r"(?s)^.*?, *(\{.*\})\);", page.read_text())[0])["groups"]
        on_page = {(group["level"], group["code"], one["at"]) for group in groups for one in group["findings"]}
        assert {code for _, code, _ in on_page} >= more
        merged = "translation-missing"  # of a language they are one, where the last of them is
        told_of_check = {(level, code, place) for level, code, place, _ in checked if code != merged}
        assert {one for one in on_page if one[1] not in (*more, merged)} == told_of_check
        counts = Counter(group["level"] for group in groups for _ in group["findings"] if group["code"] not in more)
        last = run(workspace, "check pond")[0].splitlines()[-1]
        assert {level: int(count) for count, level in re.findall(r"(\d+) (error|warning|note)", last)} == counts


def test_the_terminal_tells_the_findings_and_then_their_count(workspace: Workspace) -> None:
    """Notes are counted; with `--notes` they are there, and so is each part of what is not translated."""
    brief, status = run(workspace, "check pond")
    check, _ = run(workspace, "check pond --notes")
    build, same_status = run(workspace, "build pond --notes")
    lines = iter(check.splitlines())
    assert all(line in lines for line in brief.splitlines()[:-1])
    assert "note[" not in brief
    assert ("--notes shows it" in brief) == ("note[" in check)
    assert brief.count("[translation-missing]") == check.count("[translation-missing]") == ("\n    fr: " in check)
    assert status == same_status
    heads = [line for line in check.splitlines() if re.match(r"\S+: (note|warning|error)\[", line)]
    levels = [LEVELS.index(line.split(": ")[1].partition("[")[0]) for line in heads]
    assert levels == sorted(levels)
    last = check.splitlines()[-1]
    tally, _, covered = last.partition("; checked: ")
    assert re.fullmatch(r"pond: (\d+ errors?)?(, )?(\d+ warnings?)?(, )?(\d+ notes?)?", tally)
    assert covered in ("2-3 players, 2 decks, 2 languages", "only whether the files can be read")
    findings = [line for line in check.splitlines()[:-1] if " text set at " not in line]
    assert build.splitlines()[: len(findings)] == findings
    end = build.splitlines()[len(findings)]
    assert end.removeprefix("pond: nothing printed: ").removeprefix("pond: Pond: ") == tally.removeprefix("pond: ")
    assert ("Print this: " in build) == ("nothing printed" not in end)


def test_an_error_in_another_language_stops_no_card_of_this_one(make_workspace: MakeWorkspace) -> None:
    words = str(FILES["content/pond/lang/fr.yaml"]).replace('"Coin."', f'"{LONG}"')
    workspace = make_workspace({**FILES, "content/pond/lang/fr.yaml": words})
    output, _ = run(workspace, "build pond --paper a4")
    assert "error[text-overflow]" in output
    french, _ = run(workspace, "build pond --paper a4 --lang fr")
    assert "nothing printed: 1 error" in french
    assert [path.name for path in workspace.root.glob("output/pond/pond-cards*")] == ["pond-cards-a4.pdf"]
