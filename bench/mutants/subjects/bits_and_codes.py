"""Integers, bit by bit."""


def popcount(x: int) -> int:
    """Ones of the 32 lowest bits."""
    x &= 0xFFFFFFFF
    x = x - ((x >> 1) & 0x55555555)
    x = (x & 0x33333333) + ((x >> 2) & 0x33333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F
    return ((x * 0x01010101) & 0xFFFFFFFF) >> 24


def to_bcd(n: int) -> int:
    """Packed decimal digits, 0x42 for 42, of 0 to 9999."""
    if not 0 <= n <= 9999:
        raise ValueError("n must be in 0..9999")
    bcd = 0
    shift = 0
    while n > 0:
        bcd |= (n % 10) << shift
        n //= 10
        shift += 4
    return bcd


def crc8(data: list[int], start: int = 0) -> int:
    """CRC with the polynomial 0x07 of numbers from 0 to 255."""
    crc = start & 0xFF
    for byte in data:
        crc ^= byte & 0xFF
        for _ in range(8):
            if crc & 0x80:
                crc = ((crc << 1) ^ 0x07) & 0xFF
            else:
                crc <<= 1
    return crc
