"""Packets: the host's pages hold everything, a player's file holds what that player is told and not a trace more."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pikepdf
import pytest
from msgspec.structs import replace

from dealing_table import FILES, LETTERS
from duckpress.check import CardRef, Deal, Holding, deal_cards
from duckpress.check.dealing import Chance
from duckpress.content import load_game
from duckpress.files.workspace import Workspace, bundled_root
from duckpress.press import packet
from duckpress.press.checking import check
from duckpress.press.pipeline import build
from duckpress.press.print_job import PrintJob
from duckpress.press.reading import load
from duckpress.press.request import Request
from duckpress.text.fonts import FontLibrary
from extracting import every_text, hidden_places, letters_of_fonts
from running import MakeWorkspace, write_files

SEED = "a seed that nobody guesses"


def built(workspace: Workspace, out: Path, **options: object) -> Path:
    request = Request(papers=("a4",), seed=SEED, players=4, **options)  # type: ignore[arg-type]
    done = build(workspace, load(workspace, "table"), request, out)
    assert not done.checked.has_errors, done.checked.problems
    return out / "table"


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the table, built with a packet."""
    root = write_files(tmp_path_factory.mktemp("table"), FILES)
    return built(Workspace(root, bundled_root()), root / "out")


def deal_of(workspace: Workspace, players: int) -> Deal:
    game, _ = load_game(workspace, "table")
    assert game is not None
    return deal_cards(game, players, SEED)


def letter_of(card: CardRef) -> str:
    return LETTERS[int(card.card.removeprefix("card-")) - 1]


def packet_of(workspace: Workspace, deal: Deal) -> dict[str, bytes]:
    """Return the files of a deal's packet by name, made in one go as a build makes them."""
    game, _ = load_game(workspace, "table")
    assert game is not None
    fonts, request = FontLibrary(workspace), Request(papers=("a4",), seed=deal.seed)
    made = packet.print_packet(workspace, PrintJob(game, request, fonts), deal)
    assert not made.unproven
    files, _ = packet.packet_files(workspace.root / "output", made, game)
    return {name.removeprefix("packet/"): data for name, data in files.items()}


def otherwise_for(deal: Deal, seat: int, seed: str) -> Deal:
    """Return a deal in which everything is different that the player at a seat is not told, and nothing else."""
    told = {(place, number) for place, seats in deal.seats[seat - 1].knows.items() for number in seats or (0,)}

    in_hands = {card.deck for held in deal.places if held.kind == "hand" for card in held.cards}

    def is_secret(held: Holding) -> bool:
        return {card.deck for card in held.cards} <= in_hands and (held.place, held.seat) not in told

    hidden = [card for held in (*deal.places, *deal.removed, *deal.left) if is_secret(held) for card in held.cards]
    Chance("otherwise", seed, seat).shuffle(hidden)
    rest = iter(hidden)

    def dealt_again(holdings: tuple[Holding, ...]) -> tuple[Holding, ...]:
        return tuple(
            held._replace(cards=tuple(next(rest) for _ in held.cards)) if is_secret(held) else held for held in holdings
        )

    places, removed, left = map(dealt_again, (deal.places, deal.removed, deal.left))
    return replace(deal, seed=seed, places=places, removed=removed, left=left)


def test_a_build_with_a_seed_makes_the_packet_and_no_list_beside_it_tells_anything(tables: Path) -> None:
    names = [f"table-told-seat-0{seat}-a4.pdf" for seat in (1, 2, 3, 4)]
    assert sorted(path.name for path in (tables / "packet").iterdir()) == ["manifest.json", "table-host-a4.pdf", *names]
    files = {"manifest.json", "packet", "table-all-a4.pdf", "table-cards-a4.pdf"}
    assert {path.name for path in tables.iterdir()} == files
    manifest = json.loads((tables / "manifest.json").read_text())
    assert {file["piece"] for file in manifest["files"]} == {"cards", "all"}
    assert {card["deck"] for card in manifest["cards"]} == {"word"}
    assert SEED not in (tables / "manifest.json").read_text()
    beside = json.loads((tables / "packet" / "manifest.json").read_text())
    assert set(beside) == {"game", "version", "program", "files"}
    assert all(isinstance(name, str) for name in beside["files"])
    assert names[0] not in every_text((tables / "table-all-a4.pdf").read_bytes())
    with pikepdf.open(tables / "packet" / names[1]) as document:
        assert str(document.docinfo["/Title"]) == "Table: For seat 2"


