"""Theme files -> the colours, text styles and marks of a game's faces."""
