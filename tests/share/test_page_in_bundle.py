"""The page of all cards in a bundle: it opens from the disk, and says nothing that is not for others."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import pytest
from PIL import Image

from held_pond import Pond
from kit.browser import browsing, needs_chromium
from kit.french_pond import with_file

SECRET = "Not for players"
PLAN = "bundle: {papers: [a4], preview: yes, feedback: no}\ncredits:"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle in two languages, unpacked, of a game with an older release, a finding and notes for its designer."""
    files = with_file("content/pond/game.yaml", "credits:", PLAN)
    files["content/pond/notes.md"] = f"# Notes\n\n{SECRET}\n"
    files["content/pond/game.yaml"] = files["content/pond/game.yaml"].replace(
        "decks: [bird, event]}",
        f"decks: [bird, event]}}\n  - {{id: notes, title: {SECRET}, text: notes.md, for: designer}}",
    )
    files["content/pond/setup.yaml"] += "expect: [{that: draw == 99, level: warning}]\n"
    files["content/pond/decks/event.yaml"] += f"  # {SECRET}: a comment\n"
    pond = Pond(tmp_path_factory.mktemp("pond"), files)
    pond.done("release", "pond")
    pond.edit("decks/event.yaml", ("copies: 2", "copies: 3"))
    pond.edit("game.yaml", ('version: "0.2"', 'version: "0.3"'))
    assert "warning" in pond.done("bundle", "pond")
    file = pond.output / "pond-0.3.zip"
    pond.done("bundle", "--check", str(file))
    unpacked = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(file) as archive:
        archive.extractall(unpacked)
    return unpacked / "pond-0.3"


def test_both_languages_are_there_and_the_first_page_leads_to_them(folder: Path) -> None:
    page = (folder / "README.html").read_text("utf-8")
    assert re.findall(r'href="([^"]*index.html)"', page) == ["preview/index.html", "preview-fr/index.html"]
    for name in ("preview", "preview-fr"):
        assert (folder / name / "index.html").exists()
        pictures = list((folder / name / "pictures").iterdir())
        assert len(pictures) >= 6
        assert max(max(Image.open(io.BytesIO(one.read_bytes())).size) for one in pictures) < 400, "they are small"
        assert not (folder / name / "manifest.json").exists()


def test_nothing_is_said_of_files_findings_changes_and_what_is_the_designers_own(folder: Path) -> None:
    for name in ("preview", "preview-fr"):
        data = {path.name: path.read_text("utf-8") for path in (folder / name / "data").iterdir()}
        assert set(data) == {"game.js", "cards.js", "findings.js", "sheets.js", "setup.js", "deals.js"}
        for text in (*data.values(), (folder / name / "index.html").read_text("utf-8")):
            for word in ("content/", ".yaml", ".xml", SECRET, "pond0", "draw == 99", "does not hold", "copies instead"):
                assert word not in text


@needs_chromium
def test_the_page_opens_from_the_disk_and_deals(folder: Path, tmp_path: Path) -> None:
    with browsing(tmp_path / "profile", 1200, 800) as page:
        page.go((folder / "preview-fr/index.html").as_uri())
        page.wait("document.querySelectorAll('.card').length > 3")
        page.wait("[...document.images].every(one => one.complete && one.naturalWidth > 20)")
        views = page.ask(
            "[...document.querySelectorAll('#views a')].map(one => one.getAttribute('href').split('/')[0])"
        )
        assert views == ["#cards", "#table", "#sheets", "#setup", "#deal"]
        for view in views:
            page.ask(f"location.hash = '{view}'")
            page.wait(f"document.querySelector('#view-{view[1:]}:not([hidden])')?.children.length > 0")
            assert page.ask("document.querySelectorAll('.place, .value').length") == 0
        page.ask("location.hash = '#cards/cards-event-storm'")
        page.wait("document.querySelector('dialog')?.open")
        assert "Tempête" in page.ask("document.querySelector('dialog').textContent")
        assert page.ask("document.querySelectorAll('.place, .value').length") == 0
        assert page.told == []
