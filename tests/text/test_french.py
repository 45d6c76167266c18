"""French typography: what the text room makes of plain typing, in the frame, in the PDF's own text and as ink."""

from __future__ import annotations

import pytest

from duckpress.core.frame import Text
from duckpress.text import TextStyle, spaced
from duckpress.text.markup import respaced
from setting import LIBRARY, WIDE, typesetter

NARROW = "\u202f"
SHOWN = str.maketrans({NARROW: "_", "\u00a0": "~"})
FRENCH = typesetter("fr")
BODY = TextStyle("Alegreya Sans", size_pt=10.0, min_pt=10.0)


@pytest.mark.parametrize(
    ("typed", "set_as"),
    [
        ("PAN!", "PAN_!"), ("PAN !", "PAN_!"), ("PAN\u00a0!", "PAN_!"), ("PAN\u202f!", "PAN_!"),
        ("Quoi ? Non ; si : oui", "Quoi_? Non_; si_: oui"), ("Vraiment ?!", "Vraiment_?!"), ("Quoi…?", "Quoi…_?"),
        ("Score:", "Score_:"), ("3:1, 12:30, https://a.fr/?b", "3:1, 12:30, https://a.fr/?b"),
        ("(!) et [?]", "(!) et [?]"), ("! au début", "! au début"), ("«mot» et « mot »", "«_mot_» et «_mot_»"),
        ('Il dit "non".', "Il dit «_non_»."), ('"Ici" !', "«_Ici_»_!"), ('« il dit "non" »', "«_il dit “non”_»"),
        ("l'eau d'Eugène", "l’eau d’Eugène"), ("aujourd'hui", "aujourd’hui"),
        ("un écran de 5' ou 7\"", "un écran de 5' ou 7\""),
        ("12 000 points, 100 %, 5 €", "12_000 points, 100_%, 5_€"),
        ("1 234 567 et 10 cartes", "1_234_567 et 10 cartes"), ("en 2024 100 parties", "en 2024 100 parties"),
        ("a;b", "a;b"), ("", ""),
    ],
)  # fmt: skip
def test_plain_typing_becomes_french(typed: str, set_as: str) -> None:
    assert spaced(typed, "fr").translate(SHOWN) == set_as
    assert spaced(spaced(typed, "fr"), "fr") == spaced(typed, "fr")


@pytest.mark.parametrize("language", ["en", "de", "it", "frr"])
def test_other_languages_are_left_alone(language: str) -> None:
    typed = 'It\'s "so" : 3 !'
    assert spaced(typed, language) == typed


def test_canada_spaces_the_colon_and_the_guillemets_only() -> None:
    assert spaced('Note: "oui"; non! quoi?', "fr-CA").translate(SHOWN) == "Note_: «_oui_»; non! quoi?"


def test_spaces_are_set_across_bold_words_and_icons() -> None:
    def tokens(*given: tuple[int, str]) -> list[tuple[int, str]]:
        return [(kind, text.translate(SHOWN)) for kind, text in respaced(list(given), "fr")]

    assert tokens((1, "Coup"), (0, "!")) == [(1, "Coup"), (0, "_!")]
    assert tokens((1, "Coup "), (0, ": x")) == [(1, "Coup"), (0, "_: x")]
    assert tokens((0, '"'), (1, "Pan"), (0, '"!')) == [(0, "«"), (1, "_Pan"), (0, "_»_!")]
    assert tokens((0, "voir "), (4, "star"), (0, " : 3")) == [(0, "voir "), (4, "star"), (0, "_: 3")]
    assert tokens((0, "« "), (4, "star"), (0, " »")) == [(0, "«_"), (4, "star"), (0, "_»")]
    assert tokens((0, "fin"), (5, ""), (0, "! début")) == [(0, "fin"), (5, ""), (0, "! début")]


@pytest.mark.parametrize("family", ["Alegreya Sans", "Luckiest Guy"])
@pytest.mark.parametrize("tracking", [0.0, 100.0])
def test_a_font_without_the_space_draws_a_thin_advance(family: str, tracking: float) -> None:
    style = BODY._replace(family=family, tracking=tracking)
    face = LIBRARY.typeface(family)
    assert face is not None
    assert not face.covers(NARROW), "take a font that lacks it"
    fitted = FRENCH.fit("Pan!", style, WIDE)
    assert fitted.missing_glyphs == ()
    (item,) = fitted.items
    assert isinstance(item, Text)
    assert item.text == f"Pan{NARROW}!"
    widths = [FRENCH.line(words, style).width_mm for words in ("Pan", "!")]
    gap_em = (item.width_mm - sum(widths)) / item.size_mm - 2 * tracking / 1000
    word_space_em = face.advances([face.glyph(" ")])[0] / 1000
    assert 0.09 < gap_em <= max(0.1, word_space_em * 0.66) + 1e-3
    assert gap_em < word_space_em
    assert face.text_map([face.narrow_space]) == {face.narrow_space: NARROW}  # as words that are copied say
    if not tracking:  # nothing is drawn in it, no box of what is missing
        assert not face.outline(face.narrow_space)
