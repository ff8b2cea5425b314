/* https://github.com/bulletphysics/bullet3/pull/4321

   The weight of a corner is its share of the area of the triangle, which is 0/0
   for a degenerate one: corners (1, 1), (2, 2), (3, 3) around the origin. */
#include <cmath>

double reported(double ax, double ay, double bx, double by, double cx, double cy)
{
    double of_a = std::fabs(bx * cy - by * cx);
    double of_b = std::fabs(cx * ay - cy * ax);
    double of_c = std::fabs(ax * by - ay * bx);
    double sum = of_a + of_b + of_c;
    double weight = of_a / sum; /* fault: nan */
    if (weight > 1.0)
        weight = 1.0;
    return weight;
}

double mended(double ax, double ay, double bx, double by, double cx, double cy)
{
    double of_a = std::fabs(bx * cy - by * cx);
    double of_b = std::fabs(cx * ay - cy * ax);
    double of_c = std::fabs(ax * by - ay * bx);
    double sum = of_a + of_b + of_c;
    if (!(sum > 0.0))
        return 1.0;
    double weight = of_a / sum;
    if (weight > 1.0)
        weight = 1.0;
    return weight;
}
