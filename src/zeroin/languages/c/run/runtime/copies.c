/* Detect copies between overlapping memory, which are undefined behaviour. Included by guards.c. */

/* A copy to the same address is allowed: it changes nothing. */
static void check_copy(const char *text, const void *to, const void *from, size_t size) {
  const char *one = to, *other = from;
  if (size && one != other && one < other + size && other < one + size) note_undefined(text, 0, 0);
}

static size_t up_to(const char *text, size_t most) {
  size_t length = strnlen(text, most);
  return length < most ? length + 1 : most;
}

void *zeroin_memcpy(void *to, const void *from, size_t size) {
  check_copy("|a copy between overlapping memory, by memcpy", to, from, size);
  return memmove(to, from, size);
}
void *zeroin_mempcpy(void *to, const void *from, size_t size) {
  check_copy("|a copy between overlapping memory, by mempcpy", to, from, size);
  return (char *)memmove(to, from, size) + size;
}
char *zeroin_strcpy(char *to, const char *from) {
  size_t size = strlen(from) + 1;
  check_copy("|a copy between overlapping memory, by strcpy", to, from, size);
  return memmove(to, from, size);
}
char *zeroin_stpcpy(char *to, const char *from) { return zeroin_strcpy(to, from) + strlen(to); }
char *zeroin_strncpy(char *to, const char *from, size_t most) {
  check_copy("|a copy between overlapping memory, by strncpy", to, from, up_to(from, most));
  return strncpy(to, from, most);
}
char *zeroin_strcat(char *to, const char *from) {
  zeroin_strcpy(to + strlen(to), from);
  return to;
}
