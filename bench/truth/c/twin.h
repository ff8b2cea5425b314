/* Stands before the twin of the programs: conditions are noted while they run. */

enum { ZT_MOST_TAKEN = 4096 };

static int zt_decisions[ZT_DECISIONS + 1], zt_length;
static int zt_taken[ZT_MOST_TAKEN], zt_number_taken;
static unsigned long long zt_hash;

static void zt_note(int outcome)
{
    if (zt_length < ZT_DECISIONS)
        zt_decisions[zt_length++] = outcome;
    for (int t = 0; t < zt_number_taken; t++)
        if (zt_taken[t] == outcome)
            return;
    zt_taken[zt_number_taken++] = outcome;
}

static int zt_cond(int outcome, int holds)
{
    zt_note(outcome + !holds);
    return holds;
}

static long zt_switch(int outcome, int cases, const long *values, long value)
{
    int which = 0;
    while (which < cases && values[which] != value)
        which++;
    zt_note(outcome + which);
    return value;
}

/* What a run returns or leaves behind, to see that compilers agree. */
static void zt_result(long long value)
{
    zt_hash = (zt_hash ^ (unsigned long long)value) * 1099511628211ULL;
}

struct zt_variable {
    void *address;
    unsigned long size;
};

/* calls: inputs that call the function; the others, up to inputs, change the state in another way. */
struct zt_program {
    int number, paths;
    unsigned long calls, inputs;
    void (*drive)(unsigned long input);
    struct zt_variable state[4];
};
