/* Included by guards.c: the subject's heap. It is separate from zeroin's own, so that overruns hit no data of ours, and
 * empty at the start of each run. A canary follows each block. Freed blocks are filled, and reused only after a run has
 * allocated a lot. Canaries and freed blocks are checked at the end of the run.
 * A new block holds zeros. In a build with a pattern (builds.py), its beginning holds the pattern; freed blocks hold
 * another one, or keep their content. */
#include <sched.h>
#include <stddef.h>
#include <sys/mman.h>

enum { PLENTY = 1 << 20, LARGE = 1 << 20, CLEANED = 1 << 16, FILLED = 64, TRIES = 8, HEAP_PAGE = 1 << 16 };
#define LIVE 0x7a65726f6c697665ULL
#define FREED 0x7a65726f64656164ULL
#define CANARY 0x7a65726f77616c6cULL
#define BYTES 0x0101010101010101ULL
#define FILL (0xdd * BYTES ^ (uint64_t)(uint8_t)zeroin_pattern * BYTES)
#define KEEPS (zeroin_pattern >> 8) /* whether freed blocks keep their content */
struct block {
  struct block *before, *next_freed; /* the block below it; the next freed block of the same class */
  size_t size, room;                 /* in bytes: as requested; as reserved, with the canary */
  void *caller;
  uint64_t seal;                     /* LIVE or FREED, combined with the block's address */
};
static struct {
  char *start, *top, *open, *end; /* only memory below `open` is accessible */
  struct block *last, *freed[64]; /* by class: the position of the highest bit of `room` */
  int64_t live;                   /* bytes that have not been freed */
  int closed;                     /* whether pages of freed blocks have been made inaccessible */
  volatile int busy;
} heap;
int64_t zeroin_memory_limit = 1LL << 30;
static char misuse[96];

static void hold(void) { while (__sync_lock_test_and_set(&heap.busy, 1)) sched_yield(); }
static void let_go(void) { __sync_lock_release(&heap.busy); }
static uint64_t seal_of(const struct block *block, uint64_t state) { return state ^ (uint64_t)block; }
static int is_in_heap(const void *pointer) { return (char *)pointer >= heap.start && (char *)pointer < heap.top; }
static int is_sealed(const struct block *block, uint64_t state) { return block->seal == seal_of(block, state); }
static char *content(struct block *block) { return (char *)(block + 1); }
static size_t least(size_t a, size_t b) { return a < b ? a : b; }

__attribute__((noreturn)) static void misused(const char *what, void *at) {
  zeroin_detail = (int64_t)what;
  leave(OUTCOME_HEAP, at);
}

static const char *of_block(const char *what, const struct block *block) {
  snprintf(misuse, sizeof misuse, "%s a block of %zu bytes", what, block->size);
  return misuse;
}

static int map(char *from, char *to, int protection) {
  int how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  return from >= to || mmap(from, to - from, protection, how, -1, 0) != MAP_FAILED;
}

static uint64_t up(uint64_t address, uint64_t alignment) { return (address + alignment - 1) & -alignment; }

/* Reserve addresses for twice the memory limit; the system provides memory only for what is used. */
static void make_heap(void) {
  size_t size = 2 * (size_t)zeroin_memory_limit + (64 << 20);
  char *start = mmap(0, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) leave(OUTCOME_MEMORY, 0);
  heap.start = heap.top = heap.open = (char *)up((uint64_t)start + HEAP_PAGE, HEAP_PAGE);
  heap.end = start + size - 2 * LARGE;
}

/* Protect, or open, the whole pages of a large block, so that any use after it was freed crashes at once. */
static void set_pages(struct block *block, int protection) {
  char *to = (char *)((uint64_t)(content(block) + block->room) & -(uint64_t)HEAP_PAGE);
  if (block->room < LARGE) return;
  map((char *)up((uint64_t)content(block), HEAP_PAGE), to, protection);
  heap.closed = 1;
}

static size_t room_for(size_t size) { return (size + sizeof(uint64_t) + 15) & ~(size_t)15; }
static int class_of(size_t room) { return 63 - __builtin_clzll(room | 1); }

static struct block *reused(size_t room) {
  for (int class = class_of(room); class < 64; class++) {
    struct block **at = &heap.freed[class];
    for (int tries = 0; tries < TRIES && *at && is_in_heap(*at); tries++, at = &(*at)->next_freed) {
      struct block *block = *at;
      if (block->room < room) continue;
      *at = block->next_freed;
      set_pages(block, PROT_READ | PROT_WRITE);
      return block;
    }
  }
  return 0;
}

