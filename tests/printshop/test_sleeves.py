"""`build --sleeve`: cards that slide in, trimmed or scaled, or a refusal with the figures; the table on the page."""

from __future__ import annotations

import re
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from click.testing import Result
from shop import make_shop

from duckpress.core.sizes import FORMATS, PLAY_MM, SLEEVES, sleeve_named
from running import run

ROOT = Path(__file__).resolve().parents[2]


def build(folder: Path, size: str, *words: str) -> Result:
    if not (folder / "content").exists():
        make_shop(folder, size, {"ada": 3, "bo": 1})
    return run(folder, "build", "shop", "--paper", "a4", *words)


def notes(result: Result) -> set[str]:
    return set(re.findall(r" (?:note|error|warning)\[([a-z-]+)\]", result.output))


def cards_in(pdf: Path) -> list[tuple[float, float]]:
    """Return the sizes of the faces in a file, with their bleed."""
    with pikepdf.open(pdf) as document:
        sizes = []
        for page in document.pages:
            for name, form in page.Resources.XObject.items():
                if name.startswith("/FormXob.C-"):
                    x1, y1, x2, y2 = (float(edge) for edge in form.BBox)
                    sizes.append((round(x2 - x1, 3), round(y2 - y1, 3)))
        return sizes


def test_cards_that_fit_stay_as_they_are(tmp_path: Path) -> None:
    result = build(tmp_path, "poker-euro", "--sleeve", "standard")
    assert result.exit_code == 0, result.output
    assert notes(result) == {"sleeve-fit"}
    assert "63 x 88 mm, for sleeve 'standard', 66 x 91 mm inside: it slides in as it is" in result.output
    pdf = tmp_path / "output" / "shop" / "sleeve-standard" / "shop-cards-a4-sleeve-standard.pdf"
    assert set(cards_in(pdf)) == {(67.0, 92.0)}  # with 2 mm of bleed


def test_the_safe_zone_is_cut_where_it_can_spare_it(tmp_path: Path) -> None:
    result = build(tmp_path, "poker", "--sleeve", "62x88")
    assert "trimmed to 60 x 86 mm, 1.75 and 1.45 mm at each side, inside the safe zone" in result.output
    pdf = tmp_path / "output" / "shop" / "sleeve-62x88" / "shop-cards-a4-sleeve-62x88.pdf"
    assert set(cards_in(pdf)) == {(64.0, 90.0)}
    assert "ada front" in pypdfium2.PdfDocument(pdf)[0].get_textpage().get_text_bounded()


def test_too_small_a_sleeve_is_refused_with_the_figures(tmp_path: Path) -> None:
    result = build(tmp_path, "poker", "--sleeve", "60x85")
    assert (result.exit_code, notes(result)) == (1, {"sleeve-too-small"})
    assert "with 2 mm of play a card may be 58 x 83 mm, so 2.75 and 2.95 mm have to come off" in result.output
    assert "the safe zone of 3 mm can spare 2 mm" in result.output
    assert "'--sleeve-by scale' for cards of 91.3 % of their size" in result.output
    assert not (tmp_path / "output").exists()


def test_scaled_cards_tell_their_smallest_text(tmp_path: Path) -> None:
    result = build(tmp_path, "poker-landscape", "--sleeve", "60x85", "--sleeve-by", "scale")
    assert result.exit_code == 0, result.output
    told = re.search(r"printed at 91.3 %, 81.2 x 58 mm, its smallest text (\d+\.\d) pt", result.output)
    assert told, result.output
    pdf = tmp_path / "output" / "shop" / "sleeve-60x85" / "shop-cards-a4-sleeve-60x85.pdf"
    (size,) = set(cards_in(pdf))
    scale = 58 / 63.5
    assert size == pytest.approx((88.9 * scale + 4 * scale, 58 + 4 * scale), abs=0.002)
    assert float(told[1]) == pytest.approx(16 * scale, abs=0.06)


def test_text_never_gets_too_small_to_read(tmp_path: Path) -> None:
    make_shop(tmp_path, "poker", {"ada": 1})
    for name, old, new in (("layouts/front.xml", 'size="16"', 'size="4.7"'), ("theme.yaml", "min: 8", "min: 4")):
        path = tmp_path / "content" / "shop" / name
        path.write_text(path.read_text().replace(old, new))
    for way, why in (("scale", "its smallest text 4.3 pt, less than 4.5 pt"), ("trim", "have to come off")):
        result = build(tmp_path, "poker", "--sleeve", "60x85", "--sleeve-by", way)
        assert (result.exit_code, notes(result)) == (1, {"sleeve-too-small"})
        assert why in result.output
        # Neither way works, so neither is a way out of the other.
        assert "fix: take a larger sleeve\n" in result.output


def test_sleeves_of_quite_another_size_are_refused(tmp_path: Path) -> None:
    result = build(tmp_path, "poker", "--sleeve", "tarot")
    assert (result.exit_code, notes(result)) == (1, {"sleeve-unused"})
    assert "takes cards of up to 68 x 118 mm; the decks are 'card' 63.5 x 88.9 mm" in result.output
    assert "fix: write '--sleeve standard', which fits\n" in result.output


def test_no_sleeve_is_no_sleeve(tmp_path: Path) -> None:
    for name in ("huge", "10x20", "66x91x2"):
        assert build(tmp_path, "poker", "--sleeve", name).exit_code == 2
    assert sleeve_named("91x66") == sleeve_named("66x91mm")


def test_the_cards_that_sleeves_are_named_for_slide_in() -> None:
    assert PLAY_MM == 2.0
    named = ("japanese", "us-game", "standard-euro", "mini-american")
    for sleeve, size in (*zip(named, named, strict=True), ("standard", "poker"), ("standard", "poker-euro")):
        most, trim = SLEEVES[sleeve].largest_card, FORMATS[size].trim
        assert (trim.width_mm <= most.width_mm, trim.height_mm <= most.height_mm) == (True, True), size


def test_the_table_of_sleeves_is_that_of_the_program() -> None:
    text = (ROOT / "docs" / "printing.md").read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^\| `([\w-]+)` \| ([\d.]+) x ([\d.]+) \| ([\d.]+) x ([\d.]+) \|$", text)
    told = {name: tuple(map(float, numbers)) for name, *numbers in rows}
    assert told == {one.name: (*one.inside, *one.largest_card) for one in SLEEVES.values()}
