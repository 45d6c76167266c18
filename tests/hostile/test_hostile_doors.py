"""Files in a game's folder that are no files, lead elsewhere, change while they are read, or have names that bite."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from harness import assert_prints, assert_refused, assert_sound, needs_posix, run_command, run_here
from hostile_game import DECK, DRAWING, FACE, GAME, GOOD, FileMaker, game, lay_out, with_art

from duckpress.core.limits import use
from duckpress.files.workspace import Refused
from running import MakeWorkspace

SECRET = "title: SECRET\n"
HEAD = DECK.partition("cards:")[0]
BITING = ["\udcff.yaml", "con.yaml", "\x1b[2J.yaml", "duck..yaml", "\U0001f986.yaml", "a\nb.yaml", "x" * 250 + ".yaml"]


def link_to(target: str) -> FileMaker:
    """Return a maker of a link; a relative target is as seen from the link."""
    return lambda path: path.symlink_to(target)


def secret_link(path: Path) -> None:
    """Make a link to a file outside of the workspace that could be read."""
    secret = path.parents[len(path.parts) - path.parts.index("content")] / "secret.yaml"
    secret.write_text(SECRET)
    path.symlink_to(secret)


def device(name: str) -> FileMaker:
    return link_to(f"/dev/{name}")


def huge(path: Path) -> None:
    """Make a file of ten billion zeros that takes no room on the disk."""
    with path.open("wb") as file:
        file.truncate(10**10)


PLACES = {
    "game": "content/g/game.yaml",
    "deck": "content/g/decks/duck.yaml",
}


@pytest.mark.sweep(3)
@needs_posix
@pytest.mark.parametrize("place", ["game", "deck"])
@pytest.mark.parametrize(
    ("make", "code"),
    [
        pytest.param(secret_link, "outside-workspace", id="04-link-beside-the-workspace"),
        pytest.param(lambda path: path.symlink_to(path.name), "unreadable-file", id="x-link-to-itself"),
        pytest.param(link_to("nowhere.yaml"), "missing-file", id="x-link-to-nothing"),
        pytest.param(device("zero"), "outside-workspace", id="05-dev-zero"),
        pytest.param(os.mkfifo, "not-a-file", id="05-fifo"),
        pytest.param(os.mkdir, "not-a-file", id="05-folder"),
        pytest.param(lambda path: path.write_bytes(b""), "empty-file", id="05-nothing"),
        pytest.param(huge, "file-too-large", id="05-huge"),
    ],
)
def test_a_file_that_is_none_of_ours(place: str, make: FileMaker, code: str, tmp_path: Path) -> None:
    path = PLACES[place]
    if make is os.mkdir and place == "deck":
        pytest.skip("a folder among the decks is no deck, and not one that was meant")
    ran = assert_refused(
        tmp_path / "workspace",
        {path: make},
        code=code,
        at=path,
        as_process=place == "deck" and make in (os.mkfifo, huge),
        others=("unknown-deck", "unknown-piece"),
    )
    assert "SECRET" not in ran.out


@needs_posix
@pytest.mark.parametrize("folder", ["content/g/decks", "content/g/art", "content/h"])
def test_04_a_linked_folder_in_between(folder: str, tmp_path: Path) -> None:
    """A whole game, its decks, its art behind links: nothing of them is read."""
    for name, text in (("duck.yaml", DECK), ("pond.svg", DRAWING), ("game.yaml", SECRET)):
        lay_out(tmp_path / "outside", {name: text})
    files: dict[str, Any] = {key: text for key, text in GOOD.items() if folder not in key}
    ran = run_here(tmp_path / "workspace", "check", files={**files, folder: link_to(str(tmp_path / "outside"))})
    assert_sound(ran, status=1)
    assert "outside-workspace" in ran.codes()
    assert "SECRET" not in ran.out


@needs_posix
def test_x_links_inside_the_workspace_are_followed(tmp_path: Path) -> None:
    files = {key: text for key, text in GOOD.items() if "/art/" not in key}
    files |= {"content/shared/pond.svg": DRAWING, "content/g/art": link_to("../shared")}
    assert_sound(run_here(tmp_path, "build", "g", "--paper", "a4", files=files), status=0)


SWAPS = ["file", "folder", "folder above"]


@needs_posix
@pytest.mark.parametrize("what", SWAPS, ids=[f"04-race-{what.replace(' ', '-')}" for what in SWAPS])
def test_a_link_swapped_in_after_the_check(
    what: str, make_workspace: MakeWorkspace, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = make_workspace({"content/g/art/a.txt": b"ours"})
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    for path in ("a.txt", "art/a.txt", "g/art/a.txt"):
        (elsewhere / path).parent.mkdir(parents=True, exist_ok=True)
        (elsewhere / path).write_bytes(b"theirs")
    art = workspace.root / "content/g/art"
    resolve = os.path.realpath

    def resolve_and_swap(path: object) -> str:
        found = str(resolve(str(path)))
        if what == "file":
            (art / "a.txt").unlink()
            (art / "a.txt").symlink_to(elsewhere / "a.txt")
        else:
            place = art if what == "folder" else art.parent
            place.rename(place.parent / "moved")
            place.symlink_to(elsewhere if what == "folder" else elsewhere / "g")
        return found

    monkeypatch.setattr(os.path, "realpath", resolve_and_swap)
    with pytest.raises(Refused):
        workspace.read("content/g/art/a.txt")


def test_x_a_file_that_grows_while_it_is_read(make_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is read is measured, not what the system said of the file before."""
    workspace = make_workspace({"content/g/a.txt": b"x" * 50})
    use({"text-file": 100})
    look = os.fstat

    def grow(handle: int) -> os.stat_result:
        seen = look(handle)
        with (workspace.root / "content/g/a.txt").open("ab") as file:
            file.write(b"x" * 10_000)
        return seen

    monkeypatch.setattr(os, "fstat", grow)
    with pytest.raises(Refused) as refused:
        workspace.read("content/g/a.txt")
    assert refused.value.code == "file-too-large"


