"""Duck Blind as players hold it, in both languages: what its sheets, aids and cards say, and their examples played."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import pypdfium2
import pytest

from duckpress.check import setup_table
from duckpress.content.translations.translation_file import in_language
from duckpress.core.frame import Frame, Outline, Text, every_item
from duckpress.files.workspace import Workspace
from duckpress.layout import LaidOut
from duckpress.model import Game
from duckpress.press.reading import Checked
from duckpress.press.request import Built


class Print(NamedTuple):
    """A language's game and its pieces, typeset."""

    code: str
    game: Game
    pieces: dict[str, LaidOut]

    def words(self, piece: str, card: str | None = None) -> str:
        """Return all words of a piece's faces or pages, or of one card, without what line breaks change."""
        laid_out = self.pieces[piece]
        frames = [above_footer(page) for page in laid_out.pages.get("a4", ())]
        for face in laid_out.faces:
            if card in (None, face.card):
                frames += [face.front, *([face.back] if face.back else [])]
        items = [item for frame in frames for item in every_item(frame.items)]
        return squeezed(" ".join(item.text for item in items if isinstance(item, Text)))


def above_footer(page: Frame) -> Frame:
    """Return a page of rules without its footer, which stands behind the last line: a text may go on overleaf."""
    at = max(number for number, item in enumerate(page.items) if isinstance(item, Outline))
    return Frame(page.trim, 0.0, page.items[:at])


def squeezed(words: str) -> str:
    """Return words without blanks, hyphens and markup, and with the apostrophes of print."""
    return re.sub(r"[\s\u00ad-]|\*\*|\{[a-z]+\}", "", words).replace("'", "’")


