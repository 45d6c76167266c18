"""What may lie where outputs go: in a folder that a stranger made, or that an unlucky person pointed at."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest
from harness import assert_sound, needs_posix, run_command, run_here
from hostile_game import GOOD, FileMaker, Files, lay_out, with_text

from duckpress.core.problems import MachineError
from duckpress.store import locked_outputs, write_file, write_outputs
from duckpress.store.cache import Cache
from duckpress.store.file_writing import aside

BUILD = ("build", "g", "--paper", "a4")
OUTPUTS = {"g-cards-a4.pdf", "g-all-a4.pdf", "manifest.json"}


PDF, MANIFEST, LOCK = "output/g/g-cards-a4.pdf", "output/g/manifest.json", "output/.duckpress-g.lock"
NEW, OLD = "output/.duckpress-g.new", "output/.duckpress-g.old"


class Scene:
    """A workspace with the good game, and beside it a folder that is none of the program's business."""

    def __init__(self, folder: Path) -> None:
        self.root, self.others = folder / "workspace", folder / "others"
        lay_out(self.others, {"diary.txt": "dear diary", "deep/manifest.json": "{}"})
        lay_out(self.root, GOOD)
        self.game = self.root / "output" / "g"
        self.before = self.now()

    def now(self) -> dict[str, bytes]:
        """Return what must never change: the others' files and the game's own."""
        places = (self.others, self.root / "content")
        return {str(path): path.read_bytes() for place in places for path in place.rglob("*") if path.is_file()}


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def _seen_from(path: Path, to: str) -> Path:
    """Return a place beside the workspace that a path is in, or an absolute one."""
    return next(folder for folder in path.parents if folder.name == "workspace").parent / to


def link(to: str) -> FileMaker:
    return lambda path: path.symlink_to(_seen_from(path, to))


def second_name(of: str) -> FileMaker:
    return lambda path: os.link(_seen_from(path, of), path)


def huge(path: Path) -> None:
    path.touch()
    os.truncate(path, 70_000_000)


A_FILE, A_FOLDER = "there is a file of that name", "there is a folder of that name"
# What lies in the workspace, and what is said of it.
REFUSED: dict[str, tuple[Files, str]] = {
    "35-output-is-a-file": ({"output": "a file"}, A_FILE),
    "35-game-folder-is-a-file": ({"output/g": "a file"}, A_FILE),
    "35-an-output-is-a-folder": ({PDF: os.mkdir}, f"{A_FOLDER}; move it away"),
    "35-the-manifest-is-a-folder": ({MANIFEST: os.mkdir}, "no regular file"),
    "x-output-leads-out": ({"output": link("others")}, "leads out of the workspace"),
    "x-output-leads-to-the-sources": ({"output": link("workspace/content")}, "which holds sources"),
    "x-game-folder-leads-elsewhere": ({"output/g": link("others")}, "it is a link"),
    "x-manifest-is-endless": ({MANIFEST: link("/dev/zero")}, "cannot read"),
    "x-manifest-is-deep": ({MANIFEST: "[" * 200_000}, "was not written by duckpress"),
    "x-manifest-is-huge": ({MANIFEST: huge}, "too large to have been written by duckpress"),
    "x-lock-is-a-pipe": ({LOCK: os.mkfifo}, A_FILE),
    "x-lock-is-a-folder": ({LOCK: os.mkdir}, A_FOLDER),
}


def refused(scene: Scene, files: Files, command: Sequence[str]) -> str:
    """Expect a command to be refused with one line, which is returned, and nothing to be touched."""
    lay_out(scene.root, files)
    ran = run_here(scene.root, *command, form=None)
    assert_sound(ran, status=3)
    assert not ran.written
    assert scene.now() == scene.before
    assert names_in(scene.others) == ["deep", "diary.txt"]
    (line,) = ran.err.splitlines()
    return line


