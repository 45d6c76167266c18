"""A file's cover sheet held against the pages behind it: counted there, said and shown once more, compared."""
