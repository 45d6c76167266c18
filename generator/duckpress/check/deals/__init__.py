"""A setup and a seed -> a deal: real cards, drawn by streams of chance that anyone can compute again."""
