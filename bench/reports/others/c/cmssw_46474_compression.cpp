/* https://github.com/cms-sw/cmssw/issues/46474

   A number is packed as mantissa and exponent and rounded by the last bit that
   is cut; with an exponent of one no bit is cut, and the shift is by -1:
   value = 16, mantissa_bits = 4, rounding = true. */
#include <cstdint>

std::uint32_t reported(std::uint64_t value, unsigned mantissa_bits, bool rounding)
{
    if (mantissa_bits < 2 || mantissa_bits > 16)
        return 0;
    unsigned length = 0;
    for (std::uint64_t rest = value; rest != 0; rest >>= 1)
        length++;
    if (length <= mantissa_bits)
        return static_cast<std::uint32_t>(value);
    std::uint32_t exponent = length - mantissa_bits;
    std::uint64_t mantissa = value >> (exponent - 1);
    if (rounding && ((value >> (exponent - 2)) & 1)) { /* fault: shift */
        mantissa++;
        if (mantissa >> (mantissa_bits + 1)) {
            mantissa >>= 1;
            exponent++;
        }
    }
    mantissa &= (1u << mantissa_bits) - 1u;
    return exponent << mantissa_bits | static_cast<std::uint32_t>(mantissa);
}

std::uint32_t mended(std::uint64_t value, unsigned mantissa_bits, bool rounding)
{
    if (mantissa_bits < 2 || mantissa_bits > 16)
        return 0;
    unsigned length = 0;
    for (std::uint64_t rest = value; rest != 0; rest >>= 1)
        length++;
    if (length <= mantissa_bits)
        return static_cast<std::uint32_t>(value);
    std::uint32_t exponent = length - mantissa_bits;
    std::uint64_t mantissa = value >> (exponent - 1);
    if (rounding && exponent >= 2 && ((value >> (exponent - 2)) & 1)) {
        mantissa++;
        if (mantissa >> (mantissa_bits + 1)) {
            mantissa >>= 1;
            exponent++;
        }
    }
    mantissa &= (1u << mantissa_bits) - 1u;
    return exponent << mantissa_bits | static_cast<std::uint32_t>(mantissa);
}
