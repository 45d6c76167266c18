"""What may lie where outputs go: in a folder that a stranger made, or that an unlucky person pointed at."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from harness import assert_sound, needs_posix, run_command, run_here
from hostile_game import GOOD, lay_out, with_text

from duckpress.core.problems import MachineError
from duckpress.store import locked_outputs, write_file, write_outputs
from duckpress.store.cache import Cache

BUILD = ("build", "g", "--paper", "a4")
OUTPUTS = {"g-cards-a4.pdf", "g-all-a4.pdf", "manifest.json"}


class Scene:
    """A workspace with the good game, and beside it a folder that is none of the program's business."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "workspace"
        self.others = folder / "others"
        self.others.mkdir(parents=True)
        (self.others / "diary.txt").write_text("dear diary")
        (self.others / "deep").mkdir()
        (self.others / "deep" / "manifest.json").write_text("{}")
        lay_out(self.root, GOOD)
        self.output = self.root / "output"
        self.game = self.output / "g"
        self.before = self.now()

    def now(self) -> dict[str, bytes]:
        """Return what must never change: the others' files and the game's own."""
        places = (self.others, self.root / "content")
        return {str(path): path.read_bytes() for place in places for path in place.rglob("*") if path.is_file()}

    def inside(self) -> Path:
        """Make the folder of the game's outputs, and give it."""
        self.game.mkdir(parents=True, exist_ok=True)
        return self.game


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def output_is_a_file(scene: Scene) -> None:
    scene.output.write_text("a file")


def game_folder_is_a_file(scene: Scene) -> None:
    scene.output.mkdir()
    scene.game.write_text("a file")


def an_output_is_a_folder(scene: Scene) -> None:
    (scene.inside() / "g-cards-a4.pdf").mkdir()


def the_manifest_is_a_folder(scene: Scene) -> None:
    (scene.inside() / "manifest.json").mkdir()


def output_leads_out(scene: Scene) -> None:
    scene.output.symlink_to(scene.others)


def output_leads_to_the_sources(scene: Scene) -> None:
    scene.output.symlink_to(scene.root / "content")


def game_folder_leads_elsewhere(scene: Scene) -> None:
    scene.output.mkdir()
    scene.game.symlink_to(scene.others)


def manifest_is_endless(scene: Scene) -> None:
    (scene.inside() / "manifest.json").symlink_to("/dev/zero")


def manifest_is_a_pipe(scene: Scene) -> None:
    os.mkfifo(scene.inside() / "manifest.json")


def manifest_is_deep(scene: Scene) -> None:
    (scene.inside() / "manifest.json").write_text("[" * 200_000)


def manifest_is_huge(scene: Scene) -> None:
    with (scene.inside() / "manifest.json").open("wb") as file:
        file.truncate(70_000_000)


def lock_is_a_pipe(scene: Scene) -> None:
    scene.output.mkdir()
    os.mkfifo(scene.output / ".duckpress-g.lock")


def lock_is_a_folder(scene: Scene) -> None:
    (scene.output / ".duckpress-g.lock").mkdir(parents=True)


REFUSED = {
    "35-output-is-a-file": (output_is_a_file, "there is a file of that name"),
    "35-game-folder-is-a-file": (game_folder_is_a_file, "there is a file of that name"),
    "35-an-output-is-a-folder": (an_output_is_a_folder, "there is a folder of that name; move it away"),
    "35-the-manifest-is-a-folder": (the_manifest_is_a_folder, "no regular file"),
    "x-output-leads-out": (output_leads_out, "leads out of the workspace"),
    "x-output-leads-to-the-sources": (output_leads_to_the_sources, "which holds sources"),
    "x-game-folder-leads-elsewhere": (game_folder_leads_elsewhere, "it is a link"),
    "x-manifest-is-endless": (manifest_is_endless, "cannot read"),
    "x-manifest-is-a-pipe": (manifest_is_a_pipe, "no regular file"),
    "x-manifest-is-deep": (manifest_is_deep, "was not written by duckpress"),
    "x-manifest-is-huge": (manifest_is_huge, "too large to have been written by duckpress"),
    "x-lock-is-a-pipe": (lock_is_a_pipe, "there is a file of that name"),
    "x-lock-is-a-folder": (lock_is_a_folder, "there is a folder of that name"),
}


