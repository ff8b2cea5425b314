/* A stand-in for Unity, which needs no network: as much of it as emitted tests use, with the behaviour that Unity's
 * documentation gives it (a failed assertion ends its test; TEST_IGNORE_MESSAGE does, too). */
#ifndef UNITY_H
#define UNITY_H
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

void setUp(void);
void tearDown(void);

static jmp_buf unity_frame;
static const char *unity_test;
static int unity_tests, unity_failures, unity_ignored;

static void unity_end(int line, int ignored, const char *message)
{
    printf("%s:%d:%s:%s: %s\n", "test", line, unity_test, ignored ? "IGNORE" : "FAIL", message);
    *(ignored ? &unity_ignored : &unity_failures) += 1;
    longjmp(unity_frame, 1);
}

#define UNITY_BEGIN() (unity_tests = unity_failures = unity_ignored = 0)
#define UNITY_END() \
    (printf("%d Tests %d Failures %d Ignored\n", unity_tests, unity_failures, unity_ignored), unity_failures)
#define RUN_TEST(test) \
    do { unity_test = #test; unity_tests++; if (!setjmp(unity_frame)) { setUp(); test(); } tearDown(); } while (0)
#define TEST_IGNORE_MESSAGE(message) unity_end(__LINE__, 1, message)
#define TEST_ASSERT_TRUE_MESSAGE(condition, message) ((condition) ? (void)0 : unity_end(__LINE__, 0, message))
#define TEST_ASSERT_TRUE(condition) TEST_ASSERT_TRUE_MESSAGE(condition, #condition)
#define UNITY_EQUAL(type, expected, got) TEST_ASSERT_TRUE_MESSAGE((type)(expected) == (type)(got), #got)
#define TEST_ASSERT_EQUAL_INT(expected, got) UNITY_EQUAL(int, expected, got)
#define TEST_ASSERT_EQUAL_INT8(expected, got) UNITY_EQUAL(signed char, expected, got)
#define TEST_ASSERT_EQUAL_INT16(expected, got) UNITY_EQUAL(short, expected, got)
#define TEST_ASSERT_EQUAL_INT32(expected, got) UNITY_EQUAL(int, expected, got)
#define TEST_ASSERT_EQUAL_INT64(expected, got) UNITY_EQUAL(long long, expected, got)
#define TEST_ASSERT_EQUAL_UINT8(expected, got) UNITY_EQUAL(unsigned char, expected, got)
#define TEST_ASSERT_EQUAL_UINT16(expected, got) UNITY_EQUAL(unsigned short, expected, got)
#define TEST_ASSERT_EQUAL_UINT32(expected, got) UNITY_EQUAL(unsigned, expected, got)
#define TEST_ASSERT_EQUAL_UINT64(expected, got) UNITY_EQUAL(unsigned long long, expected, got)
#define TEST_ASSERT_EQUAL_STRING(a, b) TEST_ASSERT_TRUE(strcmp(a, b) == 0)
#define TEST_ASSERT_EQUAL_MEMORY(expected, got, size) TEST_ASSERT_TRUE(memcmp(expected, got, size) == 0)
#endif
