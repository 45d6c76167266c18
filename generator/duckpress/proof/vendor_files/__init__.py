"""The files of an order at a vendor held against the cards: an order that fails its proof is not written."""

from duckpress.proof.vendor_files.press_proof import Order, Paint, prove_order

__all__ = ["Order", "Paint", "prove_order"]
