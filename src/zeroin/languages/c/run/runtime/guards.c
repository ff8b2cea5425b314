/* Brings control back when a subject crashes, exits, never returns, takes too much memory or makes a forbidden call.
 * Compiled once, not with each subject (runtime_library.py). front/symbols.py lists the calls that are sent here. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <limits.h>
#include <locale.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <utime.h>

#include "runtime.h"

/* The different ends of runs that did not return so far: how they ended, and at which code address. */
#define MOST_ENDS 64
static struct { int64_t how; uint64_t at; } ends[MOST_ENDS];
static int end_count;
int64_t zeroin_required; /* the line of the last failed assertion if it is a precondition (assertions.py), else 0 */
int64_t zeroin_undefined_one, zeroin_undefined_other; /* operands of the run's first undefined operation */
int64_t zeroin_end; /* the number of the end that the last such run came to; MOST_ENDS if there are too many */

const char *zeroin_undefined_at;

static void note_end(int64_t how, uint64_t at) {
  if (zeroin_undefined_at && how != OUTCOME_UNDEFINED) return;
  for (zeroin_end = 0; zeroin_end < end_count; zeroin_end++)
    if (ends[zeroin_end].how == how && ends[zeroin_end].at == at) return;
  if (end_count == MOST_ENDS) return;
  ends[end_count].how = how;
  ends[end_count++].at = at;
  if (zeroin_data) zeroin_data[DATA_NEWS] = zeroin_data[DATA_NEWS_OF_ABNORMAL_RUN] = 1;
}

/* Whether this is the main thread, in which runs are made. The answer is kept, to save system calls. */
static int is_main(void) {
  static pthread_t known;
  static int is_known;
  if (is_known && pthread_equal(known, pthread_self())) return 1;
  if (syscall(SYS_gettid) != getpid()) return 0;
  known = pthread_self();
  return is_known = 1;
}

/* A thread that the subject started can not jump home. What ends it ends the process, as it would without zeroin. */
static void end_as(int64_t how) {
  int number = how == OUTCOME_ABORT || how == OUTCOME_HEAP ? SIGABRT : how == OUTCOME_FPE ? SIGFPE : how == OUTCOME_ILL ? SIGILL
             : how == OUTCOME_SEGV || how == OUTCOME_STACK ? SIGSEGV : how == OUTCOME_UNDEFINED ? SIGILL : SIGKILL;
  if (how == OUTCOME_EXITED) _exit((int)zeroin_detail);
  signal(number, SIG_DFL);
  raise(number);
  _exit(1);
}

__attribute__((noreturn, noinline)) static void go_home(int64_t how) {
  if (!is_main()) end_as(how);
  zeroin_outcome = how;
  in_subject = 0;
  JUMP(home);
}

__attribute__((noreturn, noinline)) static void leave(int64_t how, void *at) {
  if (!is_main()) end_as(how);
  note_end(how, (uint64_t)at);
  go_home(how);
}

#include "heap.c"
static void put_in_order(void);

/* Clean up after a run that used the heap or may have changed the process. Returns 0 if the run misused the heap. */
int tidy(void) {
  int fine = !(untidy & UNTIDY_HEAP) || sweep();
  untidy &= ~UNTIDY_HEAP;
  if (untidy) put_in_order();
  return fine;
}

