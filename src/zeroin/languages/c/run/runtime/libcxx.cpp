// The parts of Clang's C++ library that are not in its headers, without streams, locales and threads. A process has
// another compiler's library, if any.
#include <memory.cpp>  // before headers: it has a macro for them

#include <algorithm.cpp>
#include <any.cpp>
#include <bind.cpp>
#include <expected.cpp>
#include <functional.cpp>
#include <hash.cpp>
#include <new_helpers.cpp>
#include <optional.cpp>
#include <random_shuffle.cpp>
#include <stdexcept.cpp>
#include <string.cpp>
#include <system_error.cpp>
#include <typeinfo.cpp>
#include <valarray.cpp>
#include <variant.cpp>
#include <vector.cpp>
#include <verbose_abort.cpp>
#include <stdlib_exception.cpp>
#include <stdlib_stdexcept.cpp>