ART = [
    pytest.param("/etc/passwd", id="03-absolute"),
    pytest.param("../../../../../../etc/passwd", id="03-dots"),
    pytest.param("file:///etc/passwd", id="03-file-url"),
    pytest.param("data:image/png;base64,AAAA", id="03-data-url"),
    pytest.param("\\\\\\\\server\\\\share\\\\x.png", id="03-unc"),
    pytest.param("art/" + "x" * 5000 + ".svg", id="x-very-long-name"),
]


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", ART)
def test_art_that_a_card_may_not_name(name: str, tmp_path: Path) -> None:
    deck = DECK.partition("cards:")[0].replace("text: text", "art: image")
    deck += f'cards:\n  - {{id: a, name: A, art: "{name}"}}\n'
    face = FACE.replace("art/pond.svg", "{{ card.art }}").replace("{{ card.text }}", "")
    ran = assert_refused(tmp_path, game(deck=deck, face=face), code="missing-art", at="content/g/decks/duck.yaml:6")
    assert "root:" not in ran.out
    assert len(ran.problems[0]["what"]) < 300


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"content/g/game.yaml": GAME.replace("theme: g", "theme: ../../../../etc/passwd")}, id="x-theme"),
        pytest.param({"content/g/game.yaml": GAME.replace("theme: g", 'theme: "g\\0"')}, id="x-theme-nul"),
        pytest.param({"content/g/decks/duck.yaml": DECK.replace("front: face", "front: ../../x")}, id="x-template"),
        pytest.param({"content/g/decks/duck.yaml": HEAD + "cards: ../../x.csv\n"}, id="x-table"),
        pytest.param({"content/g/game.yaml": GAME + "languages: [en, ../x]\n"}, id="x-language"),
    ],
)
def test_names_that_lead_out_of_the_workspace(changes: dict[str, str], tmp_path: Path) -> None:
    ran = run_here(tmp_path, "check", "g", files={**GOOD, **changes})
    assert_sound(ran, status=1)
    assert not ran.written
    assert all(problem["file"].startswith("content/g/") for problem in ran.problems), ran.problems


NAMES = [
    pytest.param("con", id="36-con"),
    pytest.param("duck.", id="36-trailing-dot"),
    pytest.param("e\u0301", id="36-nfd"),
    pytest.param("Duck", id="36-capitals"),
    pytest.param("../duck", id="x-dots-in-an-id"),
    pytest.param("a" * 81, id="x-long-id"),
]


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", ["card", "piece"])
def test_ids_that_are_no_names_of_files(name: str, kind: str, tmp_path: Path) -> None:
    changed = game(deck=DECK.replace("id: teal", f'id: "{name}"')) if kind == "card" else game(
        game=GAME.replace("id: cards", f'id: "{name}"')
    )  # fmt: skip
    file = "content/g/decks/duck.yaml:6" if kind == "card" else "content/g/game.yaml:7"
    assert_refused(tmp_path, changed, code="bad-id", at=file)


@pytest.mark.parametrize(
    ("piece", "more", "line", "command"),
    [
        ("all", {}, ":7", "check g"), ("gang", {}, ":7", "check g"), ("cover", {}, "", "build g --cover"),
        ("rules", {"content/g/rules.md": "# Pond\n\nQuack.\n"}, "", "check g"),
    ],
)  # fmt: skip
def test_x_a_piece_named_as_the_programs_own_files(
    piece: str, more: Mapping[str, str], line: str, command: str, tmp_path: Path
) -> None:
    files = {**game(game=GAME.replace("id: cards", f"id: {piece}")), **more}
    at = f"content/g/game.yaml{line}"
    assert_refused(tmp_path, files, code="duplicate-id", at=at, command=command.split(), says=repr(piece))


@pytest.mark.parametrize(
    ("stored", "written"),
    [
        pytest.param("Pond.svg", "pond.svg", id="36-case-differs"),
        pytest.param(unicodedata.normalize("NFD", "é.svg"), unicodedata.normalize("NFC", "é.svg"), id="36-nfd-file"),
    ],
)
def test_a_file_that_only_some_systems_find(stored: str, written: str, tmp_path: Path) -> None:
    files = {**with_art(written, DRAWING)}
    del files[f"content/g/art/{written}"]
    files[f"content/g/art/{stored}"] = DRAWING
    (tmp_path / f"probe-{stored}").touch()
    if (tmp_path / f"probe-{written}").exists():
        pytest.skip("this file system takes both for one")
    ran = run_here(tmp_path / "workspace", "check", "g", files=files)
    assert_sound(ran, status=1)
    assert set(ran.codes()) == {"missing-file"}
    assert all(stored in problem["fix"] for problem in ran.problems), ran.problems


