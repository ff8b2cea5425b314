/* Programs of the kinds that Baars et al. 2011 evaluate with, written from public descriptions of what such code does. */

#include <limits.h>

/* Three conditions that depend on each other: the paper's figure 1. */
int nested(int x, int y, int z) {
  if (x == y) {
    if (x + z == 0) {
      if (z == 0) return 1;
    }
  }
  return 0;
}

/* A sum that a loop makes, and conditions on it: the paper's figure 2. */
int loop_sum(int n, int a, int b) {
  int s = 0;
  if (n > 0) {
    for (int i = 0; i < n; i++) s += i;
    if (a == n)
      if (n == s)
        if (b == s) return 1;
  }
  return 0;
}

/* Whether the characters are an ISBN of ten digits, with hyphens or spaces between them. */
int check_isbn(char c0, char c1, char c2, char c3, char c4, char c5, char c6, char c7, char c8, char c9, char c10) {
  char text[11] = {c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10};
  int sum = 0, digits = 0;
  for (int i = 0; i < 11; i++) {
    char c = text[i];
    if (c == '-' || c == ' ') continue;
    if (digits < 10) {
      if (c >= '0' && c <= '9')
        sum += (10 - digits) * (c - '0');
      else if (digits == 9 && (c == 'X' || c == 'x'))
        sum += 10;
      else
        return -1;
      digits++;
    } else
      return -2;
  }
  if (digits != 10) return -3;
  if (sum % 11 == 0) return 1;
  return 0;
}

/* The same for an ISSN of eight digits, from two numbers of four and its check character. */
int check_issn(int high, int low, char check) {
  int sum = 0;
  if (high < 0 || high > 9999 || low < 0 || low > 999) return -1;
  for (int weight = 5, rest = high; weight <= 8; weight++, rest /= 10) sum += weight * (rest % 10);
  for (int weight = 2, rest = low; weight <= 4; weight++, rest /= 10) sum += weight * (rest % 10);
  int wanted = (11 - sum % 11) % 11;
  if (wanted == 10) {
    if (check == 'X' || check == 'x') return 1;
  } else if (check >= '0' && check <= '9') {
    if (check - '0' == wanted) {
      if (high == low) return 2;
      return 1;
    }
  }
  return 0;
}

/* 1 scalene, 2 isosceles, 3 equilateral, 4 right-angled, 0 none. */
int triangle(int a, int b, int c) {
  int t;
  if (a > b) { t = a; a = b; b = t; }
  if (b > c) { t = b; b = c; c = t; }
  if (a > b) { t = a; a = b; b = t; }
  if (a <= 0) return 0;
  if (a + b <= c) return 0;
  if (a == b) {
    if (b == c) return 3;
    return 2;
  }
  if (b == c) return 2;
  if (a * a + b * b == c * c) return 4;
  return 1;
}

/* How samples of some bits in a row of pixels are put together, by 2 x 2 or more pixels, as when an image gets smaller. */
int resample(int bits, int samples, int width, int factor, int tile) {
  int bytes = 0;
  if (bits == 1 || bits == 2 || bits == 4 || bits == 8 || bits == 16) {
    if (samples < 1 || samples > 4) return -1;
    if (factor != 2 && factor != 4 && factor != 8) return -2;
    int row = width * samples;
    switch (bits) {
      case 1:
        if (samples != 1) return -3;
        bytes = (row + 7) / 8;
        break;
      case 2: bytes = (row + 3) / 4; break;
      case 4:
        bytes = (row + 1) / 2;
        if (row % 2 == 1 && tile == bytes) return 3;
        break;
      case 8: bytes = row; break;
      default: bytes = 2 * row;
    }
    if (bytes == tile * factor) {
      if (width == factor * 100) return 1;
      return 2;
    }
    return 0;
  }
  return -4;
}

/* Where an image goes on a page: scaled so that it fits, centred if it is asked for, turned if it is too wide. */
int place_image(double page_width, double page_height, double width, double height, int centre, int turn) {
  double scale = 1.0, left = 0.0, top = 0.0;
  if (page_width <= 0.0 || page_height <= 0.0 || width <= 0.0 || height <= 0.0) return -1;
  if (turn && width > height && page_width < page_height) {
    double t = width;
    width = height;
    height = t;
  }
  if (width > page_width) scale = page_width / width;
  if (height * scale > page_height) {
    scale = page_height / height;
    if (width * scale == page_width) return 2;
  }
  if (centre) {
    left = (page_width - width * scale) / 2.0;
    top = (page_height - height * scale) / 2.0;
    if (left == top) {
      if (scale == 1.0) return 4;
      return 3;
    }
  }
  if (left == 0.0 && top == 0.0) return 1;
  return 0;
}

/* A rear window defroster: on with the engine, off after a time, again for less, never at a low voltage. */
int defroster(int engine, int button, int was_pressed, int voltage, int timer, int cycles, int outside) {
  int state = 0;
  if (engine == 0) return 0;
  if (voltage < 110 || voltage > 160) return -1;
  if (button == 1 && was_pressed == 0) {
    if (timer == 0) {
      if (cycles == 0) timer = 1200;
      else timer = 600;
      state = 1;
    } else {
      timer = 0;
      state = 2;
    }
  }
  if (timer > 0) {
    timer = timer - 1;
    if (timer == 599 && cycles > 3 && outside < -10) return 5;
    if (timer == 1199 && voltage == 125) return 6;
    if (timer == 0) {
      cycles++;
      if (cycles == 10) return 3;
      return 4;
    }
    return state + 10;
  }
  return state;
}

/* An engine controller in the manner of generated code: sums and differences of 16 bits that saturate. */
int engine(short speed, short target, short load, short offset, short limit) {
  int difference = (int)target - (int)speed;
  if (difference > SHRT_MAX) difference = SHRT_MAX;
  else if (difference < SHRT_MIN) difference = SHRT_MIN;
  int gain = difference / 4 + load;
  if (gain > SHRT_MAX) {
    if (offset < 0) {
      if (gain + offset < SHRT_MAX) return 1;
      return 2;
    }
    gain = SHRT_MAX;
  } else if (gain < SHRT_MIN) {
    gain = SHRT_MIN;
    if (offset == limit) return 3;
  }
  int sum = gain + offset;
  if (sum > SHRT_MAX) return 4;
  if (sum < SHRT_MIN) return 5;
  if (sum == limit) {
    if (speed == load) return 6;
    return 7;
  }
  return 0;
}