@needs_posix
@pytest.mark.parametrize("name", REFUSED)
def test_a_build_is_refused_with_one_message(scene: Scene, name: str) -> None:
    prepare, words = REFUSED[name]
    prepare(scene)
    ran = run_here(scene.root, *BUILD, form=None)
    assert_sound(ran, status=3)
    (line,) = ran.err.splitlines()
    assert line.startswith("duckpress: ")
    assert words in line
    assert str(scene.root) in line
    assert scene.now() == scene.before
    assert not [path for path in scene.root.rglob("*.pdf") if path.is_file()]
    assert names_in(scene.others) == ["deep", "diary.txt"]


def inner_folder_leads_elsewhere(scene: Scene) -> None:
    (scene.inside() / "png").symlink_to(scene.others)


@needs_posix
@pytest.mark.parametrize(
    ("prepare", "command"),
    [
        pytest.param(inner_folder_leads_elsewhere, ("export", "g", "--to", "png", "--dpi", "40"), id="x-inner-link"),
        pytest.param(output_leads_out, ("preview", "g", "--dpi", "40"), id="x-preview-leads-out"),
        pytest.param(output_leads_out, ("calibrate", "--paper", "a4"), id="x-calibration-leads-out"),
        pytest.param(output_leads_out, ("bundle", "g"), id="x-bundle-leads-out"),
        pytest.param(game_folder_leads_elsewhere, ("export", "g", "--for", "tgc"), id="x-order-leads-elsewhere"),
    ],
)
def test_other_commands_are_refused_too(
    scene: Scene, prepare: Callable[[Scene], None], command: tuple[str, ...]
) -> None:
    prepare(scene)
    ran = run_here(scene.root, *command, form=None)
    assert_sound(ran, status=3)
    assert len(ran.err.splitlines()) == 1
    assert scene.now() == scene.before
    assert names_in(scene.others) == ["deep", "diary.txt"]


def an_output_is_a_link(scene: Scene) -> None:
    (scene.inside() / "g-cards-a4.pdf").symlink_to(scene.others / "diary.txt")


def an_output_is_a_link_to_a_folder(scene: Scene) -> None:
    (scene.inside() / "g-cards-a4.pdf").symlink_to(scene.others)


def an_output_has_a_second_name(scene: Scene) -> None:
    os.link(scene.others / "diary.txt", scene.inside() / "g-cards-a4.pdf")


def an_output_cannot_be_changed(scene: Scene) -> None:
    (scene.inside() / "g-cards-a4.pdf").write_text("old")
    (scene.game / "g-cards-a4.pdf").chmod(0o400)


def an_output_is_a_pipe(scene: Scene) -> None:
    os.mkfifo(scene.inside() / "g-cards-a4.pdf")


def staging_folder_is_a_link(scene: Scene) -> None:
    scene.inside()
    (scene.output / ".duckpress-g.new").symlink_to(scene.others)
    (scene.output / ".duckpress-g.old").symlink_to(scene.others)


def staging_folder_holds_links(scene: Scene) -> None:
    scene.inside()
    for kind in ("new", "old"):
        folder = scene.output / f".duckpress-g.{kind}"
        folder.mkdir()
        (folder / "deep").symlink_to(scene.others)
        (folder / "g-cards-a4.pdf").symlink_to(scene.others / "diary.txt")


def lock_is_a_link(scene: Scene) -> None:
    scene.inside()
    (scene.output / ".duckpress-g.lock").symlink_to(scene.others / "diary.txt")


def lock_has_a_second_name(scene: Scene) -> None:
    scene.inside()
    os.link(scene.others / "diary.txt", scene.output / ".duckpress-g.lock")


