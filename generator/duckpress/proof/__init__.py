"""PDF bytes held against the data they were made from: a build that fails its proof is not written."""

from duckpress.proof.expected import Expected, ExpectedCopy, ExpectedFace, ExpectedPiece, ExpectedSheets, proof_stopped
from duckpress.proof.expected_cover import CoverDeck, ExpectedCover, FilePart
from duckpress.proof.kept_pages import Proven
from duckpress.proof.prove import prove_pdf

__all__ = [
    "CoverDeck",
    "Expected",
    "ExpectedCopy",
    "ExpectedCover",
    "ExpectedFace",
    "ExpectedPiece",
    "ExpectedSheets",
    "FilePart",
    "Proven",
    "proof_stopped",
    "prove_pdf",
]
