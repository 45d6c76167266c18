"""Zips from anywhere, locks and manifests that lie, and version control of a folder that somebody else set up."""

from __future__ import annotations

import json
import os
import stat
import struct
import subprocess
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from harness import assert_sound, needs_posix, run_command, run_here
from hostile_game import GOOD, lay_out, zipped


def zeros(name: str, megabytes: int) -> bytes:
    """Return a zip with one file of zeros, made without ever having them all, and with no checksum of them."""
    one = b"\0" * 1_000_000
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = packer.compress(one) + packer.flush(zlib.Z_FULL_FLUSH)  # may be repeated as it is
    body = block * megabytes + packer.flush()
    facts = struct.pack("<HHHHHLLLHH", 20, 0, 8, 0, 0x21, 0, len(body), megabytes * 10**6, len(name), 0)
    start = b"PK\x03\x04" + facts + name.encode() + body
    entry = b"PK\x01\x02" + struct.pack("<H", 20) + facts + struct.pack("<HHHLL", 0, 0, 0, 0, 0) + name.encode()
    return start + entry + b"PK\x05\x06" + struct.pack("<HHHHLLH", 0, 0, 1, 1, len(entry), len(start), 0)


def in_list(data: bytes, at: int, fields: str, *values: int) -> bytes:
    """Return a zip with numbers in the first entry of its list of contents overwritten."""
    start = data.index(b"PK\x01\x02") + at
    return data[:start] + struct.pack(f"<{fields}", *values) + data[start + struct.calcsize(f"<{fields}") :]


def overlapping() -> bytes:
    """Return a zip whose ten entries are the same bytes: a bomb that no ratio tells (D. Fifield, 2019)."""
    data = zipped({f"top/{n}.txt": b"\0" * 1_000_000 for n in range(10)})
    start, found = data.index(b"PK\x01\x02"), bytearray(data)
    first = data[start + 42 : start + 46]
    while start >= 0 and found[start : start + 4] == b"PK\x01\x02":
        found[start + 42 : start + 46] = first
        name, extra, comment = struct.unpack("<HHH", data[start + 28 : start + 34])
        start += 46 + name + extra + comment
    return bytes(found)


def many(count: int) -> bytes:
    """Return a zip that lists one small file so many times."""
    data = zipped({"a": b""}, zipfile.ZIP_STORED)
    start = data.index(b"PK\x01\x02")
    entry, end = data[start : data.index(b"PK\x05\x06")], data[data.index(b"PK\x05\x06") :]
    listed = entry * count
    shown = min(count, 65_535)
    tail = end[:8] + struct.pack("<HHLL", shown, shown, len(listed), start) + end[20:]
    return data[:start] + listed + tail


PLAIN = zipped({"top/a.txt": b"x" * 1000})
UNSAFE, BAD = "unsafe-bundle", "bad-bundle"
ZIPS = [
    pytest.param(lambda: zipped({"../../x": b"x"}), UNSAFE, id="33-dots"),
    pytest.param(lambda: zipped({"/abs": b"x"}), UNSAFE, id="33-absolute"),
    pytest.param(lambda: zipped({"top/..\\..\\x": b"x"}), UNSAFE, id="x-backslashes"),
    pytest.param(lambda: zipped({"top/\x1b]0;x\x07": b"x"}), UNSAFE, id="x-name-with-an-escape"),
    pytest.param(lambda: zipped({"top/link": b"/etc/passwd"}, mode=stat.S_IFLNK | 0o777), UNSAFE, id="33-link"),
    pytest.param(lambda: zipped({"top/a": b"x"}, zipfile.ZIP_BZIP2), UNSAFE, id="x-bzip2"),
    pytest.param(lambda: zipped({"top/a": b"1", "top/b": b"2"}).replace(b"top/b", b"top/a"), UNSAFE, id="x-name-twice"),
    pytest.param(overlapping, UNSAFE, id="x-overlapping"),
    pytest.param(lambda: many(1_000_000), UNSAFE, id="x-a-million-entries"),
    pytest.param(lambda: in_list(PLAIN, 8, "H", 1), UNSAFE, id="x-encrypted"),
    pytest.param(lambda: in_list(PLAIN, 16, "L", 12345), BAD, id="x-wrong-checksum"),
    pytest.param(lambda: in_list(PLAIN, 24, "L", 0xFFFFFFFE), BAD, id="x-says-it-is-larger"),
    pytest.param(lambda: in_list(PLAIN, 28, "H", 0xFFFF), BAD, id="x-name-beyond-the-end"),
    pytest.param(lambda: PLAIN[:-22] + b"PK\x06\x07" + b"\0" * 16 + PLAIN[-22:], UNSAFE, id="x-zip64"),
    pytest.param(lambda: b"PK\x05\x06" + b"\xff" * 18, UNSAFE, id="x-all-ones"),
]


