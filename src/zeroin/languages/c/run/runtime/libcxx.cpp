// The compiled parts of Clang's C++ library, without streams, locales and threads. They are linked with a subject because
// the process may have no C++ library, or another compiler's.
#include <memory.cpp>  // must come first: it defines a macro that headers use

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
