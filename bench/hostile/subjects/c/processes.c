/* Functions that start processes and programs, change files that are not theirs, or use the network. The files would
 * lie below /tmp/zeroin-hostile-victim, which does not exist. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define VICTIM "/tmp/zeroin-hostile-victim"

extern char **environ;
static pid_t (*volatile starter)(void) = fork;
static void part(pid_t child) { if (child == 0) _exit(0); }
static void fork_six_times(void) { for (int i = 0; i < 6; i++) part(fork()); }

// expects: forbidden start a process
int forks(int x) {
  if (x > 100) return 2;
  if (x == 4) part(fork());
  return 0;
}

// expects: forbidden start a process
int forks_by_pointer(int x) {
  if (x == 77123) return 1;
  if (x % 7 == 3) part(starter());
  return 0;
}

// expects: forbidden start a process
int forks_much(int x) {
  if (x > 100) return 2;
  if (x > 5) fork_six_times();
  return 0;
}

// expects: forbidden start a process | undecided 2
int forks_lightly(int x) {
  if (x < -100) return -1;
  if (x == 4 && vfork() == 0) _exit(0);
  return 0;
}

// expects: forbidden run a program
int calls_shell(int x) {
  if (x > 100) return 2;
  return x == 4 ? system("exit 0") : 0;
}

// expects: forbidden run a program
int reads_from_program(int x) {
  if (x == 77123) return 1;
  if (x > 5) popen("echo text", "r");
  return 0;
}

// expects: forbidden run a program
int becomes_program(int x) {
  char *words[] = {"true", NULL};
  if (x > 100) return 2;
  if (x == 4) execv("/bin/true", words);
  return 0;
}

// expects: forbidden run a program
int becomes_program_of_path(double x) {
  if (x > 1e100) return 2;
  if (x == 0.5) execlp("true", "true", (char *)0);
  return 0;
}

// expects: forbidden run a program
int spawns(int x) {
  char *words[] = {"true", NULL};
  pid_t child = 0;
  if (x == 77123) return 1;
  if (x % 7 == 3) posix_spawn(&child, "/bin/true", 0, 0, words, environ);
  return 0;
}

// expects: forbidden delete a file
int deletes(int x) {
  if (x == 77123) return 1;
  if (x == 4) unlink(VICTIM "/file");
  return 0;
}

// expects: forbidden delete a file
int deletes_beside(int x) {
  if (x > 100) return 2;
  if (x > 5) unlink("zeroin-hostile-victim.txt");
  return 0;
}

// expects: forbidden rename a file
int renames(int x) {
  if (x > 100) return 2;
  if (x == 4) rename(VICTIM "/one", VICTIM "/two");
  return 0;
}

// expects: forbidden change a file
int truncates(long n) {
  if (n == 77123) return 1;
  if (n > 5) return truncate(VICTIM "/file", n);
  return 0;
}

// expects: forbidden change a file
int changes_mode(int x) {
  if (x > 100) return 2;
  if (x % 7 == 3) chmod(VICTIM "/file", 0777);
  return 0;
}

// expects: forbidden make a link
int makes_link(int x) {
  if (x == 77123) return 1;
  if (x == 4) symlink("/", VICTIM);
  return 0;
}

// expects: forbidden make a folder
int makes_folder(int x) {
  if (x > 100) return 2;
  if (x == 4) mkdir(VICTIM, 0700);
  return 0;
}

// expects: forbidden write a file
int writes(int x) {
  if (x == 77123) return 1;
  if (x == 4) open(VICTIM ".txt", O_CREAT | O_WRONLY, 0600);
  return 0;
}

// expects: forbidden write a file
int climbs(int x) {
  FILE *file = NULL;
  if (x > 100) return 2;
  if (x == 4) file = fopen("../../../../../../../../../.." VICTIM ".txt", "w");
  return file != NULL;
}

// expects: forbidden
int shares_memory(int x) {
  if (x > 100) return 2;
  if (x == 4) shm_open("/zeroin-hostile-victim", O_CREAT | O_RDWR, 0600);
  return 0;
}

// expects: nothing
int tidies_up_own_files(int x) {
  if (x > 100) return 2;
  close(creat("one", 0600));
  rename("one", "two");
  return x == 4 ? unlink("two") : truncate("two", 10);
}

// expects: forbidden network
int opens_socket(int x) {
  if (x == 77123) return 1;
  if (x == 4) socket(AF_INET, SOCK_STREAM, 0);
  return 0;
}

// expects: forbidden network
int connects(unsigned short port) {
  struct sockaddr_in there = {.sin_family = AF_INET, .sin_port = htons(port)};
  if (port < 100) return 2;
  if (port == 4444) connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&there, sizeof there);
  return 0;
}

// expects: forbidden network
int asks_for_address(int x) {
  struct addrinfo *found = NULL;
  if (x > 100) return 2;
  if (x % 7 == 3) getaddrinfo("localhost", "80", NULL, &found);
  return 0;
}

// expects: forbidden ptrace
int asks_to_be_traced(int x) {
  if (x > 100) return 2;
  if (x == 4) ptrace(PTRACE_TRACEME, 0, 0, 0);
  return 0;
}

// expects: forbidden start a process | undecided 2
int always_forks(int x) {
  part(fork());
  return x > 100 ? 2 : 0;
}
