/* The part of the runtime that is linked into a C subject's module before it is optimised, so that probes are inlined:
 * the representing function, the probes, fuel. Code that is rarely needed is in guards.c. All exported names start with
 * zeroin_; Python finds the variables by name. */
#include "runtime.h"
#include <string.h>

enum { LITTLE_FUEL = 64 };

typedef double (*pen_float)(int64_t *data, double r, int64_t site, int64_t op, double a, double b);
typedef double (*pen_int)(int64_t *data, double r, int64_t site, int64_t op, int64_t a, int64_t b);

/* The search problem: these variables change between runs; the code is never recompiled. */
double zeroin_r, zeroin_r0 = 1.0;
pen_float zeroin_pen_float;
pen_int zeroin_pen_int;
int64_t *zeroin_data;

/* The probe mode of each branch (ASKED_* in cells.h), and its approach level. The subject's module has both tables. */
enum { FLOATS = 16 }; /* added to a comparison of floats */
extern uint8_t zeroin_asked[];
extern int32_t zeroin_levels[];
extern int64_t zeroin_seen[]; /* for each site that is a fault: three operands of the last operation that had it */
typedef union { double f; int64_t i; } operand;
typedef double (*distance_float)(int64_t op, double a, double b);
typedef double (*distance_int)(int64_t op, int64_t a, int64_t b);
typedef double (*normalised)(double distance);
/* The last probe's report, whose distance is computed at the end of the run: a later report may replace it. */
enum { ASKED_BITS = 8, ASKED_MASK = (1 << ASKED_BITS) - 1 };
static struct { int64_t key; operand a, b; int32_t level; } late; /* key: probe mode, and above it op | FLOATS */

int64_t zeroin_fuel = 1000000000, zeroin_fuel_limit = 1000000; /* before the first run: for constructors */
int64_t zeroin_fuel_full = 1000000; /* a run that needs more than this hangs; searches give most runs less */
int64_t zeroin_short_runs;          /* runs of this slice that ended because they had less than full fuel */
int64_t zeroin_slice_fuel;          /* fuel left for all runs of a slice; runs that need little are not counted */
int64_t zeroin_outcome, zeroin_detail; /* detail: the exit status, or the address of a text */
int64_t zeroin_result;                 /* the return value's bits */
char zeroin_shown[65536]; /* results printed as text, one after the other; zeroin_shows: whether to print them */
int64_t zeroin_shown_size, zeroin_shown_hash, zeroin_shows;
int64_t *zeroin_buffers;               /* addresses of the arrays behind pointer parameters (arrays.py) */
void (*zeroin_plain)(const int64_t *);
int64_t zeroin_pattern;

/* Globals that the subject writes are reset before every run, so that the same input always does the same. */
struct reset *zeroin_resets;
int64_t zeroin_reset_count;

/* Inputs that are not run again, because they end the process. */
const int64_t *zeroin_lethal;
int64_t zeroin_lethal_count, zeroin_arity;

/* The clock: one tick every 50 ms of wall time. */
int64_t *zeroin_stop;                 /* the door to close when time is up: evaluations left, and why it is closed */
int64_t zeroin_ticks_left = -1;       /* ticks of the time budget that are left; -1: no limit */
int64_t zeroin_runs;                  /* runs begun; a run that takes more than `patience` ticks hangs */
int64_t zeroin_patience = 25;
int64_t zeroin_hasty; /* whether the clock has ended a run */
volatile int64_t in_subject;
place home;
int64_t untidy;

/* ---- functions that the instrumented subject calls ---- */
__attribute__((always_inline)) void zeroin_burn(void) {
  if (__builtin_expect(--zeroin_fuel < 0, 0)) out_of_fuel();
}

static __attribute__((always_inline)) double late_distance(void) {
  int64_t op = late.key >> ASKED_BITS;
  return op & FLOATS ? ((distance_float)zeroin_data[DATA_OF_FLOATS])(op & RELATION_ANY, late.a.f, late.b.f)
                     : ((distance_int)zeroin_data[DATA_OF_INTEGERS])(op, late.a.i, late.b.i);
}

