/* Functions that misuse the heap, take too much of it, or leave blocks and pages behind. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, MEGABYTE = 1 << 20 };
struct link { struct link *next; int value; };
static char pages[3 * PAGE] __attribute__((aligned(PAGE)));
static long cells[100];

static char *map(size_t size, int protection) {
  return mmap(0, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}
static struct link *chain(int n) {
  struct link *first = 0;
  while (n-- > 0) {
    struct link *link = malloc(sizeof *link);
    *link = (struct link){first, n};
    first = link;
  }
  return first;
}

// expects: crash memory
int hoards(int x) {
  if (x > 100) return 2;
  while (x == 6) *(volatile char *)malloc(MEGABYTE) = 1;
  return 0;
}

// expects: crash
int takes_all_at_once(int x) {
  if (x == 77123) return 1;
  if (x > 5) *(volatile char *)malloc((size_t)1 << 46) = 1;
  return 0;
}

// expects: crash memory
int doubles(int x) {
  size_t size = 16;
  volatile char *p = malloc(size);
  if (x > 100) return 2;
  for (; x == 6; size *= 2) { p = realloc((void *)p, size); p[size - 1] = 1; }
  return p != 0;
}

// expects: nothing
int too_many_zeros(int x) {
  volatile size_t half = SIZE_MAX / 2;
  char *p = calloc(x > 5 ? half : 1, 4);
  if (p == NULL) return -1;
  free(p);
  return x < -100 ? 2 : 0;
}

// expects: nothing
int forgets(int x) {
  volatile char *p = malloc(MEGABYTE);
  p[x & 0xfffff] = 1;
  if (x == 77123) return 1;
  return x > 100 ? 2 : 0;
}

// expects: nothing
int frees_properly(int n) {
  int sum = 0;
  struct link *first = chain(n & 31), *link = first;
  while ((link = first)) { first = link->next; sum += link->value; free(link); }
  return sum > 400 ? 1 : 0;
}

// expects: nothing
int frees_what_library_took(int x) {
  char *copy = strdup("a text that the library copies"), *printed = 0;
  int length = asprintf(&printed, "%s: %d", copy, x);
  free(printed);
  free(copy);
  return length > 40 ? 1 : 0;
}

// expects: nothing
int frees_aligned(int x) {
  char *page = aligned_alloc(PAGE, PAGE), *other = memalign(64, 100);
  page[0] = other[0] = (char)x;
  free(page);
  free(other);
  free(NULL);
  return x > 100 ? 2 : 0;
}

// expects: nothing
int grows_by_other_function(int x) {
  int *xs = malloc(40);
  if (x == 77123) { free(xs); return 1; }
  if (x > 5) { xs = reallocarray(xs, 100, sizeof *xs); xs[99] = x; }
  free(xs);
  return 0;
}

// expects: nothing | undecided 1
int asks_size(int x) {
  char *p = malloc(100);
  if (malloc_usable_size(p) < 100) return -1;
  return x > 100 ? 2 : 0;
}

// expects: crash
int frees_twice(int x) {
  char *volatile p = malloc(100);
  if (x > 100) return 2;
  free(p);
  if (x == 6) free(p);
  return 0;
}

// expects: crash writes behind a block of 24 bytes
int overflows_by_one(int x) {
  char *p = malloc(24);
  if (x == 77123) return 1;
  p[x > 5 ? 24 : 0] = 1;
  free(p);
  return 0;
}

// expects: crash writes before a block
int underflows_by_one(int x) {
  char *p = malloc(24);
  if (x == 77123) return 1;
  p[x > 5 ? -1 : 0] = 1;
  return 0;
}

// expects: crash
int forgets_end_of_text(int x) {
  char *copy = malloc(5);
  strcpy(copy, x > 5 ? "fives" : "four");
  if (x == 77123) return 1;
  free(copy);
  return 0;
}

// expects: crash
int writes_after_free(int x) {
  int *volatile p = malloc(24);
  if (x > 100) return 2;
  free(p);
  if (x == 6) p[2] = x;
  return 0;
}

// expects: crash
int frees_static(int x) {
  void *volatile p = cells + 50;
  if (x > 100) return 2;
  if (x == 6) free(p);
  return 0;
}

// expects: crash SIGSEGV
int uses_after_free(int x) {
  volatile char *p = malloc(64 * MEGABYTE);
  p[0] = 1;
  free((void *)p);
  if (x > 100) return 2;
  return x == 6 ? p[0] : 0;
}

// expects: crash
int overflows_far(int x) {
  volatile char *p = malloc(24);
  if (x == 77123) return 1;
  if (x == 6) memset((char *)p, 0, (size_t)1 << 40);
  return 0;
}

// expects: crash
int maps_all(int x) {
  if (x == 77123) return 1;
  while (x == 6) *(volatile char *)map(1UL << 30, PROT_READ | PROT_WRITE) = 1;
  return 0;
}

// expects: nothing | undecided 1
int maps_and_forgets(int x) {
  char *p = x > 5 ? map(1 << 16, PROT_READ) : 0;
  if (p == MAP_FAILED) return -1;
  if (x > 100) return 2;
  return 0;
}

// expects: crash
int unmaps_own_data(int x) {
  if (x > 100) return 2;
  if (x == 6) { munmap(pages + PAGE, PAGE); pages[PAGE] = 1; }
  return pages[0] = 1;
}

// A second call can not write there.
// expects: perhaps crash
int protects_own_data(int x) {
  pages[PAGE] = (char)x;
  if (x > 100) return 2;
  if (x == 6) mprotect(pages + PAGE, PAGE, PROT_READ);
  return 0;
}

// expects: crash
int reads_past_end_of_file(int x) {
  if (x > 100) return 2;
  if (x != 6) return 0;
  int file = open("short", O_RDWR | O_CREAT, 0600);
  volatile char *page = mmap(0, PAGE, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  return page[0];
}
