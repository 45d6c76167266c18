"""What fields are called where changes are told: by the deck, by the translation, by words that games share, by id."""

from __future__ import annotations

from collections.abc import Mapping

from duckpress.content.translations.translation_file import in_language
from duckpress.content.translations.translation_keys import speech_of
from duckpress.core.language import PROGRAM
from duckpress.files.workspace import Workspace
from duckpress.press.checking import check
from duckpress.press.reading import load
from french_pond import FILES, FRENCH_FILE, french, with_file
from held_pond import Pond
from running import MakeWorkspace, write_files

BIRDS = "content/pond/decks/bird.yaml"
NARROW = "\u202f"


def labels(files: Mapping[str, str], make_workspace: MakeWorkspace) -> tuple[dict[str, str], list[str]]:
    game, problems, _ = french(make_workspace, files)
    return {name: field.label for name, field in game.decks["bird"].fields.items()}, [one.what for one in problems]


def with_fields(lines: str, files: Mapping[str, str] = FILES) -> dict[str, str]:
    return with_file(FRENCH_FILE, "decks:\n  bird:\n    title: Oiseaux\n", lines, files)


def test_a_translation_names_fields_of_all_decks_and_of_one(make_workspace: MakeWorkspace) -> None:
    lines = "fields: {sex: plumage, text: effet}\ndecks:\n  bird:\n    title: Oiseaux\n    fields: {text: valeur}\n"
    files = with_fields(lines)
    found, problems = labels(files, make_workspace)
    assert problems == []
    assert found == {"name": "", "sex": "plumage", "file": "", "text": "valeur"}
    game = french(make_workspace, files).game
    assert game.decks["event"].fields["text"].label == "effet"


def test_what_is_called_in_no_known_way_is_missing_once(make_workspace: MakeWorkspace) -> None:
    more = "sex: {kind: choice, choices: [drake, hen]}, span: number, wings: {kind: list, optional: yes}, hue: {kind: "
    more += "colour, optional: yes}"
    files = with_file(BIRDS, "sex: {kind: choice, choices: [drake, hen]}", more)
    files = with_file(BIRDS, '    file: "{{ bird.id }}.svg"\n', '    file: "{{ bird.id }}.svg"\n    span: 1.5\n', files)
    _, problems = labels(files, make_workspace)
    # Not `sex`, which many games have; not `file`, which holds no words; not the colour.
    assert problems == ["fr: names of fields: 2 texts are not translated: span, wings"]


def test_a_label_has_to_be_translated_and_is_held_against_its_original(make_workspace: MakeWorkspace) -> None:
    files = with_file(BIRDS, "file: {kind: text, translate: no}", "file: {kind: text, translate: no, label: picture}")
    found, problems = labels(files, make_workspace)
    assert problems == ["fr: names of fields: 1 text is not translated: file"]
    assert found["file"] == "picture"
    of = "fields: {file: {of: drawing, is: dessin}}\ndecks:\n  bird:\n    title: Oiseaux\n"
    found, problems = labels(with_fields(of, files), make_workspace)
    assert problems == ["fr: names of fields: the original has changed since the translation: file (line 14)"]
    assert found["file"] == "dessin"


def test_names_of_no_field_are_told(make_workspace: MakeWorkspace) -> None:
    lines = "fields: {sax: plumage}\ndecks:\n  bird:\n    title: Oiseaux\n    fields: {tags: signes}\n"
    _, problems = labels(with_fields(lines), make_workspace)
    assert "fr: there is no field 'sax' to translate" in problems
    assert "fr: there is no field 'tags' to translate" in problems


def test_choices_may_be_translated_that_no_face_shows(make_workspace: MakeWorkspace) -> None:
    face = "content/pond/layouts/bird.xml"
    files = with_file(face, " {{ card.sex|t }}", "")
    other = with_file(FRENCH_FILE, "  hen: femelle\n", "  hen: femelle\n  cob: mâle\n", files)
    for given, codes in ((files, []), (other, ["translation-unknown"])):
        workspace = make_workspace(given)
        assert [problem.code for problem in check(workspace, load(workspace, "pond")).problems] == codes


GAME = {
    "content/pond/game.yaml": """title: Marsh
version: "0.1"
designer: Nobody
players: 2
languages: [LANGUAGES]
theme: base
pieces: [{id: cards, title: Cards, decks: [bird, note]}]
lists: {seasons: {spring: {name: Spring}, autumn: {name: Autumn}}}
""",
    "content/pond/decks/bird.yaml": """title: Birds
size: mini
front: bird
fields:
  name: text
  flight_feathers: whole
  rare: yes-no
  span: number
  sex: {kind: choice, choices: [drake, hen]}
  season: {kind: choice, choices: [spring, autumn]}
  foods: {kind: list, label: eats}
cards:
  - {id: teal, name: Teal, flight_feathers: 9, rare: no, span: 1.5, sex: drake, season: spring, foods: [reed, seed]}
""",
    "content/pond/decks/note.yaml": """title: The note
size: mini
front: note
fields: {number: whole}
cards: [{id: first-note, number: 1}]
""",
    "content/pond/layouts/bird.xml": '<face><text x="4" y="4" width="36" height="50">'
    "{{ card.name }}{{ card.span }}{{ card.rare }}</text></face>",
    "content/pond/layouts/note.xml": '<face><text x="4" y="4" width="36" height="50">{{ card.number }}</text></face>',
    "content/pond/lang/fr.yaml": """title: Le marais
pieces: {cards: Cartes}
lists: {seasons: {spring: {name: Printemps}, autumn: {name: Automne}}}
fields: {flight_feathers: rémiges, rare: rare, season: saison, foods: mange}
decks:
  bird: {title: Oiseaux, fields: {span: envergure}, cards: {teal: {name: Sarcelle, foods: [roseau, graine]}}}
  note: {title: La note}
words: {drake: mâle, hen: femelle}
""",
}
OLD = "flight_feathers: 9, rare: no, span: 1.5, sex: drake, season: spring, foods: [reed, seed]"
NEW = "flight_feathers: 10, rare: yes, span: 2.5, sex: hen, season: autumn, foods: [reed, grit]"
CHANGES = {
    "decks/bird.yaml": (OLD, NEW), "decks/note.yaml": ("number: 1}", "number: 2}"),
    "lang/fr.yaml": ("graine", "gravier"), "game.yaml": ('"0.1"', '"0.2"'),
}  # fmt: skip


