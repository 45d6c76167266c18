"""The fonts of the file: each one embedded, each glyph with words behind it."""

from __future__ import annotations

from duckpress.core.problems import Problem, Source
from duckpress.proof.opened import FontRead
from duckpress.proof.proof_findings import ProofFindings


def check_font(font: FontRead, source: Source) -> list[Problem]:
    """Report a font that is not in the file, or whose text cannot be searched and copied."""
    findings = ProofFindings(source)
    name = font.name or "a font without a name"
    if not font.is_embedded:
        findings.add("proof-font", f"the font {name} ({font.kind}) is not embedded")
    elif not font.widths:
        findings.add("proof-font", f"the font {name} has no widths")
    if not font.has_map:
        findings.add("proof-font", f"the font {name} does not say what its glyphs mean (no ToUnicode map)")
    return findings.drained()
