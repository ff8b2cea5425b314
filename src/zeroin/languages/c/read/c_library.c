/* What functions of the C library do, for path conditions and proofs: symbolic execution follows this code.
 *
 * Runs call the library itself. Each function does what C23 and POSIX say, in the C locale. A result that this code
 * does not know comes from a function whose name begins with zeroin_unknown. What zeroin_forget is given has any value
 * afterwards.
 */
typedef unsigned long size_t;
#define NULL ((void *)0)

double zeroin_unknown_number(void);
long zeroin_unknown_integer(void);
char *zeroin_unknown_address(void);
void zeroin_forget(void *address, long size);
void *malloc(size_t size);
void *memcpy(void *to, const void *from, size_t size);
size_t strlen(const char *s);
int strncmp(const char *one, const char *other, size_t size);
int memcmp(const void *one, const void *other, size_t size);

/* ---- errno ---- */

int zeroin_errno;  // its value is unknown at the beginning of a call, and after functions that are not read

int *__errno_location(void) { return &zeroin_errno; }

static void forget_errno(void) { zeroin_forget(&zeroin_errno, sizeof zeroin_errno); }

/* ---- strings ---- */

char *strchr(const char *s, int c) {
  for (;; s++) {
    if (*s == (char)c) return (char *)s;
    if (!*s) return NULL;
  }
}

char *strchrnul(const char *s, int c) {
  while (*s && *s != (char)c) s++;
  return (char *)s;
}

char *strrchr(const char *s, int c) {
  const char *found = NULL;
  for (;; s++) {
    if (*s == (char)c) found = s;
    if (!*s) return (char *)found;
  }
}

char *strstr(const char *s, const char *wanted) {
  size_t size = strlen(wanted);
  for (;; s++) {
    if (!strncmp(s, wanted, size)) return (char *)s;
    if (!*s) return NULL;
  }
}

static int is_among(char c, const char *set) {
  int found = 0;
  for (; *set; set++) found |= c == *set;
  return found;
}

size_t strspn(const char *s, const char *set) {
  size_t n = 0;
  while (s[n] && is_among(s[n], set)) n++;
  return n;
}

size_t strcspn(const char *s, const char *set) {
  size_t n = 0;
  while (s[n] && !is_among(s[n], set)) n++;
  return n;
}

char *strpbrk(const char *s, const char *set) {
  for (; *s; s++)
    if (is_among(*s, set)) return (char *)s;
  return NULL;
}

char *stpcpy(char *to, const char *from) {
  while ((*to = *from)) to++, from++;
  return to;
}

char *strcpy(char *to, const char *from) {
  stpcpy(to, from);
  return to;
}

char *stpncpy(char *to, const char *from, size_t size) {
  size_t n = 0, end;
  for (; n < size && from[n]; n++) to[n] = from[n];
  for (end = n; n < size; n++) to[n] = 0;
  return to + end;
}

char *strncpy(char *to, const char *from, size_t size) {
  stpncpy(to, from, size);
  return to;
}

char *strcat(char *to, const char *from) {
  char *end = to;
  while (*end) end++;
  stpcpy(end, from);
  return to;
}

char *strncat(char *to, const char *from, size_t size) {
  char *end = to;
  while (*end) end++;
  for (; size && *from; size--) *end++ = *from++;
  *end = 0;
  return to;
}

char *strdup(const char *s) {
  size_t size = 0;
  while (s[size++]) {
  }
  char *made = malloc(size);
  for (size_t n = 0; made && n < size; n++) made[n] = s[n];
  return made;
}

char *strtok_r(char *s, const char *set, char **rest) {
  s = s ? s : *rest;
  while (*s && is_among(*s, set)) s++;
  if (!*s) {
    *rest = s;
    return NULL;
  }
  char *end = s;
  while (*end && !is_among(*end, set)) end++;
  *rest = end;
  if (*end) *(*rest)++ = 0;
  return s;
}

/* ---- memory ---- */

void *memchr(const void *from, int c, size_t size) {
  const unsigned char *bytes = from;
  for (size_t n = 0; n < size; n++)
    if (bytes[n] == (unsigned char)c) return (void *)(bytes + n);
  return NULL;
}

void *memrchr(const void *from, int c, size_t size) {
  const unsigned char *bytes = from;
  while (size--)
    if (bytes[size] == (unsigned char)c) return (void *)(bytes + size);
  return NULL;
}

void *memmem(const void *from, size_t size, const void *wanted, size_t wanted_size) {
  const char *bytes = from, *other = wanted;
  for (; size >= wanted_size; size--, bytes++)
    if (!memcmp(bytes, other, wanted_size)) return (void *)bytes;
  return NULL;
}

