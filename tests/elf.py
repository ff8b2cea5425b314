"""The relocations of an object file, as far as tests ask for them."""

from __future__ import annotations

import struct

_RELA = 4  # a section of relocations
_FAR = {1, 9, 41, 42, 257, 311, 312}  # of x86_64 and AArch64: a 64-bit address, or through the table of addresses


def near(code: bytes) -> set[str]:
    """The external symbols that the code of a 64-bit object file can only reach within two gigabytes."""
    start, count = struct.unpack_from("<Q", code, 0x28)[0], struct.unpack_from("<H", code, 0x3C)[0]
    sections = [struct.unpack_from("<IIQQQQIIQQ", code, start + 64 * i) for i in range(count)]
    found = set()
    for section in sections:
        if section[1] != _RELA:
            continue
        symbols = sections[section[6]]
        names = sections[symbols[6]][4]
        for at in range(section[4], section[4] + section[5], 24):
            kind, number = struct.unpack_from("<II", code, at + 8)
            name, _, _, defined = struct.unpack_from("<IBBH", code, symbols[4] + 24 * number)
            if number and not defined and kind not in _FAR:
                found.add(code[names + name : code.index(b"\0", names + name)].decode())
    return found
