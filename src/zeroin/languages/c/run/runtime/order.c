/* Included by guards.c: after runs that may change the process besides memory (DISTURBS_* in cells.h), restores signal
 * handlers, open files and more. It also protects zeroin's own open files from the subject. */
static int64_t disturbs;
extern char **environ;
enum { MOST_KNOWN = 64, LIMITS = 16 };
static struct {
  int known[MOST_KNOWN], count; /* open file descriptors, in order */
  char locale[512], **environment, **copy;
  size_t variables;
  mode_t mask;
  struct rlimit limits[LIMITS];
} before;

static int is_known(int descriptor) {
  for (int i = 0; i < before.count; i++)
    if (before.known[i] == descriptor) return 1;
  return 0;
}

static void put_signals_back(void) {
  sigset_t none;
  sigemptyset(&none);
  for (int number = 1; number < NSIG; number++)
    if (number != SIGINT && number != SIGKILL && number != SIGSTOP && number != TICK) signal(number, SIG_DFL);
  handle_signals();
  setitimer(ITIMER_REAL, &(struct itimerval){0}, 0);
  sigprocmask(SIG_SETMASK, &none, 0);
}

static void put_files_back(void) {
  int from = 0;
  for (int i = 0; i <= before.count; i++) {
    int next = i < before.count ? before.known[i] : INT_MAX;
    if (from < next) syscall(SYS_close_range, from, next - 1, 0);
    from = next + 1;
  }
  for (int d = 0; d < 3; d++)
    if (fcntl(d, F_GETFD) < 0) dup2(open("/dev/null", O_RDWR), d);
}

/* Needed before a run as well: between runs, the search uses floats and functions of the C library. */
void make_ready(void) {
  if (disturbs & DISTURBS_FLOATS) fesetenv(FE_DFL_ENV);
  if (disturbs & DISTURBS_ERRNO) errno = 0;
}

static void put_in_order(void) {
  make_ready();
  if (disturbs & DISTURBS_SIGNALS) put_signals_back();
  if (disturbs & DISTURBS_LOCALE) { uselocale(LC_GLOBAL_LOCALE); setlocale(LC_ALL, before.locale); }
  if (disturbs & DISTURBS_FOLDER && zeroin_scratch && chdir(zeroin_scratch)) zeroin_scratch = 0;
  if (disturbs & DISTURBS_LIMITS)
    for (int i = 0; i < LIMITS; i++) setrlimit(i, &before.limits[i]);
  if (disturbs & DISTURBS_FILES) put_files_back();
  if (disturbs & DISTURBS_MASK) umask(before.mask);
  if (disturbs & DISTURBS_ENVIRONMENT) {
    memcpy(before.copy, before.environment, (before.variables + 1) * sizeof *environ);
    environ = before.copy;
  }
  if (disturbs & DISTURBS_RANDOM) { srand(1); seed48((unsigned short[3]){0, 0, 0}); }
}

/* Record the state to restore after runs that may disturb it. Call it once zeroin opens and changes nothing more. */
void zeroin_disturb(int64_t what) {
  disturbs = what;
  for (int d = 0; d < 256 && before.count < MOST_KNOWN; d++)
    if (fcntl(d, F_GETFD) >= 0) before.known[before.count++] = d;
  if (!what) return;
  const char *locale = setlocale(LC_ALL, 0);
  if (locale) strncpy(before.locale, locale, sizeof before.locale - 1);
  umask(before.mask = umask(0));
  for (int i = 0; i < LIMITS; i++) getrlimit(i, &before.limits[i]);
  while (environ && environ[before.variables]) before.variables++;
  before.environment = malloc((before.variables + 1) * sizeof *environ);
  before.copy = malloc((before.variables + 1) * sizeof *environ);
  if (before.environment && before.copy && environ)
    memcpy(before.environment, environ, (before.variables + 1) * sizeof *environ);
  else disturbs &= ~DISTURBS_ENVIRONMENT;
  untidy |= UNTIDY_OTHER;
  put_in_order();
}

/* Change the soft limit only: a hard limit that was lowered can not be raised again. */
int zeroin_setrlimit(int which, const struct rlimit *wanted) {
  struct rlimit now;
  if (!wanted || getrlimit(which, &now)) return setrlimit(which, wanted);
  if (wanted->rlim_cur > wanted->rlim_max) { errno = EINVAL; return -1; }
  now.rlim_cur = wanted->rlim_cur < now.rlim_max ? wanted->rlim_cur : now.rlim_max;
  return setrlimit(which, &now);
}

/* To the subject, zeroin's own file descriptors look closed. */
static int is_ours(int descriptor) { return descriptor > 2 && is_known(descriptor); }
int zeroin_close(int d) { return is_ours(d) ? (errno = EBADF, -1) : close(d); }
int zeroin_dup2(int d, int e) { return is_ours(e) ? (errno = EBADF, -1) : dup2(d, e); }
int zeroin_dup3(int d, int e, int f) { return is_ours(e) ? (errno = EBADF, -1) : dup3(d, e, f); }
ssize_t zeroin_write(int d, const void *data, size_t size) {
  return is_ours(d) ? (errno = EBADF, -1) : write(d, data, size);
}
