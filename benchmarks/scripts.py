"""Texts of as many letters in several scripts, set into boxes by turns: prints the CPU that each takes, beside Latin.

    python benchmarks/scripts.py                        fifteen rounds of each
    python benchmarks/scripts.py --beside FOLDER        and Latin beside another copy of duckpress, in pairs

Texts are made of phrases at random, without spaces where a script has none, and set as those of cards are: at the
largest size at which they fit their box, with words met for the first time. One font has a box for each letter: how
many letters there are counts, not what they look like. Leaves with status 1 where a script takes more than `MOST`
times the CPU of Latin.
"""

from __future__ import annotations

import argparse
import gc
import io
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from compare import ROOT

TEXTS, LETTERS, MOST = 400, 200, 2.0
PHRASES = {
    "Latin": "the duck draws one card from the pond and keeps it until every player has passed, then trade bread for "
    "an egg. when a neighbour holds two of the same colour, or swims past the reeds before evening falls over water, "
    "each hunter counts feathers in silence while careful drakes guard their quiet nests against foxes and cold wind.",
    "Japanese": "あひるは 池から カードを 一枚 引き、 全員が パスするまで 手元に 置く。 隣の 人が 同じ 色を "
    "二枚 持っていれば、 パンと 卵を 交換できる。 夕方に なる 前に 葦の そばを 泳いだら、 "
    "「羽」を 数え、 静かに 巣を 守る。 "
    "狐と 冷たい 風に 気を つけて、 得点を ちょうど 十点に する。",
    "Arabic": "البطة تسحب بطاقة واحدة من البركة وتحتفظ بها حتى يمرر كل لاعب دوره، ثم بدل الخبز ببيضة. حين يملك الجار "
    "اثنتين من اللون نفسه، أو يسبح بجانب القصب قبل حلول المساء، يعد كل صياد الريش في صمت بينما تحرس الطيور أعشاشها "
    "الهادئة من الثعالب والريح الباردة.",
    "Hebrew": "הברווז מושך קלף אחד מן האגם ושומר אותו עד שכל שחקן עבר, ואז מחליף לחם בביצה. כאשר לשכן יש שניים באותו "
    "הצבע, או שהוא שוחה ליד הקנים לפני רדת הערב, כל צייד סופר נוצות בשתיקה והברווזים שומרים על הקנים שלהם מפני שועלים.",
}
SPACED = {"Latin", "Arabic", "Hebrew"}
LANGUAGES = {"Latin": "en", "Japanese": "ja", "Arabic": "ar", "Hebrew": "he"}


def texts_of(script: str) -> list[str]:
    """Return texts of the same length, each another."""
    chance, phrases = random.Random(19), PHRASES[script].split()
    texts = []
    for _ in range(TEXTS):
        words: list[str] = []
        while sum(map(len, words)) < LETTERS:
            words.append(chance.choice(phrases))
        texts.append((" " if script in SPACED else "").join(words)[:LETTERS])
    return texts


def write_fonts(folder: Path) -> None:
    """Write a family with a box for each letter of all scripts."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    letters = sorted(set("".join(PHRASES.values())) | set("Hbdfgjpqy-0."))
    names = [".notdef", *(f"u{ord(letter):04X}" for letter in letters)]
    pen = TTGlyphPen(None)
    for number, place in enumerate(((80, 0), (80, 700), (420, 700), (420, 0))):
        (pen.lineTo if number else pen.moveTo)(place)
    pen.closePath()
    box, nothing = pen.glyph(), TTGlyphPen(None).glyph()
    builder = FontBuilder(1000)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({ord(letter): name for letter, name in zip(letters, names[1:], strict=True)})
    builder.setupGlyf({name: nothing if name in (".notdef", "u0020") else box for name in names})
    widths = [500, *(1000 if ord(letter) >= 0x3000 else 500 for letter in letters)]
    builder.setupHorizontalMetrics({name: (width, 80) for name, width in zip(names, widths, strict=True)})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Boxes", "styleName": "Regular", "psName": "Boxes-Regular"})
    builder.setupOS2()
    builder.setupPost()
    written = io.BytesIO()
    builder.save(written)
    (folder / "fonts" / "boxes").mkdir(parents=True)
    (folder / "fonts" / "boxes" / "Boxes.ttf").write_bytes(written.getvalue())
    (folder / "fonts" / "boxes" / "OFL.txt").write_text("nobody's")
    (folder / "fonts" / "boxes" / "family.yaml").write_text(
        "name: Boxes\nlicence: none\nlicence-file: OFL.txt\nstyles: {regular: Boxes.ttf}\n"
    )


def setting(folder: Path, script: str) -> float:
    """Return the CPU in seconds that setting the texts of a script takes, its words unknown before."""
    from duckpress.core.geometry import Rect
    from duckpress.files.workspace import Workspace
    from duckpress.text import TextStyle, Typesetter
    from duckpress.text.fonts import FontLibrary

    fonts = FontLibrary(Workspace(folder))
    style = TextStyle("Boxes", size_pt=9.0, min_pt=5.0, leading=1.2)
    width_mm = 52.0 if script in SPACED else 104.0  # letters of an em need more room
    typesetter, box = Typesetter(fonts, lambda _name, _colour: None, LANGUAGES[script]), Rect(4.0, 4.0, width_mm, 22.0)
    typesetter.fit("H", style, box)  # the font is read
    texts = texts_of(script)
    gc.disable()  # as in the command
    began = time.process_time()
    for text in texts:
        fitted = typesetter.fit(text, style, box)
        if fitted.over_mm or fitted.missing_glyphs:
            raise SystemExit(f"a text in {script} was not set: {fitted}")
    took = time.process_time() - began
    gc.enable()
    return took


def elsewhere(folder: Path, root: Path) -> float:
    """Return what Latin takes in a process of its own, with the duckpress of a folder."""
    command = [sys.executable, __file__, "--only", "Latin", "--fonts", str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(root / "generator")}
    return float(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)


def main() -> int:
    """Measure and print; give the exit status."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--runs", type=int, default=15)
    arguments.add_argument("--beside", type=Path)
    arguments.add_argument("--only", choices=PHRASES, help=argparse.SUPPRESS)
    arguments.add_argument("--fonts", type=Path, help=argparse.SUPPRESS)
    options = arguments.parse_args()
    if options.only:
        print(min(setting(options.fonts, options.only) for _ in range(3)))
        return 0
    worst = 0.0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_fonts(folder)
        rounds = [{script: setting(folder, script) for script in PHRASES} for _ in range(options.runs + 1)][1:]
        print(f"| {TEXTS} texts of {LETTERS} letters | CPU / Latin |\n|---|---|")
        for script in PHRASES:
            ratios = [one[script] / one["Latin"] for one in rounds]
            middle = statistics.median(ratios)
            worst = max(worst, middle / MOST)
            print(f"| {script} | {middle:.2f} ({min(ratios):.2f}-{max(ratios):.2f}) |")
        if options.beside:
            pairs = [elsewhere(folder, ROOT) / elsewhere(folder, options.beside) for _ in range(options.runs)]
            figures = f"{statistics.median(pairs):.3f} ({min(pairs):.3f}-{max(pairs):.3f})"
            print(f"\nLatin beside {options.beside.name}: {figures}")
    return int(worst > 1)


if __name__ == "__main__":
    sys.exit(main())
