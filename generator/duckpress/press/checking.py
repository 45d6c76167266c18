"""From text to a checked game, typeset: everything that can be said about a game before a sheet is printed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from duckpress.check import accept_findings, check_game, setup_table, unused_acceptances
from duckpress.content import load_game
from duckpress.core.problems import Problem, has_errors, sorted_problems
from duckpress.files.workspace import Workspace
from duckpress.model import Game, Piece
from duckpress.press.faces.legible import in_ink
from duckpress.press.faces.typesetting import typeset
from duckpress.press.translate import check_languages

if TYPE_CHECKING:
    from duckpress.check import SetupTable
    from duckpress.layout import LaidOut
    from duckpress.press.faces.frame_store import FrameStore


class Loaded(Struct, frozen=True):
    """A game as its files say it, and the problems of form; `game` is None where they are too broken to go on.

    `frames` are the faces that earlier runs left, for whoever lays the game out: those that are still the same are not
    laid out again.
    """

    game_id: str
    game: Game | None
    problems: tuple[Problem, ...]
    frames: FrameStore | None = None

    @property
    def has_errors(self) -> bool:
        """Whether an error stands."""
        return has_errors(self.problems)


class Checked(Struct, frozen=True):
    """A game with everything found about it; `pieces` are typeset (none where the game could not be loaded)."""

    game_id: str
    game: Game | None
    problems: tuple[Problem, ...]
    pieces: tuple[LaidOut, ...] = ()

    @property
    def has_errors(self) -> bool:
        """Whether an error stands."""
        return has_errors(self.problems)


def load(workspace: Workspace, game_id: str) -> Loaded:
    """Read a game's files."""
    return as_read(game_id, *load_game(workspace, game_id))


def as_read(game_id: str, game: Game | None, problems: list[Problem]) -> Loaded:
    """Give a game as it was read, without what its designer accepts."""
    return Loaded(game_id, game, named(game_id, accept_findings(game, problems) if game is not None else problems))


def variants_of(game: Game) -> tuple[str, ...]:
    """Give the ids of a game's variants."""
    return tuple(game.setup.variants) if game.setup is not None else ()


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
    from duckpress.fonts import FontLibrary
    from duckpress.press.packets.packet import packet_layout_problems

    game, frames = loaded.game, loaded.frames
    if game is None:
        return Checked(loaded.game_id, None, loaded.problems)
    problems = [*loaded.problems, *check_game(game, players, variant)]
    pieces: list[LaidOut] = []
    if not loaded.has_errors:
        fonts = FontLibrary(workspace)
        pieces, found = typeset(workspace, game, fonts, _plain_pieces(game), players=None, ink=inks[0], frames=frames)
        problems += found
        for ink in inks[1:]:
            found = typeset(workspace, game, fonts, _plain_pieces(game), players=None, ink=ink, frames=frames)[1]
            known = {(problem.source, problem.what) for problem in problems}
            problems += [one for one in found if (one.source, one.what.removeprefix(in_ink(ink))) not in known]
        if not has_errors(problems):
            problems += packet_layout_problems(workspace, game, fonts, players, inks[0])

        def lay_out(spoken: Game) -> tuple[list[LaidOut], list[Problem]]:
            laid_out, found = typeset(
                workspace, spoken, fonts, _plain_pieces(spoken), players=None, ink=inks[0], frames=frames
            )
            return laid_out, [*found, *packet_layout_problems(workspace, spoken, fonts, players, inks[0])]

        more, found = check_languages(workspace, game, lay_out)
        pieces += more
        problems += found
        problems += unused_acceptances(game, problems, of_rules=False, inks=inks)
    return Checked(loaded.game_id, game, named(loaded.game_id, problems), tuple(pieces))


def _plain_pieces(game: Game) -> list[Piece]:
    """Give the pieces that need no deal."""
    return [piece for piece in game.pieces if game.dealt_to(piece) is None]


def tables(loaded: Loaded) -> tuple[Loaded, list[SetupTable]]:
    """Give the setup tables of a game, the plain game's first and then each variant's, and what is wrong with them."""
    game = loaded.game
    if game is None or game.setup is None:
        return loaded, []
    problems = named(game.id, [*loaded.problems, *check_game(game)])
    return replace(loaded, problems=problems), [setup_table(game, variant) for variant in (None, *variants_of(game))]


def named(game_id: str, problems: Sequence[Problem]) -> tuple[Problem, ...]:
    """Give the problems sorted, each naming its game."""
    return tuple(sorted_problems(problem if problem.game else problem._replace(game=game_id) for problem in problems))