def record_names_files_elsewhere(scene: Scene) -> None:
    """As a run that was killed leaves it: what it had begun to replace, and what was not there before."""
    scene.inside()
    for kind in ("new", "old"):
        folder = scene.output / f".duckpress-g.{kind}" / "inner"
        folder.mkdir(parents=True)
        (folder / "diary.txt").write_text("not so dear")
    (scene.game / "here").mkdir()  # and in neither of the others: then a name through it is there once only
    names = ["../../../others/diary.txt", "inner/../../../others/diary.txt", "inner/diary.txt"]
    names += ["here/../../../content/g/game.yaml", "here/../../../../others/diary.txt"]
    (scene.game / "inner").symlink_to(scene.others)
    record = {"process": 1, "state": "renaming", "names": names, "gone": names, "fresh": names, "part": "../.."}
    (scene.output / ".duckpress-g.lock").write_text(json.dumps(record))


def record_names_files_through_a_link(scene: Scene) -> None:
    scene.inside()
    (scene.others / "empty").mkdir()
    for staged in ("inner/diary.txt", "none"):  # it is to be undone, or is to be finished
        for kind in ("new", "old"):
            folder = scene.output / f".duckpress-g.{kind}" / "inner"
            folder.mkdir(parents=True)
            (folder / "diary.txt").write_text("not so dear")
        (scene.game / "inner").unlink(missing_ok=True)
        (scene.game / "inner").symlink_to(scene.others)
        names = ["inner/diary.txt", staged]
        record = {"process": 1, "state": "renaming", "names": names, "gone": ["inner/empty/x.pdf"], "fresh": names}
        (scene.output / ".duckpress-g.lock").write_text(json.dumps(record))
        with locked_outputs(scene.game):
            pass
        assert scene.now() == scene.before
        assert names_in(scene.output) == ["g"]
    (scene.others / "empty").rmdir()  # it is still there


def record_names_folders(scene: Scene) -> None:
    """As if they were files that a killed run had put there, which would go."""
    (scene.inside() / "png").mkdir()
    (scene.game / "png" / "mine.png").write_text("mine")
    (scene.output / ".duckpress-g.new").mkdir()
    (scene.output / ".duckpress-g.new" / "last").touch()
    record = {"process": 1, "state": "renaming", "names": ["png", "last"], "gone": ["png"]}
    (scene.output / ".duckpress-g.lock").write_text(json.dumps(record))
    with locked_outputs(scene.game):
        pass
    assert (scene.game / "png" / "mine.png").read_text() == "mine"


def record_is_long(scene: Scene) -> None:
    """With more names than files: what each of them takes must not depend on how many there are."""
    scene.inside()
    (scene.output / ".duckpress-g.new").mkdir()
    (scene.output / ".duckpress-g.new" / "x").touch()
    names = [f"a{number}" for number in range(50_000)]
    record = {"process": 1, "state": "renaming", "names": [*names, "x"], "gone": [f"b/{name}" for name in names]}
    (scene.output / ".duckpress-g.lock").write_text(json.dumps(record, separators=(",", ":")))


def record_is_deep(scene: Scene) -> None:
    scene.inside()
    (scene.output / ".duckpress-g.new").mkdir()
    (scene.output / ".duckpress-g.lock").write_text("[" * 200_000)


def record_is_no_record(scene: Scene) -> None:
    scene.inside()
    (scene.output / ".duckpress-g.new").mkdir()
    (scene.output / ".duckpress-g.lock").write_text('{"state": "swapping", "names": [7], "gone": {}, "part": null}')


def manifest_lists_files_of_others(scene: Scene) -> None:
    """With the right hashes: whatever it lists and is no longer made would be removed."""
    scene.inside()
    target = scene.root / "content/g/game.yaml"
    digest = hashlib.sha256(target.read_bytes()).hexdigest()
    (scene.game / "away").symlink_to(scene.root / "content/g")
    names = ["../../content/g/game.yaml", str(target), "away/game.yaml", "..\\game.yaml", "", ".", "a\0b", "CON"]
    rows = [
        {"name": name, "sha256": digest, "bytes": 1, "pages": 1, "sheets": 1, "paper": "a4", "piece": "cards",
         "language": "en", "ink": "color"}
        for name in names
    ]  # fmt: skip
    data = {"game": "g", "title": "t", "version": "0", "program": "duckpress 0", "created": None, "files": rows}
    (scene.game / "manifest.json").write_text(json.dumps({**data, "cards": []}))


