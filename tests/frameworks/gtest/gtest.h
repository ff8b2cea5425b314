// A stand-in for GoogleTest, which needs no network (nor C++'s library): as much of it as emitted tests use, with the
// behaviour that GoogleTest's documentation gives it (EXPECT_ goes on; DISABLED_ tests are not run), and its main.
#ifndef GTEST_GTEST_H
#define GTEST_GTEST_H
extern "C" int printf(const char *, ...);

namespace testing {
struct Test {
    const char *name;
    void (*body)();
    Test *next;
};
inline Test *&first() { static Test *found; return found; }
inline int &wrong() { static int count; return count; }
struct Added : Test {
    Added(const char *name, void (*body)()) : Test{name, body, first()} { first() = this; }
};
struct Message {
    template <class T> Message &operator<<(const T &) { return *this; }
};
inline Message expected(bool holds, const char *file, int line, const char *what)
{
    if (!holds) {
        wrong()++;
        printf("%s:%d: Failure: %s\n", file, line, what);
    }
    return Message();
}
inline bool is_same(const char *one, const char *other)
{
    while (*one && *one == *other)
        one++, other++;
    return *one == *other;
}
}  // namespace testing

#define TEST(suite, name) \
    static void suite##_##name##_body(); \
    static testing::Added suite##_##name##_added(#suite "." #name, suite##_##name##_body); \
    static void suite##_##name##_body()
#define EXPECT_TRUE(c) testing::expected(c, __FILE__, __LINE__, #c)
#define EXPECT_EQ(a, b) testing::expected((a) == (b), __FILE__, __LINE__, #a)
#define EXPECT_STREQ(a, b) testing::expected(testing::is_same(a, b), __FILE__, __LINE__, #a)
#define EXPECT_PRED2(p, a, b) testing::expected(p(a, b), __FILE__, __LINE__, #a)
#define TESTING_THROWS(statement, as) \
    [&] { try { try { statement; } catch (as) { return true; } } catch (...) {} return false; }()
#define EXPECT_THROW(statement, type) \
    testing::expected(TESTING_THROWS(statement, type const &), __FILE__, __LINE__, #statement)
#define EXPECT_ANY_THROW(statement) testing::expected(TESTING_THROWS(statement, ...), __FILE__, __LINE__, #statement)

int main()
{
    int ran = 0;
    for (testing::Test *test = testing::first(); test; test = test->next) {
        const char *name = test->name;
        while (*name != '.')
            name++;
        bool disabled = true;
        for (int k = 0; k < 9; k++)
            disabled = disabled && name[1 + k] == "DISABLED_"[k];
        if (disabled)
            continue;
        ran++;
        test->body();
    }
    printf("%d ran, %d wrong\n", ran, testing::wrong());
    return testing::wrong() != 0;
}
#endif
