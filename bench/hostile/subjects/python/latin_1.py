# -*- coding: latin-1 -*-
"""A file in Latin-1: été."""


# expects: nothing
def is_in_latin_1(word: str) -> int:
    if word == "é":
        return 1
    return 2 if len(word) > 3 else 0
