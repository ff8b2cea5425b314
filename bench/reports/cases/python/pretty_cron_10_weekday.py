"""https://github.com/adamchainz/pretty-cron/issues/10

Cron takes both 0 and 7 for Sunday, the table of names has only 0 to 6:
reported(30, 9, 5, 7).
"""

_DAYS = {0: "Sun", 1: "Mon", 2: "Tue", 3: "Wed", 4: "Thu", 5: "Fri", 6: "Sat"}


def reported(minute: int, hour: int, first: int, last: int) -> str:
    if minute < 0 or minute > 59 or hour < 0 or hour > 23:
        raise ValueError("no such time")
    if first < 0 or last > 7 or first > last:
        raise ValueError("no such days of the week")
    if last - first >= 6:
        return f"at {hour:02d}:{minute:02d} every day"
    names = []
    for day in range(first, last + 1):
        names.append(_DAYS[day])  # fault: KeyError
    return f"at {hour:02d}:{minute:02d} on " + ", ".join(names)


def mended(minute: int, hour: int, first: int, last: int) -> str:
    if minute < 0 or minute > 59 or hour < 0 or hour > 23:
        raise ValueError("no such time")
    if first < 0 or last > 7 or first > last:
        raise ValueError("no such days of the week")
    if last - first >= 6:
        return f"at {hour:02d}:{minute:02d} every day"
    names = []
    for day in range(first, last + 1):
        names.append(_DAYS[day % 7])
    return f"at {hour:02d}:{minute:02d} on " + ", ".join(names)