/* ---- ways out ---- */
__attribute__((noreturn)) void zeroin_exit(int status) {
  zeroin_detail = status;
  leave(OUTCOME_EXITED, __builtin_return_address(0));
}
__attribute__((noreturn)) void zeroin_abort(void) {
  leave(OUTCOME_ABORT, __builtin_return_address(0));
}
__attribute__((noreturn)) void zeroin_assert(const char *text, const char *file, unsigned line, const char *function) {
  (void)file; (void)function;
  zeroin_detail = (int64_t)text;
  zeroin_required = line >> 31 ? line & ~(1u << 31) : 0;
  leave(OUTCOME_ASSERTED, (void *)((uintptr_t)text ^ (uintptr_t)line << 40));
}
int zeroin___cxa_atexit(void *function, void *argument, void *owner) {
  (void)function; (void)argument; (void)owner;
  return 0;
}
char zeroin___dso_handle;
/* In the main thread, the call ends the run, as if no other thread were running. */
__attribute__((noreturn)) void zeroin_pthread_exit(void *result) {
  if (!is_main()) pthread_exit(result);
  zeroin_exit(0);
}
/* Only the first undefined behaviour of a run counts. That of constructors, which run outside of runs, does not. */
void note_undefined(const char *text, int64_t a, int64_t b) {
  if (!in_subject || zeroin_undefined_at) return;
  zeroin_undefined_one = a;
  zeroin_undefined_other = b;
  zeroin_undefined_at = text;
}
void undefined(const char *text, int64_t a, int64_t b) {
  note_undefined(text, a, b);
  if (in_subject) go_home(OUTCOME_UNDEFINED);
}
/* Called at the end of every run with undefined behaviour, no matter how the run ended. */
int was_undefined(void) {
  zeroin_outcome = OUTCOME_UNDEFINED;
  zeroin_detail = (int64_t)zeroin_undefined_at;
  note_end(OUTCOME_UNDEFINED, (uint64_t)zeroin_undefined_at);
  return 0;
}
/* Registered handlers would never be called, since runs end but the process does not. */
int zeroin_atexit(void *function) { (void)function; return 0; }
int zeroin_at_quick_exit(void *function) { (void)function; return 0; }
int zeroin_on_exit(void *function, void *argument) { (void)function; (void)argument; return 0; }
int zeroin_pthread_atfork(void *before, void *parent, void *child) { (void)before; (void)parent; (void)child; return 0; }

/* Each such place is news twice: for a run with little fuel, which is then repeated with all, and for one with all. */
void out_of_fuel(void) {
  while (!is_main()) pause(); /* a started thread stops here: the run may wait for it, or is over */
  if (!in_subject) _exit(STATUS_TOO_LONG); /* a constructor, before the first run */
  int is_short = zeroin_fuel_limit < zeroin_fuel_full;
  zeroin_short_runs += is_short;
  note_end(is_short ? SHORT_OF_FUEL : OUTCOME_HUNG, (uint64_t)__builtin_return_address(0));
  go_home(OUTCOME_HUNG);
}

/* ---- forbidden calls: an attempt ends the run; outside of runs the call fails ---- */
const char *zeroin_scratch; /* the real path of the scratch folder, which runs may write to; 0: there is none */

#define HERE __builtin_return_address(0)
#define GUARD __attribute__((noinline))

/* What the run tried to do, for people: "tries to delete a file: unlink 'a'". */
static char attempt[160];

GUARD static int forbid(const char *what, const char *call, const char *argument, void *at) {
  if (!in_subject) { errno = EPERM; return -1; }
  snprintf(attempt, sizeof attempt, argument ? "tries to %s: %s '%.80s'" : "tries to %s: %s", what, call, argument);
  for (char *c = attempt; *c; c++) if (*c > 0 && *c < ' ') *c = '?';
  zeroin_detail = (int64_t)attempt;
  leave(OUTCOME_FORBIDDEN, at);
}

/* Allowed calls whose system calls the seccomp filter stops (sandbox/seccomp.py): on_stopped_call makes them again. */
int64_t zeroin_secret; /* the argument that makes the filter let a system call pass; 0: there is no filter */
static volatile int permitted, made;
#define PERMITTED(call) (permitted = !!zeroin_secret, made = (call), permitted = 0, made)

static int beneath_scratch(const char *real) {
  size_t length = zeroin_scratch ? strlen(zeroin_scratch) : 0;
  return !strcmp(real, "/dev/null") || (length && !strncmp(real, zeroin_scratch, length) && real[length] == '/');
}

/* The path of an open file or folder. */
static int behind(int descriptor, char *path) {
  char link[32];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  path[length < 0 ? 0 : length] = 0;
  return length >= 0;
}

/* Whether a call on a path is allowed: only if the path lies in the scratch folder. NEW: the call creates the file.
 * OWN: the call needs an existing file. If there is none, it is refused: in the user's folder the file may exist.
 * FOLLOW: a link stands for its target. Paths that can not be used are allowed: the call fails by itself. */
enum { NEW = 0, OWN = 1, FOLLOW = 2 };

