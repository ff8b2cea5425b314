/* Numbers in texts. */
#include <ctype.h>
#include <stdbool.h>

/* Is the last of the digits the right one? Blanks between them count for nothing. */
bool luhn_valid(const char *digits)
{
    int sum = 0, odd = 0, count = 0;
    const char *end = digits;
    while (*end != '\0')
        end++;
    while (end != digits) {
        char c = *--end;
        if (c == ' ')
            continue;
        if (c < '0' || c > '9')
            return false;
        int value = c - '0';
        if (odd) {
            value *= 2;
            if (value > 9)
                value -= 9;
        }
        sum += value;
        odd = !odd;
        count++;
    }
    return count > 1 && sum % 10 == 0;
}

static int roman_digit(char c)
{
    switch (c) {
    case 'I': return 1;
    case 'V': return 5;
    case 'X': return 10;
    case 'L': return 50;
    case 'C': return 100;
    default: return 0;
    }
}

/* Value of a Roman number up to some hundreds, without looking at the order of all digits; -1 for other characters. */
int roman_value(const char *text)
{
    int total = 0;
    for (; *text != '\0'; text++) {
        int value = roman_digit(text[0]);
        if (value == 0)
            return -1;
        int next = roman_digit(text[1]);
        total += value < next ? -value : value;
    }
    return total;
}
