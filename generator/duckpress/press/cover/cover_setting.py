"""The parts of a cover sheet -> slugs: sums, steps, groups of sheets with their pictures, checklists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from duckpress.core.frame import Drawing, Item, Outline, Paint
from duckpress.core.geometry import MM_PER_INCH, MM_PER_PT, Size
from duckpress.core.language import program
from duckpress.core.paths import rectangle, strokes
from duckpress.core.problems import Source
from duckpress.core.sizes import Paper
from duckpress.files.workspace import Workspace
from duckpress.impose.sheets import turns_left_right
from duckpress.layout import LaidOut, Theme
from duckpress.layout.rulebook.block_setting import BlockSetting
from duckpress.layout.rulebook.blocks import Directive, Entries, GeneratedBlocks, Heading, Items, Prose
from duckpress.layout.rulebook.columns import Section, Slug, shifted
from duckpress.layout.rulebook.furniture import PageSetter, head_mm_of
from duckpress.layout.rulebook.pages import PageShape, make_pages, shape_of
from duckpress.model import Piece
from duckpress.press.cover.cuts import sheet_picture, turn_arrow
from duckpress.press.cover.facts import CoverPart, Printed, Wording, part_of
from duckpress.press.print_job import PrintJob

_PICTURE_WIDE = 0.77  # the room of a sheet's picture, for its height
_PICTURE_GAP_MM = 6.0
_PART_GAP_MM = 5.0
_CAPTION_GAP_MM = 0.9
_ARROW_MM = 3.0  # how far a turn arrow reaches under a picture
_BOX_MM = 3.0
_BOX_STROKE_MM = 0.25
_BAR_MM = 50.0
_BAR_STROKE_MM = 0.3
_TICK_MM = 2.0
_SUM_PAD_MM = 2.4
_LINE_GAP_MM = 0.35


class CoverSetting:
    """Sets the parts of a cover sheet, with the roles and styles of rules sheets; `drawings` are the faces shown.

    `scale` is that of everything, `picture_mm` the longer side of the sheets' pictures.
    """

    def __init__(
        self, setting: BlockSetting, wording: Wording, source: Source, scale: float, picture_mm: float
    ) -> None:
        self.drawings: dict[str, Drawing] = {}
        self.wording = wording
        self._setting = setting
        self._source = source
        self._scale, self._picture_mm = scale, picture_mm

    def heading(self, words: str, width_mm: float) -> list[Slug]:
        return self._setting.blocks([Heading(1, self.wording.say(words), self._source)], width_mm)

    def sums(self, sums: Sequence[tuple[str, str]], width_mm: float) -> list[Slug]:
        """Return figures side by side in a panel, each with its label below."""
        setting = self._setting
        figure = setting.style("rules-h1")
        figure = figure._replace(size_pt=figure.size_pt * 1.25, align="left")
        caption = setting.style("rules-caption")
        columns = max(1, min(len(sums), int(width_mm // (28.0 * self._scale))))
        cell_mm = width_mm / columns
        slugs: list[Slug] = []
        for start in range(0, len(sums), columns):
            items: list[Item] = []
            height_mm = 0.0
            for at, (words, count) in enumerate(sums[start : start + columns]):
                cell = [(count, figure), (words, caption)]
                own, used_mm = setting.stack(cell, cell_mm - _SUM_PAD_MM, self._source)
                items += shifted(tuple(own), at * cell_mm + _SUM_PAD_MM, _SUM_PAD_MM)
                height_mm = max(height_mm, used_mm + 2 * _SUM_PAD_MM)
                if at:
                    line_mm = height_mm - 2 * _SUM_PAD_MM
                    items.append(setting.bar(at * cell_mm, _SUM_PAD_MM, 0.25, line_mm, "rules-line"))
            ground = Outline(rectangle(0.0, 0.0, width_mm, height_mm, 0.0), Paint(fill=setting.colour("rules-panel")))
            slugs.append(Slug(height_mm, (ground, *items)))
        return slugs

    def steps(self, steps: Sequence[str], width_mm: float) -> list[Slug]:
        """Return numbered steps, the first with measuring bars."""
        setting = self._setting
        style = setting.style("rules-text")
        bold = style._replace(weight="bold", colour=setting.colour("rules-accent"))
        hang_mm = 1.6 * style.size_pt * MM_PER_PT
        slugs: list[Slug] = []
        for number, words in enumerate(steps, 1):
            lines = setting.lines(words, style, width_mm - hang_mm, self._source)
            label = setting.typesetter.line(f"{number}.", bold)
            slugs += setting.labelled([slug.moved(hang_mm) for slug in lines], label.items, 0.0, style, 1.2)
            if number == 1:
                slugs[-1] = slugs[-1]._replace(keeps_next=True)
                slugs.append(self._bars(hang_mm, width_mm))
        return slugs

    def part(self, part: CoverPart, width_mm: float) -> Slug:
        """Return a group of sheets: the picture of its first sheet, and beside it its title and figures."""
        setting = self._setting
        items, size = self._picture(part, width_mm)
        left_mm = size.width_mm + _PICTURE_GAP_MM * self._scale
        own, used_mm = setting.stack([(part.title, setting.style("rules-h2"))], width_mm - left_mm, self._source)
        y_mm = used_mm + 0.6
        for head, value in self.wording.lines(part):
            row, row_mm = self._row(head, value, width_mm - left_mm)
            own += shifted(tuple(row), 0.0, y_mm)
            y_mm += row_mm + _LINE_GAP_MM
        items += shifted(tuple(own), left_mm, 0.0)
        return Slug(max(size.height_mm, y_mm), tuple(items), _PART_GAP_MM * self._scale)

    def ticks(self, lines: Sequence[tuple[str, str]], width_mm: float) -> list[Slug]:
        """Return lines with a checkbox before each, and a count if there is one."""
        setting = self._setting
        style = setting.style("rules-text")
        figures = style._replace(weight="bold", colour=setting.colour("rules-accent"), align="right")
        counts = [setting.typesetter.line(count, figures) for count, _ in lines]
        count_mm = max((line.width_mm for line in counts), default=0.0)
        box_mm = _BOX_MM * self._scale
        hang_mm = box_mm + 1.6 + (count_mm + 1.4 if count_mm else 0.0)
        baseline_mm = self._setting.baseline_mm(style)
        slugs: list[Slug] = []
        for (_, words), count in zip(lines, counts, strict=True):
            own = [slug.moved(hang_mm) for slug in setting.lines(words, style, width_mm - hang_mm, self._source)]
            if not own:
                continue
            box = Outline(
                rectangle(0.2, baseline_mm - box_mm + 0.35, box_mm, box_mm, 0.4),
                Paint(stroke=setting.colour("rules-ink"), stroke_mm=_BOX_STROKE_MM),
            )
            at_mm = box_mm + 1.6 + count_mm - count.width_mm
            items = (box, *shifted(count.items, at_mm, baseline_mm), *own[0].items)
            own[0] = own[0]._replace(items=items, before_mm=0.9)
            slugs += own
        return slugs

    def words(self, text: str, width_mm: float, style: str = "rules-text") -> list[Slug]:
        """Return a paragraph."""
        slugs = self._setting.lines(text, self._setting.style(style), width_mm, self._source)
        if slugs:
            slugs[0] = slugs[0]._replace(before_mm=0.4 * self._setting.line_mm)
        return slugs

    def _picture(self, part: CoverPart, width_mm: float) -> tuple[list[Item], Size]:
        """Return the picture of a group's first sheet, fitted to a column, with its number and turn; and its size."""
        setting, sheet = self._setting, part.sheets[0]
        is_left_right = turns_left_right(sheet.paper, self.wording.turn)
        long_mm = min(self._picture_mm * self._scale, width_mm * 0.45)
        room = Size(long_mm * _PICTURE_WIDE, long_mm)
        room = room.turned() if sheet.paper.width_mm > sheet.paper.height_mm else room
        ink, accent = setting.colour("rules-ink"), setting.colour("rules-accent")
        items, size, drawings = sheet_picture(sheet, part.shapes, part.cuts[0], part.folds[0], room, (ink, accent))
        self.drawings |= drawings
        if part.is_double_sided:
            items += turn_arrow(size, is_left_right=is_left_right, colour=accent)
        caption = self.wording.say(program.SHEET, number=sheet.number, total=sheet.total)
        style = setting.style("rules-caption")._replace(align="center")
        own, used_mm = setting.stack([(caption, style)], size.width_mm + 4.0, self._source)
        arrow_mm = _ARROW_MM if sheet.back is not None and not is_left_right else 0.0
        below_mm = size.height_mm + _CAPTION_GAP_MM + arrow_mm
        items += shifted(tuple(own), -2.0, below_mm)
        return items, Size(size.width_mm, below_mm + used_mm)

    def _row(self, head: str, value: str, width_mm: float) -> tuple[list[Item], float]:
        """Return the items of a head and its value, and their height: on one line if they fit, else on two."""
        setting = self._setting
        small = setting.style("rules-small")
        muted = small._replace(colour=setting.colour("rules-muted"))
        line = setting.typesetter.line(head, muted)
        gap_mm = 1.2
        room_mm = width_mm - line.width_mm - gap_mm
        strong = small._replace(weight="semibold", colour=setting.colour("rules-ink"))
        set_text = setting.set_paragraphs(value, strong, max(room_mm, 1.0), self._source) if room_mm > 10.0 else None
        if set_text is not None and len(set_text.lines) == 1 and not set_text.over_words:
            baseline_mm = self._setting.baseline_mm(small)
            items = [*shifted(line.items, 0.0, baseline_mm),
                     *shifted(set_text.lines[0].items, line.width_mm + gap_mm, baseline_mm)]  # fmt: skip
            return items, set_text.leading_mm
        return setting.stack([(head, muted), (value, strong)], width_mm, self._source)

    def _bars(self, left_mm: float, width_mm: float) -> Slug:
        """Return two measuring bars, as on the sheets."""
        setting = self._setting
        style = setting.style("rules-caption")
        paint = Paint(stroke=setting.colour("rules-ink"), stroke_mm=_BAR_STROKE_MM)
        items: list[Item] = []
        x_mm, y_mm, height_mm = left_mm, 3.0, 6.0
        for length_mm, words in ((_BAR_MM, "50 mm"), (2 * MM_PER_INCH, "2 in")):
            label = setting.typesetter.line(words, style)
            if x_mm > left_mm and x_mm + length_mm + label.width_mm + 2.0 > width_mm:
                x_mm, y_mm, height_mm = left_mm, y_mm + 5.0, height_mm + 5.0
            right_mm = x_mm + length_mm
            lines = ((x_mm, y_mm, right_mm, y_mm), (x_mm, y_mm - _TICK_MM / 2, x_mm, y_mm + _TICK_MM / 2),
                     (right_mm, y_mm - _TICK_MM / 2, right_mm, y_mm + _TICK_MM / 2))  # fmt: skip
            items.append(Outline(strokes(lines, is_mark=True), paint))
            items += shifted(label.items, right_mm + 1.5, y_mm + label.cap_height_mm / 2)
            x_mm = right_mm + label.width_mm + 8.0
        return Slug(height_mm, tuple(items))


