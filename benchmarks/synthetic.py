"""Makes the benchmark's deck: N different cards as a duckpress workspace, and the same cards as a Typst document.

Every card has a title, a cost, a type line, 25 to 45 words with two icons and a bold word, one of 8 SVG drawings and
one of 8 pictures of 600 x 400 pixels. The same seed makes the same deck everywhere.

    python benchmarks/synthetic.py FOLDER 2000
"""

from __future__ import annotations

import json
import random
import struct
import sys
import zlib
from pathlib import Path

WORDS = [
    "the",
    "duck",
    "draws",
    "one",
    "card",
    "from",
    "the",
    "pond",
    "and",
    "keeps",
    "it",
    "until",
    "every",
    "player",
    "has",
    "passed",
    "their",
    "turn",
    "then",
    "may",
    "trade",
    "bread",
    "for",
    "an",
    "egg",
    "when",
    "a",
    "neighbour",
    "holds",
    "two",
    "of",
    "the",
    "same",
    "colour",
    "or",
    "swims",
    "past",
    "the",
    "reeds",
    "before",
    "evening",
    "falls",
    "over",
    "water",
    "each",
    "hunter",
    "counts",
    "feathers",
    "in",
    "silence",
    "while",
    "careful",
    "drakes",
    "guard",
    "their",
    "quiet",
    "nests",
    "against",
    "foxes",
    "and",
    "cold",
    "wind",
]
TYPES = ("Action", "Event", "Permanent", "Reaction")
ICON_NAMES = ("coin", "leaf", "drop", "sun")
ICON_PATHS = (
    "M50 5A45 45 0 1 1 49.9 5z",
    "M10 90C10 30 40 10 90 10C90 60 60 90 10 90z",
    "M50 5C80 50 85 60 85 70A35 30 0 0 1 15 70C15 60 20 50 50 5z",
    "M50 0L62 35L98 35L68 57L79 91L50 70L21 91L32 57L2 35L38 35z",
)
SHARED = 8


def make_cards(count: int) -> list[dict[str, str | int]]:
    """Return the cards' fields; `text` carries duckpress markup: `{icon}` and `**bold**`."""
    chance = random.Random(2026)
    cards: list[dict[str, str | int]] = []
    for number in range(count):
        words = [chance.choice(WORDS) for _ in range(chance.randint(25, 45))]
        words[0] = words[0].capitalize()
        places = sorted(chance.sample(range(2, len(words)), 3))
        words[places[0]] = "{" + chance.choice(ICON_NAMES) + "}"
        words[places[1]] = f"**{words[places[1]]}**"
        words[places[2]] = "{" + chance.choice(ICON_NAMES) + "}"
        title = " ".join(chance.choice(WORDS).capitalize() for _ in range(2))
        cards.append(
            {
                "id": f"card-{number + 1:04d}",
                "title": title,
                "cost": chance.randint(0, 9),
                "type": chance.choice(TYPES),
                "drawing": f"art/drawing-{number % SHARED}.svg",
                "picture": f"art/picture-{(number // SHARED) % SHARED}.png",
                "text": " ".join(words) + ".",
            }
        )
    return cards


def drawing(number: int) -> str:
    """Return an SVG drawing of some fifteen shapes."""
    chance = random.Random(number)
    shapes = [f'<circle cx="50" cy="50" r="48" fill="{_colour(chance)}"/>']
    for _ in range(10):
        x, y = chance.randint(10, 90), chance.randint(10, 90)
        points = " ".join(f"{chance.randint(-20, 20)},{chance.randint(-20, 20)}" for _ in range(3))
        shapes.append(f'<path d="M{x} {y}c{points}z" fill="{_colour(chance)}"/>')
        shapes.append(f'<rect x="{x}" y="{y}" width="6" height="4" rx="1" fill="{_colour(chance)}"/>')
    return '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">' + "".join(shapes) + "</svg>"


def icon(number: int) -> str:
    """Return an icon: one path in the colour of the text."""
    d = ICON_PATHS[number % len(ICON_PATHS)]
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><path d="{d}" fill="#1b1b1b"/></svg>'


def picture(number: int, width: int = 600, height: int = 400) -> bytes:
    """Return an 8-bit RGB PNG of about 300 KB: a gradient with grain, so that it does not compress away."""
    chance = random.Random(100 + number)
    rows = bytearray()
    for y in range(height):
        rows.append(0)
        grain = chance.randbytes(width)
        for x in range(width):
            level = grain[x] & 15
            red, green, blue = x * 255 // width + level, y * 255 // height, number * 30 + (level >> 2)
            rows += bytes((red & 255, green & 255, blue & 255))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(bytes(rows), 6)), (b"IEND", b""))
    chunks = [struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
              for kind, data in parts]  # fmt: skip
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def _colour(chance: random.Random) -> str:
    return f"#{chance.randrange(1 << 24):06x}"


def make_workspace(folder: Path, count: int) -> None:
    """Write the deck as a workspace with the one game `bench`, and `bench.typ` with `cards.json` beside it."""
    game = folder / "content" / "bench"
    for name in ("decks", "layouts", "art/icons"):
        (game / name).mkdir(parents=True, exist_ok=True)
    for number in range(SHARED):
        (game / f"art/drawing-{number}.svg").write_text(drawing(number))
        (game / f"art/picture-{number}.png").write_bytes(picture(number))
    for number, name in enumerate(ICON_NAMES):
        (game / f"art/icons/{name}.svg").write_text(icon(number))
    cards = make_cards(count)
    (game / "decks" / "cards.yaml").write_text(DECK + "".join(map(_as_yaml, cards)))
    (game / "game.yaml").write_text(GAME)
    (game / "setup.yaml").write_text(SETUP)
    (game / "theme.yaml").write_text(THEME)
    (game / "layouts" / "card.xml").write_text(LAYOUT)
    (folder / "cards.json").write_text(json.dumps(cards))
    (folder / "bench.typ").write_text(TYPST)