@pytest.mark.sweep(5)
@pytest.mark.parametrize(("make", "code"), ZIPS)
def test_a_zip_that_is_no_bundle(make: Callable[[], bytes], code: str, tmp_path: Path) -> None:
    data = make()
    lay_out(tmp_path, {**GOOD, "held.zip": data})
    ran = (run_command if len(data) > 10**7 else run_here)(tmp_path, "bundle", "--check", str(tmp_path / "held.zip"))
    assert_sound(ran, status=1)
    assert not ran.written
    assert {code, "bundle-missing" if code == BAD else code} & set(ran.codes()), ran.problems
    assert "\x1b" not in ran.out
    for form in ("json", None):
        ran = run_here(tmp_path, "changes", "g", "--since", str(tmp_path / "held.zip"), form=form)
        assert_sound(ran, status=1)
        assert not ran.written
        assert "\x1b" not in ran.out + ran.err


@needs_posix
def test_33_half_a_gigabyte_of_zeros(tmp_path: Path) -> None:
    data = zeros("g-1.0/manifest.json", 500)
    assert len(data) < 600_000
    less = ("--limit", "archive-file=50M")  # of the usual 300M it would unpack so much before it stops
    for line in ((*less, "bundle", "--check", "held.zip"), ("changes", "g", "--since", "held.zip")):
        ran = run_command(tmp_path, *line, files={**GOOD, "held.zip": data}, megabytes=500)
        assert_sound(ran, status=1)
        assert ran.codes() == [UNSAFE]


@pytest.mark.sweep(2)
@needs_posix
@pytest.mark.parametrize("kind", ["fifo", "folder", "device"])
def test_x_what_is_held_is_no_file(kind: str, tmp_path: Path) -> None:
    makers = {"fifo": os.mkfifo, "folder": os.mkdir, "device": lambda path: path.symlink_to("/dev/zero")}
    lay_out(tmp_path, {**GOOD, "held": makers[kind]})
    for line in (("bundle", "--check"), ("changes", "g", "--since")):
        run = run_command if kind == "fifo" else run_here
        ran = run(tmp_path, *line, str(tmp_path / "held"))
        assert ran.status in (1, 2, 3), ran
        assert "Traceback" not in ran.err


def lock() -> dict[str, object]:
    return {
        "lock": 1, "game": "g", "title": "Pond", "version": "0.9", "languages": ["en"], "decks": {"duck": "Ducks"},
        "cards": {
            "duck/teal": {
                "code": "D1", "changed": "0.9", "copies": 1, "fields": {"name": "Teal"},
                "faces": {"en": ["0" * 32, None]},
            }
        },
        "setup": None, "rules": None,
    }  # fmt: skip


def changed(**more: object) -> bytes:
    return json.dumps(lock() | more).encode()


LOCKS = [
    pytest.param(b"\xff\xfe" + b"{}", id="x-lock-utf-16"),
    pytest.param(changed(title="\x1b[2Jx"), id="x-lock-title-steers"),
    pytest.param(changed(cards=[]), id="x-lock-cards-a-list"),
    pytest.param(changed(rules={"en": [1]}), id="x-lock-rules-of-numbers"),
    pytest.param(changed(setup={"base": {"2": 5}}), id="x-lock-setup-of-numbers"),
    *(
        pytest.param(changed().replace(b'"copies": 1', b'"copies": ' + b"9" * digits), id=f"x-lock-{digits}-digits")
        for digits in (400, 5000)
    ),
]


@pytest.mark.sweep(3)
@pytest.mark.parametrize("data", LOCKS)
def test_a_lock_that_lies(data: bytes, tmp_path: Path) -> None:
    lay_out(tmp_path, {**GOOD, "content/g/releases/0.9.lock": data, "held.lock": data})
    for line in (("changes", "g"), ("changes", "g", "--since", str(tmp_path / "held.lock")), ("update", "g")):
        ran = run_here(tmp_path, *line)
        assert_sound(ran, status=1)
        assert set(ran.codes()) == {"bad-lock"}
        assert not ran.written


@needs_posix
def test_x_a_lock_of_many_thousand_cards(tmp_path: Path) -> None:
    whole = lock()
    one = whole["cards"]["duck/teal"]  # type: ignore[index]
    data = json.dumps(whole | {"cards": {f"duck/c{n}": one for n in range(10_000)}}).encode()
    ran = run_here(tmp_path, "changes", "g", files={**GOOD, "content/g/releases/0.9.lock": data})
    assert ran.status == 0, ran


def test_x_a_release_of_odd_versions(tmp_path: Path) -> None:
    names = ("-1", "..", "a\nb", "9" * 200, "\U0001f986", "\u00b2")
    files = {f"content/g/releases/{name}.lock": changed() for name in names}
    ran = run_here(tmp_path, "changes", "g", files={**GOOD, **files})
    assert ran.status in (0, 1), ran
    assert "Traceback" not in ran.err


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always")
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A game under version control; every file was changed since."""
    folder = tmp_path / "repository"
    lay_out(folder, GOOD)
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "first")
    return folder


CONFIG = """\
[core]
	fsmonitor = touch FILE
	hooksPath = HOOKS
	sshCommand = touch FILE
	pager = touch FILE
	alternateRefsCommand = touch FILE
	worktree = /
