"""https://github.com/rezemika/humanized_opening_hours/issues/31

The search for the next day that is open calls itself once for each day, and when
the rules that it looks at say "off" for every day it never comes to an end:
reported([False] * 7, 0, False).
"""


def _ahead(week: list[bool], day: int) -> int: return 0 if week[day] else 1 + _ahead(week, (day + 1) % 7)  # fault: RecursionError


def reported(week: list[bool], today: int, after_closing: bool) -> int:
    if len(week) != 7:
        raise ValueError("a week has seven days")
    if today < 0 or today > 6:
        raise ValueError("no such day of the week")
    if after_closing:
        return 1 + _ahead(week, (today + 1) % 7)
    if week[today]:
        return 0
    return _ahead(week, today)


def mended(week: list[bool], today: int, after_closing: bool) -> int:
    if len(week) != 7:
        raise ValueError("a week has seven days")
    if today < 0 or today > 6:
        raise ValueError("no such day of the week")
    if True not in week:
        raise ValueError("never open")
    ahead = 1 if after_closing else 0
    while not week[(today + ahead) % 7]:
        ahead += 1
    return ahead
