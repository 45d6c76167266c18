"""Calibration: a drifting printer simulated, measured as the sheet says, and put right; profiles kept and refused."""

from __future__ import annotations

import json
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from duckpress.cli.commands import main
from duckpress.core.geometry import Rect, Size
from duckpress.core.printer_profile import Margins, Printer
from duckpress.core.sizes import PAPERS
from printed_pond import POND
from running import MakeWorkspace

A4 = Size(210.0, 297.0)
offsets = st.floats(-5, 5).map(lambda value: round(value, 2))
scales = st.floats(0.97, 1.03).map(lambda value: round(value, 4))


@given(offsets, offsets, scales, scales, st.booleans(), st.floats(20, 190), st.floats(20, 280))
def test_what_a_printer_does_is_undone(
    right: float, down: float, across: float, along: float, flips: bool, x: float, y: float
) -> None:
    printer = Printer("p", right, down, across, along)

    def printed(x_mm: float, y_mm: float) -> tuple[float, float]:
        """A printer that scales about the middle."""
        return 105 + (x_mm - 105) * across, 148.5 + (y_mm - 148.5) * along

    def seen_from_front(x_mm: float, y_mm: float) -> tuple[float, float]:
        return (210 - x_mm, y_mm) if flips else (x_mm, 297 - y_mm)

    front = printer.correction(A4, is_back=False, turns_left_right=flips)
    back = printer.correction(A4, is_back=True, turns_left_right=flips)
    on_front = printed(*front.apply(x, y))
    through = seen_from_front(*printed(*back.apply(*seen_from_front(x, y))))
    on_back = through[0] + right * across, through[1] + down * along  # the drift, as wide as this printer prints
    assert on_front == pytest.approx((x, y), abs=0.001)
    assert on_back == pytest.approx((x, y), abs=0.001)


@pytest.fixture(autouse=True)
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("duckpress.cli.options.settings_folder", lambda: tmp_path / "settings")
    return tmp_path / "settings"


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def test_a_printer_is_kept_shown_and_forgotten(settings: Path) -> None:
    added = run("printer", "add", "office", "--offset-x", "0.4", "--offset-y", "-1", "--scale", "99.2", "--margin", "6")
    assert added.exit_code == 0, added.output
    assert "back +0.4 mm across and -1 mm down, lengths 99.2 % across and 99.2 % down, margin 6 mm" in added.output
    added = run("printer", "add", "den", "--scale-x", "1.002", "--margin", "3,4,12.7,4")
    assert "margins top 3, right 4, bottom 12.7, left 4 mm" in added.output
    den, office = json.loads(run("printer", "list", "--format", "json").output)["printers"]
    assert (den["name"], den["scale_x"], den["scale_y"], den["margin_mm"]) == ("den", 1.002, 1, 12.7)
    assert den["margins"] == {"top_mm": 3, "right_mm": 4, "bottom_mm": 12.7, "left_mm": 4}
    assert list(office.values())[:6] == ["office", 0.4, -1, 0.992, 0.992, 6]
    assert run("printer", "remove", "den").exit_code == 0
    assert "den" not in (settings / "printers.yaml").read_text()
    assert run("printer", "remove", "den").exit_code == 2
    run("printer", "remove", "office")
    assert "empty-file" not in run("printer", "list").output


@given(offsets, offsets, scales, scales, st.tuples(*[st.floats(0, 15)] * 4), st.booleans(), st.booleans())
def test_what_lies_inside_the_margins_stays_inside_when_it_is_corrected(
    right: float, down: float, across: float, along: float, edges: tuple[float, ...], flips: bool, is_back: bool
) -> None:
    printer = Printer("p", right, down, across, along, Margins(*edges))
    paper = printer.paper(PAPERS["a4"], has_backs=True)
    margins = paper.margins(A4)
    room = Rect(margins.width_mm, margins.height_mm, 210 - 2 * margins.width_mm, 297 - 2 * margins.height_mm)
    matrix = printer.correction(A4, is_back=is_back, turns_left_right=flips)
    (x1, y1), (x2, y2) = matrix.apply(room.x_mm, room.y_mm), matrix.apply(room.right_mm, room.bottom_mm)
    assert printer.printable(A4, 5.0).holds(Rect(x1, y1, x2 - x1, y2 - y1), 0.001)


