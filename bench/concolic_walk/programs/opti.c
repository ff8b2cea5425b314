/* Zeros of six functions of More, Garbow and Hillstrom (1981), exactly 0 in doubles: FloPSy's Table 2. */
#include <math.h>

static const double e = 2.718281828459045, pi = 3.141592653589793;

int beale(double x1, double x2) {
  if (1.5 - x1 * (1.0 - x2) == 0.0) return 1; /* target */
  return 0;
}

int freudenstein_roth(double x1, double x2) {
  double one = -13.0 + x1 + ((5.0 - x2) * x2 - 2.0) * x2, other = -29.0 + x1 + ((x2 + 1.0) * x2 - 14.0) * x2;
  if (one + other == 0.0) return 1; /* target */
  return 0;
}

static double theta(double x1, double x2) {
  if (x1 > 0.0) return atan(x2 / x1) / (2.0 * pi);
  if (x1 < 0.0) return atan(x2 / x1) / (2.0 * pi) + 0.5;
  return 0.0;
}

int helical_valley(double x1, double x2, double x3) {
  if (10.0 * (x3 - 10.0 * theta(x1, x2)) == 0.0)
    if (10.0 * (sqrt(x1 * x1 + x2 * x2) - 1.0) == 0.0)
      if (x3 == 0.0) return 1; /* target */
  return 0;
}

int powell(double x1, double x2) {
  if (pow(10.0, 4.0) * x1 * x2 - 1.0 == 0.0)
    if (pow(e, -x1) + pow(e, -x2) - 1.0001 == 0.0) return 1; /* target */
  return 0;
}

int rosenbrock(double x1, double x2) {
  if (pow(1.0 - x1, 2.0) + 100.0 * pow(x2 - x1 * x1, 2.0) == 0.0) return 1; /* target */
  return 0;
}

int wood(double x1, double x2, double x3, double x4) {
  if (10.0 * (x2 - x1 * x1) == 0.0)
    if (1.0 - x1 == 0.0)
      if (sqrt(90.0) * (x4 - x3 * x3) == 0.0)
        if (1.0 - x3 == 0.0)
          if (sqrt(10.0) * (x2 + x4 - 2.0) == 0.0)
            if (pow(10.0, -0.5) * (x2 - x4) == 0.0) return 1; /* target */
  return 0;
}