MINE = {"layouts/mine.xml": "<face/>"}
# The same for other commands, or with other options.
OTHER_COMMANDS: dict[str, tuple[Files, str, str]] = {
    "35-build-into-sources": ({}, "which holds sources", "build g --paper a4 --out {root}/content"),
    "35-export-into-sources": ({}, "which holds sources", "export g --to png --out {root}/content"),
    "35-calibrate-into-sources": (MINE, "which holds sources", "calibrate --out {root}/layouts"),
    "35-preview-into-sources": ({}, "which holds sources", "preview g --out {root}/content/g/decks"),
    "35-picture-into-sources": (MINE, "which holds sources", "show teal --png {root}/layouts/mine.xml --dpi 40"),
    "x-inner-link": ({"output/g/png": link("others")}, "", "export g --to png --dpi 40"),
    "x-preview-leads-out": ({"output": link("others")}, "leads out", "preview g --dpi 40"),
    "x-calibration-leads-out": ({"output": link("others")}, "leads out", "calibrate --paper a4"),
    "x-bundle-leads-out": ({"output": link("others")}, "leads out", "bundle g"),
    "x-order-leads-elsewhere": ({"output/g": link("others")}, "it is a link", "export g --for tgc"),
    "x-releases-lead-out": ({"content/g/releases": link("others")}, "leads out of the workspace", "release g"),
}


@pytest.mark.sweep(3)
@needs_posix
@pytest.mark.parametrize("name", [*REFUSED, *OTHER_COMMANDS])
def test_a_run_is_refused_with_one_message(scene: Scene, name: str) -> None:
    files, words, command = OTHER_COMMANDS.get(name) or (*REFUSED[name], " ".join(BUILD))
    line = refused(scene, files, command.format(root=scene.root).split())
    assert line.startswith("duckpress: ")
    assert words in line
    assert str(scene.root) in line
    assert not [path for path in scene.root.rglob("*.pdf") if path.is_file()]


def record(names: Sequence[str], gone: Sequence[str], **more: object) -> str:
    """Return what a run that was killed has written: what it had begun to replace, and what was not there before."""
    words = {"process": 1, "state": "renaming", "names": names, "gone": gone, **more}
    return json.dumps(words, separators=(",", ":"))


def manifest_of_others(path: Path, first: str = "../../content/g/game.yaml") -> None:
    """Write a manifest with the right hashes: whatever it lists and is no longer made would be removed."""
    target = path.parents[2] / "content/g/game.yaml"
    digest = hashlib.sha256(target.read_bytes()).hexdigest()
    rows = [
        {"name": name, "sha256": digest, "bytes": 1, "pages": 1, "sheets": 1, "paper": "a4", "piece": "cards",
         "language": "en", "ink": "color"}
        for name in (first, str(target), "away/game.yaml", "..\\game.yaml", "", ".", "a\0b", "CON")
    ]  # fmt: skip
    head = {"game": "g", "title": "t", "version": "0", "program": "duckpress 0", "created": None, "files": rows}
    path.write_text(json.dumps({**head, "cards": []}))


STAGED = {f"{folder}/inner/diary.txt": "not so dear" for folder in (NEW, OLD)}
# `here` is in neither of the staged folders: a name through it is there once only.
ELSEWHERE = ["../../../others/diary.txt", "inner/../../../others/diary.txt", "inner/diary.txt",
             "here/../../../content/g/game.yaml", "here/../../../../others/diary.txt"]  # fmt: skip
LONG = [f"a{number}" for number in range(50_000)]
AWAY: Files = {"output/g/away": link("workspace/content/g"), MANIFEST: manifest_of_others}
HARMLESS: dict[str, Files] = {
    "x-an-output-is-a-link": {PDF: link("others/diary.txt")},
    "x-an-output-has-a-second-name": {PDF: second_name("others/diary.txt")},
    "x-an-output-is-a-pipe": {PDF: os.mkfifo},
    "x-staging-folder-is-a-link": {"output/g": os.mkdir, NEW: link("others"), OLD: link("others")},
    "x-staging-folder-holds-links": {
        "output/g": os.mkdir,
        **{f"{folder}/deep": link("others") for folder in (NEW, OLD)},
        **{f"{folder}/g-cards-a4.pdf": link("others/diary.txt") for folder in (NEW, OLD)},
    },
    "x-lock-is-a-link": {"output/g": os.mkdir, LOCK: link("others/diary.txt")},
    "x-lock-has-a-second-name": {"output/g": os.mkdir, LOCK: second_name("others/diary.txt")},
    "x-record-names-files-elsewhere": {
        **STAGED, "output/g/here": os.mkdir, "output/g/inner": link("others"),
        LOCK: record(ELSEWHERE, ELSEWHERE, fresh=ELSEWHERE, part="../.."),
    },
    "x-record-is-no-record": {
        "output/g": os.mkdir, NEW: os.mkdir, LOCK: '{"state": "swapping", "names": [7], "gone": {}, "part": null}',
    },
    "x-manifest-lists-files-of-others": AWAY,
    "x-an-output-listed-is-a-pipe": {
        **AWAY, "output/g/g-old-a4.pdf": os.mkfifo, MANIFEST: partial(manifest_of_others, first="g-old-a4.pdf"),
    },
    "x-cache-is-a-link": {".duckpress-cache": link("others")},
    "x-cache-holds-links": {
        ".duckpress-cache/.gitignore": link("others/diary.txt"), ".duckpress-cache/CACHEDIR.TAG": link("others/new"),
    },
    # More names than files: what each of them takes must not depend on how many there are.
    "x-record-is-long": {"output/g": os.mkdir, f"{NEW}/x": "", LOCK: record([*LONG, "x"], [f"b/{a}" for a in LONG])},
}  # fmt: skip