static __attribute__((always_inline)) double late_share(void) {
  operand distance = {.f = late_distance()};
  normalised share = (normalised)zeroin_data[DATA_NORMALISED];
  return share ? share(distance.f) : (double)distance.i * 0x1p-63; /* logarithmic, in distance.py */
}

static __attribute__((noinline)) double late_value(void) {
  int64_t asked = late.key & ASKED_MASK;
  if (asked == ASKED_ZERO) return 0.0;
  double r = late.level;
  if (asked == ASKED_NEAR) r += late_share();
  return r < zeroin_r ? r : zeroin_r;
}

static __attribute__((always_inline)) double settled(void) {
  int64_t asked = late.key & ASKED_MASK;
  if (__builtin_expect(asked == ASKED_LAST, 1)) return late_distance();
  return asked == ASKED_PASS ? zeroin_r : late_value();
}

static void settle(void) {
  zeroin_r = settled();
  late.key = ASKED_PASS;
}

static __attribute__((always_inline)) void wait(int64_t asked, int64_t is_float, int64_t op, operand a, operand b) {
  late.key = asked | (is_float ? op | FLOATS : op) << ASKED_BITS;
  late.a = a;
  late.b = b;
}

static __attribute__((noinline, cold)) void wait_again(int64_t asked, int64_t is_float, int64_t op, operand a, operand b) {
  settle();
  wait(asked, is_float, op, a, b);
}

/* Only the branch with the smallest level counts; of equal levels, one that was taken, or else the nearest one. */
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

/* `op` is the comparison that took this branch, `other` the one that would have taken the other branch. */
static __attribute__((always_inline)) void note(int64_t is_float, int64_t outcome, int64_t op, int64_t other, operand a, operand b) {
  uint8_t asked = zeroin_asked[outcome];
  if (__builtin_expect(asked == ASKED_PASS, 1)) return;
  if (__builtin_expect(asked == ASKED_CALL, 0)) call_pen(is_float, outcome >> 1, op, a, b);
  else if (__builtin_expect(asked <= ASKED_LAST, 1)) wait(asked, is_float, other, a, b);
  else note_level(asked, is_float, outcome, other, a, b);
}

/* The probe branches exactly as the condition after it, so that the optimiser merges both branches. */
__attribute__((always_inline)) void zeroin_probe_float(int64_t site, int64_t op, double a, double b, _Bool holds) {
  operand left = {.f = a}, right = {.f = b};
  if (holds) note(1, 2 * site, op, op ^ RELATION_ANY, left, right); else note(1, 2 * site + 1, op, op, left, right);
}

__attribute__((always_inline)) void zeroin_probe_int(int64_t site, int64_t op, int64_t a, int64_t b, _Bool holds) {
  operand left = {.i = a}, right = {.i = b};
  if (holds) note(0, 2 * site, op, op ^ RELATION_ANY, left, right); else note(0, 2 * site + 1, op, op, left, right);
}

/* For large subjects, where inlining the probes would take the compiler longer than the search. */
__attribute__((noinline)) void zeroin_probe_float_apart(int64_t site, int64_t op, double a, double b, _Bool holds) {
  zeroin_probe_float(site, op, a, b, holds);
}

__attribute__((noinline)) void zeroin_probe_int_apart(int64_t site, int64_t op, int64_t a, int64_t b, _Bool holds) {
  zeroin_probe_int(site, op, a, b, holds);
}

static __attribute__((noinline, cold)) void write_down(int64_t site, int64_t a, int64_t b, int64_t c) {
  int64_t *seen = zeroin_seen + 3 * site;
  seen[0] = a;
  seen[1] = b;
  seen[2] = c;
}

/* Called in front of the probe of a fault: records the operands if the fault happens. */
__attribute__((always_inline)) void zeroin_operands(int64_t site, int64_t a, int64_t b, int64_t c, _Bool holds) {
  if (__builtin_expect(holds, 0)) write_down(site, a, b, c);
}

/* Called in front of operations that the language leaves undefined for some operands (undefined_behaviour.py). After
 * zeroin_check the run goes on, as the operation does no harm here; zeroin_forbid ends it. */
