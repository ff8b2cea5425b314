/* Needles: each function has branches that few inputs take. All of them can be taken. */
#include <math.h>
#include <string.h>

int product(double x, double y) { if (x > 2 && x * x == y) return 1; return 0; }
int sine(double x) { if (sin(x) > 0.9999) return 1; return 0; }
int sum(double x, double y) { if (x + y == 10.25 && x - y > 3.5) return 1; return 0; }
int magic(unsigned long long a) { if ((a ^ 0x5555) == 0xdeadbeefcafebabeull) return 1; return 0; }
int triple(long long b) { if (b * 3 == 123456789123ll) return 1; return 0; }
int logarithm(double x) { if (log(x) == 1.0) return 1; return 0; }
int rosenbrock(double x, double y) { if ((1 - x) * (1 - x) + 100 * (y - x * x) * (y - x * x) == 0) return 1; return 0; }
int not_a_number(float x) { if (x != x) return 1; return 0; }

int high_word(double x)
{
    int h = *(1 + (int *)&x) & 0x7fffffff;
    if (h < 0x3e400000)
        return h > 0x3e3ffff0;
    return h == 0x3fe62e42 ? 3 : 2;
}

int nested(double x, double y, double z)
{
    if (x + y == 10.25)
        if (y - z == 3.5)
            if (z * x > 7.125)
                return 1;
    return 0;
}

int parser(const char s[6])
{
    if (s[0] == 'G')
        if (s[1] == 'E')
            if (s[2] == 'T')
                if (s[3] == ' ')
                    if (s[4] == '/')
                        return 1;
    return 0;
}

int counting(const int xs[8])
{
    int n = 0;
    for (int i = 0; i < 8; i++)
        if (xs[i] == 90)
            n++;
    if (n == 4)
        return 1;
    return 0;
}

int named(const char scale[12], double x)
{
    if (strcmp(scale, "UTC") == 0)
        return x == 7.0625 ? 1 : 2;
    if (!strncmp(scale, "TAI+32", 6))
        return 3;
    return 0;
}

static const unsigned char kinds[256] = {
    ['0'] = 1, ['1'] = 1, ['2'] = 1, ['3'] = 1, ['4'] = 1, ['5'] = 1, ['6'] = 1, ['7'] = 1, ['8'] = 1, ['9'] = 1,
    ['a'] = 1, ['b'] = 1, ['c'] = 1, ['d'] = 1, ['e'] = 1, ['f'] = 1, [' '] = 2, ['\n'] = 2,
};

/* A sign in front of a known text: all other characters have to make room. */
int numeral(const char s[16]) {
  int negative = 0, digits = 0;
  while (kinds[(unsigned char)*s] == 2) s++;
  if (*s == '-') negative = *s++;
  if (s[0] == '0' && s[1] == 'x') {
    for (s += 2; kinds[(unsigned char)*s] == 1; s++) digits++;
    if (*s == '\0' && digits >= 3) {
      if (negative) return -1;
      return 1;
    }
  }
  return 0;
}
