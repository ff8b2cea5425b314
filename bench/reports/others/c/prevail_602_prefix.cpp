/* https://github.com/vbpf/prevail/issues/602

   A run of bits of a key is masked by ones that are shifted by 64 - length; an
   empty run shifts by all 64 bits: begin = 0, length = 0. */
#include <cstdint>

std::uint64_t reported(std::uint64_t key, int begin, int length)
{
    if (begin < 0 || begin > 63)
        return 0;
    if (length < 0 || length > 64 - begin)
        return 0;
    std::uint64_t mask = ~std::uint64_t{0} << (64 - length); /* fault: shift */
    return (key << begin) & mask;
}

std::uint64_t mended(std::uint64_t key, int begin, int length)
{
    if (begin < 0 || begin > 63)
        return 0;
    if (length <= 0 || length > 64 - begin)
        return 0;
    std::uint64_t mask = ~std::uint64_t{0} << (64 - length);
    return (key << begin) & mask;
}
