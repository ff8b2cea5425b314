/* Functions with pointers as people write them. None needs an option. Above each stands what has to come of it: "complete"
   (each branch is taken, nothing is found), "crash: " and what there has to be, or "beyond" (no length is enough, which is
   no finding). */
#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* complete */
int polar(double x, double *y)
{
    if (x < 0.0) {
        y[0] = -x;
        y[1] = 3.141592653589793;
        return 1;
    }
    y[0] = x;
    y[1] = 0.0;
    return 0;
}

/* complete */
int coefficients(const double *k, int i, double x)
{
    double *end = (double *)k + 5;
    if (i < 0 || i > 5)
        return -1;
    return x > (end - i)[0] ? 1 : 0;
}

/* complete */
int polynomial(const double *c, double x)
{
    double sum = 0.0;
    for (int i = 0; i < 6; i++)
        sum = sum * x + c[i];
    return sum > 100.0 ? 1 : sum < -100.0 ? -1 : 0;
}

/* complete */
double mean(const double *xs, int n)
{
    if (n <= 0)
        return 0.0;
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += xs[i];
    return sum / n;
}

/* complete */
double maximum(int n, double *xs)
{
    double best = -INFINITY;
    for (int i = 0; i < n; i++)
        if (xs[i] > best)
            best = xs[i];
    return best;
}

/* complete */
uint16_t checksum(const uint8_t *buf, size_t len)
{
    uint16_t crc = 0xffff;
    while (len--) {
        crc ^= *buf++;
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1;
    }
    return crc == 0x1234 ? 0 : crc;
}

/* complete */
double dot(const double *a, const double *b, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum > 10.0 ? 10.0 : sum;
}

/* complete */
int diagonal(const double *m, int rows, int cols)
{
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            if (r != c && m[r * cols + c] != 0.0)
                return 0;
    return 1;
}

/* crash: read of xs[ */
double sum_off_by_one(const double *xs, int n)
{
    double s = 0.0;
    for (int i = 0; i <= n; i++)
        s += xs[i];
    return s;
}

/* complete */
double sum_right(const double *xs, int n)
{
    double s = 0.0;
    for (int i = 0; i < n; i++)
        s += xs[i];
    return s;
}

/* complete */
int parse_header(const uint8_t *data, size_t size, uint16_t *kind, uint32_t *length)
{
    if (size < 8)
        return -1;
    if (data[0] != 0x7e)
        return -2;
    *kind = (uint16_t)(data[1] << 8 | data[2]);
    *length = (uint32_t)data[4] << 24 | (uint32_t)data[5] << 16 | (uint32_t)data[6] << 8 | data[7];
    if (*length > size - 8)
        return -3;
    return *kind == 513 ? 1 : 0;
}

/* crash: read of data[2], one element past the buffer of 2 */
int parse_short(const uint8_t *data, size_t len)
{
    if (len < 2)
        return -1;
    if (data[0] == 0xaa && data[1] == 0x55)
        return data[2];
    return 0;
}

/* complete */
int is_hex(const char *s)
{
    int digits = 0;
    if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X'))
        s += 2;
    for (; *s; s++, digits++)
        if (!isxdigit((unsigned char)*s))
            return 0;
    return digits > 0;
}

/* complete */
int command(const char *line)
{
    if (strcmp(line, "start") == 0)
        return 1;
    if (strncmp(line, "set ", 4) == 0)
        return line[4] == '-' ? 3 : 2;
    return 0;
}

/* complete */
int format_angle(char *out, size_t size, double degrees)
{
    char side = degrees < 0.0 ? 'W' : 'E';
    if (!(fabs(degrees) <= 180.0))
        return -1;
    int length = snprintf(out, size, "%.3f%c", fabs(degrees), side);
    return length >= (int)size ? -2 : length;
}

/* complete */
void to_hex(uint8_t byte, char *out)
{
    static const char digits[] = "0123456789abcdef";
    out[0] = byte < 16 ? ' ' : digits[byte >> 4];
    out[1] = digits[byte & 15];
    out[2] = '\0';
}

