/* Functions that are written in unusual ways, all of them C that compiles: old definitions, jumps, extensions, names
 * that are macros elsewhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#define BETWEEN(low, x, high) ((low) <= (x) && (x) <= (high))
#define LARGER(a, b) ({ __typeof__(a) one = (a), other = (b); one > other ? one : other; })
#define KIND(x) _Generic((x), char: 1, int: 2, long: 3, float: 4, double: 5, default: 6)
#define EACH(what) what(3) what(5) what(7)
#define DIVIDES(n) if (x % n == 0) return n;
#define A_NAME_OF_A_HUNDRED_LETTERS(x) \
  x##abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz

static jmp_buf place;
static int sum(int count, ...) {
  va_list rest;
  int total = 0;
  va_start(rest, count);
  while (count-- > 0) total += va_arg(rest, int);
  va_end(rest);
  return total;
}
static void unwind(int depth) { if (depth == 0) longjmp(place, 7); unwind(depth - 1); }
static inline __attribute__((always_inline)) int clamp(int x) { return x < 0 ? 0 : x > 255 ? 255 : x; }
static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }

// expects: nothing
int old_style(a, b, c)
  int a;
  float b;
  char c;
{
  if (a > 100 && b > 2.5f) return 2;
  return c == 'c' ? 1 : 0;
}

// expects: perhaps undefined
int parameters_like_macros(int EOF, double INFINITY, int errno, int stdout, int assert, int I) {
  if (EOF > 100 && INFINITY < -0.5) return 2;
  return errno + stdout == 7 && assert > I ? 1 : 0;
}

// expects: nothing
int parameters_like_types(int int32_t, int class, int this, int new, int size, int words, int result) {
  if (int32_t > class && this < new) return 2;
  return size == 5 && words == 6 && result == 7 ? 1 : 0;
}

// expects: perhaps undefined
int twelve(int a, long b, short c, char d, float e, double f, unsigned g, _Bool h, int i, double j, float k, long l) {
  if (a > 100 && e > 1.0f && l < -100) return 2;
  if (h && j < 0.0 && g > 7) return 3;
  return b + c + d + i == 77123 && f + k > 1.0 ? 1 : 0;
}

// expects: nothing
int takes_nothing(void) {
  int sum = 0;
  for (int i = 0; i < 10; i++) sum += i % 3 == 0 ? i : 1;
  return sum;
}

// expects: nothing
void returns_nothing(int x, int *out) { *out = x > 100 ? 2 : x < -100 ? 1 : 0; }

// expects: nothing | options --array s=8
const char *returns_text(const char *s) {
  if (strcmp(s, "hostile") == 0) return "found";
  return s[0] == 'q' ? s : NULL;
}

// expects: nothing | options --array s=6
int compares_texts(const char *s, int n) {
  if (strncmp(s, "abcdef", 6) == 0) return 1;
  return memcmp(s, "\0\377\0\377", 4) == 0 && n > 5 ? 2 : 0;
}

// expects: nothing
int two_pointers(const int *one, int *other) {
  if (other == NULL) return -1;
  *other = *one > 100 ? 2 : 0;
  return *other;
}

// expects: nothing
int jumps_about(int x) {
  x &= 0xff;
  goto middle;
back: if (x > 40) goto end;
  x += 7;
middle: if (x % 10 != 3) { x++; goto middle; }
  if (x < 60) goto back;
end: return x;
}

// expects: perhaps undefined
int device(int x, int to) {
  switch (x & 7) {
    case 0: do { to--;
    case 3: to--;
    case 2: to--;
    case 1: to--;
    } while (to > 0 && to < 1000);
  }
  return to;
}

// expects: nothing
int comes_back_from_below(int x) {
  volatile int turns = 0;
  if (setjmp(place) != 0) return turns;
  turns = 3;
  if (x > 5) unwind(x & 31);
  return 0;
}

// expects: perhaps undefined
int adds_any_number(int x, int y) {
  if (sum(4, x, y, 1, 2) == 77123) return 1;
  return sum(0) + sum(2, x, -y) > 0 ? 2 : 0;
}

// expects: nothing
int expression_of_statements(int a, int b) {
  int most = LARGER(a, ({ int c = b; if (c > 100) c = 100; c; }));
  return most == 50 && BETWEEN(10, b, 20) ? 1 : 0;
}

// expects: nothing
int expands_much(int x) {
  EACH(DIVIDES)
  int A_NAME_OF_A_HUNDRED_LETTERS(n) = KIND(x) + KIND('c') + KIND(1.0f) + KIND("text");
  return x > 100 ? A_NAME_OF_A_HUNDRED_LETTERS(n) : 0;
}

// expects: nothing
int assembles(unsigned x) {
  unsigned y = x;
#ifdef __x86_64__
  __asm__("bswap %0" : "+r"(y));
#else
  y = __builtin_bswap32(y);
#endif
  if ((y & 0xff) == 0x12) return 1;
  return clamp((int)x) == 255 ? 2 : 0;
}

// expects: perhaps undefined
int calls_through_table(unsigned k, int x) {
  static int (*const table[])(int) = {twice, thrice, [5] = twice};
  if (k > 5 || !table[k]) return -1;
  return table[k](x) == 33 ? 1 : 0;
}

// expects: perhaps undefined
int compound_literals(int x) {
  struct point { int a, b[3]; } *p = &(struct point){x, {1, [2] = 5}};
  if (((int[]){1, 2, 3})[x & 1] == 2 && p->b[2] + p->a == 12) return 1;
  return p->b[1];
}

// expects: nothing
int größe(int länge, double λ) {
  if (länge > 100 && λ < 0.5) return 2;
  return länge == 77123 ? 1 : 0;
}
