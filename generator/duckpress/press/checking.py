"""From text to a checked game, typeset: all findings about a game before a sheet is printed.

The findings of a game are those of three steps: before its cards are laid out (`before_layout`), of laying them out
(`press.typesetting`), and after that (`after_layout`). `check` takes them one after the other. A build and a page lay
out the cards themselves, and so do two of the steps here.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from msgspec.structs import replace

from duckpress.check import accept_findings, unused_acceptances, wrong_words
from duckpress.check.all_findings import known_findings, rules_key
from duckpress.check.copy_games import edition_problems
from duckpress.content.translations.translation_file import (
    in_language,
    program_words_missing,
    unused_files,
    words_checked,
)
from duckpress.content.translations.translation_keys import file_of
from duckpress.core.language import RecordingSpeech, phrase_key, program
from duckpress.core.problems import Problem, has_errors
from duckpress.files.memo import Memo, form_of, key_of
from duckpress.files.workspace import Refused, Workspace
from duckpress.layout import LaidOut, fixed_words
from duckpress.model import Game, Piece
from duckpress.press.packet import packet_layout_problems
from duckpress.press.reading import Checked, Loaded, named, player_counts, variants_of
from duckpress.press.request import Request, Step
from duckpress.press.sheets.piece_sheets import oversize_pieces
from duckpress.press.typesetting import TypesetPieces, TypesetTask, in_ink, typeset
from duckpress.store import COVER
from duckpress.text.fonts import FontLibrary

USUAL_PAPERS = ("a4", "letter")
"""What rules are looked at on, whatever is printed."""

_FINDINGS, _WORDS = form_of(list[Problem]), form_of(list[str])


def check(
    workspace: Workspace, loaded: Loaded, *, players: int | None = None, variant: str | None = None,
    inks: Sequence[str] = ("color",),
) -> Checked:  # fmt: skip
    """Return all findings about a game: at one player count or all, in one variant or all.

    It is typeset in full in the first ink; of the others, what is found there only is added. A build in this ink, and
    the page of the game, find the same: they go through the same three steps, with what they lay out themselves. Where
    files cannot be read as they are, cards are not looked at: most of it would follow from that.
    """
    game = loaded.game
    if game is None:
        return Checked(loaded.game_id, None, loaded.problems)
    problems = before_layout(workspace, loaded, players, variant)
    if loaded.has_errors:
        return Checked(game.id, game, named(game.id, problems))
    task = TypesetTask(workspace, game, FontLibrary(workspace), plain_pieces(game), ink=inks[0], frames=loaded.frames)
    pieces, findings = typeset(task)
    problems += [*findings, *oversize_pieces(game, pieces, Request())]
    for ink in inks[1:]:
        known = {(problem.source, problem.what) for problem in problems}
        findings = typeset(replace(task, ink=ink)).problems
        problems += [one for one in findings if (one.source, one.what.removeprefix(in_ink(ink))) not in known]
    more, findings = after_layout(task, problems, inks, players)
    return Checked(game.id, game, named(game.id, [*problems, *findings]), (*pieces, *more))


def covered_words(checked: Checked, players: int | None, variant: str | None) -> str:
    """Return in words what a check covered: `2-4 players, 1 variant, 9 decks, 1 language`."""
    game = checked.game
    if game is None or (checked.has_errors and not checked.pieces):
        return "only whether the files can be read"
    counts = player_counts([players] if players is not None else game.players)
    variants = len(variants_of(game)) if variant is None else 0
    amounts = {"variant": variants, "deck": len(game.decks), "language": len(game.languages)}
    parts = [f"{count} {word}{'s' if count > 1 else ''}" for word, count in amounts.items() if count]
    parts = [f"variant {variant}", *parts] if variant is not None else parts
    return ", ".join((f"{counts} player{'s' if counts != '1' else ''}", *parts))


def before_layout(
    workspace: Workspace, loaded: Loaded, players: int | None = None, variant: str | None = None
) -> list[Problem]:
    """Return the findings about a game before its cards are laid out: of its files, its setup, its edition."""
    game = loaded.game
    assert game is not None
    memo, slot = Memo() if loaded.frames is None else loaded.frames.memo, repr((players, variant))
    problems = [*loaded.problems, *known_findings(game, memo, workspace, players, variant)]
    if not has_errors(problems):
        asked = "chance", game.id, game.language, slot
        chance = memo.once(asked, rules_key(game), workspace, lambda _: _of_chance(game, players, variant), _FINDINGS)
        problems += chance
    problems += accept_findings(game, edition_problems(workspace, game)) if game.edition is not None else ()
    return problems


def after_layout(
    task: TypesetTask, problems: Sequence[Problem], inks: Sequence[str], players: int | None = None
) -> TypesetPieces:
    """Return the findings about a game after layout in its first language: its packets, its other languages.

    `problems` are what was found before, in these inks. An error in what is found here leaves the cards of `task` as
    they are.
    """
    game = task.game
    findings = [] if has_errors(problems) else packet_layout_problems(task, players)
    pieces, more = _check_languages(task, players)
    findings += more
    if {piece.id for piece in task.pieces} >= {piece.id for piece in plain_pieces(game)}:
        findings += unused_acceptances(game, [*problems, *findings], of_rules=False, inks=inks)
    return TypesetPieces(pieces, findings)


def all_findings(checked: Checked, task: TypesetTask, original: Game) -> Checked:
    """Return findings with those beyond the printed pieces, in all of the game's languages."""
    problems = [*checked.problems]
    if task.game.language != original.language:
        chosen = {piece.id for piece in task.pieces}
        pieces = [piece for piece in plain_pieces(original) if piece.id in chosen]
        task = replace(task, game=original, pieces=pieces, language=None)
        problems += typeset(task).problems
    problems += after_layout(task, problems, (task.ink,)).problems
    return replace(checked, problems=named(original.id, problems))


