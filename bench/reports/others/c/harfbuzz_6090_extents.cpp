/* https://github.com/harfbuzz/harfbuzz/pull/6090

   The corners of a glyph are scaled and then cast to int, which is undefined if
   the scale is large: x = 2000000, width = 500, scale = 4096. */
#include <cmath>
#include <cstdint>

int reported(int x, int width, float scale)
{
    if (!(scale > 0.0f) || std::isinf(scale))
        return 0;
    if (width <= 0)
        return 0;
    float left = static_cast<float>(x) * scale;
    float right = (static_cast<float>(x) + static_cast<float>(width)) * scale;
    int first = static_cast<int>(std::floor(left)); /* fault: cast */
    int last = static_cast<int>(std::ceil(right));
    return last - first;
}

static std::int64_t saturated(double value)
{
    if (!(value > -2147483648.0))
        return INT32_MIN;
    if (value >= 2147483647.0)
        return INT32_MAX;
    return static_cast<std::int64_t>(value);
}

int mended(int x, int width, float scale)
{
    if (!(scale > 0.0f) || std::isinf(scale))
        return 0;
    if (width <= 0)
        return 0;
    double left = static_cast<double>(x) * scale;
    double right = (static_cast<double>(x) + width) * scale;
    std::int64_t size = saturated(std::ceil(right)) - saturated(std::floor(left));
    return static_cast<int>(size > INT32_MAX ? INT32_MAX : size);
}
