"""Times pictures of a synthetic deck: exports beside PDFium's pixels alone, the preview beside a build, and formats.

    python benchmarks/pictures.py                 2,000 cards, three runs
    python benchmarks/pictures.py --runs 1 --cards 300

Every figure is the median of the ratios of whole commands that take turns, with the least and the most: CPU (workers
included) and wall; and the most memory of the largest process. What `pixels` does: as many processes as there are cores
render the printed sheets, cut to the cards, and keep nothing. A changed card is another one each time.
"""

from __future__ import annotations

import argparse
import io
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PIL import Image

from compare import Run, median, ratio, run
from duckpress.art.picture_files import png_bytes, quick_png
from incremental import BUILD, change_a_card
from synthetic import make_workspace

TTS_DPI = 163.8  # ten cards across 4096 pixels
PIXELS = """
import os, sys, pypdfium2
cores, pages, scale = os.cpu_count(), sys.argv[1], float(sys.argv[2]) / 72
children = []
for core in range(cores):
    child = os.fork()
    if not child:
        document = pypdfium2.PdfDocument(pages)
        for number in range(core, len(document), cores):
            page = document[number]
            across, down = (page.get_width() - 190.5 / 25.4 * 72) / 2, (page.get_height() - 266.7 / 25.4 * 72) / 2
            page.render(scale=scale, crop=(across, down, across, down))
            page.close()
        os._exit(0)
    children.append(child)
for child in children:
    os.waitpid(child, 0)
"""


def measure(count: int, runs: int) -> dict[str, list[Run]]:
    """Return the runs of each command."""
    found: dict[str, list[Run]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        make_workspace(folder, count)
        sheets = folder / "sheets.pdf"
        for number in range(runs + 1):
            done: dict[str, Run] = {}
            for left in ("output", ".duckpress-cache"):
                shutil.rmtree(folder / left, ignore_errors=True)
            done["build"] = run([*BUILD, "build", "bench", "--piece", "cards", "--paper", "a4"], folder)
            shutil.copy(folder / "output/bench/bench-cards-a4.pdf", sheets)
            for name, dpi in (("pixels, 300 dpi", 300), ("pixels, as tts", TTS_DPI)):
                done[name] = run([sys.executable, "-c", PIXELS, str(sheets), str(dpi)], folder)
            for change, (name, words) in enumerate(
                (
                    ("preview", ("preview", "bench")),
                    ("png", ("export", "bench", "--to", "png")),
                    ("tts", ("export", "bench", "--to", "tts")),
                )
            ):
                shutil.rmtree(folder / ".duckpress-cache")
                done[name] = run([*BUILD, *words], folder)
                change_a_card(folder / "content/bench/decks/cards.yaml", 3 * number + change)
                done[f"{name}, one card changed"] = run([*BUILD, *words], folder)
            if number:
                for name, one in done.items():
                    found.setdefault(name, []).append(one)
        formats(next((folder / "output/bench/png").glob("*.png")).read_bytes())
    return found


def formats(card: bytes) -> None:
    """Print what a picture of a card takes in each format, at 150 dpi and at 300."""
    whole = Image.open(io.BytesIO(card)).convert("RGB")
    print("| format | 150 dpi, ms | kB | 300 dpi, ms | kB |\n|---|---|---|---|---|")

    def saved(kind: str, **options: int | str) -> Callable[[Image.Image], bytes]:
        def save(picture: Image.Image) -> bytes:
            out = io.BytesIO()
            picture.save(out, kind, **options)
            return out.getvalue()

        return save

    for name, save in (
        ("JPEG 92, half the colours", saved("JPEG", quality=92, subsampling="4:2:0")),
        ("WebP 80, method 0", saved("WEBP", quality=80, method=0)),
        ("PNG, rows by those above, zlib-ng", quick_png),
        ("PNG, filters chosen, level 6", png_bytes),
    ):
        cells = []
        for picture in (whole.resize((whole.width // 2, whole.height // 2)), whole):
            began = time.process_time()
            sizes = [len(save(picture)) for _ in range(10)]
            cells += [f"{(time.process_time() - began) * 100:.1f}", f"{sizes[0] / 1000:.0f}"]
        print(f"| {name} | {' | '.join(cells)} |")


CASES = (
    ("preview", "build", "3"),
    ("preview, one card changed", "preview", "-"),
    ("png", "pixels, 300 dpi", "1.6"),
    ("png, one card changed", "png", "0.02"),
    ("tts", "build", "10"),
    ("tts, one card changed", "tts", "0.02"),
)
"""Each command, what it is held against, and how many times that it may take at most."""


def show(found: dict[str, list[Run]]) -> None:
    """Print each command as a ratio to what it is held against."""
    print("\n| command | beside | at most | CPU | wall | memory, MB |\n|---|---|---|---|---|---|")
    for name, beside, most in CASES:
        cells = [ratio(found[name], found[beside], what) for what in ("cpu", "wall")]
        print(f"| {name} | {beside} | {most} | {' | '.join(cells)} | {median(found[name], 'memory'):.0f} |", flush=True)


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--runs", type=int, default=3)
    arguments.add_argument("--cards", type=int, default=2000)
    options = arguments.parse_args()
    show(measure(options.cards, options.runs))


if __name__ == "__main__":
    main()
