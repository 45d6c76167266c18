"""A small game with a packet: every card bears a word and a letter of its own, so that any trace of it can be found."""

from __future__ import annotations

# Each letter is in no other text of the game, so a glyph of it in a file means that its card is in the file.
LETTERS = "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥ"

GAME = """\
title: Table
version: "0.1"
designer: Ann
players: 3-5
pieces:
  - {id: cards, title: Cards, decks: [word]}
  - {id: host, title: For the host, decks: [ring]}
  - {id: told, title: For seat, decks: [told, slip]}
"""

SETUP = """\
seats:
  relations:
    left: seat + 1
    right: seat - 1
  knows: {hand: [left], market: yes}
setup:
  - pile: stock
    take: {word: all}
    remove: 1
  - row: market
    take: {stock: 2}
  - hand: hand
    take: {stock: 3}
expect:
  - {each: player, that: told('hand'), is: 1}
  - {each: player, that: knowers('hand'), is: 1}
  - {each: player, that: left != seat and right != seat and left != right}
"""

FILES = {
    "content/table/game.yaml": GAME,
    "content/table/setup.yaml": SETUP,
    "content/table/theme.yaml": "extends: base\n",
    "content/table/decks/word.yaml": (
        "title: Words\nsize: mini\nfront: word\nfields: {word: text}\ncards:\n"
        + "".join(f"  - {{id: card-{number}, word: Word{letter}}}\n" for number, letter in enumerate(LETTERS, 1))
    ),
    "content/table/boards/ring.yaml": "title: Ring\nsize: half-page\nfront: ring\nfrom: deal\n",
    "content/table/boards/told.yaml": "title: Told\nsize: half-page\nfront: told\nfrom: deal\neach: player\n",
    "content/table/boards/slip.yaml": "title: Slip\nsize: mini\nfront: slip\nfrom: deal\neach: player\n",
    "content/table/layouts/word.xml": (
        '<face><ground/><text x="4" y="4" width="36" height="12">{{ card.word }}</text></face>'
    ),
    "content/table/layouts/ring.xml": (
        '<face><ground/><text x="4" y="4" width="180" height="100" size="9" min="6">Seed {{ card.deal.seed }}.'
        "{% for seat in card.deal.seats %} Seat {{ seat.seat }} is player {{ seat.player }}, holds"
        "{% for one in seat.places.hand %} {{ one.word }}{% endfor %}, known to {{ seat.knowers.hand|join(', ') }}."
        "{% endfor %} Market{% for one in card.deal.places.market %} {{ one.word }}{% endfor %}, gone"
        "{% for one in card.deal.removed.stock %} {{ one.word }}{% endfor %}.</text></face>"
    ),
    "content/table/layouts/told.xml": (
        '<face><ground/><text x="4" y="4" width="180" height="60" together="told">Seat {{ card.deal.you.seat }}, left '
        "{{ card.deal.you.left }}:{% for told in card.deal.you.told %}{% for one in told.cards %} {{ one.word }}"
        "{% endfor %}{% endfor %}; market{% for one in card.deal.places.market %} {{ one.word }}{% endfor %}; "
        "{% for seat in card.deal.seats %}{{ seat.seat }} is {{ seat.player }} {% endfor %}</text></face>"
    ),
    "content/table/layouts/slip.xml": (
        '<face><ground/><text x="4" y="4" width="36" height="30">To seat {{ card.deal.you.left }}</text></face>'
    ),
}