GUARD static int may(int how, int folder, const char *path) {
  char whole[2 * PATH_MAX + 2] = "", real[PATH_MAX + NAME_MAX + 2], link;
  if (!path || !*path || strlen(path) >= PATH_MAX) return 1;
  if (*path != '/') {
    if (folder == AT_FDCWD ? !getcwd(whole, PATH_MAX) : !behind(folder, whole)) return 1;
    strcat(whole, "/");
  }
  strcat(whole, path);
  for (size_t end = strlen(whole); end > 1 && whole[end - 1] == '/';) whole[--end] = 0;
  int is_there = readlink(whole, &link, 1) >= 0 || errno == EINVAL;
  if ((how & OWN) && !is_there) return 0;
  char *name = strrchr(whole, '/') + 1;
  if (strlen(name) > NAME_MAX) return 1;
  if ((is_there && (how & FOLLOW)) || !strcmp(name, ".") || !strcmp(name, ".."))
    return realpath(whole, real) && beneath_scratch(real);
  name[-1] = 0;
  if (!realpath(*whole ? whole : "/", real)) return *path != '/';
  strcat(strcat(real, "/"), name);
  return beneath_scratch(real);
}

static int may_change(int descriptor) {
  char path[PATH_MAX];
  return !behind(descriptor, path) || beneath_scratch(path);
}

/* ---- files ---- */
#define IF(allowed, call, what, name, path) ((allowed) ? (call) : forbid(what, name, path, HERE))
#define C AT_FDCWD
typedef const char *text;
#define DELETE "delete a file"
#define RENAME "rename a file"
#define CHANGE "change a file"
#define FOLDER "make a folder"
#define LINK "make a link"
#define MAKE "make a file"
#define WRITE "write a file"

GUARD int zeroin_unlink(text p) { return IF(may(OWN, C, p), unlink(p), DELETE, "unlink", p); }
GUARD int zeroin_unlinkat(int d, text p, int f) { return IF(may(OWN, d, p), unlinkat(d, p, f), DELETE, "unlinkat", p); }
GUARD int zeroin_remove(text p) { return IF(may(OWN, C, p), remove(p), DELETE, "remove", p); }
GUARD int zeroin_rmdir(text p) { return IF(may(OWN, C, p), rmdir(p), "remove a folder", "rmdir", p); }
GUARD int zeroin_rename(text p, text q) {
  return IF(may(OWN, C, p) && may(NEW, C, q), rename(p, q), RENAME, "rename", p);
}
GUARD int zeroin_renameat(int d, text p, int e, text q) {
  return IF(may(OWN, d, p) && may(NEW, e, q), renameat(d, p, e, q), RENAME, "renameat", p);
}
GUARD int zeroin_renameat2(int d, text p, int e, text q, unsigned f) {
  return IF(may(OWN, d, p) && may(NEW, e, q), renameat2(d, p, e, q, f), RENAME, "renameat2", p);
}
GUARD int zeroin_mkdir(text p, mode_t m) { return IF(may(NEW, C, p), mkdir(p, m), FOLDER, "mkdir", p); }
GUARD int zeroin_mkdirat(int d, text p, mode_t m) { return IF(may(NEW, d, p), mkdirat(d, p, m), FOLDER, "mkdirat", p); }
GUARD int zeroin_mkfifo(text p, mode_t m) { return IF(may(NEW, C, p), mkfifo(p, m), MAKE, "mkfifo", p); }
GUARD int zeroin_mknod(text p, mode_t m, dev_t v) { return IF(may(NEW, C, p), mknod(p, m, v), MAKE, "mknod", p); }
GUARD int zeroin_mkstemp(char *p) { return IF(may(NEW, C, p), mkstemp(p), MAKE, "mkstemp", p); }
GUARD char *zeroin_mkdtemp(char *p) { return may(NEW, C, p) ? mkdtemp(p) : (forbid(FOLDER, "mkdtemp", p, HERE), NULL); }
GUARD int zeroin_link(text p, text q) {
  return IF(may(OWN | FOLLOW, C, p) && may(NEW, C, q), link(p, q), LINK, "link", p);
}
GUARD int zeroin_linkat(int d, text p, int e, text q, int f) {
  return IF(may(OWN | FOLLOW, d, p) && may(NEW, e, q), linkat(d, p, e, q, f), LINK, "linkat", p);
}
GUARD int zeroin_symlink(text p, text q) { return IF(may(NEW, C, q), symlink(p, q), LINK, "symlink", q); }
GUARD int zeroin_symlinkat(text p, int d, text q) { return IF(may(NEW, d, q), symlinkat(p, d, q), LINK, "symlinkat", q); }
GUARD int zeroin_truncate(text p, off_t n) {
  return IF(may(OWN | FOLLOW, C, p), truncate(p, n), CHANGE, "truncate", p);
}
#define IF_OWN(how, folder, path, call, name) IF(may(how, folder, path), PERMITTED(call), CHANGE, name, path)
GUARD int zeroin_chmod(text p, mode_t m) { return IF_OWN(OWN | FOLLOW, C, p, chmod(p, m), "chmod"); }
GUARD int zeroin_fchmodat(int d, text p, mode_t m, int f) {
  return IF_OWN(OWN | FOLLOW, d, p, fchmodat(d, p, m, f), "fchmodat");
}
GUARD int zeroin_chown(text p, uid_t u, gid_t g) { return IF_OWN(OWN | FOLLOW, C, p, chown(p, u, g), "chown"); }
GUARD int zeroin_lchown(text p, uid_t u, gid_t g) { return IF_OWN(OWN, C, p, lchown(p, u, g), "lchown"); }
GUARD int zeroin_fchownat(int d, text p, uid_t u, gid_t g, int f) {
  return IF_OWN(OWN | FOLLOW, d, p, fchownat(d, p, u, g, f), "fchownat");
}
GUARD int zeroin_utime(text p, void *t) { return IF_OWN(OWN | FOLLOW, C, p, utime(p, t), "utime"); }
GUARD int zeroin_utimes(text p, void *t) { return IF_OWN(OWN | FOLLOW, C, p, utimes(p, t), "utimes"); }
GUARD int zeroin_utimensat(int d, text p, void *t, int f) {
  return IF_OWN(OWN | FOLLOW, d, p, utimensat(d, p, t, f), "utimensat");
}
GUARD int zeroin_futimens(int d, void *t) {
  return IF(may_change(d), PERMITTED(futimens(d, t)), CHANGE, "futimens", NULL);
}
GUARD int zeroin_flock(int d, int how) {
  return IF(may_change(d), PERMITTED(flock(d, how)), "lock a file", "flock", NULL);
}
GUARD int zeroin_ftruncate(int d, off_t n) { return IF(may_change(d), ftruncate(d, n), CHANGE, "ftruncate", NULL); }
GUARD int zeroin_fchmod(int d, mode_t m) {
  return IF(may_change(d), PERMITTED(fchmod(d, m)), CHANGE, "fchmod", NULL);
}
GUARD int zeroin_fchown(int d, uid_t u, gid_t g) {
  return IF(may_change(d), PERMITTED(fchown(d, u, g)), CHANGE, "fchown", NULL);
}

