"""A game in its second language: every text in its place, and everything missing, stale or for nothing told once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
import yaml

from duckpress.content import load_game
from duckpress.content.translations.translation_file import in_language
from duckpress.core.language import phrase_key, program
from duckpress.core.problems import Level, Problem
from duckpress.press.checking import check
from duckpress.press.reading import load
from french_pond import FILES, FRENCH_FILE, MakeWorkspace, french, with_file


def checked(make_workspace: MakeWorkspace, files: Mapping[str, str]) -> Sequence[Problem]:
    workspace = make_workspace(files)
    return check(workspace, load(workspace, "pond")).problems


def test_the_whole_game_is_translated(make_workspace: MakeWorkspace) -> None:
    game, problems, _ = french(make_workspace)
    assert problems == []
    assert (game.language, game.title, game.about) == ("fr", "L'étang", "Un jeu de canards.")
    assert [piece.title for piece in game.pieces if not piece.book] == ["Cartes"]
    assert [(credit.role, credit.name) for credit in game.credits] == [("Conception", "Ann")]
    assert game.notes[0][:3] == ("La main", "deux", "trois étaient de trop")
    assert game.bring == ("un crayon",)
    assert game.facts == {"season": "automne", "hand": 2}
    assert game.lists["birds"]["smew"] == {
        "id": "smew", "name": "Harle piette", "value": 2, "icon": "heart",
        "habit": {"food": "poissons", "nest": ("arbres", 3)},
    }  # fmt: skip
    assert [deck.title for deck in game.decks.values()] == ["Oiseaux", "Événements"]


def test_families_are_filled_again_and_keep_ids_and_choices(make_workspace: MakeWorkspace) -> None:
    game = french(make_workspace).game
    cards = {card.id: card.values for card in game.decks["bird"].cards}
    assert list(cards) == ["teal-drake", "teal-hen", "smew-drake", "smew-hen"]
    smew = {"name": "Harle piette", "sex": "drake", "file": "smew.svg", "text": "Vaut 2 en automne."}
    assert cards["smew-drake"] == smew
    assert cards["teal-hen"]["text"] == "Vaut 1, rien de plus."
    assert game.decks["event"].cards[0].values["tags"] == ("temps", "mauvais")
    assert game.decks["event"].cards[0].copies == 2


def test_a_family_without_an_id_is_a_mistake_of_the_deck_alone(make_workspace: MakeWorkspace) -> None:
    path = "content/pond/decks/bird.yaml"
    workspace = make_workspace(with_file(path, '    id: "{{ bird.name|lower }}-{{ sex }}"\n', ""))
    game, problems = load_game(workspace, "pond")
    assert game is not None
    assert {problem.source.file for problem in problems} == {path}
    assert in_language(workspace, game, "fr").game.decks["bird"].cards == ()


def test_without_a_file_one_warning_says_so(make_workspace: MakeWorkspace) -> None:
    files = {path: text for path, text in FILES.items() if path != FRENCH_FILE}
    game, problems, _ = french(make_workspace, files)
    assert [(problem.code, problem.level) for problem in problems] == [("translation-missing", Level.WARNING)]
    assert problems[0].source == game.languages[1].source
    assert (game.title, game.language) == ("Pond", "fr")


# What is written otherwise and how, the code, and words of the one finding it gives.
MISTAKES = yaml.safe_load(r"""
a choice: ["teal-hen: {text:", "teal-hen: {sex: cane, text:", unknown, "print it with |t"]
a text left out: ["licence: Imprimez-le et jouez.\n", "", missing, "game.yaml: 1 text is not translated: licence"]
a card left out: ["      storm:\n        name: Tempête !\n", "      storm:\n", missing,
  "deck 'event': 1 text is not translated: storm.name"]
a record left out: ["name: Sarcelle, ", "", missing, "list 'birds': 1 text is not translated: teal.name"]
a list instead of a text: ["        name: Tempête !\n", "        name: [Tempête]\n", wrong-type,
  "'storm.name' is a list, not a text"]
a note left out: ["  The hand: {subject: La main, choice: deux, reason: \
  {of: three were too many, is: trois étaient de trop}}\n", "  {}\n", missing, "'The hand'"]
