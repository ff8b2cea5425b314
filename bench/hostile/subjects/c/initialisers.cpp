/* C++ functions that use variables which code sets up before they are called. Without headers of the C++ library, which
 * takes some compilers minutes to make. */
extern "C" double sqrt(double);
extern "C" void *calloc(__SIZE_TYPE__, __SIZE_TYPE__);
extern "C" void free(void *);

namespace {

double slow_root() { double sum = 0; for (int i = 1; i < 1000; i++) sum += sqrt(i); return sum; }
const double root = sqrt(2.0), roots = slow_root();

struct Counter {
  int count, *cells;
  Counter() : count(7), cells(static_cast<int *>(calloc(4, sizeof(int)))) {}
  ~Counter() { free(cells); }
} counter;

struct Chain {
  static Chain *first;
  Chain *next;
  int value;
  explicit Chain(int v) : next(first), value(v) { first = this; }
};
Chain *Chain::first = nullptr;
Chain one(1), two(2), three(3);
const int &bound = 5 + static_cast<int>(root);

}  // namespace

// expects: nothing
int uses_initialised(double x) {
  if (x > root && x < 1.5) return 1;
  return x > roots ? 2 : 0;
}

// expects: perhaps undefined
int uses_constructed(int x) {
  counter.count += x;
  counter.cells[0] = counter.cells[1] + 2 * x;
  if (counter.count == 12) return 1;
  if (counter.cells[0] == 26) return 3;
  return x > 100 ? 2 : 0;
}

// expects: nothing
int follows_chain(int x) {
  for (const Chain *link = Chain::first; link; link = link->next)
    if (link->value == x) return link->next ? 1 : 2;
  return x > 100 ? 3 : 0;
}

// expects: nothing
int uses_bound_reference(int x) {
  one.value = x;
  if (Chain::first->next->next->value == bound) return 1;
  return x > 100 ? 2 : 0;
}