static int may_open(int folder, text path, int flags) {
  int writes = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC));
  return !writes || may(NEW | FOLLOW, folder, path);
}
static int may_open_as(text path, text mode) {
  char first = mode[strcspn(mode, "wa+,")]; /* after a comma comes the name of an encoding */
  return !first || first == ',' || may(NEW | FOLLOW, C, path);
}
#define MODE(flags, mode) /* the argument after the flags; callers pass it only if a file may be created */ \
  mode_t mode = 0; \
  if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE) { \
    va_list rest; \
    va_start(rest, flags); \
    mode = va_arg(rest, mode_t); \
    va_end(rest); \
  }
GUARD int zeroin_open(text p, int flags, ...) {
  MODE(flags, mode)
  return IF(may_open(C, p, flags), open(p, flags, mode), WRITE, "open", p);
}
GUARD int zeroin_openat(int d, text p, int flags, ...) {
  MODE(flags, mode)
  return IF(may_open(d, p, flags), openat(d, p, flags, mode), WRITE, "openat", p);
}
GUARD int zeroin_creat(text p, mode_t m) { return IF(may(NEW | FOLLOW, C, p), creat(p, m), WRITE, "creat", p); }
GUARD FILE *zeroin_fopen(text p, text mode) {
  return may_open_as(p, mode) ? fopen(p, mode) : (forbid(WRITE, "fopen", p, HERE), NULL);
}
GUARD FILE *zeroin_freopen(text p, text mode, FILE *f) {
  return may_open_as(p, mode) ? freopen(p, mode, f) : (forbid(WRITE, "freopen", p, HERE), NULL);
}

/* ---- shared memory, semaphores and message queues, which all processes can reach ---- */
#define SHARED(name, type, failed, ...) \
  GUARD type zeroin_##name(__VA_ARGS__) { return forbid("share memory with other processes", #name, p, HERE), failed; }