def _as_yaml(card: dict[str, str | int]) -> str:
    lines = [f"  {key}: {json.dumps(value) if key == 'text' else value}" for key, value in card.items()]
    return "-" + "\n".join(lines)[1:] + "\n"


GAME = """\
title: Bench
version: "1.0"
designer: Nobody
players: 2
languages: [en]
theme: bench
pieces:
  - {id: cards, title: Cards, decks: [cards]}
"""
SETUP = """\
setup:
  - pile: draw pile
    take: {cards: all}
"""
DECK = """\
title: Cards
size: poker
front: card
fields: {title: text, cost: whole, type: text, drawing: image, picture: image, text: text}
cards:
"""
THEME = """\
families: {body: Alegreya Sans}
colours: {ink: "#1b1b1b", ground: "#f4ead2", panel: "#ffffff", frame: "#3a4a3f"}
text:
  body: {font: body, size: 8.5, min: 7, leading: 1.2, colour: ink}
  title: {font: body, weight: bold, size: 11, min: 8, colour: ink}
  cost: {font: body, weight: bold, size: 12, min: 8, colour: panel, align: center}
  type: {font: body, size: 7.5, min: 6.5, colour: ink}
"""
LAYOUT = """\
<face>
  <ground fill="ground"/>
  <rect x="3" y="3" width="57.5" height="82.9" rx="2" stroke="frame" stroke-width="0.4"/>
  <text x="4.5" y="4.5" width="44" height="6" valign="middle" style="title">{{ card.title }}</text>
  <circle cx="55" cy="8" r="3.6" fill="frame"/>
  <text x="51.4" y="5" width="7.2" height="6" valign="middle" style="cost">{{ card.cost }}</text>
  <image href="{{ card.picture }}" x="4.5" y="12.5" width="54.5" height="33"/>
  <image href="{{ card.drawing }}" x="44" y="34" width="13" height="13"/>
  <rect x="4.5" y="48" width="54.5" height="5" fill="panel"/>
  <text x="6" y="48" width="50" height="5" valign="middle" style="type">{{ card.type }}</text>
  <rect x="4.5" y="54" width="54.5" height="30" rx="1" fill="panel"/>
  <text x="6" y="55" width="51.5" height="28" style="body">{{ card.text }}</text>
</face>
"""
TYPST = r"""
#let cards = json("cards.json")
#set page(paper: "a4", margin: 0mm)
#set text(font: "Alegreya Sans", size: 8.5pt, fill: rgb("#1b1b1b"))
#set par(leading: 0.35em)
#let icons = (
  coin: box(height: 0.8em, image("content/bench/art/icons/coin.svg")),
  leaf: box(height: 0.8em, image("content/bench/art/icons/leaf.svg")),
  drop: box(height: 0.8em, image("content/bench/art/icons/drop.svg")),
  sun: box(height: 0.8em, image("content/bench/art/icons/sun.svg")),
)
#let marked(words) = words.split(" ").map(word => {
  if word.starts-with("{") { icons.at(word.trim("{", at: start).trim(".", at: end).trim("}", at: end)) }
  else if word.starts-with("**") { strong(word.trim("*")) }
  else { word }
}).join(" ")
#let face(card) = box(width: 63.5mm, height: 88.9mm, fill: rgb("#f4ead2"), {
  place(dx: 3mm, dy: 3mm, rect(width: 57.5mm, height: 82.9mm, radius: 2mm, stroke: 0.4mm + rgb("#3a4a3f")))
  place(dx: 4.5mm, dy: 5mm, text(size: 11pt, weight: "bold", card.title))
  place(dx: 51.4mm, dy: 4.4mm, circle(radius: 3.6mm, fill: rgb("#3a4a3f")))
  let cost = text(size: 12pt, weight: "bold", fill: white, str(card.cost))
  place(dx: 51.4mm, dy: 6mm, box(width: 7.2mm, align(center, cost)))
  place(dx: 4.5mm, dy: 12.5mm, image("content/bench/" + card.picture, width: 54.5mm, height: 33mm))
  place(dx: 44mm, dy: 34mm, image("content/bench/" + card.drawing, width: 13mm, height: 13mm))
  place(dx: 4.5mm, dy: 48mm, rect(width: 54.5mm, height: 5mm, fill: white))
  place(dx: 6mm, dy: 49.2mm, text(size: 7.5pt, card.type))
  place(dx: 4.5mm, dy: 54mm, rect(width: 54.5mm, height: 30mm, radius: 1mm, fill: white))
  place(dx: 6mm, dy: 55mm, box(width: 51.5mm, height: 28mm, marked(card.text)))
})
#let mark(x, y, dx, dy) = place(dx: x, dy: y, line(length: 3mm, angle: if dx { 0deg } else { 90deg }, stroke: 0.15mm))
#for sheet in cards.chunks(9) {
  page({
    place(dx: 9.75mm, dy: 15.15mm, grid(columns: (63.5mm,) * 3, rows: (88.9mm,) * 3, ..sheet.map(face)))
    for column in range(4) {
      mark(9.75mm + column * 63.5mm, 10mm, false, true)
      mark(9.75mm + column * 63.5mm, 284mm, false, true)
    }
    for row in range(4) {
      mark(5mm, 15.15mm + row * 88.9mm, true, false)
      mark(202mm, 15.15mm + row * 88.9mm, true, false)
    }
  })
}
"""

if __name__ == "__main__":
    make_workspace(Path(sys.argv[1]), int(sys.argv[2]))
