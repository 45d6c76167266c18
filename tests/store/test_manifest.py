"""The manifest lists what the folder holds; builds of a part keep what still holds; what may be written and removed."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from duckpress import __version__, store
from duckpress.core.backs import Backs
from duckpress.core.problems import MachineError
from duckpress.store import CardFacts, Edition, FileFacts, Output, file_name, locked_outputs, source_date, write_outputs

GAME = SimpleNamespace(id="game", languages=[SimpleNamespace(code="en")])
EDITION = Edition("game", "A Game", "0.3", None, ("cards", "tokens"))


def output(piece: str, paper: str, data: bytes = b"pdf", ink: str = "color", language: str = "en") -> Output:
    name = file_name(GAME, piece, paper, ink, language)
    return Output(FileFacts(name, 4, 2, paper, piece, language, ink, "duplex"), data)


def card(card_id: str, frame: str = "f", piece: str = "cards", ink: str = "color", copies: int = 1) -> CardFacts:
    return CardFacts("deck", card_id, frame, "back", copies, piece, "en", ink)


def publish(folder: Path, edition: Edition, outputs: Sequence[Output], cards: Sequence[CardFacts]) -> None:
    with locked_outputs(folder) as target:
        store.write_merged(target, edition, outputs, cards)


CARDS = [card("a"), card("b"), card("t", piece="tokens")]


def full_build(folder: Path) -> None:
    outputs = [output(piece, paper) for piece in ("cards", "tokens", "all") for paper in ("a4", "letter")]
    publish(folder, EDITION, outputs, CARDS)


def test_files_for_other_papers_stay_while_a_game_is_watched(tmp_path: Path) -> None:
    """`watch` prints one paper, and removed what `build` had written for the other."""
    full_build(tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.glob("*-letter.pdf")}
    assert len(before) == 3
    outputs = [output(piece, "a4", b"new") for piece in ("cards", "tokens", "all")]
    changed = [card("a", frame="g"), *CARDS[1:]]

    def watched(edition: Edition, cards: Sequence[CardFacts]) -> set[str]:
        with locked_outputs(tmp_path) as target:
            store.write_merged(target, edition._replace(keeps_papers=True), outputs, cards)
        assert {path.name: path.read_bytes() for path in tmp_path.glob("*-letter.pdf")} == before
        return {entry["piece"] for entry in listed(tmp_path)["files"] if entry.get("outdated")}

    assert watched(EDITION, CARDS) == set()
    assert watched(EDITION, changed) == {"cards", "all"}
    assert watched(EDITION, CARDS) == {"cards", "all"}  # nobody looks whether it is as it was before
    assert watched(EDITION._replace(version="0.4"), CARDS) == {"cards", "tokens", "all"}
    publish(tmp_path, EDITION._replace(version="0.4"), outputs, CARDS)  # what is printed to be used removes what is old
    assert not [*tmp_path.glob("*-letter.pdf")]
    listed(tmp_path)


def listed(folder: Path) -> dict[str, Any]:
    """Return the manifest, after seeing that it lists exactly the files there are, as they are."""
    manifest: dict[str, Any] = json.loads((folder / "manifest.json").read_bytes())
    for entry in manifest["files"]:
        data = (folder / entry["name"]).read_bytes()
        assert (entry["sha256"], entry["bytes"]) == (hashlib.sha256(data).hexdigest(), len(data))
    return manifest


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name != "manifest.json")


def test_every_key_is_there(tmp_path: Path) -> None:
    publish(tmp_path, EDITION._replace(created="2026-11-20T00:00:00Z"), [output("cards", "a4", b"12345")], [card("a")])
    sha256 = hashlib.sha256(b"12345").hexdigest()
    about = {"piece": "cards", "language": "en", "ink": "color"}
    file = {"name": "game-cards-a4.pdf", "sha256": sha256, "bytes": 5, "pages": 4, "sheets": 2, "backs": "duplex"}
    shown = {"deck": "deck", "card": "a", "frame": "f", "back": "back", "copies": 1, "paper": None}
    assert listed(tmp_path) == {
        "game": "game",
        "title": "A Game",
        "version": "0.3",
        "created": "2026-11-20T00:00:00Z",
        "program": f"duckpress {__version__}",
        "files": [{**file, **about, "paper": "a4"}],
        "cards": [{**shown, **about}],
    }


def test_the_bytes_are_the_same_in_any_order_and_folder(tmp_path: Path) -> None:
    outputs = [output("cards", "a4"), output("cards", "letter"), output("tokens", "a4")]
    publish(tmp_path / "one", EDITION, outputs, CARDS)
    publish(tmp_path / "two", EDITION, outputs[::-1], [CARDS[2], *CARDS[:2]])
    one, two = ((tmp_path / name / "manifest.json").read_bytes() for name in ("one", "two"))
    assert one == two
    assert one.endswith(b"}\n")
    assert list(json.loads(one)) == sorted(json.loads(one))


def test_a_build_of_one_piece_and_paper_keeps_the_rest(tmp_path: Path) -> None:
    full_build(tmp_path)
    before = listed(tmp_path)
    publish(tmp_path, EDITION, [output("cards", "a4", b"again")], CARDS[:2])
    after = listed(tmp_path)
    assert [entry["name"] for entry in after["files"]] == [entry["name"] for entry in before["files"]]
    assert after["cards"] == before["cards"]
    assert (tmp_path / "game-cards-a4.pdf").read_bytes() == b"again"


def test_another_ink_stands_beside_the_first(tmp_path: Path) -> None:
    full_build(tmp_path)
    publish(tmp_path, EDITION, [output("cards", "a4", ink="low")], [card("a", "low", ink="low")])
    after = listed(tmp_path)
    assert len(after["files"]) == 7
    inks = [f"{entry['card']} {entry['ink']}" for entry in after["cards"]]
    assert inks == ["a color", "b color", "a low", "t color"]


CHANGED = [card("a", "changed"), card("b")]
LESS = EDITION._replace(pieces=("cards",))
MORE = EDITION._replace(pieces=("cards", "tokens", "aids"))
OTHERS = {  # what is built after all of the game: the edition, the cards, the pieces and papers that are left of it
    "changed cards": (EDITION, CHANGED, "cards-a4 tokens-a4 tokens-letter"),
    "changed copies": (EDITION, [card("a", copies=2), card("b")], "cards-a4 tokens-a4 tokens-letter"),
    "another version": (EDITION._replace(version="0.4"), CARDS[:2], "cards-a4"),
    "a piece less": (LESS, CARDS[:2], "cards-a4 cards-letter"),
    "a piece more": (MORE, [card("x", piece="aids")], "aids-a4 cards-a4 cards-letter tokens-a4 tokens-letter"),
}


@pytest.mark.parametrize("other", OTHERS)
def test_what_no_longer_holds_goes(other: str, tmp_path: Path) -> None:
    edition, cards, left = OTHERS[other]
    full_build(tmp_path)
    publish(tmp_path, edition, [output(cards[0].piece, "a4", b"new")], cards)
    assert names(tmp_path) == [f"game-{name}.pdf" for name in left.split()]
    pieces = {name.partition("-")[0] for name in left.split()}
    shown = [*cards, *(one for one in CARDS if one.piece in pieces - {cards[0].piece})]
    assert sorted((entry["card"], entry["frame"], entry["copies"]) for entry in listed(tmp_path)["cards"]) == sorted(
        (one.card, one.frame, one.copies) for one in shown
    )


def test_a_file_someone_changed_is_no_longer_listed_and_never_removed(tmp_path: Path) -> None:
    full_build(tmp_path)
    (tmp_path / "game-tokens-a4.pdf").write_bytes(b"edited by hand")
    (tmp_path / "notes.txt").write_text("mine")
    publish(tmp_path, EDITION._replace(version="0.4"), [output("cards", "a4")], CARDS[:2])
    assert names(tmp_path) == ["game-cards-a4.pdf", "game-tokens-a4.pdf", "notes.txt"]
    assert [entry["name"] for entry in listed(tmp_path)["files"]] == ["game-cards-a4.pdf"]


def test_a_link_put_in_a_file_s_place_is_kept_and_files_named_elsewhere_too(tmp_path: Path) -> None:
    folder, elsewhere, outside = tmp_path / "game", tmp_path / "elsewhere.pdf", tmp_path / "outside.pdf"
    full_build(folder)
    (folder / "game-tokens-a4.pdf").replace(elsewhere)
    (folder / "game-tokens-a4.pdf").symlink_to(elsewhere)
    outside.write_bytes(b"pdf")
    manifest = json.loads((folder / "manifest.json").read_bytes())
    manifest["files"].append({**manifest["files"][0], "name": "../outside.pdf"})
    (folder / "manifest.json").write_text(json.dumps(manifest))
    publish(folder, EDITION._replace(version="0.4"), [output("cards", "a4")], CARDS[:2])
    assert names(folder) == ["game-cards-a4.pdf", "game-tokens-a4.pdf"]
    assert outside.exists()


@pytest.mark.parametrize("data", [b"{}", b"\xff\xfe", b'{"program": "another 1.0"}'])
def test_a_manifest_of_someone_else_is_not_overwritten(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "manifest.json").write_bytes(data)
    with pytest.raises(MachineError, match="was not written by duckpress"):
        publish(tmp_path, EDITION, [output("cards", "a4")], CARDS[:2])
    assert (tmp_path / "manifest.json").read_bytes() == data
    assert names(tmp_path) == []


def test_the_date_of_the_sources() -> None:
    assert source_date({}) is None
    assert source_date({"SOURCE_DATE_EPOCH": "1763683200"}) == "2025-11-21T00:00:00Z"
    for text in ("yesterday", "9" * 30):
        with pytest.raises(MachineError, match="SOURCE_DATE_EPOCH"):
            source_date({"SOURCE_DATE_EPOCH": text})


@pytest.mark.parametrize(
    ("name", "ink", "language", "backs"),
    [
        ("game-cards-a4.pdf", "color", "en", Backs.DUPLEX),
        ("game-cards-a4-low.pdf", "low", "en", Backs.DUPLEX),
        ("game-cards-a4-grey-fr.pdf", "grey", "fr", Backs.DUPLEX),
        ("game-cards-a4-gutterfold.pdf", "color", "en", Backs.GUTTERFOLD),
        ("game-cards-a4-fronts.pdf", "color", "en", Backs.NONE),
        ("game-cards-a4-backs.pdf", "color", "en", Backs.ONLY),
    ],
)
def test_a_name_says_what_a_file_is_and_others_stand_beside_it(
    name: str, ink: str, language: str, backs: Backs, tmp_path: Path
) -> None:
    assert file_name(GAME, "cards", "a4", ink, language, backs=backs) == name
    full_build(tmp_path)
    before = names(tmp_path)
    facts = FileFacts(name, 4, 4, "a4", "cards", language, ink, backs)
    publish(tmp_path, EDITION, [Output(facts, b"others")], CARDS[:2])
    assert names(tmp_path) == sorted({*before, name})
    assert {entry["name"]: entry["backs"] for entry in listed(tmp_path)["files"]}[name] == backs


def test_a_manifest_of_an_older_version_is_taken_up(tmp_path: Path) -> None:
    """It says nothing of backs, nor of the paper of rules sheets."""
    full_build(tmp_path)
    path = tmp_path / "manifest.json"
    old = json.loads(path.read_bytes())
    for entry in old["files"]:
        del entry["backs"]
    for entry in old["cards"]:
        del entry["paper"]
    path.write_text(json.dumps(old))
    publish(tmp_path, EDITION, [output("cards", "a4", b"again")], CARDS[:2])
    entries = {entry["name"]: entry for entry in listed(tmp_path)["files"]}
    assert len(entries) == 6
    assert entries["game-cards-a4.pdf"]["backs"] == "duplex"
    assert "backs" not in entries["game-cards-letter.pdf"]
    assert "paper" in json.loads(path.read_text())["cards"][0]


NEW_FILES = {"a.pdf": b"new", "duck/c.png": b"new", "manifest.json": b"new"}


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files by their paths, and folders, which end in `/`, with nothing in them."""
    found = {}
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        found[f"{name}/" if path.is_dir() else name] = b"" if path.is_dir() else path.read_bytes()
    return found