@pytest.mark.sweep(10)
@needs_posix
@pytest.mark.parametrize("name", HARMLESS)
def test_a_build_does_its_own_work_and_touches_nothing_else(
    scene: Scene, name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    lay_out(scene.root, HARMLESS[name])
    builds_alone(scene, name)


def builds_alone(scene: Scene, name: str) -> None:
    """Expect a build to make its outputs as plain files, and to touch nothing else."""
    if "pipe" in name or "cache" in name or "elsewhere" in name:  # what may hang, what is off here, what is worst
        is_off = {} if "cache" in name else {"DUCKPRESS_CACHE": "off"}
        ran = run_command(scene.root, *BUILD, form=None, environment={"DUCKPRESS_CACHE": "", **is_off})
    else:
        ran = run_here(scene.root, *BUILD, form=None)
    assert_sound(ran, status=0)
    assert scene.now() == scene.before
    assert names_in(scene.others) == ["deep", "diary.txt"]
    for path in (scene.game / file for file in OUTPUTS):
        assert path.is_file()
        assert not path.is_symlink()
        assert path.stat().st_nlink == 1
    assert (scene.root / PDF).read_bytes().startswith(b"%PDF")
    assert names_in(scene.game.parent) == ["g"]


@needs_posix
def test_x_a_record_names_files_through_a_link(scene: Scene) -> None:
    (scene.others / "empty").mkdir()
    for staged in ("inner/diary.txt", "none"):  # it is to be undone, or is to be finished
        (scene.game / "inner").unlink(missing_ok=True)
        words = record(["inner/diary.txt", staged], ["inner/empty/x.pdf"], fresh=["inner/diary.txt", staged])
        lay_out(scene.root, {**STAGED, "output/g/inner": link("others"), LOCK: words})
        with locked_outputs(scene.game):
            pass
        assert scene.now() == scene.before
        assert names_in(scene.game.parent) == ["g"]
    (scene.others / "empty").rmdir()  # it is still there
    builds_alone(scene, "")


@needs_posix
def test_x_a_record_names_folders(scene: Scene) -> None:
    """As if they were files that a killed run had put there, which would go."""
    words = record(["png", "last"], ["png"])
    lay_out(scene.root, {"output/g/png/mine.png": "mine", f"{NEW}/last": "", LOCK: words})
    with locked_outputs(scene.game):
        pass
    assert (scene.game / "png" / "mine.png").read_text() == "mine"
    builds_alone(scene, "")


def test_x_outputs_that_would_hold_the_workspace(tmp_path: Path) -> None:
    """`--out ..` in a workspace that is called like its game."""
    lay_out(tmp_path / "g", GOOD)
    ran = run_here(tmp_path / "g", *BUILD, "--out", str(tmp_path), form=None)
    assert_sound(ran, status=3)
    assert "choose another folder for the output" in ran.err
    assert not ran.written
    assert names_in(tmp_path) == ["g"]


def test_x_a_cache_in_a_folder_with_other_things_removes_none_of_them(tmp_path: Path) -> None:
    """As `DUCKPRESS_CACHE=~/pictures` would have it."""
    (tmp_path / "duck.png").write_bytes(b"p" * 2000)
    (tmp_path / "draft.new").write_bytes(b"d" * 2000)
    os.utime(tmp_path / "duck.png", (0, 0))
    cache = Cache(tmp_path, b"k" * 32, most_bytes=3000)
    for name in ("one", "two", "three"):
        cache.write(name, b"e" * 900)
    assert {"duck.png", "draft.new"} < {path.name for path in tmp_path.iterdir()}
    assert not cache.read("one")


def test_x_a_cache_entry_that_is_a_pipe_or_endless(tmp_path: Path) -> None:
    cache = Cache(tmp_path, b"k" * 32)
    (tmp_path / "endless").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe")
    assert cache.read("endless") == cache.read("pipe") == b""
    cache.write("pipe", b"mine")
    assert cache.read("pipe") == b"mine"


def test_x_a_cache_entry_in_the_making_that_is_a_link(tmp_path: Path) -> None:
    (tmp_path / "others.txt").write_text("others'")
    folder = tmp_path / "cache"
    folder.mkdir()
    (folder / "entry.duckpress-new").symlink_to(tmp_path / "others.txt")
    cache = Cache(folder, b"k" * 32)
    cache.write("entry", b"mine")
    assert cache.read("entry") == b"mine"
    assert (tmp_path / "others.txt").read_text() == "others'"


def test_x_what_a_killed_build_left_in_the_cache_goes(tmp_path: Path) -> None:
    cache = Cache(tmp_path, b"k" * 32)
    (tmp_path / "entry.duckpress-new").write_bytes(b"half of an ent")
    cache.write("another", b"mine")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".gitignore", "CACHEDIR.TAG", "another"]


