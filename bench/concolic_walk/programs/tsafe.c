/* Two parts of TSAFE, which predicts losses of separation between aeroplanes: whether a turning one comes too near to
   another, and the turn from one leg of a route to the next. */
#include <math.h>

static const double pi = 3.141592653589793;
static const double g = 68443.0; /* nautical miles per hour, squared, per nautical mile */

int conflict(double psi_1, double v_a, double v_c, double x_c0, double y_c0, double psi_c, double bank) {
  double least = 999.0, psi_a = psi_1 * pi / 180.0;
  double sign_a = 1.0, sign_c = 1.0;
  if (psi_a < 0.0) sign_a = -1.0;
  double r_a = pow(v_a, 2.0) / tan(bank * pi / 180.0) / g;
  double r_c = pow(v_c, 2.0) / tan(bank * pi / 180.0) / g;
  double t_1 = fabs(psi_a) * r_a / v_a;
  double turned = sign_c * t_1 * v_c / r_c;
  double x_a = sign_a * r_a * (1.0 - cos(psi_a));
  double y_a = r_a * sign_a * sin(psi_a);
  double x_c = x_c0 + sign_c * r_c * (cos(psi_c) - cos(psi_c + turned));
  double y_c = y_c0 - sign_c * r_c * (sin(psi_c) - sin(psi_c + turned));
  double distance = sqrt(pow(x_a - x_c, 2.0) + pow(y_a - y_c, 2.0));
  if (distance < least) least = distance;
  if (least < 2.0) return 1;
  return 0;
}

static double normal(double angle) {
  if (angle < -pi) return angle + 2.0 * pi;
  if (angle > pi) return angle - 2.0 * pi;
  return angle;
}

double turn_logic(double x_0, double y_0, double speed, double x_1, double y_1, double x_2, double y_2, double dt) {
  double dx = x_0 - x_1, dy = y_0 - y_1;
  if (dx == 0.0)
    if (dy == 0.0) return 0.0;
  double heading_0 = pi / 2.0 - atan2(dy, dx);
  if (heading_0 < 0.0) heading_0 += 2.0 * pi;
  if (heading_0 > 2.0 * pi) heading_0 -= 2.0 * pi; /* never true: at most 3/2 pi before */
  dx = x_1 - x_2;
  dy = y_1 - y_2;
  if (dx == 0.0)
    if (dy == 0.0) return 0.0;
  double heading = pi / 2.0 - atan2(dy, dx);
  if (heading < 0.0) heading += 2.0 * pi;
  if (heading > 2.0 * pi) heading -= 2.0 * pi; /* never true: at most 3/2 pi before */
  return atan2(normal(heading - heading_0) * speed, 32.0 * dt);
}
