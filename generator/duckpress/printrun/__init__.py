"""An edition -> files for each copy: what copies share is laid out, drawn and proven once, the rest copy by copy."""