def plain_pieces(game: Game) -> list[Piece]:
    """Return the pieces that need no deal."""
    return [piece for piece in game.pieces if game.dealt_to(piece) is None]


def _check_languages(task: TypesetTask, players: int | None) -> TypesetPieces:
    """Check the other languages of a laid-out game: translations, words and layouts."""
    workspace, game = task.workspace, task.game
    problems = [*unused_files(workspace, game), *program_words_missing(game, _used(RecordingSpeech.of(game.speech)))]
    pieces: list[LaidOut] = []
    wanted = {piece.id for piece in task.pieces}
    is_whole = wanted >= {piece.id for piece in plain_pieces(game)}
    languages = [language.code for language in game.languages[1:]]
    originals = _words_in_templates(task) if languages else set()
    # Changes are told with the words that cards choose from, also where no face shows them.
    choices = (field.choices for deck in game.decks.values() for field in deck.fields.values())
    originals |= {phrase_key(word) for words in choices for word in words}
    for language in languages:
        translated = in_language(workspace, game, language)
        # A note may calculate: what it names has to be there in the translation too.
        wrong = [one for one in _wrong_words(task, translated.game) if one.source.file == file_of(game, language)]
        speech = _used(RecordingSpeech.of(translated.game.speech))
        chosen = [piece for piece in plain_pieces(translated.game) if piece.id in wanted]
        other = replace(task, game=replace(translated.game, speech=speech), pieces=chosen)
        laid_out, findings = typeset(other)
        pieces += laid_out
        problems += [*translated.problems, *wrong, *findings, *packet_layout_problems(other, players)]
        if is_whole:
            problems += words_checked(translated, speech, originals)  # else some stand on what was not laid out
        problems += program_words_missing(game, speech)
    return TypesetPieces(pieces, accept_findings(game, problems))


def _used(speech: RecordingSpeech) -> RecordingSpeech:
    """Return a speech in which every word of the program has been used."""
    for words in program.WORDS:
        speech.program(words)
    return speech


def _wrong_words(task: TypesetTask, game: Game) -> list[Problem]:
    """Return the unknown names in the setup of a game in another language."""
    key = rules_key(game) if task.frames is not None else ""
    memo = _memo_of(task)
    return memo.once(
        ("wrong-words", game.id, game.language), key, task.workspace, lambda _: wrong_words(game), _FINDINGS
    )


def _memo_of(task: TypesetTask) -> Memo:
    return Memo() if task.frames is None else task.frames.memo


def _words_in_templates(task: TypesetTask) -> set[str]:
    """Return the keys of the fixed words in all templates that the game may use."""
    memo, every = _memo_of(task), set[str]()
    for folder in (f"{task.game.folder}/layouts", "layouts"):

        def find(workspace: Workspace, folder: str = folder) -> list[str]:
            found: set[str] = set()
            for path in workspace.files(folder, ".xml"):
                with suppress(Refused, UnicodeDecodeError):  # told where a deck uses it
                    found |= fixed_words(workspace.read(path).decode("utf-8-sig"))
            return sorted(found)

        words = memo.once(("template-words", folder), key_of(folder), task.workspace, find, _WORDS)
        every.update(words)
    return every


def check_to_print(workspace: Workspace, loaded: Loaded, request: Request, step: Step) -> Checked:
    """Return a game, already read, with all findings before its cards are laid out.

    Problem: `duplicate-id`, where a piece bears the id of the cover sheet.
    """
    game = loaded.game
    if game is None:
        return Checked(loaded.game_id, game, loaded.problems)
    step("checking")
    problems = before_layout(workspace, loaded)
    for piece in game.pieces if request.wants_cover(game) else ():
        if piece.id == COVER:
            what = f"the piece id {COVER!r} is taken by the cover sheet"
            fix = "call the piece otherwise, or build with --no-cover"
            problems.append(Problem("duplicate-id", piece.source, what, fix))
    return Checked(game.id, game, named(game.id, problems))


def _of_chance(game: Game, players: int | None = None, variant: str | None = None) -> list[Problem]:
    """Return the problems of odds and rounds; `chance` is imported only for games that have them."""
    setup = game.setup
    if setup is None:
        return []
    has_rounds = setup.rounds is not None or any(way.rounds is not None for way in setup.all_variants.values())
    if not setup.odds and not has_rounds:
        return []
    from duckpress.chance import odds_problems, playout_problems

    problems = odds_problems(game, players, variant) if setup.odds else []
    return [*problems, *playout_problems(game, players, variant)] if has_rounds else list(problems)
