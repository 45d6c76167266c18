"""What drawing the benchmark's deck costs at least: a bare script through reportlab's Canvas, beside the program.

    python benchmarks/floor.py                 500 and 2,000 cards, five runs
    python benchmarks/floor.py --draw FOLDER   draw the deck of a folder into `floor.pdf`, and say what each step took

The script knows this one deck: it reads the cards as JSON, has HarfBuzz shape each word once, breaks lines greedily,
draws each face as a form and places nine of them on a sheet with crop marks. It keeps the bytes of pictures as they
are. It checks nothing, fits nothing, proves nothing and takes no template. A picture's data, the drawings and the icons
are those of the deck. Beside it stands the program as users run it, cold; both on one core.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
MM, WIDTH_MM, HEIGHT_MM = 72 / 25.4, 63.5, 88.9
LEFT_MM, TOP_MM = (210 - 3 * WIDTH_MM) / 2, (297 - 3 * HEIGHT_MM) / 2
FONTS = {"body": "AlegreyaSans-Regular.ttf", "bold": "AlegreyaSans-Bold.ttf"}


class Words:
    """Words shaped by HarfBuzz, once each: their advances in ems."""

    def __init__(self, fonts: Path) -> None:
        import uharfbuzz

        self._shape, self._buffer = uharfbuzz.shape, uharfbuzz.Buffer
        self._fonts = {
            name: uharfbuzz.Font(uharfbuzz.Face((fonts / file).read_bytes())) for name, file in FONTS.items()
        }
        self._known: dict[tuple[str, str], float] = {}

    def width(self, word: str, font: str, size_pt: float) -> float:
        """Return the width of a word in points."""
        key = word, font
        if key not in self._known:
            buffer = self._buffer()
            buffer.add_str(word)
            buffer.guess_segment_properties()
            self._shape(self._fonts[font], buffer)
            advances = sum(one.x_advance for one in buffer.glyph_positions)
            self._known[key] = advances / self._fonts[font].face.upem
        return self._known[key] * size_pt


def draw(folder: Path) -> dict[str, float]:
    """Draw the deck of a folder into `floor.pdf`; return the CPU in seconds of each step."""
    steps, last = {}, time.process_time()

    def note(name: str) -> None:
        nonlocal last
        now = time.process_time()
        steps[name], last = now - last, now

    from reportlab.lib.rl_accel import fp_str
    from reportlab.pdfbase import pdfdoc, pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont
    from reportlab.pdfgen.canvas import Canvas

    note("imports")
    cards, game = json.loads((folder / "cards.json").read_text()), folder / "content/bench"
    fonts = next((ROOT / "fonts").glob(f"*/{FONTS['body']}")).parent
    words = Words(fonts)
    for name, file in FONTS.items():
        pdfmetrics.registerFont(TTFont(name, str(fonts / file)))
    note("cards and fonts")
    canvas: Any = Canvas(str(folder / "floor.pdf"), pagesize=(210 * MM, 297 * MM), pageCompression=1, invariant=1)
    canvas.setFont("body", 8.5)
    for art in sorted((game / "art").rglob("*.svg")):
        canvas.beginForm(art.stem, 0, 0, 100, 100)
        for colour, path in _shapes(art.read_text(), fp_str):
            canvas.addLiteral(f"{colour} rg {path} f")
        canvas.endForm()
    for picture in sorted((game / "art").glob("*.png")):
        canvas._doc.Reference(_image(picture.read_bytes(), pdfdoc), canvas._doc.getXObjectName(picture.stem))
    note("art")
    for number, card in enumerate(cards):
        canvas.beginForm(f"face-{number}", 0, 0, WIDTH_MM * MM, HEIGHT_MM * MM)
        _face(canvas, card, words)
        canvas.endForm()
    note("faces")
    for start in range(0, len(cards), 9):
        for place, number in enumerate(range(start, min(start + 9, len(cards)))):
            canvas.saveState()
            canvas.translate((LEFT_MM + place % 3 * WIDTH_MM) * MM, (297 - TOP_MM - (place // 3 + 1) * HEIGHT_MM) * MM)
            canvas.doForm(f"face-{number}")
            canvas.restoreState()
        for at in range(4):
            x, y = (LEFT_MM + at * WIDTH_MM) * MM, (TOP_MM + at * HEIGHT_MM) * MM
            canvas.lines([(x, 10 * MM, x, 13 * MM), (x, 284 * MM, x, 287 * MM)])
            canvas.lines([(5 * MM, y, 8 * MM, y), (202 * MM, y, 205 * MM, y)])
        canvas.showPage()
    note("pages")
    canvas.save()
    note("writing")
    return steps


def _face(canvas: Any, card: dict[str, Any], words: Words) -> None:
    """Draw one card, its lower left corner in the origin."""
    top = HEIGHT_MM * MM
    canvas.setFillColorRGB(0.957, 0.918, 0.824)
    canvas.rect(0, 0, WIDTH_MM * MM, top, stroke=0, fill=1)
    canvas.setStrokeColorRGB(0.227, 0.29, 0.247)
    canvas.roundRect(3 * MM, 3 * MM, 57.5 * MM, 82.9 * MM, 2 * MM)
    canvas.setFillColorRGB(0.227, 0.29, 0.247)
    canvas.circle(55 * MM, top - 8 * MM, 3.6 * MM, stroke=0, fill=1)
    picture, drawing = Path(card["picture"]).stem, Path(card["drawing"]).stem
    _placed(canvas, picture, 4.5 * MM, top - 45.5 * MM, 54.5 * MM, 33 * MM)
    _placed(canvas, drawing, 44 * MM, top - 47 * MM, 13 * MM / 100, 13 * MM / 100)
    canvas.setFillColorRGB(1, 1, 1)
    canvas.rect(4.5 * MM, top - 53 * MM, 54.5 * MM, 5 * MM, stroke=0, fill=1)
    canvas.roundRect(4.5 * MM, top - 84 * MM, 54.5 * MM, 30 * MM, MM, stroke=0, fill=1)
    text = canvas.beginText()
    for line, font, size_pt, x_mm, y_mm in (
        (card["title"], "bold", 11, 4.5, 9),
        (str(card["cost"]), "bold", 12, 53.5, 9.5),
        (card["type"], "body", 7.5, 6, 51.4),
    ):
        text.setFillGray(1 if y_mm == 9.5 else 0.106)
        text.setFont(font, size_pt)
        text.setTextOrigin(x_mm * MM, top - y_mm * MM)
        text.textOut(line)
    text.setFillGray(0.106)
    x, y, right = 6 * MM, top - 58 * MM, 57.5 * MM
    icons: list[tuple[str, float, float]] = []
    for word in card["text"].split():
        font = "bold" if word.startswith("**") else "body"
        shown = word.strip("*")
        width = 7.0 if word.startswith("{") else words.width(shown, font, 8.5)
        if x + width > right:
            x, y = 6 * MM, y - 10.2
        if word.startswith("{"):
            icons.append((word.strip("{}."), x, y))
        else:
            text.setFont(font, 8.5)
            text.setTextOrigin(x, y)
            text.textOut(shown)
        x += width + 2
    canvas.drawText(text)
    for name, left, bottom in icons:
        _placed(canvas, name, left, bottom, 0.068, 0.068)


def _placed(canvas: Any, form: str, x: float, y: float, across: float, up: float) -> None:
    canvas.saveState()
    canvas.transform(across, 0, 0, up, x, y)
    canvas.doForm(form)
    canvas.restoreState()


def _shapes(svg: str, written: Any) -> Iterator[tuple[str, str]]:
    """Yield the colours and paths of a drawing: the few kinds of shapes that the deck's drawings have."""
    for tag, attributes in re.findall(r"<(path|rect|circle)([^>]*)/>", svg):
        has = dict(re.findall(r'([a-z]+)="([^"]*)"', attributes))
        colour = written(*(int(has["fill"][at : at + 2], 16) / 255 for at in (1, 3, 5)))
        if tag == "path":
            numbers = [float(one) for one in re.findall(r"-?\d+(?:\.\d+)?", has["d"])][:2]
            yield colour, f"{written(*numbers)} m 90 20 l 10 20 l h"
        else:
            x, y = (float(has.get(name, has.get(f"c{name}", 0))) for name in "xy")
            width = float(has.get("width", 2 * float(has.get("r", 0))))
            yield colour, f"{written(x, y, width, float(has.get('height', width)))} re"


