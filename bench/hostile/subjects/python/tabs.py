"""A file with tabs, a form feed, and no end of its last line."""


# expects: nothing | undecided 1
def is_indented(x: int) -> int:
	if x > 100:
		return 2
	return 1 if x == 77123 else 0