__attribute__((always_inline)) void zeroin_check(const char *text, int64_t a, int64_t b, _Bool is_undefined) {
  if (__builtin_expect(is_undefined, 0)) note_undefined(text, a, b);
}

__attribute__((always_inline)) void zeroin_forbid(const char *text, int64_t a, int64_t b, _Bool is_undefined) {
  if (__builtin_expect(is_undefined, 0)) undefined(text, a, b);
}

/* A switch acts like a chain of comparisons, one per case, that ends at the first equal case. */
void zeroin_probe_switch(int64_t site, int64_t value, int64_t count, const int64_t *cases) {
  for (int64_t i = 0; i < count; i++) {
    zeroin_probe_int(site + i, RELATION_EQ, value, cases[i], value == cases[i]);
    if (value == cases[i]) return;
  }
}

/* ---- one run ---- */
void zeroin_call(const int64_t *words); /* generated per subject: decodes the words and calls the function */

static __attribute__((noinline)) void put_back(void) {
  for (int64_t i = 0; i < zeroin_reset_count; i++)
    memcpy(zeroin_resets[i].to, zeroin_resets[i].from, zeroin_resets[i].size);
}

static __attribute__((always_inline)) void begin(void) {
  zeroin_fuel = zeroin_fuel_limit;
  zeroin_outcome = OUTCOME_RETURNED;
  zeroin_undefined_at = 0;
  zeroin_runs++;
  zeroin_shown_size = zeroin_shown_hash = 0;
  if (__builtin_expect(zeroin_reset_count != 0, 0)) put_back();
  if (__builtin_expect(untidy != 0, 0)) make_ready();
}

/* The slice ends when its fuel is used up, independently of the clock, so that the same seed does the same everywhere.
 * When this run returns, the door subtracts 1: a closed door with k evaluations left stands at -k. */
static __attribute__((noinline, cold)) void charge(int64_t burnt) {
  zeroin_slice_fuel -= burnt;
  if (zeroin_slice_fuel >= 0 || !zeroin_stop || zeroin_stop[DOOR_LEFT] <= 0) return;
  zeroin_stop[DOOR_LEFT] = 2 - zeroin_stop[DOOR_LEFT];
  zeroin_stop[DOOR_CLOSED] = STOP_BUDGET;
}

/* Clean up after a run. Returns 0 if it did something wrong that shows only now, such as misuse of the heap. */
static __attribute__((always_inline)) int end(void) {
  int64_t burnt = zeroin_fuel_limit - zeroin_fuel;
  if (__builtin_expect(burnt > LITTLE_FUEL, 0)) charge(burnt);
  int fine = __builtin_expect(untidy == 0, 1) || tidy();
  return __builtin_expect(zeroin_undefined_at == 0, 1) ? fine : was_undefined();
}

/* A run that did not return must not count as a zero, so 1 is added. After undefined behaviour, the value is larger
 * than that of any other run. */
static __attribute__((noinline, cold)) double came_short(void) {
  double r = settled() + 1.0;
  return zeroin_outcome != OUTCOME_UNDEFINED ? r : r < 0x1p900 ? r * 0x1p100 : __DBL_MAX__;
}

static __attribute__((noinline, cold)) double ended_early(void) {
  end();
  return came_short();
}

static __attribute__((noinline, cold)) int is_lethal(const int64_t *words) {
  for (int64_t n = 0; n < zeroin_lethal_count; n++)
    if (!memcmp(zeroin_lethal + n * zeroin_arity, words, zeroin_arity * sizeof *words)) return 1;
  return 0;
}

double zeroin_objective(const int64_t *words) {
  begin();
  if (__builtin_expect(zeroin_lethal_count != 0, 0) && is_lethal(words)) {
    zeroin_outcome = OUTCOME_KILLED;
    return __DBL_MAX__;
  }
  zeroin_r = zeroin_r0;
  late.key = ASKED_PASS;
  late.level = INT32_MAX;
  if (SAVE(home)) return ended_early();
  in_subject = 1;
  zeroin_call(words);
  in_subject = 0;
  if (__builtin_expect(!end(), 0)) return came_short();
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
