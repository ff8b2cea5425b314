/* What stat.c takes from a library. */

/* Where the value is in n sorted ones; -1 - the place where it would have to be if it is not there. */
int find(const double *sorted, int n, double value) {
  int low = 0, high = n - 1;
  while (low <= high) {
    int middle = (low + high) / 2;
    if (sorted[middle] < value)
      low = middle + 1;
    else if (sorted[middle] > value)
      high = middle - 1;
    else
      return middle;
  }
  return -1 - low;
}

void insert(double *sorted, int n, int place, double value) {
  for (int i = n; i > place; i--) sorted[i] = sorted[i - 1];
  sorted[place] = value;
}