/* complete */
void trim(char *s)
{
    size_t n = strlen(s);
    while (n > 0 && s[n - 1] == ' ')
        s[--n] = '\0';
}

/* complete */
double parse_ratio(const char *text, int *status)
{
    double a = 0.0, b = 0.0;
    *status = 0;
    if (sscanf(text, "%lf/%lf", &a, &b) != 2) {
        *status = 1;
        return 0.0;
    }
    if (b == 0.0) {
        *status = 2;
        return 0.0;
    }
    return a / b;
}

struct filter {
    int order;
    double gain;
    double taps[4];
    struct {
        double low, high;
    } limit;
};

/* complete */
double filter(struct filter *f, double x)
{
    double y = 0.0;
    if (f->order < 1 || f->order > 4)
        return -1.0;
    for (int i = 3; i > 0; i--)
        f->taps[i] = f->taps[i - 1];
    f->taps[0] = x;
    for (int i = 0; i < f->order; i++)
        y += f->taps[i];
    y *= f->gain;
    return y < f->limit.low ? f->limit.low : y > f->limit.high ? f->limit.high : y;
}

struct point {
    double x, y;
};

/* complete */
int inside(const struct point *corners, int count, double x, double y)
{
    int in = 0;
    for (int i = 0, j = count - 1; i < count; j = i++) {
        if ((corners[i].y > y) != (corners[j].y > y)
            && x < (corners[j].x - corners[i].x) * (y - corners[i].y) / (corners[j].y - corners[i].y) + corners[i].x)
            in = !in;
    }
    return in;
}

/* complete */
int quadratic(double a, double b, double c, double *x1, double *x2)
{
    double d = b * b - 4.0 * a * c;
    if (a == 0.0 || d < 0.0)
        return 0;
    *x1 = (-b - sqrt(d)) / (2.0 * a);
    *x2 = (-b + sqrt(d)) / (2.0 * a);
    return d > 0.0 ? 2 : 1;
}

/* complete */
int find(const int *sorted, int n, int key)
{
    int low = 0, high = n - 1;
    while (low <= high) {
        int middle = low + (high - low) / 2;
        if (sorted[middle] == key)
            return middle;
        if (sorted[middle] < key)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

/* complete */
void sort(double *values, unsigned count)
{
    for (unsigned i = 1; i < count; i++)
        for (unsigned j = i; j > 0 && values[j - 1] > values[j]; j--) {
            double t = values[j];
            values[j] = values[j - 1];
            values[j - 1] = t;
        }
}

/* complete */
int unused(double x, const double *reserved)
{
    (void)reserved;
    return x > 0.0;
}

/* beyond */
int endless(const int *xs)
{
    int i = 0;
    while (xs[i] != 77 || i < 100000000)
        i++;
    return i;
}

/* complete */
int sentinel(const int *xs)
{
    int i = 0;
    while (xs[i] >= 0 && i < 12)
        i++;
    return i;
}

/* complete */
int registers(volatile uint32_t *port, uint32_t mask)
{
    if (port[3] & mask)
        port[0] = 1;
    return port[1] == 5;
}

/* complete */
int copy(uint8_t *to, const uint8_t *from, size_t n)
{
    memcpy(to, from, n);
    return n > 2 && to[1] == from[2];
}

/* complete */
int smooth(const float *in, float *out, int n)
{
    if (n < 3)
        return 0;
    out[0] = in[0];
    out[n - 1] = in[n - 1];
    for (int i = 1; i < n - 1; i++)
        out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3.0f;
    return out[1] > out[0];
}

/* crash: write of out[ */
int differences(const int *in, int *out, int n)
{
    for (int i = 0; i < n; i++)
        out[i + 1] = in[i] + 1;
    return n;
}

/* beyond */
int range(const double *first, const double *last)
{
    int n = 0;
    for (; first != last; first++)
        n += *first > 0.5;
    return n;
}
