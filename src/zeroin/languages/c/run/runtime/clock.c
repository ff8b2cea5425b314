/* The clock, included by guards.c. It is a thread, since a signal every 50 ms would interrupt sleep, pause and poll. */
#define TICK SIGRTMAX /* the signal that the clock sends to the running thread when a run takes too long */
static struct { pthread_t thread, runs; volatile int64_t late; volatile int works, stops; pid_t process; } ticking;

static void on_tick(int number) {
  (void)number;
  if (!in_subject || zeroin_runs != ticking.late) return;
  zeroin_hasty = 1;
  leave(OUTCOME_HUNG, 0);
}

static void *tick(void *unused) {
  int64_t last = -1, same = 0;
  while (!ticking.stops) {
    nanosleep(&(struct timespec){0, 50000000}, 0);
    int64_t *door = zeroin_stop;
    if (zeroin_ticks_left > 0) zeroin_ticks_left--;
    /* The door may count down at the same time and overwrite this, so the clock closes it again at every tick. */
    if (zeroin_ticks_left == 0 && door && door[DOOR_LEFT] > 0) {
      door[DOOR_CLOSED] = STOP_TIME;
      door[DOOR_LEFT] = -door[DOOR_LEFT];
    }
    if (!in_subject || zeroin_runs != last) { last = zeroin_runs; same = 0; continue; }
    /* After one run has hung, others probably will, so a search has less patience then. Replays have all of it. */
    int64_t less = zeroin_patience > 16 ? zeroin_patience / 4 : 4;
    int64_t patience = zeroin_hasty && door && less < zeroin_patience ? less : zeroin_patience;
    if (++same >= patience + 8) _exit(STATUS_TOO_LONG); /* the run blocks the signal, or its thread has ended */
    if (same != patience) continue;
    ticking.late = last;
    pthread_kill(ticking.runs, TICK);
  }
  return unused;
}

void zeroin_stop_clock(void) {
  if (!ticking.works || ticking.process != getpid()) return;
  ticking.stops = 1;
  pthread_join(ticking.thread, 0);
  ticking.works = ticking.stops = 0;
}

static void start_clock(void) {
  if (ticking.works && ticking.process == getpid()) return;
  sigset_t all, before;
  sigfillset(&all);
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 1 << 16);
  ticking.runs = pthread_self();
  ticking.process = getpid();
  pthread_sigmask(SIG_SETMASK, &all, &before); /* the clock's thread must not get the process's signals */
  ticking.works = !pthread_create(&ticking.thread, &small, tick, 0);
  pthread_sigmask(SIG_SETMASK, &before, 0);
  pthread_attr_destroy(&small);
}
