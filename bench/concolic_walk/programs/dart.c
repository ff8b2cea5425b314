/* DART's example of a condition that is not linear (Godefroid, Klarlund and Sen 2005). The second abort() needs a cube
   that wraps around. */
#include <stdlib.h>

int dart(int x, int y) {
  if (x * x * x > 0) {
    if (x > 0)
      if (y == 10) abort();
  } else {
    if (x > 0)
      if (y == 20) abort();
  }
  return 0;
}
