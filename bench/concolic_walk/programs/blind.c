/* Early commitment: who takes c for its value at a run finds that nothing is left to choose. */

int blind(int a, int b) {
  int c = a * b;
  if (b > 2)
    if (b == c) return 1; /* target */
  return 0;
}