def test_what_is_written_is_never_removed_as_stale(tmp_path: Path) -> None:
    write_outputs(tmp_path, NEW_FILES, stale=["a.pdf", "never-there.pdf"])
    assert contents(tmp_path) == {**NEW_FILES, "duck/": b""}


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write into read-only folders")
def test_a_read_only_folder(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(MachineError, match="no permission"):
            write_outputs(tmp_path, NEW_FILES)
    finally:
        tmp_path.chmod(0o700)


ELSEWHERE = ["../a.pdf", "u/v/w/x/a", "/a.pdf", "x/", "x/.a", "", ".hidden"]
NOT_EVERYWHERE = ["con.pdf", "aux/a.png", "COM1.tar.gz", "a.", "a:b.pdf", "a\u202efdp.exe", "é" * 128, "\udcff.pdf"]


@pytest.mark.parametrize("name", [*ELSEWHERE, *NOT_EVERYWHERE])
def test_names_that_lead_elsewhere_or_that_not_every_system_has_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(MachineError, match="cannot be the name of a file"):
        write_outputs(tmp_path / "game", {"good.pdf": b"x", name: b"x"})
    assert contents(tmp_path) == {}


def test_an_inner_folder_goes_with_its_last_file(tmp_path: Path) -> None:
    write_outputs(tmp_path, {**NEW_FILES, "hen/b.png": b"old"})
    (tmp_path / "hen" / "mine.txt").write_bytes(b"mine")
    write_outputs(tmp_path, {"manifest.json": b"new"}, stale=["hen/b.png", "duck/c.png"])
    assert contents(tmp_path) == {"a.pdf": b"new", "manifest.json": b"new", "hen/": b"", "hen/mine.txt": b"mine"}


def test_sources_are_never_written_to(tmp_path: Path) -> None:
    content = tmp_path / "content"
    (content / "game").mkdir(parents=True)
    (tmp_path / "link").symlink_to(content)
    for folder in (content / "game", content, tmp_path / "link" / "game", tmp_path / "output" / ".." / "content"):
        with pytest.raises(MachineError, match="holds sources"), locked_outputs(folder, [content]):
            pass
    assert list((content / "game").iterdir()) == []
    with locked_outputs(tmp_path / "output", [content]) as outputs:
        outputs.write(NEW_FILES)
