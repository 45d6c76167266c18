"""A picture a face, all of a deck equally large: what Tabletopia is given.

Source: its workshop's guide: ten pixels a millimetre, at most 4000 x 4000, a front and a back for every object.
"""

from __future__ import annotations

import csv
import io
from typing import Any

from duckpress.art.quick_png import quick_png
from duckpress.core.units import MM_PER_INCH
from duckpress.views.export_files import Files
from duckpress.views.painted_files import face_file
from duckpress.views.virtual.table_job import TableJob


def single_files(job: TableJob) -> tuple[Files, dict[str, Any]]:
    """Return a folder of pictures for each deck, and `cards.csv`, which says how often each card is there."""
    files: Files = {}
    listed = io.StringIO()
    writer = csv.writer(listed, lineterminator="\n")
    writer.writerow(("front", "back", "card", "copies"))
    for deck in job.decks:
        job.step(deck.name)
        frames = {f"{deck.name}/{face.card}-front.png": face.front for face in deck.faces}
        for face in deck.faces:
            front, back = f"{deck.name}/{face.card}-front.png", ""
            if face.back is not None:
                back = f"{deck.name}/{'back' if deck.has_one_back else f'{face.card}-back'}.png"
                frames[back] = face.back
            writer.writerow((front, back, f"{face.deck}/{face.card}", face.copies))
        longest_mm = max(deck.faces[0].front.trim)
        dpi = min(job.grid.dpi, (job.grid.max_px - 1) / longest_mm * MM_PER_INCH)
        files |= {name: face_file(deck.laid_out, frame, dpi) for name, frame in frames.items()}
    for die in job.dice:
        job.step(die.name)
        for side, picture in enumerate(die.pictures(job.fonts, job.grid.dpi, job.grid.max_px), 1):
            name = f"{die.name}/side-{side}.png"
            files[name] = quick_png(picture, job.grid.dpi)
            writer.writerow((name, "", f"{die.face.deck}/{die.face.card}", die.face.copies))
    files["cards.csv"] = listed.getvalue().encode()
    return files, {"dpi": round(job.grid.dpi, 2)}