#define SHARED_BY_KEY(name, ...) \
  GUARD int zeroin_##name(__VA_ARGS__) { return forbid("share memory with other processes", #name, NULL, HERE); }
SHARED(shm_open, int, -1, text p, int flags, mode_t m)
SHARED(shm_unlink, int, -1, text p)
SHARED(sem_open, void *, NULL, text p, int flags, ...)
SHARED(sem_unlink, int, -1, text p)
SHARED(mq_open, int, -1, text p, int flags, ...)
SHARED(mq_unlink, int, -1, text p)
SHARED_BY_KEY(shmget, int key, size_t size, int flags)
SHARED_BY_KEY(semget, int key, int count, int flags)
SHARED_BY_KEY(msgget, int key, int flags)

/* ---- the environment of a run, changed for the kinds whose bits are set (SURROUNDINGS in front/symbols.py) ---- */
int64_t zeroin_elsewhere;
enum { CLOCK = 1, ENVIRONMENT = 2, MACHINE = 4, PROCESS_ITSELF = 8 };
#define ELSEWHERE(what) (zeroin_elsewhere & (what))
#define LATER (400 * 86400 + 19873) /* seconds: changes the year, month, weekday and hour */

GUARD time_t zeroin_time(time_t *t) {
  time_t now = time(NULL) + (ELSEWHERE(CLOCK) ? LATER : 0);
  return t ? (*t = now) : now;
}
GUARD int zeroin_gettimeofday(struct timeval *t, void *zone) {
  int failed = gettimeofday(t, zone);
  if (!failed && t && ELSEWHERE(CLOCK)) t->tv_sec += LATER;
  return failed;
}
GUARD int zeroin_clock_gettime(clockid_t clock, struct timespec *t) {
  int failed = clock_gettime(clock, t);
  if (!failed && ELSEWHERE(CLOCK)) t->tv_sec += LATER;
  return failed;
}
GUARD int zeroin_timespec_get(struct timespec *t, int base) {
  int done = timespec_get(t, base);
  if (done && ELSEWHERE(CLOCK)) t->tv_sec += LATER;
  return done;
}

/* In a changed environment, variables that are set look unset, and all others look set. */
static char *variable(char *found) {
  static char another[] = "elsewhere";
  return !ELSEWHERE(ENVIRONMENT) ? found : found ? NULL : another;
}
GUARD char *zeroin_getenv(text name) { return variable(getenv(name)); }
GUARD char *zeroin_secure_getenv(text name) { return variable(secure_getenv(name)); }

/* In a changed environment: set another time zone before a call (there = 1), and reset it afterwards (there = 0). */
static void move_zone(int there) {
  static char own[64];
  static int has_own;
  if (!ELSEWHERE(ENVIRONMENT)) return;
  if (there) {
    char *zone = getenv("TZ");
    has_own = zone && strlen(zone) < sizeof own;
    if (has_own) strcpy(own, zone);
    setenv("TZ", "ZRN-05:45", 1);
  } else if (has_own)
    setenv("TZ", own, 1);
  else
    unsetenv("TZ");
  tzset();
}
#define IN_ZONE(type, name, parameters, call) \
  GUARD type zeroin_##name parameters { \
    move_zone(1); \
    type made = call; \
    move_zone(0); \
    return made; \
  }
IN_ZONE(struct tm *, localtime, (const time_t *t), localtime(t))
IN_ZONE(struct tm *, localtime_r, (const time_t *t, struct tm *to), localtime_r(t, to))
IN_ZONE(time_t, mktime, (struct tm *t), mktime(t))
IN_ZONE(char *, ctime, (const time_t *t), ctime(t))
IN_ZONE(char *, ctime_r, (const time_t *t, char *to), ctime_r(t, to))

