/* Thirty functions of the kinds that Xie et al. 2009 describe in section 5.1, each with a statement that is hard to
   reach: the one behind the last condition of the line that is marked. The functions with strings call functions of
   their own, with loops over the characters, as Pex follows those of .NET. */

static int length_of(const char *s) {
  int n = 0;
  while (s[n]) n++;
  return n;
}

static int starts_with(const char *s, const char *prefix) {
  for (int i = 0; prefix[i]; i++)
    if (s[i] != prefix[i]) return 0;
  return 1;
}

static int ends_with(const char *s, const char *suffix) {
  int n = length_of(s), m = length_of(suffix);
  return n >= m && starts_with(s + n - m, suffix);
}

static int contains(const char *s, char c) {
  for (int i = 0; s[i]; i++)
    if (s[i] == c) return 1;
  return 0;
}

static int is_digit(char c) { return c >= '0' && c <= '9'; }
static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* ---- nested numeric conditions ---- */

int nested_3(int a, int b, int c) {
  if (a == 4714)
    if (b == a * 3 + 1)
      if (c * 7 == b - a) return 1; /* target */
  return 0;
}

int nested_sums(int a, int b, int c, int d) {
  if (a + b == 100)
    if (b + c == 200)
      if (c + d == 300)
        if (a - d == 18) return 1; /* target */
  return 0;
}

int triangle(int a, int b, int c) {
  if (a <= 0 || b <= 0 || c <= 0) return 0;
  if (a + b <= c || b + c <= a || a + c <= b) return 0;
  if (a == b && b != c && c > 1000) return 1; /* target */
  return 2;
}

int bits_3(unsigned a, unsigned b) {
  if ((a & 0xff) == 0x5a)
    if ((a ^ b) == 0xdeadbeefu)
      if (b >> 28 == 3) return 1; /* target */
  return 0;
}

int day_of_year(int year, int month, int day) {
  static const int before[12] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
  if (month < 1 || month > 12 || day < 1 || day > 31 || year < 1583) return 0;
  int leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  int n = before[month - 1] + day + (leap && month > 2);
  if (leap && n == 60) return 1; /* target */
  return n;
}

int floats_between(double x, double y) {
  if (x > 0.25 && x < 0.75)
    if (y > x && y * 2.0 == x + 1.0)
      if (y - x == 0.25) return 1; /* target */
  return 0;
}

int switches(int a, int b) {
  int state = 0;
  switch (a) { case 10: state = 1; break; case 20: state = 2; break; case 37: state = 3; break; }
  switch (b - a) { case 5: state += 10; break; case 99: state += 20; break; }
  if (state == 23) return 1; /* target */
  return 0;
}

/* ---- loops over arrays, as TestLoop ---- */

int test_loop(int x, int *y, int n) { /* y=30,n */
  if (x == 90) {
    for (int i = 0; i < n; i++)
      if (y[i] == 15) x++;
    if (x == 110) return 1; /* target */
  }
  return 0;
}

int count_positive(int *y, int n) { /* y=25,n */
  int count = 0;
  for (int i = 0; i < n; i++)
    if (y[i] > 100) count++;
  if (count == 12) return 1; /* target */
  return 0;
}

/* The value of a variable is counted, and its truth is kept: the condition compares no number. */
int boolean(int *y, int n) { /* y=25,n */
  int count = 0;
  for (int i = 0; i < n; i++)
    if (y[i] == 15) count++;
  _Bool all = count == 18;
  if (all) return 1; /* target */
  return 0;
}

int count_down(int *y, int n) { /* y=25,n */
  int left = 10;
  for (int i = 0; i < n; i++) {
    if (y[i] == 7) left--;
    if (y[i] == 8) left++;
  }
  if (left == 0) return 1; /* target */
  return 0;
}

int balance(int *y, int n) { /* y=16,n */
  int deposits = 0, refused = 0, sum = 0;
  for (int i = 0; i < n; i++) {
    if (y[i] > 0 && y[i] < 1000) { sum += y[i]; deposits++; }
    else if (y[i] < 0 && sum + y[i] < 0) refused++;
  }
  if (deposits == 5 && refused == 3) return 1; /* target */
  return 0;
}

int weighted(int *y, int n) { /* y=20,n */
  int score = 0;
  for (int i = 0; i < n; i++) {
    if (y[i] == 1) score += 1;
    else if (y[i] == 2) score += 5;
    else if (y[i] == 3) score -= 3;
  }
  if (score == 42) return 1; /* target */
  return 0;
}

int run_length(int *y, int n) { /* y=16,n */
  int longest = 0, now = 0;
  for (int i = 0; i < n; i++) {
    now = y[i] == 9 ? now + 1 : 0;
    if (now > longest) longest = now;
  }
  if (longest >= 8) return 1; /* target */
  return 0;
}

int rising(int *y, int n) { /* y=12,n */
  int steps = 0;
  for (int i = 1; i < n; i++)
    if (y[i] > y[i - 1] + 10) steps++;
  if (steps == 8) return 1; /* target */
  return 0;
}

int loop_bound(int n, int m) {
  int count = 0;
  for (int i = 0; i < n && i < 200; i++)
    if (i < m) count++;
  if (count == 40) return 1; /* target */
  return 0;
}

