/* Declarations that runtime.c and guards.c share. */
#include "cells.h"
#include <stdint.h>

enum { UNTIDY_HEAP = 1, UNTIDY_OTHER = 2 };
enum { SHORT_OF_FUEL = 100 }; /* an internal variant of OUTCOME_HUNG, never reported: the run had less than full fuel */

#define in_subject zeroin_in_subject
#define home zeroin_home
#define untidy zeroin_untidy
#define out_of_fuel zeroin_out_of_fuel
#define undefined zeroin_undefined
#define note_undefined zeroin_note_undefined
#define was_undefined zeroin_was_undefined
#define tidy zeroin_tidy
#define make_ready zeroin_make_ready

#if defined(__x86_64__)
#define SAVE(buf) __builtin_setjmp(buf)
#define JUMP(buf) __builtin_longjmp(buf, 1)
typedef void *place[5];
#else
#include <setjmp.h>
#define SAVE(buf) _setjmp(buf)
#define JUMP(buf) _longjmp(buf, 1)
typedef jmp_buf place;
#endif

extern int64_t *zeroin_data, *zeroin_stop;
extern int64_t zeroin_fuel_limit, zeroin_fuel_full, zeroin_short_runs, zeroin_outcome, zeroin_detail;
extern int64_t zeroin_ticks_left, zeroin_runs, zeroin_patience, zeroin_hasty;
extern int64_t zeroin_pattern; /* the byte that fills uninitialised memory in the current build, and flags: builds.py */
struct reset { void *to; const void *from; int64_t size; };
extern struct reset *zeroin_resets; /* variables that are reset before each run */
extern int64_t zeroin_reset_count;
extern volatile int64_t in_subject; /* whether a run is under way */
extern place home;                  /* the jump target of runs that do not return */
extern int64_t untidy;              /* UNTIDY_*: what to clean up after the run */

__attribute__((noreturn)) void out_of_fuel(void);
__attribute__((cold)) void note_undefined(const char *text, int64_t a, int64_t b);
__attribute__((cold)) void undefined(const char *text, int64_t a, int64_t b);
__attribute__((cold)) int was_undefined(void);
extern const char *zeroin_undefined_at; /* message about the run's first undefined behaviour; 0: there was none */
int tidy(void);
void make_ready(void);