a setup note left out: ["    Shuffle well.: Mélangez bien.\n", "", missing, "'Shuffle well.'"]
a word left out: ["  Back: Dos\n", "", missing, "words of the layouts: 1 text is not translated: 'Back'"]
a card's original: ['of: "Discard **one** card {star}."', 'of: "Discard a card {star}."', stale,
  "deck 'event': the original has changed since the translation: storm.text (line 25)"]
a setup note's original: ["    Shuffle well.: ", "    Shuffle it well.: ", stale, "'Shuffle it well.'"]
a list with more texts: ["tags: [temps, {of: bad, is: mauvais}]", "tags: [temps, mauvais, froid]", stale,
  "storm.tags, now 2 texts"]
a card that is gone: ["      storm:\n", "      strom: {name: Orage}\n      storm:\n", unknown,
  "deck 'event' has no card 'strom'"]
a number: ["facts: {season: automne}", "facts: {season: automne, hand: deux}", unknown,
  "'facts.hand' of facts is no text"]
a word nobody says: ["words:\n", "words:\n  Zugzwang: Zugzwang\n", unknown, "nothing says 'Zugzwang'"]
a piece that is gone: ["pieces: {cards: Cartes}", "pieces: {cards: Cartes, board: Plateau}", unknown,
  "there is no piece 'board'"]
an icon lost: ['is: "Défaussez **une** carte {star}."', 'is: "Défaussez **une** carte."', differs, "leaves out {star}"]
a value misspelt: ['other: "{n} points chacun"', 'other: "{m} points chacun"', differs, "leaves out {n} and has {m}"]
a plural form the language lacks: ['{one: "{n} point chacun",', '{few: "{n} point chacun",', unknown-plural,
  "which 'fr' does not have"]
no form for the rest: ['other: "{n} points chacun"', 'many: "{n} points chacun"', missing-key,
  "has no plural form 'other'"]
a note that names nothing: ["Mélangez {{ draw }} oiseaux.", "Mélangez {{ draws }} oiseaux.", unknown-name,
  "nothing is named 'draws'"]
