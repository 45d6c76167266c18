"""What a game is shown as, other than on sheets: figures, one card, pictures, a preview page, orders at vendors."""
