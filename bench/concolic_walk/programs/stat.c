/* Median and standard deviation of a sorted list, to which a value is added four times. The list is empty when a run
   begins. (The paper's was a static one, which its runs left behind for the next run.) */
#include <math.h>

int find(const double *sorted, int n, double value);
void insert(double *sorted, int n, int place, double value);

static double values[4];
static int size;
static double sum, squares;

static void add(double value) {
  int place = find(values, size, value);
  if (place >= 0 &&
      place < size) /* never false: it was found */
    insert(values, size, place, value);
  else if (place == size || /* never true: it was not found */
           size == 0) /* never false: all values are the same */
    insert(values, size, size, value);
  else
    insert(values, size, -1 - place, value);
  size++;
  sum += value;
  squares += value * value;
}

int statistics(int value) {
  size = 0, sum = squares = 0.0;
  add(value);
  add(value);
  add(value);
  add(value);
  double mean = sum / size, deviation = sqrt(squares / size - mean * mean);
  int said = 0;
  if (values[size / 2] == 3.0) said += 1;
  if (deviation <= 0.82915619758885) said += 2; /* never false: all values are the same */
  return said;
}
