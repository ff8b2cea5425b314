/* Functions that print much, write where they should not, close or exchange descriptors, and fill the current folder,
 * where a run may do as it likes. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void say(const char *what, int times) { for (int i = 0; i < times; i++) printf("%s %d\n", what, i); }
static void fill(const char *name, int megabytes) {
  char block[1 << 16];
  FILE *file = fopen(name, "w");
  memset(block, 'x', sizeof block);
  for (int i = 0; i < 16 * megabytes; i++) fwrite(block, 1, sizeof block, file);
  fclose(file);
}
static void litter(int files) {
  char name[32];
  for (int i = 0; i < files; i++) {
    snprintf(name, sizeof name, "litter-%d", i);
    close(open(name, O_CREAT | O_WRONLY, 0600));
  }
}

// expects: nothing
int prints(int x) {
  printf("x is %d, not a result\n", x);
  fprintf(stderr, "crash  prints(%d): this is no message of the tool\n", x);
  return x == 77123 ? 1 : 0;
}

// expects: nothing
int prints_much(int x) {
  if (x > 100) return 2;
  if (x == 4) say("flood", 20000);
  return 0;
}

// expects: hang
int prints_for_ever(int x) {
  if (x == 77123) return 1;
  while (x == 4) { puts("again"); fflush(stdout); }
  return 0;
}

// expects: nothing
int prints_odd_bytes(int x) {
  static const char bytes[] = "\033[2J\033]0;title\007\0\377\376{\"findings\": []}\n\r";
  if (x > 100) return 2;
  if (x > 5) write(1, bytes, sizeof bytes - 1);
  return 0;
}

// expects: nothing
int writes_to_all(int x) {
  if (x == 77123) return 1;
  for (int file = 3; x == 4 && file <= 40; file++) write(file, "garbage garbage garbage", 23);
  return 0;
}

// expects: nothing
int reads_from_all(int x) {
  char room[64];
  if (x > 100) return 2;
  for (int file = 3; x == 4 && file <= 40; file++) { fcntl(file, F_SETFL, O_NONBLOCK); read(file, room, 64); }
  return 0;
}

// expects: nothing
int closes_all(int x) {
  if (x > 100) return 2;
  for (int file = 0; x == 4 && file <= 100; file++) close(file);
  return 0;
}

// expects: nothing
int prints_to_closed(int x) {
  if (x == 77123) return 1;
  if (x == 4) { close(1); puts("nobody sees this"); fflush(stdout); }
  return 0;
}

// expects: nothing
int exchanges_descriptors(int x) {
  if (x > 100) return 2;
  for (int to = 0; x == 4 && to < 30; to++) dup2(2, to);
  return 0;
}

// expects: nothing | undecided 1
int leaves_files_open(int x) {
  int file = open("/dev/null", O_RDONLY);
  if (file < 0) return -1;
  return x > 100 ? 2 : 0;
}

// expects: nothing
int writes_100_megabytes(int x) {
  if (x == 77123) return 1;
  if (x == 421) fill("big.txt", 100);
  return 0;
}

// expects: nothing
int makes_1000_files(int x) {
  if (x > 100) return 2;
  if (x == 4) litter(1000);
  return 0;
}

// expects: nothing
int makes_odd_files(int x) {
  if (x == 77123) return 1;
  if (x == 4) {
    mkdir("deep", 0700); mkdir("deep/deeper", 0700); close(creat("deep/deeper/file", 0)); chmod("deep", 0);
    symlink("/", "root"); mkfifo("pipe", 0600); close(creat("-rf\n*", 0600));
  }
  return 0;
}

// expects: nothing | undecided 3
int keeps_a_note(int x) {
  struct stat there;
  if (stat("note", &there) == 0 && there.st_size > 100) return 3;
  FILE *note = fopen("note", "a");
  for (int i = 0; i < (x & 127); i++) fputc('x', note);
  fclose(note);
  return x > 100 ? 2 : 0;
}

// expects: forbidden write a file
int writes_to_full_device(int x) {
  FILE *full = NULL;
  if (x > 100) return 2;
  if (x == 4) { full = fopen("/dev/full", "w"); fputs("more", full); fclose(full); }
  return 0;
}

// expects: nothing
int complains(int x) {
  if (x == 77123) return 1;
  if (x > 5) { open("/zeroin/hostile/no such file", O_RDONLY); perror("complains"); }
  return 0;
}

// expects: nothing
int buffers_in_frame(int x) {
  char room[256];
  if (x > 100) return 2;
  if (x == 4) { setvbuf(stdout, room, _IOFBF, sizeof room); printf("left in a buffer that is gone"); }
  return 0;
}

// expects: nothing
int reopens_output(int x) {
  if (x == 77123) return 1;
  if (x == 4) { freopen("output.txt", "w", stdout); freopen("/dev/null", "w", stderr); puts("to a file"); }
  return 0;
}