/* ---- classes of characters: the table of glibc's macros ---- */

#define TWICE(n, what) [128 + (n)] = (what)
#define RANGE(low, high, what) [128 + (low)... 128 + (high)] = (what)
static const unsigned short classes[384] = {
    RANGE(0, 8, 0x0002),      TWICE(9, 0x2003),         RANGE(10, 13, 0x2002),  RANGE(14, 31, 0x0002),
    TWICE(32, 0x6001),        RANGE(33, 47, 0xc004),    RANGE('0', '9', 0xd808), RANGE(58, 64, 0xc004),
    RANGE('A', 'F', 0xd508),  RANGE('G', 'Z', 0xc508),  RANGE(91, 96, 0xc004),   RANGE('a', 'f', 0xd608),
    RANGE('g', 'z', 0xc608),  RANGE(123, 126, 0xc004),  TWICE(127, 0x0002),
};
static const unsigned short *const classes_of = classes + 128;

const unsigned short *const *__ctype_b_loc(void) { return &classes_of; }

/* ---- numbers in strings ---- */

static int is_space(char c) { return (c == ' ') | ((c >= 9) & (c <= 13)); }

static int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 99;
}

/* The digits of a number as strtol and its relatives read it. Of a number of 13 digits or more, the value is limited to
 * ``most``, and ``is_large`` says whether it was. ``end`` stays as it is if there is no number. */
static unsigned long whole(const char *s, const char **end, int base, unsigned long most_up, unsigned long most_down,
                           int is_c23, int *is_negative, int *is_large) {
  unsigned long value = 0;
  int digits = 0;
  *is_negative = *is_large = 0;
  while (is_space(*s)) s++;
  if (*s == '-') *is_negative = 1, s++;
  else if (*s == '+') s++;
  if ((base == 0 || base == 16) && *s == '0' && (s[1] == 'x' || s[1] == 'X') && digit_of(s[2]) < 16) {
    s += 2;
    base = 16;
  } else if (is_c23 && (base == 0 || base == 2) && *s == '0' && (s[1] == 'b' || s[1] == 'B') && digit_of(s[2]) < 2) {
    s += 2;
    base = 2;
  }
  if (base == 0) base = *s == '0' ? 8 : 10;
  unsigned long most = *is_negative ? most_down : most_up;
  for (;; s++) {
    unsigned digit = base <= 10 ? (unsigned)(*s - '0') : (unsigned)digit_of(*s);
    if (digit >= (unsigned)base) break;
    if (++digits > 12 && (*is_large || value > (most - digit) / base)) *is_large = 1;
    else value = value * base + digit;
    *end = s + 1;
  }
  if (*is_large) {
    value = most;
    zeroin_errno = 34;
  } else if (!digits) forget_errno();  // POSIX allows EINVAL
  return value;
}

/* Whether there is no number of this base: it is not said what happens then. */
static int is_no_base(int base, char **end) {
  if (base >= 0 && base != 1 && base <= 36) return 0;
  if (end) *end = zeroin_unknown_address();
  forget_errno();
  return 1;
}

static long with_sign(const char *s, char **end, int base, int is_c23) {
  if (is_no_base(base, end)) return zeroin_unknown_integer();
  const char *stop = s;
  int is_negative, is_large;
  unsigned long value = whole(s, &stop, base, ~0ul >> 1, (~0ul >> 1) + 1, is_c23, &is_negative, &is_large);
  if (end) *end = (char *)stop;
  return is_negative ? -value : value;
}

static unsigned long without_sign(const char *s, char **end, int base, int is_c23) {
  if (is_no_base(base, end)) return zeroin_unknown_integer();
  const char *stop = s;
  int is_negative, is_large;
  unsigned long value = whole(s, &stop, base, ~0ul, ~0ul, is_c23, &is_negative, &is_large);
  if (end) *end = (char *)stop;
  return is_negative && !is_large ? -value : value;
}

long strtol(const char *s, char **end, int base) { return with_sign(s, end, base, 0); }
long long strtoll(const char *s, char **end, int base) { return with_sign(s, end, base, 0); }
unsigned long strtoul(const char *s, char **end, int base) { return without_sign(s, end, base, 0); }
unsigned long long strtoull(const char *s, char **end, int base) { return without_sign(s, end, base, 0); }
long __isoc23_strtol(const char *s, char **end, int base) { return with_sign(s, end, base, 1); }
long long __isoc23_strtoll(const char *s, char **end, int base) { return with_sign(s, end, base, 1); }
unsigned long __isoc23_strtoul(const char *s, char **end, int base) { return without_sign(s, end, base, 1); }
unsigned long long __isoc23_strtoull(const char *s, char **end, int base) { return without_sign(s, end, base, 1); }
int atoi(const char *s) { return (int)strtol(s, NULL, 10); }
long atol(const char *s) { return strtol(s, NULL, 10); }
long long atoll(const char *s) { return strtol(s, NULL, 10); }

