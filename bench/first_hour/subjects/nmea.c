/* Reading sentences of a GPS receiver. */
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#define NMEA_MAX 82

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return -1;
}

/* Is `sentence` ("$GPGLL,...*1D") of a length the standard allows, and its checksum right? */
bool nmea_checksum_ok(const char *sentence)
{
    unsigned char sum = 0;
    int length = 0;

    if (*sentence++ != '$')
        return false;
    while (*sentence != '\0' && *sentence != '*') {
        sum ^= (unsigned char)*sentence++;
        if (++length > NMEA_MAX)
            return false;
    }
    if (*sentence != '*')
        return false;

    int high = hex_digit(sentence[1]);
    if (high < 0)
        return false;
    int low = hex_digit(sentence[2]);
    if (low < 0)
        return false;
    return sum == (high << 4 | low);
}

/* "4916.45" with 'N' is 49 degrees 16.45 minutes. Returns 0, or -1 and leaves `degrees` alone. */
int nmea_coordinate(const char *field, char hemisphere, double *degrees)
{
    double limit;
    switch (hemisphere) {
    case 'N':
    case 'S':
        limit = 90.0;
        break;
    case 'E':
    case 'W':
        limit = 180.0;
        break;
    default:
        return -1;
    }

    char *end;
    if (!isdigit((unsigned char)field[0]))
        return -1;
    double value = strtod(field, &end);
    if (*end != '\0')
        return -1;

    int whole = (int)(value / 100.0);
    double minutes = value - 100.0 * whole;
    if (minutes >= 60.0)
        return -1;
    double result = whole + minutes / 60.0;
    if (result > limit)
        return -1;
    *degrees = (hemisphere == 'S' || hemisphere == 'W') ? -result : result;
    return 0;
}