@given(scales, scales, st.floats(20, 250), st.floats(20, 180))
def test_a_page_left_on_its_side_comes_out_true_whichever_way_it_is_turned(
    across: float, along: float, x: float, y: float
) -> None:
    """The printer's long way is the page's width; folded sheets have no back that could drift."""
    matrix = Printer("p", 3.0, 2.0, across, along).correction(A4.turned(), is_back=True, turns_left_right=True)
    sent = matrix.apply(x, y)
    assert 148.5 + (sent[0] - 148.5) * along == pytest.approx(x, abs=0.001)
    assert 105 + (sent[1] - 105) * across == pytest.approx(y, abs=0.001)


def test_what_no_printer_does_is_refused(settings: Path) -> None:
    for option, values in (("--margin", "1,2,3 1,2,3,50 wide -1"), ("--scale", "80 wide"), ("--offset-x", "30")):
        for value in values.split():
            assert run("printer", "add", "office", option, value).exit_code == 2, (option, value)
    assert run("printer", "add", "My Printer").exit_code == 2
    assert not settings.exists()


def test_a_broken_file_is_told_with_its_place(settings: Path) -> None:
    settings.mkdir()
    (settings / "printers.yaml").write_text("office:\n  offset-x: far\n  ofset-y: 1\n")
    result = run("calibrate", "--printer", "office")
    assert result.exit_code == 2
    assert "printers.yaml:2:13" in result.output
    assert "did you mean 'offset-y'" in result.output
    assert run("calibrate", "--printer", "nobody").exit_code == 2


def test_the_sheet_has_two_pages_of_its_paper(tmp_path: Path) -> None:
    result = run("calibrate", "--paper", "a4,letter", "--out", str(tmp_path))
    assert result.exit_code == 0, result.output
    for name, size in (("a4", (595.276, 841.89)), ("letter", (612, 792))):
        with pikepdf.open(tmp_path / f"calibration-{name}.pdf") as pdf:
            boxes = [[float(edge) for edge in page.mediabox][2:] for page in pdf.pages]
            assert boxes == [pytest.approx(size, abs=0.01)] * 2
            assert pdf.Root.ViewerPreferences.PrintScaling == "/None"
            assert pdf.Root.ViewerPreferences.Duplex == "/DuplexFlipLongEdge"


def test_a_corrected_sheet_says_so(tmp_path: Path) -> None:
    run("printer", "add", "office", "--scale", "99")
    assert run("calibrate", "--paper", "a4", "--printer", "office", "--out", str(tmp_path)).exit_code == 0
    page = pypdfium2.PdfDocument(tmp_path / "calibration-a4-office.pdf")[0].get_textpage()
    assert "corrected for printer office" in page.get_text_bounded()
    done = run("calibrate", "--paper", "a4", "--out", str(tmp_path), "--format", "json")
    assert json.loads(done.output) == {"files": [str(tmp_path / "calibration-a4.pdf")], "problems": []}
    plain = pypdfium2.PdfDocument(tmp_path / "calibration-a4.pdf")[0].get_textpage()
    corrected, true = (text.get_charbox(text.get_text_range().index("Calibration")) for text in (page, plain))
    assert (corrected[3] - corrected[1]) / (true[3] - true[1]) == pytest.approx(1 / 0.99, abs=0.002)


def test_a_game_is_built_for_a_printer_that_is_stored(make_workspace: MakeWorkspace) -> None:
    root = make_workspace(POND).root
    words = ("--workspace", str(root), "build", "pond", "--piece", "alone", "--paper", "a4", "--printer", "office")
    assert run(*words).exit_code == 2
    run("printer", "add", "office", "--offset-x", "1", "--margin", "3,4,12.7,4")
    done = run(*words)
    assert done.exit_code == 0, done.output
    folder = root / "output" / "pond" / "printer-office"
    assert {path.name for path in folder.iterdir()} == {"pond-alone-a4-printer-office.pdf", "manifest.json"}
