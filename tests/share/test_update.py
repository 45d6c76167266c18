"""The loop of a designer on a real game: release, three tweaks, what changed, the update pack, the deck after it."""

from __future__ import annotations

import ctypes
import json
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

import pypdfium2
import pytest
from click.testing import CliRunner, Result
from PIL import Image

from duckpress.cli.commands import main
from duckpress.core.problems import Source
from duckpress.files.workspace import Workspace
from duckpress.press.releases.lock import Lock
from duckpress.press.releases.release_files import lock_from_manifest, read_lock
from story import GAME, Story

PACK = f"output/{GAME}/update-0.1-to-0.2"


@pytest.fixture(scope="module")
def story(released: Story, tmp_path_factory: pytest.TempPathFactory) -> Story:
    story = released.copied(tmp_path_factory.mktemp("story"))
    held = story.run("build", GAME, "--paper", "a4", "--out", str(story.root / "held"))
    assert held.exit_code == 0, held.output
    story.tweak()
    done = story.run("update", GAME, "--paper", "a4")
    assert done.exit_code == 0, done.output
    assert "take out 10 cards, put in 11" in done.output
    return story


def words_of(path: Path) -> list[str]:
    document = pypdfium2.PdfDocument(path)
    try:
        return [page.get_textpage().get_text_bounded() for page in document]
    finally:
        document.close()


def bold_words_of(path: Path) -> str:
    """Return the bold letters of a file's pages."""
    words = []
    with pypdfium2.PdfDocument(path) as document:
        for page in document:
            text = page.get_textpage()
            for at in range(text.count_chars()):
                name = ctypes.create_string_buffer(100)
                pypdfium2.raw.FPDFText_GetFontInfo(text.raw, at, name, 100, None)
                words.append(text.get_text_range(at, 1) if b"Bold" in name.value else "")
    return "".join(words)


def pack(story: Story) -> dict[str, object]:
    return dict(json.loads((story.root / PACK / "manifest.json").read_text()))


def test_the_changes_are_told(story: Story) -> None:
    said = story.run("changes", GAME).output
    assert "Action cards, double-barrel (A1): 8 instead of 7" in said
    assert 'duck-call (A3): text: "Take one duck from the common discard." ->' in said
    assert "setup, Removed unseen: 4 instead of 5 for 2 players" in said
    assert "Setup card, setup (S1): looks different" in said


def test_the_swap_makes_exactly_the_new_version_of_what_is_held(story: Story) -> None:
    """Worked out here once more, with nothing but the files that a tester has: the manifest held and the pack's."""
    path = story.root / "held" / GAME / "manifest.json"
    held = lock_from_manifest(path.read_bytes(), Source("held")).lock
    assert story.run("release", GAME).exit_code == 0
    path = story.folder / "releases" / "0.2.lock"
    now = read_lock(path.read_bytes(), Source("now")).lock
    path.unlink()
    assert held is not None
    assert now is not None

    def deck(lock: Lock) -> Counter[tuple[str, ...]]:
        faces = {key: (*key, *map(str, card.faces["en"])) for key, card in lock.cards.items()}
        return +Counter({faces[key]: card.copies for key, card in lock.cards.items()})

    def cards(lines: object) -> Counter[tuple[str, ...]]:
        assert isinstance(lines, list)
        return Counter({(one["deck"], one["card"], one["frame"], str(one["back"])): one["copies"] for one in lines})

    swapped, out = deck(held), cards(pack(story)["take_out"])
    assert all(swapped[one] >= count for one, count in out.items())
    swapped.subtract(out)
    swapped.update(cards(pack(story)["put_in"]))
    assert +swapped == deck(now)


def test_the_pages_hold_the_new_cards_and_no_others(story: Story) -> None:
    pages = words_of(story.root / PACK / f"{GAME}-update-a4.pdf")
    assert len(pages) == 6  # eight poker cards, the larger setup card with a divider, a box; both sides
    text = " ".join(" ".join(pages).split())
    assert text.count("of your choice") + text.count("of your\xadchoice") == 7
    assert text.count("Double Barrel") == 1
    assert "Setup" in text
    assert "Gun Jam" not in text


