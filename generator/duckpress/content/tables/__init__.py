"""Tables of cards (CSV, XLSX, ODS) -> rows of cells with the place of every cell."""
