/* Included by guards.c: the clock is a thread, as a signal every 50 ms would end what waits for one: sleep, pause, poll. */
#define TICK SIGRTMAX /* sent to the thread that runs, once it has run for too long */
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
    /* The door may be counting down just now and overwrite this, so it is closed again at every tick. */
    if (zeroin_ticks_left == 0 && door && door[DOOR_LEFT] > 0) {
      door[DOOR_CLOSED] = STOP_TIME;
      door[DOOR_LEFT] = -door[DOOR_LEFT];
    }
    if (!in_subject || zeroin_runs != last) { last = zeroin_runs; same = 0; continue; }
    /* Where one run has hung, more will; what is found is run again with all the patience. */
    int64_t less = zeroin_patience > 16 ? zeroin_patience / 4 : 4;
    int64_t patience = zeroin_hasty && door && less < zeroin_patience ? less : zeroin_patience;
    if (++same >= patience + 8) _exit(STATUS_TOO_LONG); /* it hears no signal, or is no more */
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
  pthread_sigmask(SIG_SETMASK, &all, &before); /* what is sent to the process is not for this thread */
  ticking.works = !pthread_create(&ticking.thread, &small, tick, 0);
  pthread_sigmask(SIG_SETMASK, &before, 0);
  pthread_attr_destroy(&small);
}
