"""A small game of two languages, made of text."""

from __future__ import annotations

from collections.abc import Mapping

from duckpress.content import load_game
from duckpress.content.translations.translation_file import Translated, in_language
from running import MakeWorkspace

GAME = """\
title: Pond
version: "0.2"
designer: Ann
players: 2-3
languages: [en, fr]
theme: pond
about: A game of ducks.
licence: Print it and play it.
facts: {season: autumn, hand: 2}
lists:
  birds:
    teal: {name: Teal, value: 1, icon: star, habit: {food: seeds, nest: [reeds, 2]}}
    smew: {name: Smew, value: 2, icon: heart, habit: {food: fish, nest: [trees, 3]}}
pieces:
  - {id: cards, title: Cards, decks: [bird, event]}
credits:
  - {role: Design, name: Ann}
notes:
  - {subject: The hand, choice: two, reason: three were too many}
bring: [a pencil]
"""
BIRDS = """\
title: Birds
size: poker
front: bird
back: back
fields: {name: text, sex: {kind: choice, choices: [drake, hen]}, file: {kind: text, translate: no}, text: text}
cards:
  - for: {bird: birds, sex: [drake, hen]}
    id: "{{ bird.name|lower }}-{{ sex }}"
    name: "{{ bird.name }}"
    sex: "{{ sex }}"
    file: "{{ bird.id }}.svg"
    text: "Score {{ bird.value }} in {{ facts.season }}."
"""
EVENTS = """\
title: Events
size: poker
front: event
back: back
fields: {name: text, text: text, tags: {kind: list, optional: yes}}
cards:
  - {id: storm, copies: 2, name: Storm!, text: "Discard **one** card {star}.", tags: [weather, bad]}
"""
SETUP = """\
title: Setting up
setup:
  - pile: draw
    take: {bird: all}
    note: "Shuffle {{ draw }} birds."
  - aside: rest
    take: {event: all}
    only: 2-3
table:
  draw: {title: Draw pile, short: Draw}
variants:
  quick: {title: Quick game, about: Half as long.}
notes: [Shuffle well.]
"""
FRENCH = """\
title: L'étang
about: {of: A game of ducks., is: Un jeu de canards.}
licence: Imprimez-le et jouez.
pieces: {cards: Cartes}
credits: {Design: Conception}
notes:
  The hand: {subject: La main, choice: deux, reason: {of: three were too many, is: trois étaient de trop}}
bring: {a pencil: un crayon}
facts: {season: automne}
lists:
  birds:
    teal: {name: Sarcelle, habit: {food: graines, nest: [roseaux, 2]}}
    smew: {name: {of: Smew, is: Harle piette}, habit: {food: poissons, nest: [arbres, 3]}}
decks:
  bird:
    title: Oiseaux
    cards:
      "{{ bird.name|lower }}-{{ sex }}": {text: "Vaut {{ bird.value }} en {{ facts.season }}."}
      teal-hen: {text: {of: "Score 1 in autumn.", is: "Vaut 1, rien de plus."}}
  event:
    title: Événements
    cards:
      storm:
        name: Tempête !
        text: {of: "Discard **one** card {star}.", is: "Défaussez **une** carte {star}."}
        tags: [temps, {of: bad, is: mauvais}]
setup:
  title: Mise en place
  table: {draw: {title: Pioche, short: Pioche}}
  variants: {quick: {title: Partie courte, about: Deux fois plus courte.}}
  notes:
    "Shuffle {{ draw }} birds.": "Mélangez {{ draw }} oiseaux."
    Shuffle well.: Mélangez bien.
words:
  "{n} points each": {one: "{n} point chacun", other: "{n} points chacun"}
  drake: mâle
  hen: femelle
  Back: Dos
"""
FILES = {
    "content/pond/game.yaml": GAME,
    "content/pond/setup.yaml": SETUP,
    "content/pond/decks/bird.yaml": BIRDS,
    "content/pond/decks/event.yaml": EVENTS,
    "content/pond/lang/fr.yaml": FRENCH,
    "content/pond/layouts/bird.xml": (
        '<face><ground/><text x="5" y="5" width="50" height="10">{{ card.name }} {{ card.sex|t }}</text>'
        '<text x="5" y="20" width="50" height="20">{{ card.text }}</text>'
        '<text x="5" y="50" width="50" height="10">{{ t("{n} points each", n=2, one="{n} point each") }}</text></face>'
    ),
    "content/pond/layouts/event.xml": (
        '<face><ground/><text x="5" y="5" width="50" height="10">{{ card.name }}</text>'
        '<text x="5" y="20" width="50" height="20">{{ card.text }} {{ card.tags|join(", ") }}</text></face>'
    ),
    "content/pond/layouts/back.xml": (
        '<face><ground/><text x="5" y="5" width="50" height="10">{{ game.title }}: {{ t("Back") }}</text></face>'
    ),
    "content/pond/theme.yaml": "extends: base\n",
}
FRENCH_FILE = "content/pond/lang/fr.yaml"


def with_file(path: str, old: str, new: str, files: Mapping[str, str] = FILES) -> dict[str, str]:
    """Return the game with a part of one file written otherwise."""
    assert files[path].count(old) == 1, old
    return {**files, path: files[path].replace(old, new)}


def french(make_workspace: MakeWorkspace, files: Mapping[str, str] = FILES) -> Translated:
    """Return the game in French."""
    workspace = make_workspace(files)
    game, problems = load_game(workspace, "pond")
    assert game is not None, problems
    assert problems == []
    return in_language(workspace, game, "fr")