@pytest.mark.sweep(2)
@needs_posix
@pytest.mark.parametrize("name", BITING)
def test_x_file_names_from_another_planet(name: str, tmp_path: Path) -> None:
    def make(path: Path) -> None:
        (path.parent / name).write_text(DECK)

    for form, run in (("json", run_here), (None, run_command)):
        ran = run(tmp_path, "check", "g", files={**GOOD, "content/g/decks/.keep": make}, form=form)
        assert_sound(ran, status=1)
        assert "bad-id" in ran.out
        assert "\x1b" not in ran.out


@needs_posix
def test_x_a_game_folder_with_a_name_from_another_planet(tmp_path: Path) -> None:
    for name in (b"\xff", b"a\x1b]0;x\x07b", "a\u202e".encode()):
        folder = tmp_path / "content" / os.fsdecode(name)
        folder.mkdir(parents=True)
        (folder / "game.yaml").write_text("title: x\n")
    for command in (("list",), ("check",), ("show", "x"), ("find", "x"), ("check", "nothing")):
        for form, run in (("json", run_here), (None, run_command if command == ("check",) else run_here)):
            ran = run(tmp_path, *command, form=form)
            assert ran.status in ((0, 1, 2) if command[0] == "find" else (1, 2)), ran  # it looks where it can
            assert "Traceback" not in ran.err
            assert not set("\x1b\x07\u202e") & set(ran.out + ran.err)


@needs_posix
def test_x_a_hard_link_is_a_file_like_any_other(tmp_path: Path) -> None:
    (tmp_path / "deck.yaml").write_text(DECK)
    assert_prints(tmp_path, {"content/g/decks/duck.yaml": lambda path: os.link(tmp_path / "deck.yaml", path)})


@needs_posix
def test_x_finding_and_showing_wait_for_no_pipe(tmp_path: Path) -> None:
    files = {**GOOD, "content/g/rules.md": os.mkfifo, "content/g/lang/fr.yaml": os.mkfifo, "layouts/x.xml": os.mkfifo}
    for command in (("find", "duck"), ("check", "g"), ("licences",)):
        ran = run_command(tmp_path, *command, files=files)
        files = {}
        assert ran.status in (0, 1), ran
        assert "Traceback" not in ran.err


def test_36_no_two_pictures_of_an_export_bear_one_name(tmp_path: Path) -> None:
    """A deck on several sheets and a deck named as its second sheet; pieces and decks that join to one name."""
    cards = "".join(f"  - {{id: c{number}, name: x, text: y}}\n" for number in range(71))
    one = DECK.partition("  - ")[0] + "  - {id: a, name: x, text: y}\n"
    head = GAME.partition("  - ")[0]
    files = {
        **GOOD,
        "content/g/decks/duck.yaml": DECK.partition("  - ")[0] + cards,
        "content/g/decks/duck-1.yaml": one,
        "content/g/decks/a-b.yaml": one,
        "content/g/decks/b.yaml": one,
        "content/g/setup.yaml": "setup: []\n",
        "content/g/game.yaml": head + "".join(
            f"  - {{id: {piece}, title: T, decks: [{decks}]}}\n"
            for piece, decks in (("p", "duck, duck-1"), ("q", "a-b, b"), ("q-a", "b"), ("r", "a-b"))
        ),
    }  # fmt: skip
    for kind, names in (("tts", "fronts"), ("png", "front")):
        ran = run_here(tmp_path, "export", "g", "--to", kind, "--dpi", "36", files=files)
        files = {}
        assert ran.status == 0, ran
        fronts = [path for path in ran.written if path.endswith(".png") and names in path.rpartition("-")[2]]
        assert len(fronts) == (7 if kind == "tts" else 76), fronts


@pytest.mark.sweep(3)
@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("../x", "X"),
        ("con", "X"),
        ("a\nb", "X"),
        ("A", "X"),
        ("other", "\x1b[2J"),
        ("other", "a\nb"),
        ("other", "x" * 200),
    ],
)
def test_x_a_new_game_with_a_path_for_a_name_or_an_odd_title(name: str, title: str, tmp_path: Path) -> None:
    ran = run_here(tmp_path / "w", "new", name, "--title", title, files=GOOD)
    assert_sound(ran, status=2)
    assert not ran.written
    assert [path.name for path in tmp_path.iterdir()] == ["w"]


def test_x_a_new_title_is_a_text_and_no_yaml(tmp_path: Path) -> None:
    title = '"}, x: !!python/object:os.system {a: "'
    ran = run_here(tmp_path, "new", "other", "--title", title, files=GOOD)
    assert ran.status == 0, ran
    assert title in run_here(tmp_path, "list", form=None).out
