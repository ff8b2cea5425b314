/* Runs all inputs of the programs of one file, and prints what they do. The text before it is the programs' twin: every
 * condition is noted by zt_cond or zt_switch. A run that traps takes nothing.
 *
 *     twin write FILE      note in FILE which runs trap
 *     twin read FILE       leave out the runs that trapped for whoever wrote FILE
 *
 * Output, a line each, where a number of an outcome is that of the file and a run is an input, or for programs with
 * a state any input in any state that calls can bring about:
 *
 *     program NUMBER RUNS TRAPPED HASH
 *     outcome NUMBER INPUT              the first input that takes it
 *     path INPUT OUTCOME...             the first decisions of a run, each sequence once
 */

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ZT_STATES = 8192, ZT_BYTES = 16, ZT_PATHS = 1 << 13 };

struct zt_path {
    int length, outcomes[ZT_DECISIONS];
    unsigned long input;
};

static long zt_first[ZT_OUTCOMES];
static struct zt_path zt_paths[ZT_PATHS];
static int zt_number_of_paths;
static unsigned char zt_states[ZT_STATES][ZT_BYTES];
static int zt_number_of_states;
static sigjmp_buf zt_before;

static void zt_trap(int signal)
{
    siglongjmp(zt_before, signal);
}

static void zt_fail(const char *why)
{
    fprintf(stderr, "twin: %s\n", why);
    exit(2);
}

static void zt_save(const struct zt_program *program, unsigned char *to)
{
    for (const struct zt_variable *v = program->state; v->size; to += v->size, v++)
        memcpy(to, v->address, v->size);
}

static void zt_restore(const struct zt_program *program, const unsigned char *from)
{
    for (const struct zt_variable *v = program->state; v->size; from += v->size, v++)
        memcpy(v->address, from, v->size);
}

static void zt_add_state(const unsigned char *state)
{
    for (int s = 0; s < zt_number_of_states; s++)
        if (memcmp(zt_states[s], state, ZT_BYTES) == 0)
            return;
    if (zt_number_of_states == ZT_STATES)
        zt_fail("too many states");
    memcpy(zt_states[zt_number_of_states++], state, ZT_BYTES);
}

static void zt_add_path(unsigned long input)
{
    struct zt_path path = {0};
    path.length = zt_length < ZT_DECISIONS ? zt_length : ZT_DECISIONS;
    memcpy(path.outcomes, zt_decisions, sizeof(int) * (size_t)path.length);
    for (int p = 0; p < zt_number_of_paths; p++)
        if (zt_paths[p].length == path.length && !memcmp(zt_paths[p].outcomes, path.outcomes, sizeof path.outcomes))
            return;
    if (zt_number_of_paths == ZT_PATHS)
        zt_fail("too many paths");
    path.input = input;
    zt_paths[zt_number_of_paths++] = path;
}

/* Whether the run did not trap, for whoever decides. */
static int zt_run(const struct zt_program *program, const unsigned char *state, unsigned long input, FILE *traps,
                  int decides)
{
    int trapped = 0;
    if (!decides && (trapped = getc(traps)) == EOF)
        zt_fail("more runs than before");
    if (trapped)
        return 0;
    zt_restore(program, state);
    zt_length = zt_number_taken = 0;
    trapped = sigsetjmp(zt_before, 0);
    if (trapped && !decides)
        zt_fail("a run traps that did not");
    if (!trapped)
        program->drive(input);
    if (decides)
        putc(trapped != 0, traps);
    return !trapped;
}

static void zt_check(const struct zt_program *program, FILE *traps, int decides)
{
    unsigned char state[ZT_BYTES] = {0};
    unsigned long runs = 0, trapped = 0;
    zt_hash = 5381;
    zt_number_of_paths = zt_number_of_states = 0;
    zt_save(program, state);
    zt_add_state(state);
    for (int s = 0; s < zt_number_of_states; s++) {
        for (unsigned long input = 0; input < program->inputs; input++) {
            runs++;
            if (!zt_run(program, zt_states[s], input, traps, decides)) {
                trapped++;
                continue;
            }
            if (input < program->calls) { /* the others call something else, which may change the state */
                for (int t = 0; t < zt_number_taken; t++)
                    if (zt_first[zt_taken[t]] < 0)
                        zt_first[zt_taken[t]] = (long)input;
                if (program->paths)
                    zt_add_path(input);
            }
            zt_save(program, state);
            zt_add_state(state);
        }
    }
    printf("program %d %lu %lu %llu\n", program->number, runs, trapped, zt_hash);
    for (int p = 0; p < zt_number_of_paths; p++) {
        printf("path %lu", zt_paths[p].input);
        for (int d = 0; d < zt_paths[p].length; d++)
            printf(" %d", zt_paths[p].outcomes[d]);
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    if (argc != 3)
        zt_fail("give write or read, and a file");
    int decides = strcmp(argv[1], "write") == 0;
    FILE *traps = fopen(argv[2], decides ? "wb" : "rb");
    if (!traps)
        zt_fail("the file can not be opened");
    int signals[] = {SIGILL, SIGTRAP, SIGFPE, SIGSEGV, SIGBUS};
    struct sigaction action = {.sa_handler = zt_trap, .sa_flags = SA_NODEFER};
    for (size_t s = 0; s < sizeof signals / sizeof *signals; s++)
        sigaction(signals[s], &action, NULL);
    for (int o = 0; o < ZT_OUTCOMES; o++)
        zt_first[o] = -1;
    for (const struct zt_program *program = zt_programs; program->drive; program++)
        zt_check(program, traps, decides);
    for (int o = 0; o < ZT_OUTCOMES; o++)
        if (zt_first[o] >= 0)
            printf("outcome %d %ld\n", o, zt_first[o]);
    return fclose(traps) ? 2 : 0;
}
