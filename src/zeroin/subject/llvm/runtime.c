/* What runs beside a C subject: the representing function, the probes, fuel, and the guards that bring control back
 * when the subject crashes, exits or never returns. Linked into the subject's module before it is optimised, so that
 * the probes are inlined. Every name starts with zeroin_; the Python side finds the variables by name. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>

/* How a run ended. Keep in step with subject/base.py, Outcome. */
enum { RETURNED = 0, CRASHED_SEGV, CRASHED_FPE, CRASHED_ILL, CRASHED_ABORT, EXITED, ASSERTED, HUNG, STACK, MEMORY,
       FORBIDDEN = 13, SHORT_OF_FUEL = 100 };
enum { OUT_OF_BUDGET = 2, OUT_OF_TIME = 3 }; /* why a door is closed: minimize/base.py, Stop */
enum { LITTLE_FUEL = 64 };

typedef double (*pen_float)(int64_t *data, double r, int64_t site, int64_t op, double a, double b);
typedef double (*pen_int)(int64_t *data, double r, int64_t site, int64_t op, int64_t a, int64_t b);

/* The question: rewritten between runs, never recompiled. */
double zeroin_r, zeroin_r0 = 1.0;
pen_float zeroin_pen_float;
pen_int zeroin_pen_int;
int64_t *zeroin_data;

/* What is asked of each outcome, and its level, see question.py. Both tables stand in the subject's own module. */
enum { PASS, CALL, ZERO, LAST, AT, NEAR };
enum { OF_FLOATS = 2, OF_INTEGERS = 3, ANY = 15, FLOATS = 16 };
extern uint8_t zeroin_asked[];
extern int32_t zeroin_levels[];
typedef union { double f; int64_t i; } operand;
typedef double (*distance_float)(int64_t op, double a, double b);
typedef double (*distance_int)(int64_t op, int64_t a, int64_t b);
/* What waits for the end of the run, since what comes later may make it superfluous: a distance, mostly. */
static struct { int64_t asked, op; operand a, b; int32_t level; } late; /* op, with FLOATS added to it */

int64_t zeroin_fuel, zeroin_fuel_limit = 1000000;
int64_t zeroin_fuel_full = 1000000; /* a run that needs more than this hangs; a search mostly gives less */
int64_t zeroin_short_runs;          /* of this slice: ended because they got less */
int64_t zeroin_slice_fuel;          /* what is left for all runs of a slice; those that need little do not count */
int64_t zeroin_outcome, zeroin_detail; /* detail: exit status, or address of a text */
int64_t zeroin_result;                 /* the return value's bits */
int64_t *zeroin_buffers;               /* addresses of what pointer parameters point to */
void (*zeroin_plain)(const int64_t *);

/* Globals that the subject writes are put back before every run: the same input always does the same. */
struct reset { void *to; const void *from; int64_t size; };
struct reset *zeroin_resets;
int64_t zeroin_reset_count;

/* The clock: one tick every 50 ms of wall time. */
int64_t *zeroin_stop;                 /* the door that closes when the time is up: evaluations left, and why it is closed */
int64_t zeroin_ticks_left = -1;       /* ticks of budget left, -1: no limit */
int64_t zeroin_runs;                  /* runs begun; a run that outlives `patience` ticks hangs */
int64_t zeroin_patience = 20;
static volatile int64_t in_subject, last_run, same_run_ticks;

#if defined(__x86_64__)
#define SAVE(buf) __builtin_setjmp(buf)
#define JUMP(buf) __builtin_longjmp(buf, 1)
static void *home[5];
#else
#define SAVE(buf) _setjmp(buf)
#define JUMP(buf) _longjmp(buf, 1)
static jmp_buf home;
#endif

/* Where runs ended that did not return: the code address tells one such end from another. */
#define MOST_ENDS 64
static struct { int64_t how; uint64_t at; } ends[MOST_ENDS];
static int end_count;
int64_t zeroin_end; /* number of the end that the last such run came to, MOST_ENDS if there are too many */

static void note_end(int64_t how, uint64_t at) {
  for (zeroin_end = 0; zeroin_end < end_count; zeroin_end++)
    if (ends[zeroin_end].how == how && ends[zeroin_end].at == at) return;
  if (end_count == MOST_ENDS) return;
  ends[end_count].how = how;
  ends[end_count++].at = at;
  if (zeroin_data) zeroin_data[0] = zeroin_data[1] = 1; /* news, see question.py */
}

