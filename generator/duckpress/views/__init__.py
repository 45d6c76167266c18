"""Views of a game other than its sheets: figures, one card, pictures, a preview page, orders at vendors."""