a pattern that names nothing: ["Vaut {{ bird.value }} en", "Vaut {{ bird.worth }} en", unknown-name, worth]
""")


@pytest.mark.sweep(4)
@pytest.mark.parametrize("name", MISTAKES)
def test_each_mistake_is_one_finding_at_its_place(name: str, make_workspace: MakeWorkspace) -> None:
    old, new, code, words = MISTAKES[name]
    code = f"translation-{code}" if code in ("missing", "stale", "unknown", "differs") else code
    found = checked(make_workspace, with_file(FRENCH_FILE, old, new))
    matching = [problem for problem in found if problem.code == code and words in problem.what]
    assert len(matching) == 1, [str(problem) for problem in found]
    assert matching[0].source.file == FRENCH_FILE
    expected = Level.WARNING if code.startswith("translation-") else Level.ERROR
    assert matching[0].level is expected
    assert matching[0].fix
    # What cannot be read is missing too, a name missing in a list is missing on its cards, {m} would be an icon.
    is_alone = code.startswith("translation-") and "list 'birds'" not in words and "{m}" not in words
    assert not is_alone or len(found) == 1, [str(problem) for problem in found]


def test_line_breaks_do_not_make_an_original_stale(make_workspace: MakeWorkspace) -> None:
    files = with_file(
        FRENCH_FILE,
        "{of: A game of ducks., is: Un jeu de canards.}",
        "\n  of: >-\n    A game\n    of  ducks.\n  is: Un jeu de canards.",
    )
    assert french(make_workspace, files).problems == []


def test_the_same_word_in_both_languages_has_to_be_written_once(make_workspace: MakeWorkspace) -> None:
    files = with_file(FRENCH_FILE, "name: Sarcelle", "name: Teal")
    game, problems, _ = french(make_workspace, files)
    assert problems == []
    assert game.lists["birds"]["teal"]["name"] == game.decks["bird"].cards[0].values["name"] == "Teal"


def test_many_missing_texts_are_one_finding(make_workspace: MakeWorkspace) -> None:
    cards = "".join(f"  - {{id: extra-{number}, name: Extra {number} one, text: Words.}}\n" for number in range(200))
    files = {**FILES, "content/pond/decks/event.yaml": FILES["content/pond/decks/event.yaml"] + cards}
    found = french(make_workspace, files).problems
    assert [problem.code for problem in found] == ["translation-missing"]
    assert "400 texts are not translated" in found[0].what
    assert "and 392 more" in found[0].what


def test_a_file_for_a_language_the_game_does_not_list(make_workspace: MakeWorkspace) -> None:
    found = checked(make_workspace, {**FILES, "content/pond/lang/de.yaml": "title: Teich\n"})
    assert [(one.code, one.source.file) for one in found] == [("translation-unknown", "content/pond/lang/de.yaml")]


def test_the_first_language_may_have_plural_forms_and_nothing_else(make_workspace: MakeWorkspace) -> None:
    words = 'words:\n  "{n} points each": {one: "{n} point each", other: "{n} points each"}\n'
    workspace = make_workspace({**FILES, "content/pond/lang/en.yaml": words})
    game, problems = load_game(workspace, "pond")
    assert (game is not None, problems) == (True, [])
    assert game is not None
    assert game.speech.t("{n} points each", {"n": 1}) == "1 point each"
    workspace = make_workspace({**FILES, "content/pond/lang/en.yaml": words + "title: Pool\n"})
    assert [problem.code for problem in load_game(workspace, "pond")[1]] == ["unknown-key"]


def test_a_workspace_adds_to_the_shared_words_and_wins_over_them(make_workspace: MakeWorkspace) -> None:
    shared = "words:\n  back: dos\n  Tide: Marée\n"
    game = french(make_workspace, {**FILES, "layouts/lang/fr.yaml": shared}).game
    spoken = [game.speech.program("back"), game.speech.program("front"), game.speech.t("Tide")]
    assert spoken == ["dos", "recto", "Marée"]


def test_a_text_too_long_names_the_language(make_workspace: MakeWorkspace) -> None:
    files = with_file(FRENCH_FILE, "name: Tempête !", "name: Tempête " + "interminable " * 12)
    found = [problem for problem in checked(make_workspace, files) if problem.level is Level.ERROR]
    assert [problem.code for problem in found] == ["text-overflow"]
    assert "(language fr)" in found[0].what
    assert f"card 'storm' ({FRENCH_FILE}:" in found[0].what


CZECH = """words:
  "keep {n}": {one: "nechte {n} kartu", few: "nechte {n} karty", many: "nechte {n} karty", other: "nechte {n} karet"}
"""


def test_the_words_that_the_program_does_not_have_in_a_language_are_one_warning(make_workspace: MakeWorkspace) -> None:
    files = {path: text for path, text in FILES.items() if path != FRENCH_FILE}
    game = str(files["content/pond/game.yaml"]).replace("languages: [en, fr]", "languages: [en, cs]")
    files |= {"content/pond/game.yaml": game, "layouts/lang/cs.yaml": CZECH}
    of_program = [one for one in checked(make_workspace, files) if "words of the program" in one.what]
    assert [(one.code, one.level) for one in of_program] == [("translation-missing", Level.WARNING)]
    count = len(set(map(phrase_key, program.WORDS))) - 1
    assert f"cs: words of the program: {count} texts are not translated: " in of_program[0].what
    fix = "translate them in layouts/lang/cs.yaml; those with {n} have the plural forms one, few, many, other"
    assert of_program[0].fix == fix
    assert of_program[0].source.file == "content/pond/game.yaml"
    original = load(make_workspace(files), "pond").game
    assert original is not None
    say = in_language(make_workspace(files), original, "cs").game.speech.program
    assert [say(program.KEEP, {"n": n}).rpartition(" ")[2] for n in (1, 2, 5)] == ["kartu", "karty", "karet"]


def test_words_of_layouts_are_not_told_among_those_of_the_program(make_workspace: MakeWorkspace) -> None:
    game = str(FILES["content/pond/game.yaml"]).replace("languages: [en, fr]", "languages: [en, fr, cs]")
    files = {**FILES, "content/pond/game.yaml": game, "content/pond/lang/cs.yaml": "words: {drake: kačer}\n"}
    what = next(one.what for one in checked(make_workspace, files) if "words of the lay" in one.what)
    assert what == "cs: words of the layouts: 3 texts are not translated: 'Back', '{n} points each', 'hen'"
