/* C++ functions: exceptions that leave or stay, destructors, templates, virtual calls, containers. */
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Failure { int code; };
struct Worse : Failure { explicit Worse(int code) : Failure{code} {} };

struct Shape {
  virtual ~Shape() = default;
  virtual int sides() const = 0;
};
struct Square : Shape { int sides() const override { return 4; } };
struct Circle : Shape { int sides() const override { throw Failure{0}; } };

struct Note {
  int &depth;
  explicit Note(int &d) : depth(d) { ++depth; }
  ~Note() { --depth; }
};
struct Bad { ~Bad() noexcept(false) { throw Failure{1}; } };
struct Silent {
  bool loud;
  ~Silent() { if (loud) fail(); }
  static void fail() { throw Failure{2}; }
};

template <class T> T largest(T a, T b) { return a < b ? b : a; }
template <int N> struct Power { static int of(int x) { return x * Power<N - 1>::of(x); } };
template <> struct Power<0> { static int of(int) { return 1; } };

void fall(int depth, int &open) {
  Note note(open);
  if (depth == 0) throw Worse(open);
  fall(depth - 1, open);
}
int promises(int x) noexcept { if (x == 4) throw Failure{x}; return x; }
int &once() { static int value = largest(3, 5); return value; }
thread_local int own = 3;
int in_circle(Shape &shape) { return dynamic_cast<Circle &>(shape).sides(); }
bool is_square(Shape &shape) { return dynamic_cast<Square *>(&shape) != nullptr; }
void take(long n) { char *volatile room = new char[n]; delete[] room; }
void take_numbers(int n) { int *volatile room = new int[n]; delete[] room; }

}  // namespace

namespace outer {
namespace inner { int nested(int x); }
struct Gauge { static int reading(double x); };
}

// expects: perhaps exception
int throws(int x) {
  if (x == 77123) return 1;
  if (x == 4) throw Failure{x};
  return 0;
}

// expects: perhaps exception
int throws_standard(int x) {
  if (x > 100) return 2;
  if (x > 5) throw std::runtime_error("more than five");
  return 0;
}

// expects: nothing
int swallows_all(int x) {
  try {
    if (x % 7 == 3) throw 5;
    if (x > 100) throw Worse(1);
  } catch (...) {
    return 3;
  }
  return 0;
}

// expects: nothing
int catches_by_base(int x) {
  try {
    if (x > 100) throw Worse(x);
    if (x < -100) throw Failure{x};
  } catch (const Worse &) {
    return 2;
  } catch (const Failure &failure) {
    return failure.code == -77123 ? 1 : 3;
  }
  return 0;
}

// expects: nothing
int throws_through_frames(int x) {
  int open = 0;
  try { if (x > 5) fall(x & 15, open); } catch (const Failure &failure) { return failure.code > 10 ? 2 : 1; }
  return open;
}

// expects: nothing
int throws_again(int x) {
  int times = 0;
  try {
    try { if (x > 5) throw x; } catch (int) { times++; if (x > 100) throw; }
  } catch (int y) { return y == 77123 ? 7 : 8; }
  return times;
}

// expects: perhaps crash
int breaks_promise(int x) {
  if (x > 100) return 2;
  return promises(x);
}

// expects: crash
int terminates(int x) {
  if (x == 77123) return 1;
  if (x % 7 == 3) std::terminate();
  return 0;
}

// expects: crash
int throws_in_silent_destructor(int x) {
  if (x > 100) return 2;
  try {
    Silent silent{x > 5};
    if (x == -77123) throw Failure{x};
  } catch (const Failure &) {
    return 1;
  }
  return 0;
}

// expects: nothing
int throws_in_destructor(int x) {
  try { if (x > 5) Bad bad; } catch (const Failure &failure) { return failure.code + 1; }
  return x < -100 ? 1 : 0;
}

// expects: nothing
int allocates_too_much(int x) {
  if (x > 100) return 2;
  try { if (x == 4) take(1L << 60); } catch (const std::bad_alloc &) { return 3; }
  return 0;
}

// expects: perhaps exception
int allocates_negative(int n) {
  if (n > 100) return 2;
  take_numbers(n);
  return 0;
}

// expects: perhaps undefined
int grows_vector(int n) {
  std::vector<int> xs;
  for (int i = 0; i < (n & 31); i++) xs.push_back(i * n);
  if (xs.size() > 30) return 2;
  return n == 77123 ? 1 : 0;
}

// expects: perhaps exception
int asks_beyond_vector(int k) {
  std::vector<int> xs(4, 7);
  if (k == 77123) return 1;
  return k > 1000 || k < 0 ? 0 : xs.at(k);
}

// expects: perhaps exception
int makes_huge_vector(long n) {
  if (n < 0) return -1;
  std::vector<double> xs(n > 1000 ? n << 40 : n & 7);
  return xs.size() > 5 ? 2 : 0;
}

// expects: nothing
int compares_strings(char a, char b) {
  std::string text = "ab";
  text += a;
  if (text == "abc") return 1;
  return text < std::string("ab") + b ? 2 : 0;
}

// expects: perhaps undefined
int calls_virtual(int x) {
  Square square;
  Circle circle;
  const Shape &shape = x > 5 ? static_cast<const Shape &>(square) : circle;
  try { return shape.sides() + x > 100 ? 2 : 0; } catch (const Failure &) { return 3; }
}

// expects: perhaps exception
int casts_badly(int x) {
  Square square;
  if (x > 100) return is_square(square) + 1;
  if (x == 4) return in_circle(square);
  return 0;
}

// expects: nothing
int uses_templates(int x, double y) {
  if (largest<double>(x, y) == 0.5) return 1;
  return Power<5>::of(x & 7) > 1000 ? 2 : 0;
}

// expects: perhaps undefined
int uses_lambda(int x, const int &y) {
  auto near = [&](int z) mutable { return (z += y) > x; };
  if (near(5)) return y > 100 ? 2 : 1;
  return 0;
}

// expects: nothing | undecided 2
int keeps_static(int x) {
  if (once()++ > 5) return 2;
  if (own++ > 3) return 3;
  return x > 100 ? 1 : 0;
}

// expects: nothing
int outer::inner::nested(int x) { return x > 100000 ? 2 : x == 77123 ? 1 : 0; }

// expects: nothing
int outer::Gauge::reading(double x) { return x > 100.0 ? 2 : x == 0.5 ? 1 : 0; }

// expects: nothing
void changes_reference(int &x, const double &y) { x = y > 100.0 ? 2 : x == 77123 ? 1 : 0; }

// expects: nothing
int takes_text(const std::string &text) { return text.size() > 3 ? 2 : 0; }