GUARD int zeroin_gethostname(char *name, size_t size) {
  int failed = gethostname(name, size);
  if (!failed && size > 1 && ELSEWHERE(MACHINE)) name[0] = name[0] == 'z' ? 'y' : 'z';
  return failed;
}
GUARD int zeroin_uname(struct utsname *about) {
  int failed = uname(about);
  if (!failed && ELSEWHERE(MACHINE)) about->nodename[0] = about->nodename[0] == 'z' ? 'y' : 'z';
  return failed;
}
GUARD long zeroin_sysconf(int what) {
  int counted = what == _SC_NPROCESSORS_ONLN || what == _SC_NPROCESSORS_CONF;
  return sysconf(what) + (counted && ELSEWHERE(MACHINE) ? 3 : 0);
}
GUARD int zeroin_get_nprocs(void) { return get_nprocs() + (ELSEWHERE(MACHINE) ? 3 : 0); }
GUARD int zeroin_get_nprocs_conf(void) { return get_nprocs_conf() + (ELSEWHERE(MACHINE) ? 3 : 0); }
GUARD pid_t zeroin_getpid(void) { return getpid() + (ELSEWHERE(PROCESS_ITSELF) ? 1 : 0); }
GUARD pid_t zeroin_getppid(void) { return getppid() + (ELSEWHERE(PROCESS_ITSELF) ? 1 : 0); }

/* ---- processes ---- */
#define PROGRAM(name, ...) GUARD int zeroin_##name(__VA_ARGS__) { return forbid("run a program", #name, p, HERE); }
#define PROCESS(name) GUARD int zeroin_##name(void) { return forbid("start a process", #name, NULL, HERE); }
PROGRAM(execl, text p, ...)
PROGRAM(execlp, text p, ...)
PROGRAM(execle, text p, ...)
PROGRAM(execv, text p, void *a)
PROGRAM(execvp, text p, void *a)
PROGRAM(execve, text p, void *a, void *e)
PROGRAM(execvpe, text p, void *a, void *e)
PROGRAM(execveat, int d, text p, void *a, void *e, int f)
PROGRAM(posix_spawn, void *id, text p, void *f, void *s, void *a, void *e)
PROGRAM(posix_spawnp, void *id, text p, void *f, void *s, void *a, void *e)
GUARD int zeroin_fexecve(int d, void *a, void *e) { return forbid("run a program", "fexecve", NULL, HERE); }
GUARD int zeroin_system(text p) { return p ? forbid("run a program", "system", p, HERE) : 0; }
GUARD FILE *zeroin_popen(text p, text mode) { return forbid("run a program", "popen", p, HERE), NULL; }
PROCESS(fork)
PROCESS(vfork)

#define KILL "signal other processes"
GUARD int zeroin_kill(pid_t p, int n) { return IF(p == getpid() || !n, kill(p, n), KILL, "kill", NULL); }
GUARD int zeroin_sigqueue(pid_t p, int n, union sigval v) {
  return IF(p == getpid() || !n, sigqueue(p, n, v), KILL, "sigqueue", NULL);
}
GUARD int zeroin_killpg(pid_t p, int n) { return IF(!n, killpg(p, n), KILL, "killpg", NULL); }

/* ---- network ---- */
#define NETWORK(name, ...) GUARD int zeroin_##name(__VA_ARGS__) { return forbid("use the network", #name, NULL, HERE); }
NETWORK(socket, int family, int type, int protocol)
NETWORK(connect, int d, void *address, unsigned size)
NETWORK(bind, int d, void *address, unsigned size)
NETWORK(getaddrinfo, void *node, void *service, void *hints, void *result)
GUARD void *zeroin_gethostbyname(text p) { return forbid("use the network", "gethostbyname", p, HERE), NULL; }
GUARD ssize_t zeroin_sendto(int d, void *data, size_t size, int flags, void *address, unsigned length) {
  return forbid("use the network", "sendto", NULL, HERE);
}

/* ---- signals ---- */
char *zeroin_fault;         /* the invalid address that the last run accessed */
int64_t zeroin_fault_how; /* how it did: 0: it read, 1: it wrote, -1: unknown */
static char *stack_low; /* the lowest address to which the stack may grow; 0: unknown */

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

