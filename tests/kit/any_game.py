"""Small games of any decks: sizes, shapes, copies, backs, tiled boards, rules and languages as chance has them."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import strategies as st

from duckpress.core.sizes import FORMATS

FACE = """<face>
  <ground fill="{{ card.colour }}"/>
  <polygon points="3,3 {{ trim.width / 2 }},4 4,{{ trim.height / 2 }}" fill="ink" opacity="0.5"/>
  <g transform="rotate(90 {{ trim.width / 3 }} {{ trim.height / 3 }})" opacity="0.6">
    <rect x="{{ trim.width / 3 }}" y="{{ trim.height / 3 }}" width="6" height="4" stroke="ink" stroke-width="0.3"
      stroke-dasharray="1 0.5"/>
  </g>
  {% if trim.width > 40 and trim.height > 40 %}
  <text x="4" y="{{ trim.height / 2 }}" width="{{ trim.width - 8 }}" height="10" min="4">SIDE {{ card.name }}</text>
  {% endif %}
  <circle cx="{{ trim.width / 2 }}" cy="{{ trim.height / 2 }}" r="{{ 1 + card.number / 2 }}" fill="line"/>
</face>
"""
RULES = (
    "# Play\n\nOn your turn:\n\n1. **Take** a card.\n2. *Play* a card – or two.\n\n## The end\n\nIt ends. "
    + "Go on. " * 60
)
_COLOURS = ("#ffe070", "#90e090", "#ff9ac8", "#90c8ff", "#303030")
_NAMES = {"en": ("Duck", "Moor hen"), "fr": ("L’oie", "Canard : été"), "de": ("Gänse", "Größe")}

_OWN_SIZES = st.tuples(
    st.integers(200, 1800), st.integers(200, 2400), st.sampled_from(["0mm", "1.5mm", "3.175mm"])
).map(lambda size: f"{{width: {size[0] / 10}mm, height: {size[1] / 10}mm, bleed: {size[2]}, corner: 0mm}}")
_SIZES = st.one_of(st.sampled_from(sorted(FORMATS)), _OWN_SIZES)


@st.composite
def any_games(draw: st.DrawFn) -> Mapping[str, str]:
    """Return the files of a game `any`, by their paths."""
    language = draw(st.sampled_from(sorted(_NAMES)))
    decks = [f"deck-{at}" for at in range(draw(st.integers(1, 3)))]
    files = {f"decks/{deck}.yaml": _deck(draw, deck, draw(_SIZES), _NAMES[language]) for deck in decks}
    if draw(st.booleans()):
        width, height = draw(st.integers(150, 450)), draw(st.integers(150, 450))
        size = f"{{width: {width}mm, height: {height}mm, bleed: 0mm, corner: 0mm}}\ntiled: yes"
        files["boards/board.yaml"] = _deck(draw, "board", size, _NAMES[language], most=1)
        decks.append("board")
    at = draw(st.integers(1, len(decks)))
    pieces = [decks[:at], *([decks[at:]] if decks[at:] else [])]
    listed = "".join(f"  - {{id: p{n}, title: Piece {n}, decks: [{', '.join(ids)}]}}\n" for n, ids in enumerate(pieces))
    if draw(st.booleans()):
        files["rules.md"] = RULES
    files["game.yaml"] = (
        f"title: {draw(st.sampled_from(_NAMES[language]))!r}\nversion: '1.{draw(st.integers(0, 12))}'\n"
        f"designer: Nobody\nplayers: 2\nlanguages: [{language}]\ntheme: any\npieces:\n{listed}"
        f"booklet: {draw(st.sampled_from(['yes', 'no']))}\ncover: {draw(st.sampled_from(['yes', 'no']))}\n"
    )
    files["theme.yaml"] = 'extends: base\ncolours: {paper: "#ffffff", ink: "#303030", line: "#888888"}\n'
    files |= {f"layouts/{side}.xml": FACE.replace("SIDE", side) for side in ("front", "back")}
    files["layouts/shared.xml"] = '<face><ground fill="line"/></face>'
    return {f"content/any/{path}": text for path, text in files.items()}


def _deck(draw: st.DrawFn, deck: str, size: str, names: tuple[str, ...], most: int = 4) -> str:
    back = draw(st.sampled_from(["", "back: back\n", "back: shared\n"]))
    cards = "".join(
        f"  - {{id: card-{at}, copies: {draw(st.integers(1, 5)) if most > 1 else 1}, number: {at}, "
        f'name: "{draw(st.sampled_from(names))}", colour: "{draw(st.sampled_from(_COLOURS))}"}}\n'
        for at in range(draw(st.integers(1, most)))
    )
    head = f"title: {deck}\nsize: {size}\nfront: front\n{back}"
    return f"{head}fields: {{number: whole, name: text, colour: text}}\ncards:\n{cards}"
