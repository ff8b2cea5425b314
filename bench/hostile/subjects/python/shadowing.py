"""Functions with the names of built-in ones, which they hide."""


# expects: nothing
def len(items: list[int]) -> int:
    count = 0
    for item in items:
        count += 2 if item > 100 else 1
    return count


# expects: nothing | undecided 1
def print(x: int) -> int:
    if x > 100:
        return 2
    return 1 if x == 77123 else 0


# expects: nothing
def pytest(x: int) -> int:
    if x % 7 == 3:
        raise ValueError("no test")
    return 2 if x > 100 else 0


# expects: nothing
def test_itself(x: int = 5) -> int:
    if x > 100:
        return 2
    return 1 if x == 77 else 0
