/* Prints C++ values as text: the items of containers, the members of classes, and numbers exactly. Equal values have
 * the same text with every C++ library. This file includes no header and names nothing of the namespace std: it
 * recognises types by their members. */
#ifndef ZEROIN_SHOWN_H
#define ZEROIN_SHOWN_H

namespace zeroin_inside {
extern "C" int zeroin_format(char *, unsigned long, const char *, ...) __asm__("snprintf");
extern "C" float zeroin_to_float(const char *, char **) __asm__("strtof");
extern "C" double zeroin_to_double(const char *, char **) __asm__("strtod");
extern "C" long double zeroin_to_long_double(const char *, char **) __asm__("strtold");

/* A text that is being written. Characters that do not fit are counted and hashed. */
struct text {
    static const unsigned long most = 16384, tail = 64;
    char *at;
    unsigned long size;
    unsigned long long beyond;
    int depth;

    explicit text(char *place) : at(place), size(0), beyond(14695981039346656037ULL), depth(0) {}

    bool is_full() const { return size > 4 * most || depth > 24; }

    void put(char c)
    {
        if (size < most - tail)
            at[size] = c;
        else
            beyond = (beyond ^ (unsigned char)c) * 1099511628211ULL;
        size++;
    }

    void put(const char *s)
    {
        while (*s)
            put(*s++);
    }

    void quoted(char c)
    {
        unsigned char n = (unsigned char)c;
        if (c == '"' || c == '\\') {
            put('\\');
            put(c);
        } else if (n >= 32 && n < 127) {
            put(c);
        } else {
            put('\\');
            put((char)('0' + n / 64));
            put((char)('0' + n / 8 % 8));
            put((char)('0' + n % 8));
        }
    }

    void integer(unsigned long long size_of_it, bool is_less)
    {
        char digits[24];
        int count = 0;
        if (is_less)
            put('-');
        do {
            digits[count++] = (char)('0' + size_of_it % 10);
            size_of_it /= 10;
        } while (size_of_it);
        while (count)
            put(digits[--count]);
    }

    void floating(const char *digits)
    {
        bool is_plain = true;
        for (const char *s = digits; *s; s++)
            is_plain = is_plain && *s != '.' && *s != 'e' && *s != 'n';
        put(digits);
        if (is_plain)
            put(".0");
    }