static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* A number with at most 15 digits is exact, and so is a power of ten up to 1e22: one operation rounds it as strtod does
 * (Clinger 1990). Of others, and of words and hexadecimal numbers, nothing is known. */
double strtod(const char *s, char **end) {
  const char *start = s;
  unsigned long value = 0;
  int digits = 0, exponent = 0, is_negative = 0, seen = 0, is_fraction = 0;
  while (is_space(*s)) s++;
  if (*s == '-') is_negative = 1, s++;
  else if (*s == '+') s++;
  if (*s == 'i' || *s == 'I' || *s == 'n' || *s == 'N') goto unknown;
  if (*s == '0' && (s[1] == 'x' || s[1] == 'X')) goto unknown;
  for (;; s++) {
    if (*s == '.' && !is_fraction) {
      is_fraction = 1;
      continue;
    }
    unsigned digit = *s - '0';
    if (digit > 9) break;
    value = value * 10 + digit;
    exponent -= is_fraction;
    seen = 1;
    if (++digits > 15) goto unknown;
  }
  if (!seen) {
    if (end) *end = (char *)start;
    return 0;
  }
  const char *stop = s;
  if (*s == 'e' || *s == 'E') {
    int sign = 1, power = 0;
    s++;
    if (*s == '-') sign = -1, s++;
    else if (*s == '+') s++;
    for (; (unsigned)(*s - '0') < 10; stop = ++s)
      if ((power = power * 10 + (*s - '0')) > 1000) goto unknown;
    exponent += sign * power;
  }
  if (exponent < -22 || exponent > 22) goto unknown;
  if (end) *end = (char *)stop;
  double number = (double)value;
  if (exponent < 0) number /= powers[-exponent];
  if (exponent > 0) number *= powers[exponent];
  return is_negative ? -number : number;
unknown:
  forget_errno();
  if (end) *end = zeroin_unknown_address();
  return zeroin_unknown_number();
}

double atof(const char *s) { return strtod(s, NULL); }

/* ---- sscanf ---- */

enum { MOST_SCANNED = 8, WIDEST = 60 };

/* A length that nobody knows; nothing is known of the target of a conversion any more. */
static long lost(void *to) {
  zeroin_forget(to, 1);
  forget_errno();
  return zeroin_unknown_integer();
}

/* A whole number of ``size`` bytes: the length of its text, 0 if there is none. */
static long scan_whole(const char *s, int base, int size, void *to, int is_c23) {
  const char *stop = s;
  int is_negative, is_large;
  unsigned long value = whole(s, &stop, base, ~0ul >> 1, (~0ul >> 1) + 1, is_c23, &is_negative, &is_large);
  if (stop == s) return 0;
  if (base != 10 && (*stop == 'x' || *stop == 'X' || *stop == 'b' || *stop == 'B')) return lost(to);  // 0x without a digit
  if (is_large) return lost(to);                                      // it is not said what is stored
  value = is_negative ? -value : value;
  if (!to) return stop - s;
  if (size == 1) *(char *)to = (char)value;
  else if (size == 2) *(short *)to = (short)value;
  else if (size == 4) *(int *)to = (int)value;
  else *(long *)to = (long)value;
  return stop - s;
}

/* The same for a float. */
static long scan_float(const char *s, int size, void *to) {
  char *stop;
  double value = strtod(s, &stop);
  if (stop == s) return *s == '.' ? lost(to) : 0;
  if (*stop == 'e' || *stop == 'E') return lost(to);  // an exponent without a digit
  if (!to) return stop - s;
  if (size == 8) *(double *)to = value;
  else if (size == 4) {
    unsigned long bits;
    memcpy(&bits, &value, sizeof bits);
    int is_middle = (bits & 0x1fffffff) == 0x10000000;  // between two floats: it may have been rounded to this
    *(float *)to = (float)(is_middle ? zeroin_unknown_number() : value);
  } else return lost(to);
  return stop - s;
}

/* The characters of a set as in %[a-z]; ``set`` is behind the bracket, or NULL: all but space. */
static int is_in_set(char c, const char *set) {
  if (!set) return !is_space(c);
  int is_other = *set == '^', found = 0;
  if (is_other) set++;
  for (const char *at = set; at == set || *at != ']'; at++) {
    if (!*at) return is_other;
    if (at[1] == '-' && at[2] && at[2] != ']') {
      found |= (c >= *at) & (c <= at[2]);
      at += 2;
    } else found |= c == *at;
  }
  return found ^ is_other;
}

