"""The loop of a designer on a real game: release, three tweaks, what changed, the update pack, the deck after it."""

from __future__ import annotations

import ctypes
import json
from collections import Counter
from pathlib import Path

import pypdfium2
from PIL import Image

from duckpress.core.problems import Source
from duckpress.press.releases.lock import Lock
from duckpress.press.releases.release_files import lock_from_manifest, read_lock
from held_pond import LAYOUT, Pond, pond_files, words_of
from pdf_reading import pages_of
from running import MakeWorkspace
from story import GAME, Story

PACK = f"unpacked/{GAME}-0.2/update-0.1-to-0.2"


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


def test_the_swap_makes_exactly_the_new_version_of_what_is_held(story: Story, tmp_path: Path) -> None:
    """Worked out here once more, with nothing but the files that a tester has: the manifest held and the pack's."""
    path = story.root / "held" / GAME / "manifest.json"
    held = lock_from_manifest(path.read_bytes(), Source("held")).lock
    again = story.copied(tmp_path / "again")
    assert again.run("release", GAME).exit_code == 0
    now = read_lock((again.folder / "releases" / "0.2.lock").read_bytes(), Source("now")).lock
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
    pages = pages_of(story.root / PACK / f"{GAME}-update-a4.pdf")
    assert len(pages) == 6  # eight poker cards, the larger setup card with a divider, a box; both sides
    text = " ".join(pages)
    assert text.count("of your choice") + text.count("of your\xadchoice") == 7
    assert text.count("Double Barrel") == 1
    assert "Setup" in text
    assert "Gun Jam" not in text


def test_the_swap_sheet_says_what_to_do(story: Story) -> None:
    text = words_of(story.root / PACK / f"{GAME}-swap-a4.pdf")
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


def test_nothing_to_swap_writes_nothing(pond: Pond) -> None:
    pond.release()
    pond.edit("game.yaml", ("0.1", "0.2"))
    assert "no card has to be swapped" in pond.done("update", "pond", "--paper", "a4")
    assert not pond.output.exists()


def test_a_card_that_is_gone_and_one_that_is_new(pond: Pond) -> None:
    pond.release()
    pond.edit("decks/duck.yaml", ("id: smew, copies: 2, text: Two.", "id: eider, copies: 3, text: Three."))
    refused = pond.done("update", "pond", "--paper", "a4", status=1)
    assert "content/pond/game.yaml:2:10: error[version-released]" in refused
    assert not pond.output.exists()
    pond.edit("game.yaml", ("0.1", "0.2"))
    assert "take out 2 cards, put in 3" in pond.done("update", "pond", "--paper", "a4", "--backs", "none")
    text = words_of(pond.output / "update-0.1-to-0.2-fronts/pond-swap-a4.pdf")
    for words in ("Two. D2", "take out 2", "no longer in the game", "Three. D3", "put in 3", "new card", "Ducks 6 7"):
        assert words in text, words
    pond.run("update", "pond", "--since", "nothing-such", status=2)


def test_the_picture_of_changes_is_as_high_as_it_has_to_be(pond: Pond) -> None:
    pond.release()
    sizes = []
    for text in ("One.", "Other."):
        pond.edit("decks/duck.yaml", ("One.", text))
        pond.done("changes", "pond", "--picture", str(pond.root / "page.png"))
        with Image.open(pond.root / "page.png") as picture:
            sizes.append(picture.size)
    assert sizes[0][0] == sizes[1][0]
    assert sizes[1][1] > sizes[0][1] + 150  # 30 mm at 150 dpi are 177 pixels
    pond.run("changes", "pond", "--picture", "page.txt", status=2)


def test_the_sides_that_changed_are_shown_and_their_words_marked(make_workspace: MakeWorkspace) -> None:
    """A back of its own for each card: of one the front changes, of one the back, of one both."""
    cards = "tops", "rears", "pairs"
    rows = ", ".join(f"{{id: {one}, text: Two grey {one} swim., behind: The dark {one}.}}" for one in cards)
    head = "title: Ducks\nsize: mini\nfront: duck\nback: behind\nfields: {text: text, behind: text}\n"
    behind = LAYOUT.replace("card.text", "card.behind")
    files = pond_files(decks__duck_yaml=f"{head}cards: [{rows}]\n", layouts__behind_xml=behind)
    pond = Pond(make_workspace(files))
    pond.release()
    tops = [(f"Two grey {one} swim", f"Three grey {one} swim fast") for one in ("tops", "pairs")]
    rears = [(f"The dark {one}", f"The {one}") for one in ("rears", "pairs")]
    pond.edit("decks/duck.yaml", *tops, *rears)
    pond.edit("game.yaml", ("0.1", "0.2"))
    pond.done("update", "pond", "--paper", "a4")
    sheet = pond.output / "update-0.1-to-0.2/pond-swap-a4.pdf"
    text = words_of(sheet)
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
