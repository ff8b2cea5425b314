/* The advisory logic of a traffic collision avoidance system, after the Siemens suite's: integers, compared with each
   other and with constants. */
#include <stdlib.h>

enum { MOST_RATE = 600, LEAST_SEPARATION = 300, ALTITUDE_DIFFERENCE = 600, CROSSING = 100 };
enum { NO_INTENT = 0, TCAS_TA = 1 };
enum { UNRESOLVED, UPWARD, DOWNWARD };

struct state {
  int vertical_separation, high_confidence, two_of_three_valid, own_altitude, own_rate, other_altitude, layer,
      up_separation, down_separation, other_rac, other_capability, climb_inhibit;
  int thresholds[4];
};

static void initialize(struct state *s) {
  s->thresholds[0] = 400;
  s->thresholds[1] = 500;
  s->thresholds[2] = 640;
  s->thresholds[3] = 740;
}

static int threshold(const struct state *s) {
  if (s->layer < 0 || s->layer > 3) abort(); /* Java's exception */
  return s->thresholds[s->layer];
}

static int biased_climb(const struct state *s) {
  if (s->climb_inhibit) return s->up_separation + CROSSING;
  return s->up_separation;
}

static int below_threat(const struct state *s) { return s->own_altitude < s->other_altitude; }
static int above_threat(const struct state *s) { return s->other_altitude < s->own_altitude; }

static int non_crossing_climb(const struct state *s) {
  if (biased_climb(s) > s->down_separation)
    return !below_threat(s) ||
           (below_threat(s) && /* never false: just asked */
            !(s->down_separation >= threshold(s)));
  return above_threat(s) &&
         s->vertical_separation >= LEAST_SEPARATION && /* never false: more than ALTITUDE_DIFFERENCE */
         s->up_separation >= threshold(s);
}

static int non_crossing_descend(const struct state *s) {
  if (biased_climb(s) > s->down_separation)
    return below_threat(s) &&
           s->vertical_separation >= LEAST_SEPARATION && /* never false: more than ALTITUDE_DIFFERENCE */
           s->down_separation >= threshold(s);
  return !above_threat(s) ||
         (above_threat(s) && /* never false: just asked */
          s->up_separation >= threshold(s));
}

static int advise(const struct state *s) {
  int enabled = s->high_confidence && s->own_rate <= MOST_RATE && s->vertical_separation > ALTITUDE_DIFFERENCE;
  int equipped = s->other_capability == TCAS_TA;
  int intent_unknown = s->two_of_three_valid && s->other_rac == NO_INTENT;
  if (enabled && ((equipped && intent_unknown) || !equipped)) {
    int up = non_crossing_climb(s) && below_threat(s);
    int down = non_crossing_descend(s) && above_threat(s);
    if (up &&
        down) /* never true: it would be below and above */
      return UNRESOLVED;
    if (up) return UPWARD;
    if (down) return DOWNWARD;
  }
  return UNRESOLVED;
}

int tcas(int vertical_separation_, int high_confidence_, int two_of_three_valid_, int own_altitude_, int own_rate_,
         int other_altitude_, int layer_, int up_separation_, int down_separation_, int other_rac_,
         int other_capability_, int climb_inhibit_) {
  struct state s;
  initialize(&s);
  s.vertical_separation = vertical_separation_;
  s.high_confidence = high_confidence_;
  s.two_of_three_valid = two_of_three_valid_;
  s.own_altitude = own_altitude_;
  s.own_rate = own_rate_;
  s.other_altitude = other_altitude_;
  s.layer = layer_;
  s.up_separation = up_separation_;
  s.down_separation = down_separation_;
  s.other_rac = other_rac_;
  s.other_capability = other_capability_;
  s.climb_inhibit = climb_inhibit_;
  return advise(&s);
}
