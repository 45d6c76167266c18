"""From text to a checked game, typeset: everything that can be said about a game before a sheet is printed."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from duckpress.check import accept_findings, check_game, unused_acceptances, wrong_words
from duckpress.check.known_rules import KnownRules
from duckpress.content.translations.translation_file import (
    in_language,
    program_words_missing,
    unused_files,
    words_checked,
)
from duckpress.content.translations.translation_keys import file_of
from duckpress.core.problems import Problem, has_errors
from duckpress.editions.plan_checks import edition_problems
from duckpress.files.workspace import Refused, Workspace
from duckpress.fonts import FontLibrary
from duckpress.language import RecordingSpeech, phrase_key, program
from duckpress.layout import LaidOut, fixed_words
from duckpress.model import Game, Piece
from duckpress.press.packets.packet_deal import packet_layout_problems
from duckpress.press.reading import Checked, Loaded, named
from duckpress.press.request import Request, Step
from duckpress.press.typeset_task import TypesetPieces, TypesetTask, in_ink
from duckpress.press.typesetting import typeset
from duckpress.store import COVER


def check(
    workspace: Workspace,
    loaded: Loaded,
    *,
    players: int | None = None,
    variant: str | None = None,
    inks: Sequence[str] = ("color",),
) -> Checked:
    """Check a game: its files, its components (at one player count or all, in one variant or all), its typesetting.

    It is typeset in full in the first ink; of the others, what is found there only is added.
    """
    game = loaded.game
    if game is None:
        return Checked(loaded.game_id, None, loaded.problems)
    problems = [*loaded.problems, *check_game(game, players, variant)]
    problems += () if has_errors(problems) else _of_chance(game, players, variant)
    problems += accept_findings(game, edition_problems(workspace, game)) if game.edition is not None else ()
    pieces: list[LaidOut] = []
    if not loaded.has_errors:
        speech = RecordingSpeech.of(game.speech)
        game = replace(game, speech=speech)
        fonts = FontLibrary(workspace)
        task = TypesetTask(workspace, game, fonts, plain_pieces(game), ink=inks[0], frames=loaded.frames)
        pieces, found = typeset(task)
        problems += found
        for ink in inks[1:]:
            known = {(problem.source, problem.what) for problem in problems}
            other = replace(task, ink=ink)
            found = typeset(other).problems
            problems += [one for one in found if (one.source, one.what.removeprefix(in_ink(ink))) not in known]
        if not has_errors(problems):
            problems += packet_layout_problems(task, players)
        more, found = _check_languages(task, speech, players)
        pieces += more
        problems += found
        problems += unused_acceptances(game, problems, of_rules=False, inks=inks)
    return Checked(loaded.game_id, loaded.game, named(loaded.game_id, problems), tuple(pieces))


def plain_pieces(game: Game) -> list[Piece]:
    """Return the pieces that need no deal."""
    return [piece for piece in game.pieces if game.dealt_to(piece) is None]


def _check_languages(task: TypesetTask, speech: RecordingSpeech, players: int | None) -> TypesetPieces:
    """Check the further languages of a game that has been laid out in its first: translations, words and layouts."""
    workspace, game = task.workspace, task.game
    problems = [*unused_files(workspace, game), *program_words_missing(game, _asked(speech))]
    pieces: list[LaidOut] = []
    languages = [language.code for language in game.languages[1:]]
    originals = _words_in_templates(workspace, game) if languages else set()
    # Changes are told with the words that cards choose from, also where no face shows them.
    choices = (field.choices for deck in game.decks.values() for field in deck.fields.values())
    originals |= {phrase_key(word) for words in choices for word in words}
    for language in languages:
        translated = in_language(workspace, game, language)
        speech = _asked(RecordingSpeech.of(translated.game.speech))
        other = replace(translated.game, speech=speech)
        # A note may calculate: what it names has to be there in the translation too.
        wrong = [problem for problem in wrong_words(other) if problem.source.file == file_of(game, language)]
        other_task = replace(task, game=other, pieces=plain_pieces(other))
        laid_out, found = typeset(other_task)
        found += packet_layout_problems(other_task, players)
        pieces += laid_out
        problems += [*translated.problems, *wrong, *found, *words_checked(translated, speech, originals)]
        problems += program_words_missing(game, speech)
    return TypesetPieces(pieces, accept_findings(game, problems))


def _asked(speech: RecordingSpeech) -> RecordingSpeech:
    """Return a speech that was asked for every word of the program's own."""
    for words in program.WORDS:
        speech.program(words)
    return speech


def _words_in_templates(workspace: Workspace, game: Game) -> set[str]:
    words: set[str] = set()
    for folder in (f"{game.folder}/layouts", "layouts"):
        for path in workspace.files(folder, ".xml"):
            try:
                words |= fixed_words(workspace.read(path).decode("utf-8-sig"))
            except (Refused, UnicodeDecodeError):  # told where a deck uses it
                continue
    return words


def check_to_print(loaded: Loaded, request: Request, step: Step) -> Checked:
    """Return a game that has been read with everything that can be said of it before its cards are laid out.

    Problem: `duplicate-id`, where a piece bears the id of the cover sheet.
    """
    game = loaded.game
    if game is None or loaded.has_errors:
        return Checked(loaded.game_id, game, loaded.problems)
    step("checking")
    rules = KnownRules() if loaded.frames is None else loaded.frames.rules(game)
    problems = [*loaded.problems, *rules.once(game, "findings", lambda: check_game(game))]
    problems += () if has_errors(problems) else rules.once(game, "chance", lambda: _of_chance(game))
    for piece in game.pieces if request.wants_cover(game) else ():
        if piece.id == COVER:
            what = f"the piece id {COVER!r} is taken by the cover sheet"
            fix = "call the piece otherwise, or build with --no-cover"
            problems.append(Problem("duplicate-id", piece.source, what, fix))
    return Checked(game.id, game, named(game.id, problems))


def _of_chance(game: Game, players: int | None = None, variant: str | None = None) -> list[Problem]:
    """Return what is wrong with odds and rounds; what answers and plays is loaded only for games that have them."""
    problems: list[Problem] = []
    setup = game.setup
    if setup is None:
        return problems
    if setup.odds:
        from duckpress.odds import odds_problems

        problems += odds_problems(game, players, variant)
    if setup.rounds is not None or any(way.rounds is not None for way in setup.all_variants.values()):
        from duckpress.playtest import playout_problems

        problems += playout_problems(game, players, variant)
    return problems