    /* Completes the text and returns its length. */
    unsigned long end()
    {
        unsigned long length = size;
        if (size > most - tail) {
            length = most - tail;
            length += (unsigned long)zeroin_format(at + length, tail, "... (%lu characters, %llx)", size, beyond);
        }
        at[length] = 0;
        return length;
    }
};

template <class T> struct value_of {
    const T &it;
    explicit value_of(const T &given) : it(given) {}
};

template <int N> struct rank : rank<N - 1> {};
template <> struct rank<0> {};
template <class T> struct is_enumeration {
    static const bool holds = __is_enum(T);
};
template <bool Holds> struct when {};
template <> struct when<true> {
    typedef void type;
};

template <class T> void show(text &to, const T &value);

/* Writes a member of a class, after its name. */
template <class T> void member(text &to, const char *name, const T &value)
{
    to.put(name);
    to.put(" = ");
    show(to, value);
}

/* ---- numbers ---- */

template <class T> void integer(text &to, T value)
{
    to.integer(value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value, value < 0);
}

inline void zeroin_members(text &to, value_of<bool> value) { to.put(value.it ? "true" : "false"); }
inline void zeroin_members(text &to, value_of<char> value) { integer(to, (int)value.it); }
inline void zeroin_members(text &to, value_of<signed char> value) { integer(to, (int)value.it); }
inline void zeroin_members(text &to, value_of<unsigned char> value) { integer(to, (int)value.it); }
inline void zeroin_members(text &to, value_of<short> value) { integer(to, value.it); }
inline void zeroin_members(text &to, value_of<unsigned short> value) { integer(to, (int)value.it); }
inline void zeroin_members(text &to, value_of<int> value) { integer(to, value.it); }
inline void zeroin_members(text &to, value_of<unsigned int> value) { to.integer(value.it, false); }
inline void zeroin_members(text &to, value_of<long> value) { integer(to, value.it); }
inline void zeroin_members(text &to, value_of<unsigned long> value) { to.integer(value.it, false); }
inline void zeroin_members(text &to, value_of<long long> value) { integer(to, value.it); }
inline void zeroin_members(text &to, value_of<unsigned long long> value) { to.integer(value.it, false); }
inline void zeroin_members(text &to, value_of<wchar_t> value) { integer(to, (long long)value.it); }
inline void zeroin_members(text &to, value_of<char16_t> value) { to.integer(value.it, false); }
inline void zeroin_members(text &to, value_of<char32_t> value) { to.integer(value.it, false); }
inline void zeroin_members(text &to, value_of<decltype(nullptr)>) { to.put("NULL"); }

template <class T>
void floating(text &to, T value, const char *form, int most, T (*read)(const char *, char **))
{
    char digits[64];
    if (value != value)
        return to.put("nan");
    if (value - value != value - value)
        return to.put(value < 0 ? "-inf" : "inf");
    for (int count = 1; count <= most; count++) {
        zeroin_format(digits, sizeof digits, form, count, value);
        if (read(digits, nullptr) == value)
            break;
    }
    to.floating(digits);
}

inline float read_float(const char *s, char **end) { return zeroin_to_float(s, end); }
inline double read_double(const char *s, char **end) { return zeroin_to_double(s, end); }
inline long double read_long_double(const char *s, char **end) { return zeroin_to_long_double(s, end); }
inline void zeroin_members(text &to, value_of<float> value) { floating(to, value.it, "%.*g", 9, read_float); }
inline void zeroin_members(text &to, value_of<double> value) { floating(to, value.it, "%.*g", 17, read_double); }
inline void zeroin_members(text &to, value_of<long double> value)
{
    floating(to, value.it, "%.*Lg", 21, read_long_double);
}

/* ---- several values ---- */

template <class T> void next_to(text &to, const T &value, bool &is_first)
{
    if (!is_first)
        to.put(", ");
    is_first = false;
    show(to, value);
}

template <class T> void items(text &to, const T &value)
{
    bool is_first = true;
    to.put('{');
    for (auto it = value.begin(); it != value.end() && !to.is_full(); ++it)
        next_to(to, static_cast<const typename T::value_type &>(*it), is_first);
    to.put('}');
}

/* Writes items that have no order, sorted by their texts. */
template <class T> void sorted(text &to, const T &value)
{
    to.put('{');
    unsigned long first = to.size, limit = text::most - text::tail;
    for (auto it = value.begin(); it != value.end() && !to.is_full(); ++it) {
        unsigned long begin = to.size, place = first;
        show(to, static_cast<const typename T::value_type &>(*it));
        to.put('\1');
        to.put(' ');
        if (to.size > limit)
            continue;
        unsigned long length = to.size - begin;
        while (place < begin) {
            unsigned long k = 0;
            while (to.at[place + k] == to.at[begin + k] && to.at[place + k] != '\1')
                k++;
            if ((unsigned char)to.at[begin + k] < (unsigned char)to.at[place + k])
                break;
            while (to.at[place] != '\1')
                place++;
            place += 2;
        }
        for (; length; length--, place++) { /* inserts the new item, character by character */
            char moved = to.at[to.size - length];
            for (unsigned long k = to.size - length; k > place; k--)
                to.at[k] = to.at[k - 1];
            to.at[place] = moved;
        }
    }
    if (to.size > first && to.size <= limit)
        to.size -= 2;
    for (unsigned long k = first; k < to.size && k < limit; k++)
        if (to.at[k] == '\1')
            to.at[k] = ',';
    to.put('}');
}

struct nothing;
template <int> void get(nothing *);

template <int N, int Count> struct parts {
    template <class T> static void put(text &to, const T &value, bool &is_first)
    {
        next_to(to, get<N>(value), is_first);
        parts<N + 1, Count>::put(to, value, is_first);
    }
};
template <int Count> struct parts<Count, Count> {
    template <class T> static void put(text &, const T &, bool &) {}
};

struct visitor {
    text *to;
    template <class T> void operator()(const T &value) const { show(*to, value); }
};

/* ---- recognising types: a higher rank is tried first ---- */

template <class T> auto show_as(text &to, const T &value, rank<12>) -> decltype(zeroin_members(to, value_of<T>(value)))
{
    zeroin_members(to, value_of<T>(value));
}

template <class T> typename when<is_enumeration<T>::holds>::type show_as(text &to, const T &value, rank<12>)
{
    integer(to, (long long)value);
}

template <class T> void show_as(text &to, T *const &value, rank<12>) { to.put(value ? "not NULL" : "NULL"); }

template <unsigned long Size> void show_as(text &to, const char (&value)[Size], rank<12>)
{
    to.put('"');
    for (unsigned long k = 0; k < Size && value[k]; k++)
        to.quoted(value[k]);
    to.put('"');
}

template <class T, unsigned long Size> void show_as(text &to, const T (&value)[Size], rank<11>)
{
    bool is_first = true;
    to.put('{');
    for (unsigned long k = 0; k < Size; k++)
        next_to(to, value[k], is_first);
    to.put('}');
}

inline void string(text &to, const char *at, unsigned long size)
{
    to.put('"');
    for (unsigned long k = 0; k < size && !to.is_full(); k++)
        to.quoted(at[k]);
    to.put('"');
}

template <class T> void string(text &to, const T *at, unsigned long size)
{
    bool is_first = true;
    to.put('{');
    for (unsigned long k = 0; k < size && !to.is_full(); k++)
        next_to(to, at[k], is_first);
    to.put('}');
}

/* std::filesystem::path, std::string, std::string_view */
template <class T> auto show_as(text &to, const T &value, rank<11>) -> decltype((void)value.native())
{
    show(to, value.native());
}

template <class T>
auto show_as(text &to, const T &value, rank<10>)
    -> decltype((void)sizeof(typename T::traits_type *), (void)value.data(), (void)value.size())
{
    string(to, value.data(), value.size());
}

/* std::optional, std::expected */
template <class T> auto show_none(text &to, const T &value, rank<1>) -> decltype((void)value.error())
{
    member(to, "error", value.error());
}

template <class T> void show_none(text &to, const T &, rank<0>) { to.put("nullopt"); }

template <class T> auto show_as(text &to, const T &value, rank<9>) -> decltype((void)value.has_value(), (void)*value)
{
    if (value.has_value())
        show(to, *value);
    else
        show_none(to, value, rank<1>());
}

/* std::variant */
template <class T>
auto show_as(text &to, const T &value, rank<9>) -> decltype((void)value.index(), (void)value.valueless_by_exception())
{
    if (value.valueless_by_exception())
        return to.put("valueless");
    visitor each = {&to};
    to.put('#');
    to.integer(value.index(), false);
    to.put(" = ");
    visit(each, value);
}

/* std::unique_ptr, std::shared_ptr */
template <class T>
auto show_as(text &to, const T &value, rank<8>)
    -> decltype((void)sizeof(typename T::element_type *), (void)*value, (void)value.get())
{
    if (!value.get())
        return to.put("NULL");
    to.put('&');
    show(to, *value);
}

template <class T>
auto show_as(text &to, const T &value, rank<7>)
    -> decltype((void)sizeof(typename T::element_type *), (void)value.get())
{
    to.put(value.get() ? "not NULL" : "NULL");
}

/* Containers */
template <class T> auto items_of(text &to, const T &value, rank<1>) -> decltype((void)value.bucket_count())
{
    sorted(to, value);
}

template <class T> void items_of(text &to, const T &value, rank<0>) { items(to, value); }

template <class T>
auto show_as(text &to, const T &value, rank<6>)
    -> decltype((void)sizeof(typename T::value_type *), (void)*value.begin(), (void)(value.begin() != value.end()))
{
    items_of(to, value, rank<1>());
}

/* std::pair, std::tuple, std::complex */
template <class T>
auto show_as(text &to, const T &value, rank<5>)
    -> decltype((void)sizeof(typename T::first_type *), (void)value.first, (void)value.second)
{
    bool is_first = true;
    to.put('{');
    next_to(to, value.first, is_first);
    next_to(to, value.second, is_first);
    to.put('}');
}

template <template <class...> class T, class... Parts>
auto show_as(text &to, const T<Parts...> &value, rank<4>) -> decltype((void)get<0>(value))
{
    bool is_first = true;
    to.put('{');
    parts<0, sizeof...(Parts)>::put(to, value, is_first);
    to.put('}');
}

template <class T> auto show_as(text &to, const T &value, rank<3>) -> decltype((void)value.real(), (void)value.imag())
{
    bool is_first = true;
    to.put('{');
    next_to(to, value.real(), is_first);
    next_to(to, value.imag(), is_first);
    to.put('}');
}

/* Types of std::chrono, std::bitset, std::stack, std::queue, std::reference_wrapper, std::atomic */
template <class T>
auto show_as(text &to, const T &value, rank<3>) -> decltype((void)sizeof(typename T::period *), (void)value.count())
{
    show(to, value.count());
}

template <class T> auto show_as(text &to, const T &value, rank<3>) -> decltype((void)value.time_since_epoch())
{
    show(to, value.time_since_epoch());
}

template <class T>
auto show_as(text &to, const T &value, rank<3>) -> decltype((void)value.to_string(), (void)value.none())
{
    show(to, value.to_string());
}

template <class T>
auto show_as(text &to, const T &value, rank<3>)
    -> decltype((void)sizeof(typename T::container_type *), (void)value.top(), (void)T(value))
{
    T left(value);
    bool is_first = true;
    to.put('{');
    for (; !left.empty() && !to.is_full(); left.pop())
        next_to(to, left.top(), is_first);
    to.put('}');
}

template <class T>
auto show_as(text &to, const T &value, rank<3>)
    -> decltype((void)sizeof(typename T::container_type *), (void)value.front(), (void)T(value))
{
    T left(value);
    bool is_first = true;
    to.put('{');
    for (; !left.empty() && !to.is_full(); left.pop())
        next_to(to, left.front(), is_first);
    to.put('}');
}

template <class T>
auto show_as(text &to, const T &value, rank<2>) -> decltype((void)sizeof(typename T::type *), (void)value.get())
{
    show(to, value.get());
}

template <class T> auto show_as(text &to, const T &value, rank<2>) -> decltype((void)value.load())
{
    show(to, value.load());
}

/* A class without public members: prints what its const member functions return. */
template <class T> auto show_as(text &to, const T &value, rank<1>) -> decltype(zeroin_says(to, value_of<T>(value)))
{
    zeroin_says(to, value_of<T>(value));
}

template <class T> void show_as(text &to, const T &, rank<0>) { to.put(__is_empty(T) ? "{}" : "?"); }

template <class T> void show(text &to, const T &value)
{
    if (to.is_full())
        return to.put("...");
    to.depth++;
    show_as(to, value, rank<12>());
    to.depth--;
}
}  // namespace zeroin_inside

/* Returns the text of a value, which is valid until the next call. */
template <class T> const char *zeroin_shown(const T &value)
{
    static char place[zeroin_inside::text::most];
    zeroin_inside::text to(place);
    zeroin_inside::show(to, value);
    to.end();
    return place;
}
#endif