__attribute__((noreturn, noinline)) static void go_home(int64_t how) {
  zeroin_outcome = how;
  in_subject = 0;
  JUMP(home);
}

__attribute__((noreturn, noinline)) static void leave(int64_t how, void *at) {
  note_end(how, (uint64_t)at);
  go_home(how);
}

/* ---- memory: blocks that a run leaves behind are freed after it; more than the limit is a finding ---- */
struct block { struct block *next, *previous; uint64_t magic; int64_t size; };
static struct block *blocks;
static int64_t allocated;
int64_t zeroin_memory_limit = 1LL << 30;
#define MAGIC 0x7a65726f696e2121ULL

void *zeroin_malloc(size_t size) {
  if (!in_subject) return malloc(size);
  if (size > (uint64_t)zeroin_memory_limit || allocated + (int64_t)size > zeroin_memory_limit) leave(MEMORY, 0);
  struct block *block = malloc(sizeof *block + size);
  if (!block) leave(MEMORY, 0);
  *block = (struct block){blocks, 0, MAGIC, (int64_t)size};
  if (blocks) blocks->previous = block;
  blocks = block;
  allocated += size;
  return block + 1;
}

void zeroin_free(void *pointer) {
  if (!pointer) return;
  struct block *block = (struct block *)pointer - 1;
  if (block->magic != MAGIC) { free(pointer); return; }
  if (block->previous) block->previous->next = block->next; else blocks = block->next;
  if (block->next) block->next->previous = block->previous;
  allocated -= block->size;
  block->magic = 0;
  free(block);
}

void *zeroin_calloc(size_t count, size_t size) {
  size_t total;
  if (__builtin_mul_overflow(count, size, &total)) return 0;
  void *pointer = zeroin_malloc(total);
  return pointer ? memset(pointer, 0, total) : 0;
}

void *zeroin_realloc(void *old, size_t size) {
  if (!old) return zeroin_malloc(size);
  struct block *block = (struct block *)old - 1;
  if (block->magic != MAGIC) return realloc(old, size);
  void *pointer = zeroin_malloc(size);
  memcpy(pointer, old, block->size < (int64_t)size ? (size_t)block->size : size);
  zeroin_free(old);
  return pointer;
}

static __attribute__((noinline)) void free_blocks(void) { while (blocks) zeroin_free(blocks + 1); }

/* ---- ways out ---- */
__attribute__((noreturn)) void zeroin_exit(int status) {
  zeroin_detail = status;
  leave(EXITED, __builtin_return_address(0));
}
__attribute__((noreturn)) void zeroin_abort(void) {
  leave(CRASHED_ABORT, __builtin_return_address(0));
}
__attribute__((noreturn)) void zeroin_assert(const char *text, const char *file, unsigned line, const char *function) {
  (void)file; (void)line; (void)function;
  zeroin_detail = (int64_t)text;
  leave(ASSERTED, (void *)text);
}
/* A search that is short of fuel looks at each such place once with all of it; with all of it, once more. */
__attribute__((noreturn, noinline)) static void out_of_fuel(void) {
  int is_short = zeroin_fuel_limit < zeroin_fuel_full;
  zeroin_short_runs += is_short;
  note_end(is_short ? SHORT_OF_FUEL : HUNG, (uint64_t)__builtin_return_address(0));
  go_home(HUNG);
}

#include "guards.c"
#include "strings.c"

static char *stack_low; /* the lowest address of the stack that is still ours, plus a margin */

static void *code_address(void *context) {
#if defined(__x86_64__) && defined(__linux__)
  return (void *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__) && defined(__linux__)
  return (void *)((ucontext_t *)context)->uc_mcontext.pc;
#else
  (void)context;
  return 0;
#endif
}

static void on_fault(int number, siginfo_t *info, void *context) {
  if (!in_subject) { signal(number, SIG_DFL); raise(number); return; }
  char *at = info->si_addr;
  if (number == SIGSEGV && stack_low && at < stack_low + 65536 && at > stack_low - (1 << 20)) leave(STACK, 0);
  void *from = code_address(context);
  leave(number == SIGFPE ? CRASHED_FPE : number == SIGILL || number == SIGTRAP ? CRASHED_ILL
      : number == SIGABRT ? CRASHED_ABORT : CRASHED_SEGV, from);
}

