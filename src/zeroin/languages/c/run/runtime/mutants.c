/* Run mutants and compare their observable results with the subject's. Included by guards.c. */
int64_t zeroin_mutant; /* the number of the mutant that runs; 0: the unchanged subject */
extern int64_t zeroin_fuel, zeroin_result;

/* The copy with the mutants is linked without runtime.c, so it calls this function instead of an inlined one. */
void zeroin_burn(void) {
  if (--zeroin_fuel < 0) out_of_fuel();
}

/* A number that tests compare: its address, its size in bytes, and the bits of infinity; 0 for integers. */
struct observed { const char *at; int64_t size; uint64_t infinity; };

static uint64_t mixed(uint64_t digest, uint64_t value) {
  digest = (digest ^ value) * 0x9E3779B97F4A7C15u;
  return digest ^ digest >> 29;
}

/* A digest of the observable result of a run: how it ended, and the exit status, all numbers, or the type of the
 * exception. All NaNs are equal. */
static uint64_t digest_of(int64_t outcome, const struct observed *numbers, int64_t count) {
  uint64_t digest = mixed(1, outcome);
  if (outcome == OUTCOME_EXITED) return mixed(digest, zeroin_detail);
  if (zeroin_threw) {
    for (const char *c = zeroin_threw; *c; c++) digest = mixed(digest, *c);
    return digest;
  }
  for (int64_t i = 0; outcome == OUTCOME_RETURNED && i < count; i++) {
    uint64_t bits = 0;
    memcpy(&bits, numbers[i].at, numbers[i].size);
    uint64_t size = bits & ~(numbers[i].infinity ? (uint64_t)1 << (8 * numbers[i].size - 1) : 0);
    digest = mixed(digest, numbers[i].infinity && size > numbers[i].infinity ? ~(uint64_t)0 : bits);
  }
  return digest;
}

enum { LITTLE = 100 }; /* fuel */

/* The state of zeroin_compare. It is not on the stack, where a mutant could overwrite it and cause an endless loop. */
struct comparison {
  int64_t (*run)(const int64_t *);
  const int64_t *words, *mutants;
  int64_t count, next, fuel;
  const struct observed *numbers;
  int64_t number_count;
  uint8_t *differs;
  volatile int64_t *at;
  uint64_t plain;
};
static volatile struct comparison now;

static uint64_t digest_of_run(int64_t mutant) {
  *now.at = zeroin_mutant = mutant;
  zeroin_threw = 0;
  int64_t outcome = now.run(now.words);
  return digest_of(outcome, now.numbers, now.number_count);
}

/* Set differs[i] to whether an input kills mutant i: its result differs from the subject's. `at` gets the number of the
 * running mutant, in case it ends the process. */
void zeroin_compare(int64_t (*run)(const int64_t *), const int64_t *words, const int64_t *mutants, int64_t count,
                    const struct observed *numbers, int64_t number_count, uint8_t *differs, volatile int64_t *at) {
  now.run = run, now.words = words, now.mutants = mutants, now.count = count, now.fuel = zeroin_fuel_limit;
  now.numbers = numbers, now.number_count = number_count, now.differs = differs, now.at = at;
  now.plain = digest_of_run(0);
  int64_t burnt = now.fuel - zeroin_fuel;
  zeroin_fuel_limit = burnt < now.fuel / 128 - LITTLE ? 128 * (burnt + LITTLE) : now.fuel;
  for (now.next = 0; now.next < now.count; now.next++) {
    uint64_t digest = digest_of_run(now.mutants[now.next]);
    now.differs[now.next] = digest != now.plain;
  }
  zeroin_fuel_limit = now.fuel;
  *now.at = zeroin_mutant = 0;
}