def test_the_swap_sheet_says_what_to_do(story: Story) -> None:
    text = " ".join(" ".join(words_of(story.root / PACK / f"{GAME}-swap-a4.pdf")).split())
    for words in (
        "Swap sheet, 0.1 to 0.2", "Cards to take out: 10. Cards to put in: 11.", f"{GAME}-update-a4.pdf",
        "take out 7", "put in 7", "Duck Call A3", "Double Barrel A1", "put in 1", "keep 7",
        "on sheet 1 of the new cards", "Action cards 42 43", "Removed unseen: 4 instead of 5 with 2 players",
    ):  # fmt: skip
        assert words in text, words


def test_the_pack_lists_its_files(story: Story) -> None:
    data = pack(story)
    assert (data["from"], data["to"], data["pack"]) == ("0.1", "0.2", "update")
    names = {path.name for path in (story.root / PACK).iterdir()}
    assert names == {"manifest.json", f"{GAME}-update-a4.pdf", f"{GAME}-swap-a4.pdf"}
    assert {one["name"] for one in data["files"]} == names - {"manifest.json"}  # type: ignore[attr-defined]


@pytest.mark.soak
def test_what_is_held_may_be_the_manifest(story: Story) -> None:
    held = story.root / "held" / GAME / "manifest.json"
    more = ("--paper", "a4", "--out", str(story.root / "other"), "--format", "json")
    done = story.run("update", GAME, "--since", str(held), *more)
    assert done.exit_code == 0, done.output
    data = json.loads(done.output)
    came = [(one["card"], one["copies"]) for one in data["put_in"]]
    told = [("setup", 1), ("hunters-box", 1), ("action", 1)]  # the box and the divider say how many cards there are
    assert came == [("double-barrel", 1), ("duck-call", 7), *told]
    assert [(one["card"], one["copies"]) for one in data["take_out"]] == [("duck-call", 7), *told]
    assert data["sheets"] == {"a4": 3}


POND = {
    "content/pond/game.yaml": """title: Pond
version: "0.1"
designer: Nobody
players: 2
theme: base
pieces: [{id: cards, title: Cards, decks: [duck]}]
""",
    "content/pond/decks/duck.yaml": "title: Ducks\nsize: mini\nfront: duck\nfields: {text: text}\n"
    "cards: [{id: teal, copies: 4, text: One.}, {id: smew, copies: 2, text: Two.}]\n",
    "content/pond/layouts/duck.xml": '<face><ground fill="paper"/>'
    '<text x="4" y="4" width="36" height="50">{{ card.text }}</text></face>',
}


@pytest.fixture
def run(make_workspace: Callable[[Mapping[str, str]], Workspace]) -> Callable[..., Result]:
    workspace = make_workspace(POND)
    return lambda *words: CliRunner().invoke(main, ["--workspace", str(workspace.root), *words])


def test_nothing_to_swap_writes_nothing(run: Callable[..., Result], tmp_path: Path) -> None:
    assert run("release", "pond").exit_code == 0
    (tmp_path / "content/pond/game.yaml").write_text(POND["content/pond/game.yaml"].replace("0.1", "0.2"))
    done = run("update", "pond", "--paper", "a4")
    assert done.exit_code == 0, done.output
    assert "no card has to be swapped" in done.output
    assert not (tmp_path / "output").exists()


def test_a_card_that_is_gone_and_one_that_is_new(run: Callable[..., Result], tmp_path: Path) -> None:
    assert run("release", "pond").exit_code == 0
    deck = tmp_path / "content/pond/decks/duck.yaml"
    deck.write_text(deck.read_text().replace("id: smew, copies: 2, text: Two.", "id: eider, copies: 3, text: Three."))
    refused = run("update", "pond", "--paper", "a4")
    assert refused.exit_code == 1
    assert "content/pond/game.yaml:2:10: error[version-released]" in refused.output
    assert not (tmp_path / "output/pond").exists()
    (tmp_path / "content/pond/game.yaml").write_text(POND["content/pond/game.yaml"].replace("0.1", "0.2"))
    done = run("update", "pond", "--paper", "a4", "--backs", "none")
    assert done.exit_code == 0, done.output
    folder = tmp_path / "output/pond/update-0.1-to-0.2-fronts"
    (text,) = (" ".join(page.split()) for page in words_of(folder / "pond-swap-a4.pdf"))
    for words in ("Two. D2", "take out 2", "no longer in the game", "Three. D3", "put in 3", "new card", "Ducks 6 7"):
        assert words in text, words
    assert run("update", "pond", "--since", "nothing-such").exit_code == 2