def an_output_listed_is_a_pipe(scene: Scene) -> None:
    manifest_lists_files_of_others(scene)
    path = scene.game / "manifest.json"
    path.write_text(path.read_text().replace("../../content/g/game.yaml", "g-old-a4.pdf"))
    os.mkfifo(scene.game / "g-old-a4.pdf")


def cache_is_a_link(scene: Scene) -> None:
    (scene.root / ".duckpress-cache").symlink_to(scene.others)


def cache_holds_links(scene: Scene) -> None:
    folder = scene.root / ".duckpress-cache"
    folder.mkdir()
    (folder / ".gitignore").symlink_to(scene.others / "diary.txt")
    (folder / "CACHEDIR.TAG").symlink_to(scene.others / "new.txt")


HARMLESS = {
    "x-an-output-is-a-link": an_output_is_a_link,
    "x-an-output-is-a-link-to-a-folder": an_output_is_a_link_to_a_folder,
    "x-an-output-has-a-second-name": an_output_has_a_second_name,
    "x-an-output-cannot-be-changed": an_output_cannot_be_changed,
    "x-an-output-is-a-pipe": an_output_is_a_pipe,
    "x-staging-folder-is-a-link": staging_folder_is_a_link,
    "x-staging-folder-holds-links": staging_folder_holds_links,
    "x-lock-is-a-link": lock_is_a_link,
    "x-lock-has-a-second-name": lock_has_a_second_name,
    "x-record-names-files-elsewhere": record_names_files_elsewhere,
    "x-record-names-files-through-a-link": record_names_files_through_a_link,
    "x-record-names-folders": record_names_folders,
    "x-record-is-long": record_is_long,
    "x-record-is-deep": record_is_deep,
    "x-record-is-no-record": record_is_no_record,
    "x-manifest-lists-files-of-others": manifest_lists_files_of_others,
    "x-an-output-listed-is-a-pipe": an_output_listed_is_a_pipe,
    "x-cache-is-a-link": cache_is_a_link,
    "x-cache-holds-links": cache_holds_links,
}


