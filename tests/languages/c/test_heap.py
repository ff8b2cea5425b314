"""The subject's heap: what is written beside a block is found, nothing outlives a run, and the rest is as in C."""

from __future__ import annotations

from programs import Programs, ends_of, run_alone
from zeroin.subject.base import Words

HEAP = r"""
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
static char *volatile p, *volatile q;
static long cells[20];
static char pages[3 * 4096] __attribute__((aligned(4096)));

int at(int n) { p = malloc(13); p[n] = 1; return 7; }
int at_before_free(int n) { p = malloc(13); p[n] = 1; free(p); return 7; }
int at_of_two(int n) { p = malloc(100); q = malloc(100); p[n] = 1; free(q); free(p); return 7; }
int fills(int x) { p = malloc(24); if (x) memset(p, 0, (size_t)1 << 40); return 7; }
int frees_twice(int x) { p = malloc(13); q = malloc(13); free(p); free(q); if (x) free(p); return 7; }
int frees_inside(int x) { p = malloc(64); free(p + x); return 7; }
int frees_other(int x) { p = malloc(64); if (x) free(cells + 4); return 7; }
int writes_freed(int x) { p = malloc(64); free(p); if (x) p[5] = 1; return 7; }
int reads_freed(int x) { p = malloc(64 << 20); p[9] = 1; free(p); return x ? p[1 << 20] : 7; }
int follows_freed(int x) { int **a = malloc(8); int b = 7; *a = &b; free(a); return x ? **(int *volatile *)a : b; }
int locks(int x) { pages[4096] = 1; if (x) mprotect(pages + 4096, 4096, PROT_READ); return 7; }
int overruns_copy(int x) {
    p = strdup("abc");
    q = strndup("abcdef", 2);
    if (x) strcat(q, "cd");
    return !strcmp(p, "abc") && strlen(q) == 2 + 2 * x ? 7 : 8;
}
int hoards(int x) { for (;;) { p = malloc(1 << 20); if (!x) break; } return 7; }
int grows(int x) { for (size_t n = 16; ; n *= 2) { p = realloc(p, n); if (n > 1 << 20 && !x) break; } return 7; }

int keeps(int n) {
    int sum = 0, *a = 0;
    for (int i = 1; i <= n; i++) {
        q = malloc(i % 100);
        a = realloc(a, i * sizeof *a);
        if (!a || (uintptr_t)a % 16) return -1;
        a[i - 1] = i;
        if (i % 3) free(q);
    }
    a = realloc(a, 10 * sizeof *a);
    for (int i = 0; i < 10; i++) sum += a[i];
    free(a);
    return sum;
}
int zeros(int n) {
    for (int i = 0; i < n; i++) {
        p = calloc(i + 1, 7);
        for (int j = 0; j < 7 * (i + 1); j++) if (p[j]) return -1;
        memset(p, 1, 7 * (i + 1));
        if (i % 5) free(p);
    }
    return calloc(SIZE_MAX / 2, 4) ? -2 : n;
}
int aligns(int n) {
    for (size_t a = 16; a <= 1 << 16; a *= 2) {
        void *b = 0;
        p = aligned_alloc(a, 3 * a);
        if ((uintptr_t)p % a || posix_memalign(&b, a, n) || (uintptr_t)b % a) return -1;
        memset(p, 1, 3 * a);
        memset(b, 1, n);
        free(p);
        free(b);
    }
    void *none;
    return posix_memalign(&none, 24, 1) == EINVAL && malloc_usable_size(malloc(n)) >= (size_t)n ? n : -2;
}
int turns(int n) {
    for (int i = 0; i < n; i++) { p = malloc(1 << 20); q = malloc(i); p[i] = 1; free(p); free(q); }
    return n;
}
int zero_sized(int n) {
    p = malloc(0);
    q = malloc(0);
    int apart = p && q && p != q;
    free(p);
    return apart && !realloc(q, 0) ? n : -1;
}
int sees_earlier(int n) {
    char *a = malloc(n);
    int sum = 0;
    for (int i = 0; i < n; i++) { sum += a[i]; a[i] = 1; }
    return sum;
}
"""