def test_the_picture_of_changes_is_as_high_as_it_has_to_be(run: Callable[..., Result], tmp_path: Path) -> None:
    assert run("release", "pond").exit_code == 0
    sizes = []
    for text in ("One.", "Other."):
        deck = tmp_path / "content/pond/decks/duck.yaml"
        deck.write_text(deck.read_text().replace("One.", text))
        assert run("changes", "pond", "--picture", str(tmp_path / "page.png")).exit_code == 0
        with Image.open(tmp_path / "page.png") as picture:
            sizes.append(picture.size)
    assert sizes[0][0] == sizes[1][0]
    assert sizes[1][1] > sizes[0][1] + 150  # 30 mm at 150 dpi are 177 pixels
    assert run("changes", "pond", "--picture", "page.txt").exit_code == 2


def test_the_sides_that_changed_are_shown_and_their_words_marked(run: Callable[..., Result], tmp_path: Path) -> None:
    """A back of its own for each card: of one the front changes, of one the back, of one both."""
    deck, layout = (tmp_path / "content/pond" / name for name in ("decks/duck.yaml", "layouts/duck.xml"))
    (tmp_path / "content/pond/layouts/behind.xml").write_text(layout.read_text().replace("card.text", "card.behind"))
    cards = "tops", "rears", "pairs"
    rows = ", ".join(f"{{id: {one}, text: Two grey {one} swim., behind: The dark {one}.}}" for one in cards)
    head = "title: Ducks\nsize: mini\nfront: duck\nback: behind\nfields: {text: text, behind: text}\n"
    deck.write_text(f"{head}cards: [{rows}]\n")
    assert run("release", "pond").exit_code == 0
    now = deck.read_text()
    for one in ("tops", "pairs"):
        now = now.replace(f"Two grey {one} swim", f"Three grey {one} swim fast")
    for one in ("rears", "pairs"):
        now = now.replace(f"The dark {one}", f"The {one}")
    deck.write_text(now)
    game = tmp_path / "content/pond/game.yaml"
    game.write_text(game.read_text().replace("0.1", "0.2"))
    done = run("update", "pond", "--paper", "a4")
    assert done.exit_code == 0, done.output
    sheet = tmp_path / "output/pond/update-0.1-to-0.2/pond-swap-a4.pdf"
    text = " ".join(" ".join(words_of(sheet)).split())
    assert "[Two] grey tops [swim.] → Three grey tops swim fast." in text
    assert "The [dark] rears. → The rears." in text
    assert "words that went stand in brackets" in text
    bold = "".join(bold_words_of(sheet).split())
    assert "Threegreytopsswimfast.Threeswimfast.takeout" in bold  # the name, and of the text what is new
    fronts = [text.count(f"{one} swim. D{at} take out 1") for at, one in enumerate(cards, 1)]
    backs = [text.count(f"The {one}. put in 1, back") + text.count(f"back The {one}. back") for one in cards]
    assert (fronts, backs) == ([1, 1, 1], [0, 1, 1])
    assert text.count("Three grey pairs swim fast. put in 1") == 1
    assert "Two grey rears swim. put in" not in text


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_old_faces_are_shown_where_a_tag_has_them(run: Callable[..., Result], tmp_path: Path) -> None:
    """Without a tag the card's name and code stand in the old face's place; with one, the face does."""

    def git(*words: str) -> None:
        subprocess.run(["git", "-C", str(tmp_path), *words], check=True, capture_output=True)

    def drawn() -> str:
        done = run("changes", "pond", "--picture", str(tmp_path / "page.pdf"))
        assert done.exit_code == 0, done.output
        return " ".join(words_of(tmp_path / "page.pdf")[0].split())

    git("init", "-q")
    git("add", ".")
    git("-c", "user.name=n", "-c", "user.email=n@example.org", "commit", "-qm", "first")
    assert run("release", "pond").exit_code == 0
    deck = tmp_path / "content/pond/decks/duck.yaml"
    deck.write_text(deck.read_text().replace("One.", "Other."))
    without = drawn()
    assert "What changed from 0.1 to 0.1" in without
    assert without.count("One. D1") == 1
    git("tag", "v0.1")
    shown = drawn()
    assert "One. D1" not in shown
    assert shown.count("One.") == without.count("One.")
    # A tag of another version is not taken for it.
    git("tag", "-d", "v0.1")
    (tmp_path / "content/pond/game.yaml").write_text(POND["content/pond/game.yaml"].replace("0.1", "0.2"))
    git("-c", "user.name=n", "-c", "user.email=n@example.org", "commit", "-qam", "second")
    git("tag", "v0.1")
    assert drawn().count("One. D1") == 1