static void on_tick(int number) {
  (void)number;
  if (zeroin_ticks_left > 0) zeroin_ticks_left--;
  /* The door may be counting down just now and overwrite this, so it is closed again at every tick. */
  if (zeroin_ticks_left == 0 && zeroin_stop && zeroin_stop[0] > 0) {
    zeroin_stop[1] = OUT_OF_TIME;
    zeroin_stop[0] = -zeroin_stop[0];
  }
  if (!in_subject || zeroin_runs != last_run) { last_run = zeroin_runs; same_run_ticks = 0; return; }
  if (++same_run_ticks >= zeroin_patience) { same_run_ticks = 0; leave(HUNG, 0); }
}

/* A run that went wrong may have left a C library lock or the rounding mode behind; the worker process is the last resort. */
void zeroin_guard(char *low) {
  static char alternate[65536];
  static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
  stack_low = low;
  stack_t stack = {.ss_sp = alternate, .ss_size = sizeof alternate};
  sigaltstack(&stack, 0);
  struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) sigaction(numbers[i], &action, 0);
  struct sigaction tick = {.sa_handler = on_tick, .sa_flags = SA_ONSTACK | SA_NODEFER | SA_RESTART};
  sigaction(SIGALRM, &tick, 0);
  struct itimerval every = {{0, 50000}, {0, 50000}};
  setitimer(ITIMER_REAL, &every, 0);
}

/* ---- what the instrumented subject calls ---- */
__attribute__((always_inline)) void zeroin_burn(void) {
  if (__builtin_expect(--zeroin_fuel < 0, 0)) out_of_fuel();
}

static double late_distance(void) {
  return late.op & FLOATS ? ((distance_float)zeroin_data[OF_FLOATS])(late.op & ANY, late.a.f, late.b.f)
                          : ((distance_int)zeroin_data[OF_INTEGERS])(late.op, late.a.i, late.b.i);
}

static __attribute__((noinline)) double late_value(void) {
  if (late.asked == ZERO) return 0.0;
  if (late.asked == LAST) return late_distance();
  double r = late.level;
  if (late.asked == NEAR) r += (double)((operand){.f = late_distance()}).i * 0x1p-63; /* logarithmic, in distance.py */
  return r < zeroin_r ? r : zeroin_r;
}

static __attribute__((always_inline)) double settled(void) { return late.asked == PASS ? zeroin_r : late_value(); }

static void settle(void) {
  zeroin_r = settled();
  late.asked = PASS;
}

static __attribute__((always_inline)) void wait(int64_t asked, int64_t is_float, int64_t op, operand a, operand b) {
  late.asked = asked;
  late.op = is_float ? op | FLOATS : op;
  late.a = a;
  late.b = b;
}

static __attribute__((noinline, cold)) void wait_again(int64_t asked, int64_t is_float, int64_t op, operand a, operand b) {
  settle();
  wait(asked, is_float, op, a, b);
}

/* Of all outcomes with a level only the least counts; with equal levels, one that was reached, or else the nearest. */
static __attribute__((always_inline)) void note_level(int64_t asked, int64_t is_float, int64_t outcome, int64_t op, operand a, operand b) {
  int32_t level = zeroin_levels[outcome];
  if (__builtin_expect(level < late.level, 1)) {
    late.level = level;
    wait(asked, is_float, op, a, b);
  } else if (__builtin_expect(level == late.level, 0)) wait_again(asked, is_float, op, a, b);
}

static __attribute__((noinline, cold)) void call_pen(int64_t is_float, int64_t site, int64_t op, operand a, operand b) {
  settle();
  zeroin_r = is_float ? zeroin_pen_float(zeroin_data, zeroin_r, site, op, a.f, b.f)
                      : zeroin_pen_int(zeroin_data, zeroin_r, site, op, a.i, b.i);
}