COVER = "cover"
_COLUMNS = 2
# On one page, if that can be had with smaller pictures and words not much smaller; else on the two of a sheet: the most
# pages, the scale of everything, and the longer side of the sheets' pictures in millimetres.
_SIZES = (
    (1, 1.0, 36.0), (1, 0.95, 31.0), (1, 0.92, 29.0), (1, 0.9, 27.0), (1, 0.86, 26.0),
    (2, 1.0, 38.0), (2, 0.95, 34.0), (2, 0.9, 30.0), (2, 0.85, 28.0),
)  # fmt: skip


class CoverMaker(PageSetter):
    """Makes the cover sheets of one game in one language and ink."""

    def __init__(
        self, workspace: Workspace, job: PrintJob, theme: Theme, copies: Mapping[tuple[str, str], int]
    ) -> None:
        game, title = job.game, job.game.speech.program(program.COVER)
        piece = Piece(COVER, title, (), game.theme or theme.name, game.source, book=COVER)
        super().__init__(workspace, game, piece, theme, job.fonts, job.request.ink)
        self._job, self._copies = job, copies

    def cover(self, printed: Sequence[Printed], file: str, paper: Paper, *, is_double_sided: bool) -> LaidOut:
        """Return the cover sheet of a file, from the sheets that follow it.

        `is_double_sided` says that each sheet of the file takes two pages. The cover tells on which pages of the file
        everything is, and its own length is among them: it is made again where it came out longer than was thought.
        """
        a_sheet = 2 if is_double_sided else 1
        own_pages = a_sheet
        while True:
            cover = self._cover(printed, file, paper, own_pages, a_sheet)
            taken = -(-len(cover.pages[paper.name]) // a_sheet) * a_sheet
            if taken <= own_pages:
                return cover
            own_pages = taken

    def _cover(self, printed: Sequence[Printed], file: str, paper: Paper, own_pages: int, a_sheet: int) -> LaidOut:
        """Return the cover sheet, given its own number of pages."""
        parts: list[CoverPart] = []
        at = own_pages
        for one in printed:
            if one[1]:
                parts.append(part_of(self._game, one, at, a_sheet))
                at = parts[-1].last_page
        wording = Wording(self._job, file, paper.title, parts)
        shape = shape_of(paper, _COLUMNS, is_folded=False)
        words = self._game.speech.program(program.COVER_HEAD)
        (head,) = self._title_blocks([shape], words, head_mm_of(self._game))
        # A small paper takes as many pages as it needs, set as small as may be.
        for most_pages, scale, picture_mm in _SIZES:
            scale *= shape.scale
            setting = self._setting(scale)
            cover = CoverSetting(setting, wording, self._game.at("title"), scale, picture_mm)
            pages, over_mm = make_pages(self._sections(parts, cover, shape), shape, head.items, head.end_mm)
            if len(pages) <= most_pages and not over_mm:
                break
        drawings = head.laid_out.drawings | cover.drawings | self._art.drawings
        pictures = head.laid_out.pictures | self._art.pictures
        for piece, _ in printed:
            drawings = {**piece.drawings, **drawings}
            pictures = {**piece.pictures, **pictures}
        frames = self._finished(pages, setting, shape)
        return LaidOut(self._piece, (), drawings, pictures, (), {paper.name: frames})

    def _sections(self, parts: Sequence[CoverPart], cover: CoverSetting, shape: PageShape) -> list[Section]:
        wording = cover.wording
        wide_mm, column_mm = shape.text_mm, shape.column_mm(shape.columns)
        top = [
            *cover.sums(wording.sums(), wide_mm),
            *cover.heading(program.COVER_PRINT, wide_mm),
            *cover.steps(wording.steps(), wide_mm),
            *_kept_with_next(cover.heading(program.COVER_PARTS, wide_mm)),
            *_kept_with_next(cover.words(wording.legend(), wide_mm, "rules-small")),
        ]
        middle = [cover.part(part, column_mm) for part in parts]
        # The components as the rules sheet lists them: counts, and what is printed as needed.
        directive = Directive("components", "", False, {}, self._game.at("title"))
        blocks = GeneratedBlocks(self._game, {}, self._copies).blocks([directive])
        counts = [entry for block in blocks if isinstance(block, Entries) for entry in block.entries]
        as_needed = [block.text for block in blocks if isinstance(block, Prose)]
        if any(isinstance(block, Items) for block in blocks):
            as_needed.pop()
        supplies = [("", words) for words in (*self._game.bring, *wording.supplies())]
        lists = [
            *cover.ticks(counts, column_mm),
            *(cover.words(" ".join(as_needed), column_mm) if any(as_needed) else ()),
            *_kept_with_next(cover.words(f"**{wording.say(program.BRING)}**", column_mm)),
            *cover.ticks(supplies, column_mm),
        ]
        check = _kept_with_next(cover.heading(program.COVER_CHECK, wide_mm))
        if shape.columns == 1:
            # All in one, so that no heading stands alone at the foot of a page.
            return [Section(1, (*top, *middle, *check, *lists))]
        in_turn = ((1, top), (shape.columns, middle), (1, check), (shape.columns, lists))
        return [Section(columns, tuple(slugs)) for columns, slugs in in_turn]


def _kept_with_next(slugs: list[Slug]) -> list[Slug]:
    """Return slugs that keep with the next one, across pages and columns."""
    return [slug._replace(keeps_next=True) for slug in slugs]