def test_what_is_wrong_is_found(programs: Programs) -> None:
    behind, before = "writes behind a block of 13 bytes", "writes before a block"
    freed = "frees what is no block"
    expected = {
        "at": {12: "", 13: f"HEAP {behind}", 20: f"HEAP {behind}", -1: f"HEAP {before}", 0: ""},
        "at_before_free": {12: "", 13: f"HEAP {behind}", -1: f"HEAP {freed}, or writes before one", 0: ""},
        "at_of_two": {
            100: "HEAP writes behind a block of 100 bytes",
            99: "",
            -8: f"HEAP {freed}, or writes before one",
        },
        "fills": {0: "", 1: "SEGV"},
        "frees_twice": {0: "", 1: "HEAP frees twice a block of 13 bytes"},
        "frees_inside": {0: "", 16: f"HEAP {freed}, or writes before one", 8: f"HEAP {freed}"},
        "frees_other": {0: "", 1: "ABORT"},
        "writes_freed": {0: "", 1: "HEAP writes into, after it was freed, a block of 64 bytes"},
        "reads_freed": {0: "", 1: "SEGV"},
        "follows_freed": {0: "", 1: "SEGV"},
        "locks": {0: "", 1: ""},
        "overruns_copy": {0: "", 1: "HEAP writes behind a block of 3 bytes"},
        "hoards": {0: "", 1: "MEMORY"},
        "grows": {0: "", 1: "MEMORY"},
    }
    # Twice, as no run may see another.
    inputs: dict[str, list[Words]] = {name: [(x,) for x in [*ends, *ends]] for name, ends in expected.items()}
    found = ends_of(programs, HEAP, inputs, memory=100_000_000)
    assert found == {name: 2 * [end or "RETURNED 7" for end in ends.values()] for name, ends in expected.items()}


def test_what_is_right_works(programs: Programs) -> None:
    numbers = {"keeps": (10, 10_000), "zeros": (10, 300), "aligns": (10, 1000), "turns": (10, 5000), "zero_sized": (1,)}
    returned = {"keeps": 55}
    inputs: dict[str, list[Words]] = {name: [(n,) for n in (*ns, *ns)] for name, ns in numbers.items()}
    found = ends_of(programs, HEAP, inputs, memory=3_000_000)
    assert found == {name: [f"RETURNED {returned.get(name, n)}" for n in (*ns, *ns)] for name, ns in numbers.items()}


def test_no_run_sees_what_an_earlier_one_wrote(programs: Programs) -> None:
    """It sees zeros while it is searched; that this is an accident, the builds tell (test_undefined.py)."""
    script = """
    import sys
    from pathlib import Path
    from zeroin.languages.c.run.engine import LlvmSubject
    subject = LlvmSubject(Path(sys.argv[1]), "sees_earlier")
    subject.guard()
    print([subject.observe((n,)).result for n in (1000, 300_000, 1000, 300_000)])
    """
    assert run_alone(script, str(programs.write(HEAP))) == "[0, 0, 0, 0]\n"


def test_nothing_is_left_of_a_run(programs: Programs) -> None:
    script = """
    import resource, sys
    from pathlib import Path
    from zeroin.languages.c.run.engine import LlvmSubject
    subject = LlvmSubject(Path(sys.argv[1]), "forgets")
    subject.guard()
    results = {subject.observe((3,)).result, subject.replay((3,)).result}
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    results |= {subject.observe((n,)).result for n in range(1000)}
    print(results, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4000)
    """
    text = "#include <stdlib.h>\nint forgets(int n) { char *p = malloc(1 << 20); p[n << 9] = 1; return p != 0; }"
    assert run_alone(script, str(programs.write(text))) == "{1} True\n"


def test_a_run_that_misuses_the_heap_is_no_zero(programs: Programs) -> None:
    script = """
    import sys
    from pathlib import Path
    from zeroin.minimize import Door, Stop
    from zeroin.objective.coverage import CoverageObjective
    from zeroin.languages.c.run.engine import LlvmSubject
    subject = LlvmSubject(Path(sys.argv[1]), "f")
    subject.guard()
    objective = CoverageObjective(len(subject.sites))
    objective.update(0, -1, -1)
    door = Door(subject.install(objective.question), 1, objective.question, subject.outcome_address)
    door.open(10)
    print(door.evaluate((5,)), Stop(int(door.cells[1])).name, *(subject.run((x,)).outcome.name for x in (5, 1)))
    """
    text = "#include <stdlib.h>\nint f(int x) { char *p = malloc(8); p[x > 3 ? 8 : 0] = 1; return x > 3; }"
    value, stop, *outcomes = run_alone(script, str(programs.write(text))).split()
    assert float(value) >= 1.0
    assert stop == "NEWS"
    assert outcomes == ["HEAP", "RETURNED"]