/* Make the heap accessible up to this end. Returns 0 if that is not possible. */
static int opened(char *end) {
  char *open = (char *)up((uint64_t)end, LARGE);
  if (end > heap.end || (open > heap.open && !map(heap.open, open, PROT_READ | PROT_WRITE))) return 0;
  if (open > heap.open) heap.open = open;
  return 1;
}

static struct block *fresh(size_t room, size_t alignment) {
  uint64_t at = up((uint64_t)heap.top + sizeof(struct block), alignment);
  if (at > (uint64_t)heap.end || room > (uint64_t)heap.end - at || !opened((char *)at + room)) return 0;
  struct block *block = (struct block *)at - 1;
  block->before = heap.last;
  block->room = room;
  heap.last = block;
  heap.top = (char *)at + room;
  return block;
}

static void fit(struct block *block, size_t size) {
  heap.live += (int64_t)size - (int64_t)block->size;
  block->size = size;
  memcpy(content(block) + size, &(uint64_t){CANARY}, sizeof(uint64_t));
}

/* Fill uninitialised memory with the build's pattern, if it has one. */
static void spoil(char *from, size_t size) {
  if ((uint8_t)zeroin_pattern) memset(from, (int)zeroin_pattern, least(size, CLEANED));
}

static int exceeds(size_t size) {
  return size > (uint64_t)zeroin_memory_limit || heap.live + (int64_t)size > zeroin_memory_limit;
}

static void *take(size_t size, size_t alignment, void *caller) {
  if (exceeds(size)) leave(OUTCOME_MEMORY, 0);
  if (!heap.start) make_heap();
  hold();
  untidy |= UNTIDY_HEAP;
  size_t room = room_for(size);
  struct block *block = alignment <= 16 && heap.top - heap.start > PLENTY ? reused(room) : 0;
  if (!block) block = fresh(room, room < LARGE || alignment > HEAP_PAGE ? alignment : HEAP_PAGE);
  if (block) {
    block->size = 0;
    spoil(content(block), size);
    fit(block, size);
    block->caller = caller;
    block->seal = seal_of(block, LIVE);
  }
  let_go();
  if (!block) leave(OUTCOME_MEMORY, 0);
  return content(block);
}

/* Returns a message about the damage to a block; 0: there is none. */
static const char *wrong_with(struct block *block) {
  if (is_sealed(block, LIVE)) {
    int is_whole = !memcmp(content(block) + block->size, &(uint64_t){CANARY}, sizeof(uint64_t));
    return is_whole ? 0 : of_block("writes behind", block);
  }
  if (!is_sealed(block, FREED)) return "writes before a block";
  uint64_t changed = 0, *cells = (uint64_t *)content(block);
  for (size_t i = 0; block->room < LARGE && i < least(block->room, FILLED) / 8; i++) changed |= cells[i] ^ FILL;
  return changed && !KEEPS ? of_block("writes into, after it was freed,", block) : 0;
}

static struct block *checked(void *pointer, void *caller) {
  struct block *block = (struct block *)pointer - 1;
  if ((uint64_t)pointer % 16 || (char *)block < heap.start) misused("frees what is no block", caller);
  if (is_sealed(block, FREED)) misused(of_block("frees twice", block), caller);
  if (!is_sealed(block, LIVE)) misused("frees what is no block, or writes before one", caller);
  const char *wrong = wrong_with(block);
  if (wrong) misused(wrong, block->caller);
  return block;
}

static void give_back(void *pointer, void *caller) {
  struct block *block = checked(pointer, caller);
  hold();
  for (size_t i = 0; !KEEPS && i < least(block->room, FILLED) / 8; i++) ((uint64_t *)pointer)[i] = FILL;
  set_pages(block, PROT_NONE);
  heap.live -= (int64_t)block->size;
  block->seal = seal_of(block, FREED);
  block->next_freed = heap.freed[class_of(block->room)];
  heap.freed[class_of(block->room)] = block;
  let_go();
}

