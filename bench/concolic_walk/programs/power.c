/* Two decisions on a square, and four ways to combine them. */

int power(int x, int y) {
  int path = 0, cell = 0;
  if (x > 0) {
    if (y == x * x)
      path = 1;
    else
      path = 2;
    if (y > 8) {
      if (path == 1) cell = 1;
      if (path == 2) cell = 2;
    } else {
      if (path == 1) cell = 3;
      if (path == 2) cell = 4;
    }
  }
  return cell;
}