def marsh(make_workspace: MakeWorkspace, first: str, *more: str) -> Pond:
    game = GAME["content/pond/game.yaml"].replace("LANGUAGES", ", ".join((first, *more)))
    files = {**GAME, "content/pond/game.yaml": game}
    if not more:
        del files["content/pond/lang/fr.yaml"]
    return Pond(make_workspace(files))


def told(pond: Pond, *words: str) -> list[str]:
    """Release the game, change every field of its one bird, and give the lines of the changelog."""
    pond.release()
    for name, pair in CHANGES.items():
        if (pond.folder / name).is_file():
            pond.edit(name, pair)
    return changelog(pond, *words)


def changelog(pond: Pond, *words: str) -> list[str]:
    said = pond.done("changes", "pond", "--format", "markdown", *words)
    return [line.strip() for line in said.replace(NARROW, " ").replace("\u00a0", " ").splitlines() if line]


def test_changes_are_told_in_the_words_of_a_translation(make_workspace: MakeWorkspace) -> None:
    assert told(marsh(make_workspace, "en", "fr"), "--lang", "fr") == [
        "## Le marais 0.2",
        "Ce qui change de 0.1 à 0.2.",
        "### Oiseaux",
        "- Sarcelle (B1)",
        "- rémiges : 9 → 10",
        "- mange : roseau, \\[graine] → roseau, **gravier**",
        "- rare : non → oui",
        "- saison : Printemps → Automne",
        "- sexe : mâle → femelle",
        "- envergure : 1,5 → 2,5",
        "### La note",
        "- La note (N1) : numéro : 1 → 2",
    ]


def test_a_card_that_only_looks_different_and_a_new_language_are_told(make_workspace: MakeWorkspace) -> None:
    pond = marsh(make_workspace, "en", "fr")
    pond.edit("game.yaml", ("[en, fr]", "[en]"))
    pond.release()
    pond.edit("game.yaml", ("[en]", "[en, fr]"))
    pond.edit("layouts/note.xml", ('x="4"', 'x="5"'))
    told = {
        "en": ["## Marsh 0.1", "What changed from 0.1 to 0.1.", "Now also in another language: fr.", "### The note",
               "- The note (N1): looks different"],
        "fr": ["## Le marais 0.1", "Ce qui change de 0.1 à 0.1.", "Désormais aussi dans une autre langue : fr."],
    }  # fmt: skip
    for language, lines in told.items():
        assert changelog(pond, "--lang", language)[: len(lines)] == lines


def test_a_game_written_in_another_language_has_its_own_words_and_the_names_that_games_share(
    make_workspace: MakeWorkspace,
) -> None:
    lines = {"- sexe : drake → hen", "- flight feathers : 9 → 10", "- eats : reed, \\[seed] → reed, **grit**"}
    assert lines <= set(told(marsh(make_workspace, "fr")))


def test_names_of_fields_are_taken_to_be_english(make_workspace: MakeWorkspace) -> None:
    pond = marsh(make_workspace, "fr", "en")
    write_files(pond.folder, {"lang/en.yaml": "title: Marsh\n"})
    game = load(pond.workspace, "pond").game
    assert game is not None
    told = [one.what for one in in_language(pond.workspace, game, "en").problems if "names of fields" in one.what]
    assert told == ["en: names of fields: 1 text is not translated: foods"]  # the one with a label


def test_the_language_of_text_and_json_is_no_choice(make_workspace: MakeWorkspace) -> None:
    pond = marsh(make_workspace, "en", "fr")
    for words in (("--lang", "fr"), ("--lang", "fr", "--format", "json")):
        assert "text and JSON tell all languages" in pond.done("changes", "pond", *words, status=2)
    pond.done("changes", "pond", "--format", "markdown", "--lang", "de", status=2)


def test_names_that_games_share_are_the_same_in_every_language(project: Workspace) -> None:
    names = {one: speech_of(project, {}, one, is_original=True).value.fields for one in ("de", "es", "fr", "it", "nl")}
    assert all(set(shared) == set(names["fr"]) and all(shared.values()) for shared in names.values())
    assert speech_of(project, {}, PROGRAM, is_original=True).value.fields == {}