def test_without_a_seed_nothing_of_it_is_printed(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    workspace = make_workspace(FILES)
    done = build(workspace, load(workspace, "table"), Request(papers=("a4",)), tmp_path)
    assert done.files == ("table-cards-a4.pdf", "table-all-a4.pdf")
    assert not (tmp_path / "table" / "packet").exists()


def test_what_a_player_is_not_told_does_not_change_a_bit_of_the_file(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace(FILES)
    deal = deal_of(workspace, 3)
    files = packet_of(workspace, deal)
    assert packet_of(workspace, deal) == files, "the packet of a seed is the same bytes"
    for seat in (1, 2, 3):
        other = otherwise_for(deal, seat, "another seed altogether")
        assert other.places != deal.places
        changed = packet_of(workspace, other)
        name = f"table-told-seat-0{seat}-a4.pdf"
        assert changed[name] == files[name]
        assert changed["table-host-a4.pdf"] != files["table-host-a4.pdf"]
        assert changed["manifest.json"] == files["manifest.json"]


def test_the_host_sees_everything(tables: Path) -> None:
    deal = deal_of(Workspace(tables.parent.parent, bundled_root()), 4)
    text = every_text((tables / "packet" / "table-host-a4.pdf").read_bytes())
    assert SEED in text
    for seat in deal.seats:
        assert f"Seat {seat.number} is player {seat.player}, holds" in " ".join(text.split())
    shown = {letter for letter in LETTERS if f"Word{letter}" in text}
    dealt = (held for held in (*deal.places, *deal.removed) if held.place != "stock" or held in deal.removed)
    assert shown == {letter_of(card) for held in dealt for card in held.cards}


def test_a_players_file_holds_what_that_player_is_told_and_nothing_else(tables: Path) -> None:
    deal = deal_of(Workspace(tables.parent.parent, bundled_root()), 4)
    market = next(held.cards for held in deal.places if held.place == "market")
    for seat in deal.seats:
        pdf = (tables / "packet" / f"table-told-seat-0{seat.number}-a4.pdf").read_bytes()
        hand = next(h.cards for h in deal.places if (h.place, h.seat) == ("hand", seat.relations["left"]))
        told = {letter_of(card) for card in (*hand, *market)}
        text = every_text(pdf)
        assert {letter for letter in LETTERS if f"Word{letter}" in text} == told
        assert letters_of_fonts(pdf, LETTERS) == told
        assert SEED not in text
        assert hidden_places(pdf) == []


def test_a_template_cannot_look_into_what_its_player_is_not_told(make_workspace: MakeWorkspace) -> None:
    for peep in (
        "{{ card.deal.seed }}",
        "{{ card.deal.seats[0].places }}",
        "{{ decks.ring.cards[0].deal }}",
        "{{ deal }}",
    ):
        layout = FILES["content/table/layouts/slip.xml"].replace("To seat", f"{peep} to seat")
        workspace = make_workspace({**FILES, "content/table/layouts/slip.xml": layout})
        codes = {problem.code for problem in check(workspace, load(workspace, "table")).problems}
        assert codes & {"unknown-variable", "template-refused", "bad-template", "unknown-name"}, (peep, codes)


def test_a_new_packet_replaces_the_old_one_and_touches_nothing_else(tables: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(tables, tmp_path / "out" / "table") / "packet"
    (folder / "table-told-seat-09-a4.pdf").write_bytes(b"mine")
    workspace = Workspace(tables.parent.parent, bundled_root())
    request = Request(papers=("a4",), seed="1", players=3)
    done = build(workspace, load(workspace, "table"), request, tmp_path / "out")
    assert [problem.code for problem in done.checked.problems] == ["guessable-seed"], "it is short"
    names = {path.name for path in folder.iterdir()}
    assert {"table-told-seat-03-a4.pdf", "table-told-seat-09-a4.pdf"} <= names
    assert "table-told-seat-04-a4.pdf" not in names


def test_a_layout_that_overflows_is_found_by_check(make_workspace: MakeWorkspace) -> None:
    layout = FILES["content/table/layouts/slip.xml"].replace('height="30"', 'height="2"')
    workspace = make_workspace({**FILES, "content/table/layouts/slip.xml": layout})
    assert "text-overflow" in [problem.code for problem in check(workspace, load(workspace, "table")).problems]


def test_a_piece_is_for_one_of_host_players_and_everybody(make_workspace: MakeWorkspace) -> None:
    game = FILES["content/table/game.yaml"].replace("[told, slip]", "[told, ring]")
    _, problems = load_game(make_workspace({**FILES, "content/table/game.yaml": game}), "table")
    assert "mixed-packet" in [problem.code for problem in problems]


def test_a_piece_of_a_packet_is_printed_alone(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    folder = built(make_workspace(FILES), tmp_path / "out", pieces=("told",))
    assert [path.name for path in folder.glob("*.pdf")] == []
    assert len([*(folder / "packet").glob("*.pdf")]) == 4