static int scanned(const char *s, const char *format, void **to, int is_c23) {
  const char *start = s;
  int found = 0, given = 0;
  for (; *format; format++) {
    if (is_space(*format)) {
      while (is_space(*s)) s++;
      continue;
    }
    if (*format != '%' || format[1] == '%') {
      if (*format == '%') {
        format++;
        while (is_space(*s)) s++;
      }
      if (*s != *format) return *s || found ? found : -1;
      s++;
      continue;
    }
    int is_kept = format[1] != '*', width = 0, size = 0;
    format += is_kept ? 1 : 2;
    for (; *format >= '0' && *format <= '9'; format++) width = width * 10 + (*format - '0');
    for (; *format == 'h' || *format == 'l' || *format == 'L' || *format == 'j' || *format == 'z' || *format == 't';
         format++)
      size += *format == 'h' ? -1 : *format == 'l' ? 1 : *format == 'L' ? 16 : 2;
    void *target = NULL;
    if (is_kept && given >= MOST_SCANNED) s += lost(zeroin_unknown_address());
    else if (is_kept) target = to[given++];
    if (*format == 'n') {
      if (target && size >= 0 && size < 1) *(int *)target = (int)(s - start);
      else if (target) s += lost(target);
      continue;
    }
    if (*format != 'c' && *format != '[')
      while (is_space(*s)) s++;
    if (!*s) return found ? found : -1;
    char part[WIDEST + 1];
    const char *from = s;
    long used = 0;
    int is_text = *format == 'c' || *format == '[' || *format == 's';
    if (width && !is_text) {
      for (; used < width && used < WIDEST && s[used]; used++) part[used] = s[used];
      part[used] = 0;
      from = part;
    }
    int base = *format == 'd' || *format == 'u' ? 10 : *format == 'o' ? 8 : *format == 'i' ? 0 : 16;
    int bytes = size == -2 ? 1 : size == -1 ? 2 : size == 0 ? 4 : 8;
    if (width > WIDEST && !is_text) used = lost(target);
    else if (*format == 'd' || *format == 'u' || *format == 'o' || *format == 'i' || *format == 'x' || *format == 'X')
      used = scan_whole(from, base, bytes, target, is_c23);
    else if (*format == 'e' || *format == 'f' || *format == 'g' || *format == 'E' || *format == 'G')
      used = scan_float(from, size == 1 ? 8 : size == 0 ? 4 : 16, target);
    else if (is_text && !size) {
      char *written = target;
      const char *set = *format == '[' ? format + 1 : NULL;
      int is_any = *format == 'c', most = width ? width : is_any;
      for (used = 0; s[used] && (!most || used < most) && (is_any || is_in_set(s[used], set)); used++)
        if (written) *written++ = s[used];
      if (written && !is_any && used) *written = 0;
    } else used = lost(target);
    if (*format == '[') {
      format += format[1] == '^' ? 2 : 1;
      do format++;
      while (*format && *format != ']');
    }
    if (!used) return found;
    s += used;
    found += is_kept;
    if (!*format) break;
  }
  return found;
}

#define TARGETS void *a, void *b, void *c, void *d, void *e, void *f, void *g, void *h
int sscanf(const char *s, const char *format, TARGETS) {
  void *to[MOST_SCANNED] = {a, b, c, d, e, f, g, h};
  return scanned(s, format, to, 0);
}
int __isoc99_sscanf(const char *s, const char *format, TARGETS) {
  void *to[MOST_SCANNED] = {a, b, c, d, e, f, g, h};
  return scanned(s, format, to, 0);
}
int __isoc23_sscanf(const char *s, const char *format, TARGETS) {
  void *to[MOST_SCANNED] = {a, b, c, d, e, f, g, h};
  return scanned(s, format, to, 1);
}

/* ---- searching and sorting; which of equal elements comes first is left open, so proofs do not read these ---- */

void *bsearch(const void *key, const void *from, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    const void *there = (const char *)from + middle * size;
    int order = compare(key, there);
    if (!order) return (void *)there;
    if (order < 0) high = middle;
    else low = middle + 1;
  }
  return NULL;
}

void qsort(void *from, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  char taken[256], *bytes = from;
  if (size > sizeof taken) zeroin_unknown_number();
  for (size_t n = 1; n < count; n++) {
    size_t at = n;
    while (at && compare(bytes + (at - 1) * size, bytes + n * size) > 0) at--;
    memcpy(taken, bytes + n * size, size);
    for (size_t moved = n; moved > at; moved--) memcpy(bytes + moved * size, bytes + (moved - 1) * size, size);
    memcpy(bytes + at * size, taken, size);
  }
}