/* `other` is the comparison that would have taken the other outcome. */
static __attribute__((always_inline)) void note(int64_t is_float, int64_t outcome, int64_t op, int64_t other, operand a, operand b) {
  uint8_t asked = zeroin_asked[outcome];
  if (__builtin_expect(asked == PASS, 1)) return;
  if (__builtin_expect(asked == CALL, 0)) call_pen(is_float, outcome >> 1, op, a, b);
  else if (__builtin_expect(asked <= LAST, 1)) wait(asked, is_float, other, a, b);
  else note_level(asked, is_float, outcome, other, a, b);
}

/* It branches as the condition after it does, so that the optimiser makes one branch of both. */
__attribute__((always_inline)) void zeroin_probe_float(int64_t site, int64_t op, double a, double b, _Bool holds) {
  operand left = {.f = a}, right = {.f = b};
  if (holds) note(1, 2 * site, op, op ^ ANY, left, right); else note(1, 2 * site + 1, op, op, left, right);
}

__attribute__((always_inline)) void zeroin_probe_int(int64_t site, int64_t op, int64_t a, int64_t b, _Bool holds) {
  operand left = {.i = a}, right = {.i = b};
  if (holds) note(0, 2 * site, op, op ^ ANY, left, right); else note(0, 2 * site + 1, op, op, left, right);
}

/* A switch is a chain of comparisons, one a case, up to the one that fits. */
void zeroin_probe_switch(int64_t site, int64_t value, int64_t count, const int64_t *cases) {
  for (int64_t i = 0; i < count; i++) {
    zeroin_probe_int(site + i, 1, value, cases[i], value == cases[i]);
    if (value == cases[i]) return;
  }
}

/* ---- words to bits: the inverse of subject/words.py, word_from_bits ---- */
__attribute__((always_inline)) int64_t zeroin_f64(int64_t word) {
  uint64_t line = (uint64_t)word + ((1ULL << 52) - 1);
  return line ^ ((uint64_t)((int64_t)line >> 63) >> 1);
}
__attribute__((always_inline)) int64_t zeroin_f32(int64_t word) {
  uint32_t line = (uint32_t)word + ((1U << 23) - 1);
  return line ^ ((uint32_t)((int32_t)line >> 31) >> 1);
}

/* ---- one run ---- */
void zeroin_call(const int64_t *words); /* written per subject: decodes the words and calls the function */

static __attribute__((noinline)) void put_back(void) {
  for (int64_t i = 0; i < zeroin_reset_count; i++)
    memcpy(zeroin_resets[i].to, zeroin_resets[i].from, zeroin_resets[i].size);
}

static __attribute__((always_inline)) void begin(void) {
  zeroin_fuel = zeroin_fuel_limit;
  zeroin_outcome = RETURNED;
  zeroin_runs++;
  if (__builtin_expect(zeroin_reset_count != 0, 0)) put_back();
}

/* The slice ends where its fuel is used up, whatever the clock says: the same seed does the same everywhere. The door
 * counts this evaluation down when it returns. */
static __attribute__((noinline, cold)) void charge(int64_t burnt) {
  zeroin_slice_fuel -= burnt;
  if (zeroin_slice_fuel >= 0 || !zeroin_stop || zeroin_stop[0] <= 0) return;
  zeroin_stop[0] = 2 - zeroin_stop[0];
  zeroin_stop[1] = OUT_OF_BUDGET;
}

static __attribute__((always_inline)) void end(void) {
  if (__builtin_expect(blocks != 0, 0)) free_blocks();
  int64_t burnt = zeroin_fuel_limit - zeroin_fuel;
  if (__builtin_expect(burnt > LITTLE_FUEL, 0)) charge(burnt);
}

/* A run that did not return never does what is asked, however far it came. */
static __attribute__((noinline, cold)) double ended_early(void) {
  end();
  return settled() + 1.0;
}

double zeroin_objective(const int64_t *words) {
  begin();
  zeroin_r = zeroin_r0;
  late.asked = PASS;
  late.level = INT32_MAX;
  if (SAVE(home)) return ended_early();
  in_subject = 1;
  zeroin_call(words);
  in_subject = 0;
  end();
  return settled();
}

int64_t zeroin_replay(const int64_t *words) {
  begin();
  if (!SAVE(home)) {
    in_subject = 1;
    zeroin_plain(words);
    in_subject = 0;
  }
  end();
  return zeroin_outcome;
}