@pytest.mark.parametrize(
    ("one", "other"), [("t\u00e9al.png", "te\u0301al.png"), ("duck/STRASSE.png", "Duck/straße.png")]
)
def test_36_names_that_are_one_on_many_disks(tmp_path: Path, one: str, other: str) -> None:
    with pytest.raises(MachineError, match="are one file on many disks"):
        write_outputs(tmp_path / "g", {one: b"x", other: b"y"})
    assert names_in(tmp_path) == []


def test_36_emoji_and_other_letters_are_fine(tmp_path: Path) -> None:
    names = {"🦆.png": b"duck", "té al.png": b"teal", "鴨/鴨.png": b"duck"}
    write_outputs(tmp_path / "g", names)
    assert {path.relative_to(tmp_path / "g").as_posix() for path in tmp_path.rglob("*.png")} == set(names)


@pytest.mark.parametrize("kind", ["link", "second-name", "pipe"], ids="x-single-file-{}".format)
@needs_posix
def test_a_single_file_is_never_written_through_what_lies_there(tmp_path: Path, kind: str) -> None:
    target, others = tmp_path / "card.png", tmp_path / "others.txt"
    others.write_text("others'")
    for place in (target, aside(target)):
        if kind == "link":
            place.symlink_to(others)
        elif kind == "second-name":
            os.link(others, place)
        elif place == target:
            os.mkfifo(place)
    write_file(target, b"a picture")
    assert target.read_bytes() == b"a picture"
    assert not target.is_symlink()
    assert others.read_text() == "others'"
    assert names_in(tmp_path) == ["card.png", "others.txt"]


@needs_posix
@pytest.mark.parametrize("command", ["preview g --dpi 40", "export g --to tts --url http://127.0.0.1:1/x"])
def test_37_nothing_is_served_and_nothing_is_fetched(scene: Scene, command: str) -> None:
    """A preview is files: there is no server that a web page could talk to, by any host name, path or method."""
    ran = run_command(scene.root, *command.split(), form=None)
    assert_sound(ran, status=0)  # sockets are broken there, and whoever asks for one is told on


SCRIPT = (
    """</script></title><script>alert(1)</script><img src=x onerror=alert(1)>"><a href="javascript:alert(1)">x</a>"""
)


def test_37_a_preview_shows_what_a_game_says_as_words_and_loads_nothing(scene: Scene) -> None:
    files = with_text(SCRIPT.replace("<", "\\<"))
    files["content/g/game.yaml"] = str(GOOD["content/g/game.yaml"]).replace("title: Pond", f"title: '{SCRIPT}'")
    ran = run_here(scene.root, "preview", "g", "--dpi", "40", files=files, form=None)
    assert_sound(ran, status=0)
    page = (scene.game / "preview/index.html").read_text(encoding="utf-8")
    assert page.count("<script") == page.count("<script src=")  # the page's own
    assert "onerror=alert" not in page.replace("&lt;img src=x onerror=alert(1)&gt;", "")
    assert "<a href" not in page
    assert "default-src 'none'" in page.partition("<title>")[0]
    assert "http://" not in page
    assert "https://" not in page
