/* Functions whose names mean something elsewhere: in the C library, to a compiler, or in what a tool links to them. No
 * header is included, so that each is a definition of its own. */

static int count;
static char room[64];
static int used;

// expects: nothing
double sin(double x) { return x > 100.0 ? 2.0 : x == 0.5 ? 1.0 : x * x; }

// expects: nothing
double fabs(double x) {
  if (x > 100.0) return 2.0;
  return sin(x) > 30.0 ? 1.0 : x;
}

// expects: perhaps undefined
int exit_later(int status) {
  count += status;
  if (count > 100) return 2;
  return count == -77123 ? 1 : 0;
}

// expects: nothing
int unlink(const char *path) { return path[0] == 'a' ? 1 : path[0] == 'z' ? 2 : 0; }

// expects: nothing
int kill(int process, int number) {
  if (process == 1 && number == 9) return 2;
  return process > 100 ? 1 : 0;
}

// expects: nothing
int fork(void) {
  int turns = 0;
  for (int i = 0; i < 5; i++) turns += i;
  return turns;
}

// expects: nothing
int system(const char *command) {
  if (command[0] == 'r') return fork();
  return kill(command[0], 9);
}

// expects: nothing
void *malloc(unsigned long size) {
  if (size > sizeof room) return 0;
  used += (int)size;
  return used == 42 ? room + 1 : room;
}

// expects: nothing
void free(int *p) {
  if (*p > 100) used = 0;
  *p = used;
}

// expects: nothing
int asks_own_malloc(int x) {
  char *p = malloc(x & 127);
  if (p == 0) return -1;
  return x > 100 ? 2 : 0;
}

// expects: nothing | options --array to=4 --array from=4
void *memcpy(char *to, const char *from, unsigned long size) {
  for (unsigned long i = 0; i < (size & 3); i++) to[i] = from[i];
  return to;
}

// expects: nothing | options --array to=4
void *memset(unsigned char *to, int value, unsigned long size) {
  for (unsigned long i = 0; i < size && i < 4; i++) to[i] = (unsigned char)value;
  return value == 77 ? 0 : to;
}

// expects: nothing
int strcmp(const char *a, const char *b) { return *a == *b ? 0 : *a < *b ? -1 : 1; }

// expects: nothing
int compares_by_own(const char *a, const char *b) {
  if (strcmp(a, b) == 0) return 3;
  return *a == 'q' ? 2 : 0;
}

// expects: nothing | undecided 1
int zeroin_burn(int x) { return x > 100 ? 2 : x == 77123 ? 1 : 0; }

// expects: nothing
int zeroin_same(double x, double y) { return x == y ? 1 : x > 100.0 ? 2 : 0; }

// expects: nothing
int zeroin_run(int x) {
  if (zeroin_burn(x) == 2) return 2;
  return x < -100 ? 1 : 0;
}

// expects: nothing
long zeroin_cells(long n) { return n > 100 ? 2 : n == 77123 - 100000 ? 1 : 0; }

// expects: nothing
double zeroin_r(double r) { return r == 0.0 ? 1.0 : r > 100.0 ? 2.0 : 0.0; }

// expects: nothing
int $dollar$1(int $x, int _, int __) { return $x > 100 ? 2 : _ + __ == 77123 ? 1 : 0; }