@pytest.fixture(scope="module", params=["en", "fr"])
def printed(request: pytest.FixtureRequest, checked: Callable[[str], Checked], project: Workspace) -> Print:
    found = checked("duck-blind")
    assert found.game is not None
    pieces = found.pieces if request.param == "en" else found.pieces[len(found.pieces) // 2 :]  # French comes second
    game = found.game if request.param == "en" else in_language(project, found.game, "fr").game
    held: dict[str, LaidOut] = {}
    for laid_out in pieces:
        held.setdefault(laid_out.piece.id, laid_out)
    return Print(request.param, game, held)


NUMBERS = {
    "en": ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"],
    "fr": ["zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix"],
}


def test_the_components_listed_are_those_printed(printed: Print, whole: Callable[[str], Built]) -> None:
    manifest = json.loads((whole("duck-blind").folder / "manifest.json").read_text())
    counts: Counter[str] = Counter()
    for card in manifest["cards"]:
        counts[card["deck"]] += card["copies"]
    sheet = printed.words("rules")
    decks = [deck for deck in printed.game.decks.values() if deck.is_component]
    assert len(decks) == 9
    for deck in decks:
        assert squeezed(f"{counts[deck.id]} {deck.title}") in sheet, deck.id
    blinds, each = counts["blind"], counts["blind"] // 6
    word = NUMBERS[printed.code]
    said = {"en": f"{word[6]} decks of {word[each]}", "fr": f"{word[6]} paquets de {word[each]}"}
    assert (blinds, squeezed(said[printed.code]) in sheet) == (60, True)


def test_the_setup_example_is_the_table_for_four(printed: Print) -> None:
    word = NUMBERS[printed.code]
    said = {
        "en": f"Four players shuffle 55 Duck cards, {word[4]} Game Wardens and {word[8]} Action cards, and remove "
        f"{word[7]} of them unseen. The play deck has 60 cards: 12 flights of {word[5]}.",
        "fr": f"À quatre joueurs, on mélange 55 cartes Canard, {word[4]} gardes-chasse et {word[8]} cartes Action, "
        f"puis on en retire {word[7]} sans les regarder. La pioche compte 60 cartes : 12 vols de {word[5]}.",
    }
    assert squeezed(said[printed.code]) in printed.words("rules")


# The round that the sheet tells: four players clockwise from the start player, and the cards of their blinds they bid.
SEATS = {"en": ["Ann", "Ben", "Cleo", "Dan"], "fr": ["Anne", "Ben", "Chloé", "Denis"]}
BIDS: list[list[str]] = [["four", "one"], ["five"], ["three"], []]


def pick_order(bids: Sequence[Sequence[int]]) -> list[int]:
    """Return the seats of all who bid: most shots first, then most cards, then nearest to the start player, seat 0."""
    return sorted(
        (seat for seat, shots in enumerate(bids) if shots), key=lambda seat: (-sum(bids[seat]), -len(bids[seat]), seat)
    )


def test_the_example_of_a_round_is_played_by_the_rules(printed: Print) -> None:
    shots = {card.id.partition("-")[2]: card.values["shots"] for card in printed.game.decks["blind"].cards}
    bids = [[number for card in bid if isinstance(number := shots[card], int)] for bid in BIDS]
    names, word = SEATS[printed.code], NUMBERS[printed.code]
    order = [names[seat] for seat in pick_order(bids)]
    assert (order, sum(bids[0])) == (names[:3], sum(bids[1]))  # a tie, which more cards win
    flight = setup_table(printed.game).rows[2].cells["flight"]
    assert flight == 1 + (1 + 2 + 1)  # the Warden, a Wood Duck, two Mallards, a Choke
    (ann, *high), (ben,), (cleo,), dan = ([word[number] for number in bid] for bid in bids)
    assert (len(high), dan) == (1, [])
    sums = [word[sum(bid)] for bid in bids]
    gone = [word[len(bid) + more] for bid, more in zip(bids, (0, 1, 1, 0), strict=True)]  # Ben's Choke, Cleo's Permit
    said = {
        "en": [
            f"Of {word[5]} cards the first is Officer Ken.",
            f"The {word[4]} other cards: a Wood Duck, {word[2]} Mallards, a Choke.",
            f"Ann bids {ann.capitalize()} Shots and {high[0].capitalize()} Shot, Ben {ben.capitalize()} Shots, "
            f"Cleo {cleo.capitalize()} Shots, Dan nothing.",
            f"Ann and Ben both have {sums[0]} shots, but Ann bid more cards. Pick order: {', '.join(order)}.",
            f"Ann draws {gone[0]} cards for her bid, Ben {gone[1]} for his bid and his Choke,",
            f"Cleo {gone[2]} for her bid and her Permit, Dan none. Cleo picked last and becomes start player.",
        ],
        "fr": [
            f"Des {word[5]} cartes, la première est l'agent Ken.",
            f"Les {word[4]} autres cartes : un canard branchu, {word[2]} colverts, un Choke.",
            f"Anne mise {ann.capitalize()} coups et {high[0].capitalize()} coup, Ben {ben.capitalize()} coups, "
            f"Chloé {cleo.capitalize()} coups, Denis rien.",
            f"Anne et Ben ont chacun {sums[0]} coups, mais Anne a misé plus de cartes.",
            f"Ordre de choix : {', '.join(order)}.",
            f"Anne pioche {gone[0]} cartes pour sa mise, Ben {gone[1]} pour sa mise et son Choke,",
            f"Chloé {gone[2]} pour sa mise et son Permis, Denis aucune.",
            "Chloé a choisi en dernier et devient premier joueur.",
        ],
    }
    for sentence in said[printed.code]:
        assert squeezed(sentence) in printed.words("rules"), sentence


BAG = ["mallard-drake", "mallard-drake", "mallard-hen", "woodduck-drake"]  # in the example of scoring


def scored(game: Game, bag: Sequence[str]) -> Iterator[int]:
    """Yield what a bag of ducks scores: their values, the largest set, the pairs."""
    ducks = {card.id: card for card in game.decks["duck"].cards}
    yield sum(value for duck in bag if isinstance(value := ducks[duck].values["value"], int))
    sexes = Counter((duck.partition("-")[0], duck.partition("-")[2]) for duck in bag)
    species = Counter(duck.partition("-")[0] for duck in bag)
    set_point, pair_point = game.facts["set point"], game.facts["pair point"]
    assert isinstance(set_point, int)
    assert isinstance(pair_point, int)
    yield max(species.values()) * set_point
    yield sum(min(sexes[one, "drake"], sexes[one, "hen"]) for one in species) * pair_point


def test_the_example_of_scoring_is_scored_by_the_rules(printed: Print) -> None:
    ducks, largest, pairs = scored(printed.game, BAG)
    bonus = next(card for card in printed.game.decks["bonus"].cards if card.id == "mixed-bag")
    points = bonus.values["points"]
    assert isinstance(points, int)
    species = NUMBERS[printed.code][len({duck.partition("-")[0] for duck in BAG})]
    total = ducks + largest + pairs + points
    title = bonus.values["title"]
    said = {
        "en": f"= {ducks}. Largest set, three Mallards: {largest}. Pairs, one (Mallards): {pairs}. {title}: nobody "
        f"has more than his {species} species: {points}. Total: {total} points.",
        "fr": f"= {ducks}. Plus grande collection, trois colverts : {largest}. Couples, un (colverts) : {pairs}. "
        f"{title}, personne n'a plus que ses {species} espèces : {points}. Total : {total} points.",
    }
    assert squeezed(said[printed.code]) in printed.words("rules")


def test_the_sheet_says_of_each_card_what_the_card_says(printed: Print) -> None:
    sheet = printed.words("rules")
    for deck, field in (("action", "text"), ("warden", "effect")):
        for card in printed.game.decks[deck].cards:
            effect = squeezed(str(card.values[field]))
            assert effect in sheet, card.id
            assert effect in printed.words("play-deck", card.id), card.id


def test_a_round_has_the_same_six_steps_on_the_sheet_and_on_the_aid(printed: Print) -> None:
    steps = re.findall(r"^## ([0-9])\. (.+)$", printed.game.rules[printed.code].text, re.MULTILINE)
    assert [number for number, _ in steps] == list("123456")
    front = next(face.front for face in printed.pieces["aids"].faces if face.card == "aid")
    lines = [squeezed(item.text) for item in every_item(front.items) if isinstance(item, Text)]
    at = [lines.index(number) for number, _ in steps]
    assert [(lines[place], lines[place + 1]) for place in at] == [(number, squeezed(name)) for number, name in steps]


def test_a_variant_has_one_name_everywhere(printed: Print) -> None:
    assert printed.game.setup is not None
    names = [squeezed(variant.title) for variant in printed.game.setup.variants.values()]
    assert len(names) == 3
    for name in names:
        for piece, card in (("rules", None), ("aids", "setup"), ("feedback", None)):
            assert name.lower() in printed.words(piece, card).lower(), (name, piece)


def test_the_aid_and_the_setup_card_say_the_numbers_of_the_data(printed: Print) -> None:
    facts = printed.game.facts
    hand, drafted = facts["hand size"], facts["drafted actions"]
    assert isinstance(drafted, int)
    aid, setup = printed.words("aids", "aid"), printed.words("aids", "setup")
    one, pair = facts["set point"], facts["pair point"]
    said = {
        "en": (f"Draw back up to {hand}", f"species: {one} a duck", f"of a species: {pair}"),
        "fr": (f"votre main à {hand}", f"espèce : {one} par canard", f"d'une espèce : {pair}"),
    }
    for words in said[printed.code]:
        assert squeezed(words) in aid, words
    said = {
        "en": (f"takes {drafted} of the other", f"passes {drafted - 1} to", f"its {hand} cards", "blind of 10 cards"),
        "fr": (f"prend {drafted} des", f"passe les {drafted - 1} autres", f"ses {hand} cartes", "vos 10 cartes Affût"),
    }
    for words in said[printed.code]:
        assert squeezed(words) in setup, words


def test_gun_jam_is_played_on_another_player(printed: Print) -> None:
    said = {
        "en": ("Choose another player.", "another player gets no duck"),
        "fr": ("Désignez un autre joueur", "un autre n'a aucun canard"),
    }
    card, aid = (squeezed(words) for words in said[printed.code])
    for words in (printed.words("play-deck", "gun-jam"), printed.words("rules")):
        assert card in words
    assert aid in printed.words("aids", "aid")
    assert re.search(squeezed("may be you|peut être vous"), printed.words("rules")) is None


def test_a_bonus_that_nobody_fulfils_pays_nobody_wherever_it_is_told(printed: Print) -> None:
    said = {
        "en": (
            "With none you score nothing.",
            "nothing for those who have none",
            "unless they have none of what it names",
            "whoever has none of it does not",
        ),
        "fr": (
            "Qui n'en a pas ne marque rien.",
            "rien pour qui n'en a pas",
            "sauf si personne n'a ce qu'elle indique",
            "qui n'en a pas du tout ne les marque pas",
        ),
    }
    card, *others = (squeezed(words) for words in said[printed.code])
    for bonus in printed.game.decks["bonus"].cards:
        assert card in printed.words("bonus", bonus.id)
    for words, piece in zip(others, ("aids", "scoring", "rules"), strict=True):
        assert words in printed.words(piece)


def test_the_picture_of_the_table_shows_what_the_flight_has_left_of_the_play_deck(
    whole: Callable[[str], Built],
) -> None:
    built = whole("duck-blind")
    assert built.checked.game is not None
    row = next(row for row in setup_table(built.checked.game).rows if row.players == 4)
    assert (row.cells["play deck"], row.cells["flight"]) == (60, 5)
    first = pypdfium2.PdfDocument(built.folder / "duck-blind-rules-a4.pdf")[0].get_textpage().get_text_bounded()
    assert squeezed("flight: 5 cards") in squeezed(first)
    assert squeezed("play deck: 55 cards") in squeezed(first)


GONE = {
    "en": [
        "this turn", "choosing order", "duck deck", "open question", "not say", "open bids", "the shout", "no duck:",
        "has most", "have most", "ducks worth",
    ],
    "fr": [
        "ce tour", "tirage préalable", "question ouverte", "sans voir", "mises posées", "mises ouvertes", "au cri",
        "pas de canard", "coup double", "meilleure collection", "à 1 point",
    ],
}  # fmt: skip


def test_nothing_that_players_hold_has_another_word_for_it_or_asks_them(printed: Print) -> None:
    for piece in printed.pieces:
        if piece != "designer-notes":
            words = printed.words(piece).lower()
            assert [gone for gone in GONE[printed.code] if squeezed(gone) in words] == [], piece


def test_what_is_asked_of_the_designer_is_asked_and_is_in_no_file_of_the_players(
    printed: Print, whole: Callable[[str], Built]
) -> None:
    asked = [note for note in printed.game.notes if note.question]
    assert asked
    assert all("?" in note.question for note in asked)
    assert not [name for name in whole("duck-blind").files if "designer" in name]
    assert squeezed(asked[0].question) not in printed.words("rules")