/* After a run: check and empty the heap. Returns whether it was not misused. */
static int sweep(void) {
  struct block *block = heap.last;
  const char *wrong = 0;
  for (; block && !wrong; block = block->before) {
    int lies_there = is_in_heap(block) && (uint64_t)block % 16 == 0 && (!block->before || block->before < block);
    wrong = lies_there ? wrong_with(block) : "writes before a block";
    if (wrong && zeroin_outcome == OUTCOME_RETURNED) {
      zeroin_outcome = OUTCOME_HEAP;
      zeroin_detail = (int64_t)wrong;
      note_end(OUTCOME_HEAP, lies_there ? (uint64_t)block->caller : 0);
    }
  }
  size_t used = heap.top - heap.start;
  if (used <= CLEANED && !heap.closed) memset(heap.start, 0, used);
  else if (map(heap.start, heap.open, PROT_NONE)) heap.open = heap.start;
  memset(heap.freed, 0, sizeof heap.freed);
  heap.top = heap.start;
  heap.last = 0;
  heap.live = heap.closed = heap.busy = 0;
  return !wrong;
}

/* ---- functions that the subject calls; constructors, outside of runs, use the process's own heap ---- */
#define CALLER __builtin_return_address(0)

void *zeroin_malloc(size_t size) { return in_subject ? take(size, 16, CALLER) : malloc(size); }

void zeroin_free(void *pointer) {
  if (is_in_heap(pointer)) give_back(pointer, CALLER);
  else free(pointer);
}

static void *zeros(size_t count, size_t size, void *caller) {
  size_t total;
  if (__builtin_mul_overflow(count, size, &total)) { errno = ENOMEM; return 0; }
  return in_subject ? memset(take(total, 16, caller), 0, total) : calloc(count, size);
}

void *zeroin_calloc(size_t count, size_t size) { return zeros(count, size, CALLER); }

static void *resize(void *old, size_t size, void *caller) {
  if (old && !is_in_heap(old)) return realloc(old, size);
  if (!old) return in_subject ? take(size, 16, caller) : malloc(size);
  struct block *block = checked(old, caller);
  if (!size) { give_back(old, caller); return 0; }
  size_t room = room_for(size);
  if (exceeds(size - least(size, block->size))) leave(OUTCOME_MEMORY, 0);
  hold();
  int may_grow = block == heap.last && room < (size_t)(heap.end - (char *)old) && opened((char *)old + room);
  if (may_grow && room > block->room) {
    heap.top = (char *)old + room;
    block->room = room;
  }
  int fits = room <= block->room;
  if (fits && size > block->size) spoil((char *)old + block->size, size - block->size);
  if (fits) fit(block, size);
  let_go();
  if (fits) return old;
  void *pointer = take(size, 16, caller);
  memcpy(pointer, old, least(block->size, size));
  give_back(old, caller);
  return pointer;
}

void *zeroin_realloc(void *old, size_t size) { return resize(old, size, CALLER); }

void *zeroin_reallocarray(void *old, size_t count, size_t size) {
  size_t total;
  if (__builtin_mul_overflow(count, size, &total)) { errno = ENOMEM; return 0; }
  return resize(old, total, CALLER);
}

size_t zeroin_malloc_usable_size(void *pointer) {
  return is_in_heap(pointer) ? ((struct block *)pointer - 1)->size : malloc_usable_size(pointer);
}

static int is_power_of_two(size_t number) { return number && !(number & (number - 1)); }

static void *aligned(size_t alignment, size_t size, void *caller) {
  if (!in_subject) return memalign(alignment, size);
  if (!is_power_of_two(alignment) || alignment > (size_t)zeroin_memory_limit) { errno = EINVAL; return 0; }
  return take(size, alignment < 16 ? 16 : alignment, caller);
}

void *zeroin_memalign(size_t alignment, size_t size) { return aligned(alignment, size, CALLER); }
void *zeroin_aligned_alloc(size_t alignment, size_t size) { return aligned(alignment, size, CALLER); }

int zeroin_posix_memalign(void **result, size_t alignment, size_t size) {
  if (!is_power_of_two(alignment) || alignment % sizeof(void *)) return EINVAL;
  void *pointer = aligned(alignment, size, CALLER);
  if (!pointer) return ENOMEM;
  *result = pointer;
  return 0;
}

static char *copied(const char *text, size_t length, void *caller) {
  char *copy = in_subject ? take(length + 1, 16, caller) : malloc(length + 1);
  if (copy) ((char *)memcpy(copy, text, length))[length] = 0;
  return copy;
}

char *zeroin_strdup(const char *text) { return copied(text, strlen(text), CALLER); }
char *zeroin_strndup(const char *text, size_t most) { return copied(text, strnlen(text, most), CALLER); }