/* Whether a write caused a fault: 1, 0, or -1 if the processor does not say. */
static int64_t is_write(void *context) {
#if defined(__x86_64__) && defined(__linux__)
  return (((ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] >> 1) & 1;
#elif defined(__aarch64__) && defined(__linux__)
  /* The context ends with records of a mark and a size. One has the fault's syndrome, whose bit 6 means "write". */
  char *at = (char *)((ucontext_t *)context)->uc_mcontext.__reserved;
  for (uint32_t head[2]; memcpy(head, at, sizeof head), head[0] && head[1]; at += head[1])
    if (head[0] == 0x45535201) {
      uint64_t syndrome;
      memcpy(&syndrome, at + sizeof head, sizeof syndrome);
      return (syndrome >> 6) & 1;
    }
  return -1;
#else
  (void)context;
  return -1;
#endif
}

/* Make a page writable again that a run has protected, if it holds variables to reset. Returns whether it did. */
static int reopened(char *at) {
  for (int64_t i = 0; i < zeroin_reset_count; i++) {
    char *to = zeroin_resets[i].to, *page = (char *)((uint64_t)at & -(uint64_t)sysconf(_SC_PAGESIZE));
    if (at >= to && at < to + zeroin_resets[i].size)
      return !mprotect(page, sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE);
  }
  return 0;
}

static void on_fault(int number, siginfo_t *info, void *context) {
  char *at = info->si_addr;
  if (!in_subject && number == SIGSEGV && reopened(at)) return;
  if (!in_subject) { signal(number, SIG_DFL); raise(number); return; }
  if (number == SIGSEGV && stack_low && at < stack_low + 65536 && at > stack_low - (1 << 20)) leave(OUTCOME_STACK, 0);
  void *from = code_address(context);
  zeroin_fault = number == SIGSEGV ? at : 0;
  zeroin_fault_how = is_write(context);
  leave(number == SIGFPE ? OUTCOME_FPE : number == SIGILL || number == SIGTRAP ? OUTCOME_ILL
      : number == SIGABRT ? OUTCOME_ABORT : OUTCOME_SEGV, from);
}

/* The registers of a stopped system call, and a function that repeats the call with the secret as sixth argument. */
#if defined(__x86_64__) && defined(__linux__)
#define REGISTER(n) (((ucontext_t *)context)->uc_mcontext.gregs[n])
#define RESULT REGISTER(REG_RAX)
static int64_t made_again(int64_t number, void *context) {
  register int64_t fourth __asm__("r10") = REGISTER(REG_R10), fifth __asm__("r8") = REGISTER(REG_R8);
  register int64_t sixth __asm__("r9") = zeroin_secret;
  int64_t result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(REGISTER(REG_RDI)), "S"(REGISTER(REG_RSI)),
                   "d"(REGISTER(REG_RDX)), "r"(fourth), "r"(fifth), "r"(sixth) : "rcx", "r11", "memory");
  return result;
}
#elif defined(__aarch64__) && defined(__linux__)
#define REGISTER(n) (((ucontext_t *)context)->uc_mcontext.regs[n])
#define RESULT REGISTER(0)
static int64_t made_again(int64_t number, void *context) {
  register int64_t call __asm__("x8") = number, x0 __asm__("x0") = REGISTER(0), x1 __asm__("x1") = REGISTER(1);
  register int64_t x2 __asm__("x2") = REGISTER(2), x3 __asm__("x3") = REGISTER(3), x4 __asm__("x4") = REGISTER(4);
  register int64_t x5 __asm__("x5") = zeroin_secret;
  __asm__ volatile("svc #0" : "+r"(x0) : "r"(call), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  return x0;
}
#endif

static void on_stopped_call(int number, siginfo_t *info, void *context) {
#ifdef RESULT
  if (permitted) {
    permitted = 0;
    RESULT = made_again(info->si_syscall, context);
    return;
  }
  RESULT = -EPERM;
#endif
  if (!in_subject) return;
  snprintf(attempt, sizeof attempt, "tries to make the system call %d", info->si_syscall);
  zeroin_detail = (int64_t)attempt;
  leave(OUTCOME_FORBIDDEN, code_address(context));
}

#include "clock.c"
#include "throwing.c"
#include "mutants.c"

/* A crashed run may have left a lock of the C library held. If the process then hangs, the parent ends it. */
static void handle_signals(void) {
  static char alternate[65536];
  static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
  stack_t stack = {.ss_sp = alternate, .ss_size = sizeof alternate};
  sigaltstack(&stack, 0);
  struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) sigaction(numbers[i], &action, 0);
  struct sigaction stopped = {.sa_sigaction = on_stopped_call, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  if (zeroin_secret) sigaction(SIGSYS, &stopped, 0);
  struct sigaction late = {.sa_handler = on_tick, .sa_flags = SA_ONSTACK | SA_NODEFER};
  sigaction(TICK, &late, 0);
}

void zeroin_guard(char *low) {
  stack_low = low;
  handle_signals();
  start_clock();
}

#include "order.c"
#include "strings.c"
#include "copies.c"
#include "extended.c"