@pytest.mark.sweep(10)
@needs_posix
@pytest.mark.parametrize("name", HARMLESS)
def test_a_build_does_its_own_work_and_touches_nothing_else(
    scene: Scene, name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    HARMLESS[name](scene)
    if "pipe" in name or "cache" in name or "elsewhere" in name:  # what may hang, what is off here, what is worst
        is_off = {} if "cache" in name else {"DUCKPRESS_CACHE": "off"}
        ran = run_command(scene.root, *BUILD, form=None, environment={"DUCKPRESS_CACHE": "", **is_off})
    else:
        ran = run_here(scene.root, *BUILD, form=None)
    assert_sound(ran, status=0)
    assert scene.now() == scene.before
    assert names_in(scene.others) == ["deep", "diary.txt"]
    for file in OUTPUTS:
        path = scene.game / file
        assert path.is_file()
        assert not path.is_symlink()
        assert path.stat().st_nlink == 1
    assert (scene.game / "g-cards-a4.pdf").read_bytes().startswith(b"%PDF")
    assert names_in(scene.output) == ["g"]


def test_35_sources_are_never_written_to(scene: Scene) -> None:
    (scene.root / "layouts").mkdir()
    (scene.root / "layouts" / "mine.xml").write_text("<face/>")
    commands = [
        (*BUILD, "--out", str(scene.root / "content")),
        ("export", "g", "--to", "png", "--out", str(scene.root / "content")),
        ("calibrate", "--out", str(scene.root / "layouts")),
        ("preview", "g", "--out", str(scene.root / "content" / "g" / "decks")),
        ("show", "teal", "--png", str(scene.root / "content" / "g" / "game.yaml"), "--dpi", "40"),
        ("show", "teal", "--png", str(scene.root / "layouts" / "mine.xml"), "--dpi", "40"),
    ]
    for command in commands:
        ran = run_here(scene.root, *command, form=None)
        assert_sound(ran, status=3)
        assert "which holds sources" in ran.err
        assert not ran.written
    assert scene.now() == scene.before


def test_x_outputs_that_would_hold_the_workspace(tmp_path: Path) -> None:
    """`--out ..` in a workspace that is called like its game."""
    lay_out(tmp_path / "g", GOOD)
    ran = run_here(tmp_path / "g", *BUILD, "--out", str(tmp_path), form=None)
    assert_sound(ran, status=3)
    assert "choose another folder for the output" in ran.err
    assert not ran.written
    assert names_in(tmp_path) == ["g"]


def test_x_a_folder_for_releases_that_leads_out(scene: Scene) -> None:
    (scene.root / "content/g/releases").symlink_to(scene.others)
    ran = run_here(scene.root, "release", "g", form=None)
    assert_sound(ran, status=3)
    assert "leads out of the workspace" in ran.err
    assert names_in(scene.others) == ["deep", "diary.txt"]


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
    "name",
    [
        pytest.param("con.pdf", id="36-device"),
        pytest.param("aux/teal.png", id="36-device-folder"),
        pytest.param("COM1.tar.gz", id="36-device-with-suffixes"),
        pytest.param("teal.", id="36-trailing-dot"),
        pytest.param("teal ", id="36-trailing-space"),
        pytest.param("a:b.pdf", id="36-stream"),
        pytest.param("a\u202efdp.exe", id="36-turned-around"),
        pytest.param("a\nb.pdf", id="36-line-break"),
        pytest.param("a" * 256, id="36-too-long"),
        pytest.param("é" * 128, id="36-too-long-in-bytes"),
        pytest.param("\udcff.pdf", id="36-half-character"),
        pytest.param("~/x.pdf/", id="36-no-name"),
    ],
)
def test_names_that_not_every_system_has(tmp_path: Path, name: str) -> None:
    with pytest.raises(MachineError, match="cannot be the name of a file"):
        write_outputs(tmp_path / "g", {"good.pdf": b"x", name: b"x"})
    assert names_in(tmp_path) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("Teal.png", "teal.png", id="36-case"),
        pytest.param("t\u00e9al.png", "te\u0301al.png", id="36-composed"),
        pytest.param("duck/STRASSE.png", "Duck/straße.png", id="36-case-of-letters-that-grow"),
    ],
)
def test_names_that_are_one_on_many_disks(tmp_path: Path, one: str, other: str) -> None:
    with pytest.raises(MachineError, match="are one file on many disks"):
        write_outputs(tmp_path / "g", {one: b"x", other: b"y"})
    assert names_in(tmp_path) == []


def test_36_emoji_and_other_letters_are_fine(tmp_path: Path) -> None:
    names = {"🦆.png": b"duck", "té al.png": b"teal", "鴨/鴨.png": b"duck"}
    write_outputs(tmp_path / "g", names)
    assert {path.relative_to(tmp_path / "g").as_posix() for path in tmp_path.rglob("*.png")} == set(names)


@pytest.mark.parametrize("kind", ["link", "endless", "second-name", "pipe"], ids="x-single-file-{}".format)
@needs_posix
def test_a_single_file_is_never_written_through_what_lies_there(tmp_path: Path, kind: str) -> None:
    from duckpress.store.file_writing import aside

    target = tmp_path / "card.png"
    others = tmp_path / "others.txt"
    others.write_text("others'")
    for place in (target, aside(target)):
        match kind:
            case "link":
                place.symlink_to(others)
            case "endless":
                place.symlink_to("/dev/zero")
            case "second-name":
                os.link(others, place)
            case "pipe" if place == target:
                os.mkfifo(place)
    write_file(target, b"a picture")
    assert target.read_bytes() == b"a picture"
    assert not target.is_symlink()
    assert others.read_text() == "others'"
    assert names_in(tmp_path) == ["card.png", "others.txt"]


@pytest.mark.sweep(2)
@needs_posix
@pytest.mark.parametrize(
    "command",
    [
        pytest.param(("preview", "g", "--dpi", "40"), id="37-preview-opens-no-address"),
        pytest.param(("export", "g", "--to", "tts", "--url", "http://127.0.0.1:1/x"), id="37-no-address-is-asked"),
    ],
)
def test_nothing_is_served_and_nothing_is_fetched(scene: Scene, command: tuple[str, ...]) -> None:
    """A preview is files: there is no server that a web page could talk to, by any host name, path or method."""
    ran = run_command(scene.root, *command, form=None)
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
