/* The advisory logic of a traffic collision avoidance system, after the Siemens suite's: integers, compared with each
   other and with constants. */
#include <stdlib.h>

enum { MOST_RATE = 600, LEAST_SEPARATION = 300, ALTITUDE_DIFFERENCE = 600, CROSSING = 100 };
enum { NO_INTENT = 0, TCAS_TA = 1 };
enum { UNRESOLVED, UPWARD, DOWNWARD };

static int vertical_separation, high_confidence, two_of_three_valid, own_altitude, own_rate, other_altitude, layer,
    up_separation, down_separation, other_rac, other_capability, climb_inhibit;
static int thresholds[4];

static void initialize(void) {
  thresholds[0] = 400;
  thresholds[1] = 500;
  thresholds[2] = 640;
  thresholds[3] = 740;
}

static int threshold(void) {
  if (layer < 0 || layer > 3) abort(); /* Java's exception */
  return thresholds[layer];
}

static int biased_climb(void) {
  if (climb_inhibit) return up_separation + CROSSING;
  return up_separation;
}

static int below_threat(void) { return own_altitude < other_altitude; }
static int above_threat(void) { return other_altitude < own_altitude; }

static int non_crossing_climb(void) {
  if (biased_climb() > down_separation)
    return !below_threat() ||
           (below_threat() && /* never false: just asked */
            !(down_separation >= threshold()));
  return above_threat() &&
         vertical_separation >= LEAST_SEPARATION && /* never false: more than ALTITUDE_DIFFERENCE */
         up_separation >= threshold();
}

static int non_crossing_descend(void) {
  if (biased_climb() > down_separation)
    return below_threat() &&
           vertical_separation >= LEAST_SEPARATION && /* never false: more than ALTITUDE_DIFFERENCE */
           down_separation >= threshold();
  return !above_threat() ||
         (above_threat() && /* never false: just asked */
          up_separation >= threshold());
}

static int advise(void) {
  int enabled = high_confidence && own_rate <= MOST_RATE && vertical_separation > ALTITUDE_DIFFERENCE;
  int equipped = other_capability == TCAS_TA;
  int intent_unknown = two_of_three_valid && other_rac == NO_INTENT;
  if (enabled && ((equipped && intent_unknown) || !equipped)) {
    int up = non_crossing_climb() && below_threat();
    int down = non_crossing_descend() && above_threat();
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
  initialize();
  vertical_separation = vertical_separation_;
  high_confidence = high_confidence_;
  two_of_three_valid = two_of_three_valid_;
  own_altitude = own_altitude_;
  own_rate = own_rate_;
  other_altitude = other_altitude_;
  layer = layer_;
  up_separation = up_separation_;
  down_separation = down_separation_;
  other_rac = other_rac_;
  other_capability = other_capability_;
  climb_inhibit = climb_inhibit_;
  return advise();
}
