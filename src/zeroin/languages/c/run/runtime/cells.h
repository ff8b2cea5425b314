/* Made from zeroin/native/cells.py by python -m zeroin.languages.c.run.cells_header. */

/* Where a run that did not return ended. */
enum {
  OUTCOME_RETURNED = 0,
  OUTCOME_SEGV = 1,
  OUTCOME_FPE = 2,
  OUTCOME_ILL = 3,
  OUTCOME_ABORT = 4,
  OUTCOME_EXITED = 5,
  OUTCOME_ASSERTED = 6,
  OUTCOME_HUNG = 7,
  OUTCOME_STACK = 8,
  OUTCOME_MEMORY = 9,
  OUTCOME_KILLED = 10,
  OUTCOME_RAISED = 11,
  OUTCOME_REFUSED = 12,
  OUTCOME_FORBIDDEN = 13,
  OUTCOME_HEAP = 14,
  OUTCOME_BEYOND = 15,
  OUTCOME_UNDEFINED = 16,
};

/* Why a door is closed. */
enum {
  STOP_OPEN = 0,
  STOP_ZERO = 1,
  STOP_BUDGET = 2,
  STOP_TIME = 3,
  STOP_NEWS = 4,
};

/* What is known of the pen at an outcome. */
enum {
  ASKED_PASS = 0,
  ASKED_CALL = 1,
  ASKED_ZERO = 2,
  ASKED_LAST = 3,
  ASKED_AT = 4,
  ASKED_NEAR = 5,
};

/* Cells of a door. */
enum {
  DOOR_LEFT = 0,
  DOOR_CLOSED = 1,
};

/* Cells of a question's data. */
enum {
  DATA_NEWS = 0,
  DATA_NEWS_OF_ABNORMAL_RUN = 1,
  DATA_OF_FLOATS = 2,
  DATA_OF_INTEGERS = 3,
  DATA_NORMALISED = 5,
};

/* What a run may change besides memory. */
enum {
  DISTURBS_FLOATS = 1,
  DISTURBS_SIGNALS = 2,
  DISTURBS_LOCALE = 4,
  DISTURBS_FOLDER = 8,
  DISTURBS_LIMITS = 16,
  DISTURBS_FILES = 32,
  DISTURBS_MASK = 64,
  DISTURBS_ENVIRONMENT = 128,
  DISTURBS_RANDOM = 256,
  DISTURBS_ERRNO = 512,
};

/* Exit status of a process that ends itself. */
enum {
  STATUS_TOO_LONG = 124,
};

/* Comparisons, as sets of relations. */
enum {
  RELATION_EQ = 1,
  RELATION_ANY = 15,
};
