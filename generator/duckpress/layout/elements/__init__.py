"""The elements of the layout language: each one's XML -> items of a face."""
