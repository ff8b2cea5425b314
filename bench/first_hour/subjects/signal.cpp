// Filters and statistics of the data logger.
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace logger {

class Hysteresis {
public:
    Hysteresis(double low, double high) : low_(low), high_(high)
    {
        if (!(low < high))
            throw std::invalid_argument("low must be below high");
    }

    /// On at or above the upper threshold, off at or below the lower one, as before between them.
    bool update(double value)
    {
        if (value >= high_)
            on_ = true;
        else if (value <= low_)
            on_ = false;
        return on_;
    }

private:
    double low_;
    double high_;
    bool on_ = false;
};

/// Real roots of a x^2 + b x + c, the smaller one first. Returns how many; -1 if all numbers are.
int quadratic_roots(double a, double b, double c, double &x1, double &x2)
{
    if (a == 0.0) {
        if (b == 0.0)
            return c == 0.0 ? -1 : 0;
        x1 = x2 = -c / b;
        return 1;
    }
    const double discriminant = b * b - 4.0 * a * c;
    if (discriminant < 0.0)
        return 0;
    if (discriminant == 0.0) {
        x1 = x2 = -b / (2.0 * a);
        return 1;
    }
    const double q = -0.5 * (b + std::copysign(std::sqrt(discriminant), b));
    x1 = q / a;
    x2 = c / q;
    if (x1 > x2)
        std::swap(x1, x2);
    return 2;
}

/// Mean without the given fraction of the values at each end. The fraction is in [0, 0.5).
double trimmed_mean(const std::vector<double> &values, double fraction)
{
    if (values.empty())
        throw std::invalid_argument("no values");
    if (!(fraction >= 0.0 && fraction < 0.5))
        throw std::invalid_argument("fraction must be in [0, 0.5)");

    std::vector<double> sorted(values);
    std::sort(sorted.begin(), sorted.end());
    const auto skip = static_cast<std::size_t>(fraction * static_cast<double>(sorted.size()));
    double sum = 0.0;
    for (std::size_t i = skip; i < sorted.size() - skip; ++i)
        sum += sorted[i];
    return sum / static_cast<double>(sorted.size() - 2 * skip);
}

} // namespace logger
