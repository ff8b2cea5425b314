"""Lists of integers."""


def luhn(digits: list[int]) -> bool:
    """The check sum of card numbers.

    Raises:
        ValueError: an item is no digit.
    """
    if any(not 0 <= d <= 9 for d in digits):
        raise ValueError("no digit")
    if len(digits) < 4 or len(digits) > 16:
        return False
    total = 0
    for place, digit in enumerate(reversed(digits)):
        if place % 2:
            digit *= 2
            if digit > 9:
                digit -= 9
        total += digit
    if total % 10:
        return False
    if digits[0] == 4 and digits[1] == 9:
        return True
    return total > 0


def stack_machine(program: list[int]) -> int:
    """0 pops and adds, 1 pops and multiplies, 2 doubles, the rest is pushed.

    Raises:
        ValueError: the stack runs empty or grows too large.
    """
    stack: list[int] = []
    for code in program[:16]:
        match code:
            case 0 | 1:
                if len(stack) < 2:
                    raise ValueError("empty")
                b, a = stack.pop(), stack.pop()
                stack.append(a + b if code == 0 else a * b)
            case 2:
                if not stack:
                    raise ValueError("empty")
                stack.append(stack[-1])
            case _ if code < 0:
                return -1
            case _:
                stack.append(code)
        if len(stack) > 5:
            raise ValueError("full")
    if len(stack) == 1:
        if stack[0] == 361:
            return 1
        return 2
    return 0
