/* Median and standard deviation of a sorted list, to which a value is added four times. The list is empty when a run
   begins. (The paper's was a static one, which its runs left behind for the next run.) */
#include <math.h>

int find(const double *sorted, int n, double value);
void insert(double *sorted, int n, int place, double value);

struct list {
  double values[4];
  int size;
  double sum, squares;
};

static void add(struct list *l, double value) {
  int place = find(l->values, l->size, value);
  if (place >= 0 &&
      place < l->size) /* never false: it was found */
    insert(l->values, l->size, place, value);
  else if (place == l->size || /* never true: it was not found */
           l->size == 0) /* never false: all values are the same */
    insert(l->values, l->size, l->size, value);
  else
    insert(l->values, l->size, -1 - place, value);
  l->size++;
  l->sum += value;
  l->squares += value * value;
}

int statistics(int value) {
  struct list l = {{0.0, 0.0, 0.0, 0.0}, 0, 0.0, 0.0};
  add(&l, value);
  add(&l, value);
  add(&l, value);
  add(&l, value);
  double mean = l.sum / l.size, deviation = sqrt(l.squares / l.size - mean * mean);
  int said = 0;
  if (l.values[l.size / 2] == 3.0) said += 1;
  if (deviation <= 0.82915619758885) said += 2; /* never false: all values are the same */
  return said;
}
