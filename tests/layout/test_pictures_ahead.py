"""Pictures looked through before anybody asks for them: what is found is the same, and nobody has to send it."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from PIL import Image

from duckpress.art import picture_files as pictures
from duckpress.art.picture_files import look_through, read_picture, with_ready, without_ready
from duckpress.files.workspace import Workspace
from duckpress.layout.faces import answers


def a_png(width: int, height: int, seed: int = 0) -> bytes:
    out = io.BytesIO()
    Image.effect_noise((width, height), 40 + seed).save(out, "PNG")
    return out.getvalue()


@pytest.fixture(autouse=True)
def nothing_ready() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "_ready", {})
        patch.setattr(pictures, "_checked", {})
        yield


def workspace_with(folder: Path, files: Mapping[str, bytes]) -> Workspace:
    art = folder / "content/pond/art"
    art.mkdir(parents=True)
    for name, data in files.items():
        (art / name).write_bytes(data)
    return Workspace(folder)


def step_through(workspace: Workspace) -> None:
    for step in look_through(workspace, "content/pond/art"):
        step()


def test_what_is_found_is_the_same_and_is_not_sent(tmp_path: Path) -> None:
    data, unseen = a_png(30, 20), a_png(20, 30, 1)
    plain = read_picture("a.png", data)
    other, _ = read_picture("b.png", unseen)
    step_through(workspace_with(tmp_path, {"a.png": data}))
    assert read_picture("a.png", data) == plain
    assert pictures._ready == {plain[0].key: plain}
    sent = without_ready([plain[0], other])
    assert [len(one.data) for one in sent] == [0, len(other.data)]
    assert with_ready(sent) == [plain[0], other]
    answer = answers.written(b"", {"made": 0}, [plain[0], other], b"")
    assert len(answer) < len(other.data) + 1000
    assert answers.read(answer)[2] == {plain[0].key: plain[0], other.key: other}


def test_a_picture_that_is_not_at_hand_is_nonsense(tmp_path: Path) -> None:
    data = a_png(30, 20)
    step_through(workspace_with(tmp_path, {"a.png": data}))
    answer = answers.written(b"", {"made": 0}, [read_picture("a.png", data)[0]], b"")
    pictures._ready.clear()
    with pytest.raises(answers.Nonsense):
        answers.read(answer)


def test_in_grey_it_is_another_picture(tmp_path: Path) -> None:
    data = a_png(30, 20)
    step_through(workspace_with(tmp_path, {"a.png": data}))
    grey, _ = read_picture("a.png", data, is_grey=True)
    assert grey.key == hashlib.sha256(data + b"grey").hexdigest()[:32]
    assert without_ready([grey]) == [grey]


def test_broken_and_large_ones_are_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "_MOST_AHEAD", 600)
    good, large, broken = a_png(30, 20), a_png(31, 20), bytearray(a_png(30, 20, 2))
    broken[60] ^= 1
    files = {
        "good.png": good,
        "large.png": large,
        "broken.png": bytes(broken),
        "words.png": b"no picture",
        "e.png": b"",
    }
    step_through(workspace_with(tmp_path, files))
    assert list(pictures._ready) == [hashlib.sha256(good).hexdigest()[:32]]


def test_no_more_than_there_is_room_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = a_png(30, 20), a_png(30, 20, 2)
    monkeypatch.setattr(pictures, "_MOST_READY", len(one) + len(other) - 1)
    step_through(workspace_with(tmp_path, {"a.png": one, "b.png": other}))
    assert len(pictures._ready) == 1


def test_nothing_is_decoded_ahead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What has to be converted goes through Pillow, which is for workers alone."""
    deep, turned = io.BytesIO(), io.BytesIO()
    Image.new("I;16", (30, 20)).save(deep, "PNG")
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.new("RGB", (30, 20)).save(turned, "PNG", exif=exif)
    workspace = workspace_with(tmp_path, {"deep.png": deep.getvalue(), "turned.png": turned.getvalue()})
    with monkeypatch.context() as patch:
        patch.setattr(pictures, "opened", lambda *_: pytest.fail("a picture is decoded"))
        step_through(workspace)
    assert pictures._ready == {}
    assert len(pictures._checked) == 2
    assert read_picture("turned.png", turned.getvalue())[0].width_px == 20
