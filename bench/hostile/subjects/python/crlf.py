"""A file with the line ends of Windows."""


# expects: nothing | undecided 1
def ends_lines_twice(x: int) -> str:
    if x > 100:
        return """two
lines"""
    return "one" if x == 77123 else ""
