"""A small game with a deck, a board that stands alone, and a theme of its own: what is printed of it."""

POND = {
    "content/pond/game.yaml": (
        'title: Pond\nversion: "0.2"\ndesigner: Ann\nplayers: 2-3\nlanguages: [en]\ntheme: pond\n'
        "pieces:\n  - {id: cards, title: Cards, decks: [cards]}\n  - {id: alone, title: Alone, decks: [alone]}\n"
    ),
    "content/pond/setup.yaml": "setup:\n  - hand: hand\n    each: player\n    take: {cards: 3}\n",
    "content/pond/decks/cards.yaml": (
        "title: Cards\nsize: poker\nfront: card\nback: back\nfields: {name: text}\n"
        "cards:\n  - {id: teal, copies: 4, name: Teal}\n  - {id: swan, copies: 6, name: Swan}\n"
    ),
    "content/pond/boards/alone.yaml": (
        "title: Alone\nsize: mini\nfront: card\ncomponent: no\nfields: {name: text}\ncards:\n  - {id: one, name: One}\n"
    ),
    "content/pond/layouts/card.xml": (
        '<face><ground fill="paper"/>'
        '<text x="6" y="6" width="32" height="20" style="body">{{ card.name }}</text></face>'
    ),
    "content/pond/layouts/back.xml": '<face><ground fill="ink"/></face>',
    "content/pond/theme.yaml": (
        'families: {body: Alegreya Sans}\ncolours: {ink: "#102030", paper: "#ffffff"}\n'
        "text: {body: {font: body, size: 10, min: 8, colour: ink}}\n"
    ),
}
