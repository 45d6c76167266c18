"""What the three rooms for expressions share: templates (`layout`), families (`content`) and setups (`check`).

`parsing` reads and refuses what is too deep, `rewriting` has everything that may take long counted, `weighing` says how
much a value holds. Importing them imports Jinja, so a room that is not always needed does it late.
"""
