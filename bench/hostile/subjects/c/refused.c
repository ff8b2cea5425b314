/* Functions with parameters that no search can drive; each has to be refused in one line, by name. */
#include <complex.h>
#include <stdarg.h>
#include <stdio.h>

struct node { struct node *next; int value; };
struct unknown;
typedef int four __attribute__((vector_size(16)));
struct holds { four v; int n; };
typedef int (*rule)(int);

// expects: refused
int takes_quadruple(__float128 x) { return x > 100.0L ? 2 : 0; }

// expects: refused
int takes_quadruples(const __float128 *xs) { return xs[0] > 100.0L ? 2 : 0; }

// expects: nothing
int takes_callback(int (*f)(int), int x) { return f(x) > 100 ? 2 : 0; }

// expects: refused
int takes_any_number(int n, ...) {
  va_list rest;
  va_start(rest, n);
  int first = n > 0 ? va_arg(rest, int) : 0;
  va_end(rest);
  return first > 100 ? 2 : 0;
}

// expects: refused
int takes_rest(int n, va_list rest) { return n > 100 ? 2 : va_arg(rest, int); }

// expects: nothing
int takes_untyped(const void *p, int x) { return p == NULL ? -1 : x > 100 ? 2 : 0; }

// expects: refused
int takes_texts(int count, char **texts) { return count > 100 ? 2 : texts[0] == NULL ? 1 : 0; }

// expects: refused
int takes_complex(double complex z) { return creal(z) > 100.0 ? 2 : 0; }

// expects: refused
int takes_wide(__int128 n) { return n > 100 ? 2 : 0; }

// expects: refused
int takes_vector(four v) { return v[0] > 100 ? 2 : v[1] == 5 ? 1 : 0; }

// expects: refused
int takes_vectors(const four *v) { return (*v)[0] > 100 ? 2 : 0; }

// expects: refused
int takes_vector_inside(struct holds h) { return h.v[0] > 100 ? 2 : h.n; }
