"""A game laid out for its page, and its pieces in another ink when they are asked for."""

from __future__ import annotations

from duckpress.files.workspace import Workspace
from duckpress.layout import LaidOut
from duckpress.press.reading import Loaded
from duckpress.press.typesetting import TypesetTask, lay_out_faces
from duckpress.views.export_files import ExportRequest, chosen_pieces
from duckpress.views.face_pictures import lay_out_game


class GamePieces:
    """A game as its page shows it (`shown`): every face that can be drawn, whatever is wrong with it or with others.

    `loaded` is the game as its files say it, in its first language.
    """

    def __init__(self, workspace: Workspace, loaded: Loaded, request: ExportRequest) -> None:
        self.loaded = loaded
        self.request = request
        self.shown = lay_out_game(
            workspace, loaded, language=request.language, ink=request.ink, pieces=request.pieces, is_draft=True
        )
        self._workspace = workspace
        self._others: dict[tuple[str, str], LaidOut | None] = {}

    @property
    def every(self) -> list[LaidOut]:
        """The pieces that are shown: those with cards, and those that are read."""
        checked = self.shown.checked
        return [*chosen_pieces(checked, self.request), *(one for one in checked.pieces if one.pages)]

    def in_ink(self, shown: LaidOut, ink: str) -> LaidOut | None:
        """Return a piece that is shown as it is in an ink; None where none of it can be drawn. Books are as shown."""
        game, piece = self.shown.checked.game, shown.piece
        if game is None or piece.book or ink == self.request.ink:
            return shown
        key = piece.id, ink
        if key not in self._others:
            task = TypesetTask(self._workspace, game, self.shown.fonts, [piece], ink=ink, frames=self.loaded.frames)
            self._others[key] = next(iter(lay_out_faces(task).pieces), None)
        return self._others[key]