def _image(png: bytes, pdfdoc: Any) -> Any:
    """Return a picture with the bytes that its PNG file holds."""
    at, parts = 8, []
    while at < len(png):
        length = int.from_bytes(png[at : at + 4], "big")
        if png[at + 4 : at + 8] == b"IDAT":
            parts.append(png[at + 8 : at + 8 + length])
        at += length + 12
    width, height = (int.from_bytes(png[place : place + 4], "big") for place in (16, 20))
    about = {"Type": "/XObject", "Subtype": "/Image", "Width": width, "Height": height, "ColorSpace": "/DeviceRGB"}
    about |= {"BitsPerComponent": 8, "Filter": "/FlateDecode"}
    how = {"Predictor": 15, "Colors": 3, "BitsPerComponent": 8, "Columns": width}
    about["DecodeParms"] = pdfdoc.PDFDictionary(how)
    return pdfdoc.PDFStream(pdfdoc.PDFDictionary(about), b"".join(parts))


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--runs", type=int, default=5)
    arguments.add_argument("--cards", type=int, nargs="+", default=[500, 2000])
    arguments.add_argument("--draw", type=Path)
    options = arguments.parse_args()
    if options.draw:
        for name, seconds in draw(options.draw).items():
            print(f"{name}: {seconds:.3f} s of CPU")
        return
    from compare import DUCKPRESS, measure, ratio
    from synthetic import make_workspace

    commands = {
        "duckpress": [sys.executable, *DUCKPRESS, "--jobs", "1"],
        "floor": [sys.executable, __file__, "--draw", "."],
    }
    alone = frozenset({min(os.sched_getaffinity(0))})
    print("| cards | CPU / floor | wall on one core / floor |\n|---|---|---|")
    for count in options.cards:
        with tempfile.TemporaryDirectory() as scratch:
            make_workspace(Path(scratch), count)
            found = measure(commands, Path(scratch), options.runs, dict.fromkeys(commands, alone))
        ours, floor = found["duckpress"], found["floor"]
        print(f"| {count} | {ratio(ours, floor, 'cpu')} | {ratio(ours, floor, 'wall')} |", flush=True)


if __name__ == "__main__":
    main()