[diff]
	external = touch FILE
[diff "x"]
	textconv = touch FILE
	command = touch FILE
[filter "x"]
	smudge = touch FILE
	process = touch FILE
	required = true
[alias]
	cat-file = !touch FILE
	rev-parse = !touch FILE
	ls-tree = !touch FILE
[protocol]
	allow = always
[extensions]
	partialClone = evil
[remote "evil"]
	url = ext::sh -c 'touch FILE'
	promisor = true
	uploadpack = touch FILE
[trace2]
	eventTarget = FILE
"""


@needs_posix
def test_x_settings_of_git_in_the_home_folder_write_nothing(repository: Path, tmp_path: Path) -> None:
    """Of a home folder that is the workspace they may be a stranger's; traces would go into any file they name."""
    targets = "".join(f"\t{kind}Target = {tmp_path}/{kind}\n" for kind in ("normal", "event", "perf"))
    mark = tmp_path / "it-ran"
    (repository / ".gitconfig").write_text(CONFIG.replace("FILE", str(mark)) + f"[trace2]\n{targets}")
    home = {"HOME": str(repository)}
    ran = run_command(repository, "changes", "g", "--since", "HEAD", environment=home)
    assert ran.status == 0, ran
    assert sorted(path.name for path in tmp_path.iterdir()) == ["repository"]


@needs_posix
@pytest.mark.parametrize("is_missing", [False, True], ids=["x-git-config", "x-git-config-and-a-missing-object"])
def test_version_control_of_a_stranger_runs_nothing(is_missing: bool, repository: Path, tmp_path: Path) -> None:
    """Filters, hooks, monitors, helpers and a remote that is asked for what is missing: none of them is started."""
    mark, hooks = tmp_path / "it-ran", tmp_path / "hooks"
    hooks.mkdir()
    for name in ("post-checkout", "reference-transaction", "post-index-change", "pre-auto-gc"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {mark}\n")
        (hooks / name).chmod(0o755)
    (repository / ".gitattributes").write_text("* filter=x diff=x export-subst\n")
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "second")
    if is_missing:
        blob = subprocess.run(
            ["git", "rev-parse", "HEAD:content/g/game.yaml"], cwd=repository, check=True, capture_output=True, text=True
        ).stdout.strip()
        loose = repository / ".git/objects" / blob[:2] / blob[2:]
        loose.chmod(0o644)
        loose.unlink()
    config = repository / ".git/config"
    text = CONFIG.replace("FILE", str(mark)).replace("HOOKS", str(hooks)).replace("worktree = /\n", "\n")
    config.write_text(config.read_text().replace("repositoryformatversion = 0", "repositoryformatversion = 1") + text)
    ran = run_command(repository, "changes", "g", "--since", "HEAD")
    assert ran.status == (2 if is_missing else 0), ran
    assert "Traceback" not in ran.err
    assert not mark.exists()
    assert not ran.written


@needs_posix
@pytest.mark.parametrize("since", ["--output=x", "HEAD --output=x", "HEAD:..", "^HEAD"])
def test_x_a_revision_that_is_an_option(since: str, repository: Path) -> None:
    ran = run_here(repository, "changes", "g", f"--since={since}")
    assert ran.status in (0, 2), ran
    assert not ran.written


@needs_posix
def test_x_a_program_called_git_in_the_folder_is_not_run(repository: Path, tmp_path: Path) -> None:
    mark = tmp_path / "it-ran"
    for place in ("git", "bin/git"):
        lay_out(repository, {place: f"#!/bin/sh\ntouch {mark}\n"})
        (repository / place).chmod(0o755)
    path = os.pathsep.join((".", "", "bin", str(repository), str(repository / "bin"), os.environ["PATH"]))
    ran = run_command(repository, "changes", "g", "--since", "HEAD", environment={"PATH": path})
    assert ran.status == 0, ran
    assert not mark.exists()


@needs_posix
def test_x_the_environment_of_a_hook_names_no_other_repository(repository: Path, tmp_path: Path) -> None:
    other = {"GIT_DIR": str(tmp_path / "none"), "GIT_WORK_TREE": "/", "GIT_INDEX_FILE": "/x"}
    ran = run_command(repository, "changes", "g", "--since", "HEAD", environment=other)
    assert ran.status == 0, ran


@needs_posix
def test_x_a_revision_full_of_links_and_odd_names(repository: Path) -> None:
    (repository / "content/g/art/link.svg").symlink_to("/etc/passwd")
    (repository / "content/g/decks/more.yaml").symlink_to("/etc/passwd")
    lay_out(repository, {"content/g/art/.git-x": "x", "content/g/art/a:b": "x", "content/g/art/a\\b": "x"})
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "second")
    for name in ("art/link.svg", "decks/more.yaml"):
        (repository / "content/g" / name).unlink()
    ran = run_here(repository, "changes", "g", "--since", "HEAD")
    assert ran.status == 0, ran
    assert not ran.sockets
    assert not ran.written
