/* Functions that would harm the files beside this one (in the folder HERE), or the machine. Do not call them. */
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define KEEP HERE "/keep.txt"
#define TOUCH "touch '" HERE "/marker'"

int deletes(int n) { if (n > 3) unlink(KEEP); return n; }
int deletes_there(int n) { if (n > 3) unlink("keep.txt"); return n; }
int removes(int n) { if (n > 3) remove(KEEP); return n; }
int removes_below(int n) { if (n > 3) unlinkat(open(HERE, O_RDONLY), "keep.txt", 0); return n; }
int (*volatile remover)(const char *) = unlink;
int through_pointer(int n) { if (n > 3) remover(KEEP); return n; }
int renames(int n) { if (n > 3) rename(KEEP, "mine.txt"); return n; }
int overwrites(int n) { if (n > 3) { FILE *file = fopen(KEEP, "w"); if (file) fclose(file); } return n; }
int climbs(int n) {
  char path[4096] = "../../../../../../../../../../../../../../../../../../../..";
  if (n > 3) open(strcat(path, KEEP), O_WRONLY | O_TRUNC);
  return n;
}
int truncates(int n) { if (n > 3) truncate(KEEP, 0); return n; }
int hides(int n) { if (n > 3) chmod(KEEP, 0); return n; }
int follows_link(int n) { if (n > 3) { symlink(KEEP, "link"); creat("link", 0600); } return n; }
int follows_new_link(int n) { if (n > 3) { symlink(HERE "/marker", "link"); creat("link", 0600); } return n; }
int links(int n) { if (n > 3) link(KEEP, "mine.txt"); return n; }
int litters(int n) { if (n > 3) open(HERE "/marker", O_CREAT | O_WRONLY, 0600); return n; }
int makes_folder(int n) { if (n > 3) mkdir(HERE "/marker", 0700); return n; }
int calls_shell(int n) { if (n > 3) system(TOUCH); return n; }
int pipes(int n) { if (n > 3) popen(TOUCH, "r"); return n; }
int becomes(int n) { if (n > 3) execl("/bin/sh", "sh", "-c", TOUCH, (char *)0); return n; }
int spawns(int n) {
  char *words[] = {"sh", "-c", TOUCH, 0};
  pid_t child;
  if (n > 3) posix_spawn(&child, "/bin/sh", 0, 0, words, 0);
  return n;
}
int forks(int n) {
  if (n > 3 && fork() == 0) { creat(HERE "/marker", 0600); _exit(0); }
  return n;
}
int kills(int n) { if (n > 3) kill(getppid(), SIGKILL); return n; }
int connects(int n) { if (n > 3) socket(AF_INET, SOCK_STREAM, 0); return n; }

int shares(int n) { if (n > 3) shm_open("/zeroin-shared", O_CREAT | O_RDWR, 0600); return n; }
int shares_key(int n) { if (n > 3) shmget(n, 4096, IPC_CREAT | 0600); return n; }

/* ---- what is allowed ---- */

int reads(int n) {
  char text[8] = "";
  if (n > 3) { int file = open(KEEP, O_RDONLY); read(file, text, 4); close(file); }
  return text[0];
}

int writes(int n) {
  struct stat there;
  int before = stat("deep", &there) == 0;
  FILE *file = fopen("mine.txt", "a");
  if (n > 3) fputs("text", file);
  fclose(file);
  mkdir("deep", 0700);
  rename("mine.txt", "deep/mine.txt");
  stat("deep/mine.txt", &there);
  truncate("deep/mine.txt", 1);
  return there.st_size > 0 ? 10 + before : before;
}

int deletes_own(int n) {
  creat("mine.txt", 0600);
  return n > 3 ? unlink("mine.txt") : -1;
}
