/* Small parsers for the command shell. Strings end with a NUL and are never NULL. */
#include <ctype.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum parse_result { PARSE_OK, PARSE_EMPTY, PARSE_SYNTAX, PARSE_RANGE };

struct version {
    unsigned char major;
    unsigned char minor;
    unsigned short patch;
};

/* Decimal integer with an optional sign and blanks around it. */
enum parse_result parse_int(const char *s, int *out)
{
    int value = 0;
    int negative = 0;

    while (isspace((unsigned char)*s))
        s++;
    if (*s == '\0')
        return PARSE_EMPTY;
    if (*s == '-' || *s == '+')
        negative = *s++ == '-';
    if (!isdigit((unsigned char)*s))
        return PARSE_SYNTAX;
    while (isdigit((unsigned char)*s)) {
        if (value > INT_MAX / 10)
            return PARSE_RANGE;
        value = value * 10 + (*s++ - '0');
    }
    while (isspace((unsigned char)*s))
        s++;
    if (*s != '\0')
        return PARSE_SYNTAX;
    *out = negative ? -value : value;
    return PARSE_OK;
}

/* "00ff1A" to bytes. `out` has room for `cap` of them. Returns how many, or -1. */
int hex_decode(const char *hex, uint8_t *out, size_t cap)
{
    size_t length = strlen(hex);
    if (length % 2 != 0 || length / 2 > cap)
        return -1;
    for (size_t i = 0; i < length; i++) {
        char c = hex[i];
        uint8_t nibble;
        if (c >= '0' && c <= '9')
            nibble = (uint8_t)(c - '0');
        else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
            nibble = (uint8_t)((c | 0x20) - 'a' + 10);
        else
            return -1;
        if (i % 2 == 0)
            out[i / 2] = (uint8_t)(nibble << 4);
        else
            out[i / 2] |= nibble;
    }
    return (int)(length / 2);
}

/* "major.minor" or "major.minor.patch"; numbers up to 255, 255 and 65535, without leading zeros. */
enum parse_result parse_version(const char *s, struct version *v)
{
    static const unsigned long limits[3] = {255, 255, 65535};
    unsigned long parts[3] = {0, 0, 0};
    int n = 0;

    if (*s == '\0')
        return PARSE_EMPTY;
    for (;;) {
        if (!isdigit((unsigned char)*s))
            return PARSE_SYNTAX;
        if (*s == '0' && isdigit((unsigned char)s[1]))
            return PARSE_SYNTAX;
        while (isdigit((unsigned char)*s)) {
            parts[n] = parts[n] * 10 + (unsigned long)(*s++ - '0');
            if (parts[n] > limits[n])
                return PARSE_RANGE;
        }
        n++;
        if (*s != '.' || n == 3)
            break;
        s++;
    }
    if (*s != '\0' || n < 2)
        return PARSE_SYNTAX;
    v->major = (unsigned char)parts[0];
    v->minor = (unsigned char)parts[1];
    v->patch = (unsigned short)parts[2];
    return PARSE_OK;
}