int loop_exact(int n) {
  int sum = 0;
  for (int i = 0; i < n && i < 100; i++) sum += 3;
  if (sum == 150) return 1; /* target */
  return 0;
}

int two_counters(int *y, int n) { /* y=20,n */
  int a = 0, b = 0;
  for (int i = 0; i < n; i++) {
    if (y[i] == 11) a++;
    if (y[i] == 22) b++;
  }
  if (a == 6)
    if (b == 6) return 1; /* target */
  return 0;
}

int machine(int *y, int n) { /* y=12,n */
  int state = 0;
  for (int i = 0; i < n; i++) {
    if (state == 0 && y[i] == 5) state = 1;
    else if (state == 1 && y[i] == 77) state = 2;
    else if (state == 2 && y[i] < -9) state = 3;
    else if (state == 3 && y[i] == 1) state = 4;
    else state = state > 2 ? 2 : 0;
  }
  if (state == 4) return 1; /* target */
  return 0;
}

int sums(int *y, int n) { /* y=10,n */
  int sum = 0;
  for (int i = 0; i < n; i++) {
    if (y[i] < 0 || y[i] > 9) return 0;
    sum += y[i];
  }
  if (sum == 85) return 1; /* target */
  return 0;
}

int climb(double *y, int n) { /* y=20,n */
  double height = 0.0;
  for (int i = 0; i < n; i++) {
    if (y[i] > 0.5) height += 1.0;
    else height -= 0.5;
  }
  if (height >= 12.0) return 1; /* target */
  return 0;
}

int checks(int *y, int n) { /* y=16,n */
  int good = 0, bad = 0;
  for (int i = 0; i < n; i++) {
    if (y[i] % 7 == 3) good++;
    else bad++;
    if (bad > 4) return 0;
  }
  if (good == 11) return 1; /* target */
  return 0;
}

/* ---- conditions on strings ---- */

int hello_world(char *s) { /* s=20 */
  s[19] = 0;
  if (starts_with(s, "Hello") && ends_with(s, "World!") && contains(s, ' ')) return 1; /* target */
  return 0;
}

int name_of_file(char *s) { /* s=16 */
  s[15] = 0;
  if (length_of(s) == 9 && ends_with(s, ".txt") && !contains(s, '/') && is_letter(s[0])) return 1; /* target */
  return 0;
}

int palindrome(char *s) { /* s=12 */
  s[11] = 0;
  int n = length_of(s);
  for (int i = 0; i < n / 2; i++)
    if (s[i] != s[n - 1 - i]) return 0;
  if (n == 9 && s[0] == 'x' && s[1] != 'x') return 1; /* target */
  return 0;
}

int number(char *s) { /* s=10 */
  s[9] = 0;
  int value = 0, i = 0;
  while (is_digit(s[i])) value = value * 10 + (s[i++] - '0');
  if (s[i] == 0 && value == 90210) return 1; /* target */
  return 0;
}

int vowels(char *s) { /* s=16 */
  s[15] = 0;
  int count = 0;
  for (int i = 0; s[i]; i++)
    if (s[i] == 'a' || s[i] == 'e' || s[i] == 'i' || s[i] == 'o' || s[i] == 'u') count++;
  if (count == 7) return 1; /* target */
  return 0;
}

int brackets(char *s) { /* s=14 */
  s[13] = 0;
  int depth = 0, deepest = 0;
  for (int i = 0; s[i]; i++) {
    if (s[i] == '(') depth++;
    else if (s[i] == ')') depth--;
    else return 0;
    if (depth < 0) return 0;
    if (depth > deepest) deepest = depth;
  }
  if (depth == 0 && deepest == 5) return 1; /* target */
  return 0;
}

int telephone(char *s) { /* s=16 */
  s[15] = 0;
  if (s[0] != '+') return 0;
  int digits = 0, i = 1;
  for (; s[i]; i++) {
    if (is_digit(s[i])) digits++;
    else if (s[i] != ' ') return 0;
  }
  if (digits == 9 && i == 12) return 1; /* target */
  return 0;
}

/* ---- a parser: program X; begin end. ---- */

static const char *blank(const char *s) {
  while (*s == ' ') s++;
  return s;
}

static const char *word(const char *s, const char *expected) {
  s = blank(s);
  if (!starts_with(s, expected)) return 0;
  s += length_of(expected);
  return is_letter(*s) || is_digit(*s) ? 0 : s;
}

static const char *mark(const char *s, char expected) {
  s = blank(s);
  return *s == expected ? s + 1 : 0;
}

int parser(char *text) { /* text=28 */
  text[27] = 0;
  const char *s = word(text, "program");
  if (!s) return 0;
  s = blank(s);
  if (!is_letter(*s)) return 0;
  while (is_letter(*s) || is_digit(*s)) s++;
  s = mark(s, ';');
  if (!s) return 0;
  s = word(s, "begin");
  if (!s) return 0;
  s = word(s, "end");
  if (!s) return 0;
  s = mark(s, '.');
  if (s && *blank(s) == 0) return 1; /* target */
  return 0;
}
