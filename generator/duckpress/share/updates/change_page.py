"""What changed between two versions -> a picture: PDF pages, or one PNG as high as it has to be."""

from __future__ import annotations

from collections.abc import Callable

from duckpress.art.raster.pixels import png_bytes
from duckpress.core.inks import PLAIN
from duckpress.core.problems import has_errors
from duckpress.core.sizes import PAPERS
from duckpress.core.units import MM_PER_INCH
from duckpress.files.workspace import Workspace
from duckpress.language import sharing
from duckpress.layout import load_theme
from duckpress.press.print_job import PrintJob
from duckpress.press.printing import Press
from duckpress.press.reading import Checked, Loaded
from duckpress.press.request import Request
from duckpress.rulebook.leaflet import Leaflet, leaflet_piece
from duckpress.rulebook.setting.pages import shape_of
from duckpress.share.updates.change_wording import telling_of
from duckpress.share.updates.old_faces import HeldVersion, faces_by_card, old_faces, pieces_with
from duckpress.share.updates.releasing import Compared
from duckpress.share.updates.swap_sheet import ChangeSheet
from duckpress.share.updates.updating import language_held
from duckpress.views.face_pictures import MAX_SIDE_PX, lay_out_game, paint_frames

PAGE = "changes"
_PAPER = "a4"
_DPI = 150.0


def change_page(
    workspace: Workspace,
    loaded: Loaded,
    compared: Compared,
    since: str | None,
    kind: str,
    wanted: str | None = None,
    step: Callable[[str], None] = lambda _name: None,
) -> tuple[Checked, bytes | None]:
    """Return a picture of changes, as `pdf` or `png`; None where an error stands.

    Old faces are shown where they are had. It is in the language `wanted` (None: the game's), and in the ink that was
    held. Raises `Unknown` where the version held has no cards in that language.
    """
    checked, changes = compared
    if changes is None or checked.game is None:
        return checked, None
    step("laying out")
    language = language_held(changes.old, checked.game, wanted)
    decks = {card.deck for card in (*changes.added, *changes.removed, *(change.new for change in changes.changed))}
    pieces = pieces_with(checked.game, decks) or (checked.game.pieces[0].id,)
    ink = changes.old.printed_in or PLAIN
    shown = lay_out_game(workspace, loaded, language=language, papers=(_PAPER,), pieces=pieces, ink=ink)
    game = shown.checked.game
    if game is None or shown.checked.has_errors:
        return shown.checked, None
    piece = leaflet_piece(game, PAGE, game.speech.program(sharing.SWAP))
    theme, problems = load_theme(workspace, game.id, piece.theme)
    if theme is None:
        return checked, None
    old = old_faces(workspace, game.id, HeldVersion(changes.old, language, ink, since), shown.fonts, decks)
    telling = telling_of(loaded, game, changes, language, faces_by_card(shown.checked.pieces), old.faces)
    leaflet = Leaflet(workspace, game, piece, theme, shown.fonts, problems, ink)
    for leaf in (*shown.checked.pieces, *old.pieces):
        leaflet.keep(leaf)
    subtitle = telling.say(sharing.CHANGES_HEAD, old=changes.old.version, new=changes.new.version)
    shape = shape_of(PAPERS[_PAPER], 2, is_folded=False)
    step("drawing")
    compose = ChangeSheet(leaflet, telling)
    if kind == "png":
        page = leaflet.endless(shape, subtitle, compose)
        dpi = min(_DPI, MAX_SIDE_PX * MM_PER_INCH / page.trim.height_mm)
        leaf = leaflet.laid_out(piece, {_PAPER: (page,)})
        picture = next(iter(paint_frames(leaf, [page], shown.fonts, dpi, has_bleed=False)))
        return checked, png_bytes(picture, dpi)
    leaf = leaflet.laid_out(piece, {_PAPER: leaflet.pages(shape, subtitle, compose)})
    request = Request(papers=(_PAPER,), backs="none", language=language, ink=ink)
    press = Press(PrintJob(game, request, shown.fonts, step))
    proven = press.print(press.impose(leaf, PAPERS[_PAPER]))
    if has_errors(proven.problems):
        return Checked(checked.game_id, checked.game, (*checked.problems, *proven.problems)), None
    return checked, proven.outputs[0].data
