/* Push buttons and an analog input, polled each millisecond. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define DEBOUNCE_TICKS 5
#define LONG_PRESS_MS 800u
#define DOUBLE_CLICK_MS 250u

#define LOWPASS_ALPHA 0.125
#define LOWPASS_JUMP 50.0

enum button_state { BUTTON_IDLE, BUTTON_DOWN, BUTTON_WAIT_SECOND, BUTTON_HELD };
enum button_event { EVENT_NONE, EVENT_CLICK, EVENT_DOUBLE, EVENT_LONG };

struct button {
    enum button_state state;
    uint32_t since_ms;
};

/* The level after it has been the same for DEBOUNCE_TICKS polls. */
bool debounce_update(bool raw)
{
    static bool stable = false;
    static uint8_t ticks = 0;

    if (raw == stable) {
        ticks = 0;
    } else if (++ticks >= DEBOUNCE_TICKS) {
        stable = raw;
        ticks = 0;
    }
    return stable;
}

/* First order low pass; a jump of more than LOWPASS_JUMP three times in a row is believed. */
double lowpass_update(double sample)
{
    static double value;
    static bool started;
    static int jumps;

    if (isnan(sample))
        return value;
    if (!started) {
        started = true;
        value = sample;
        return value;
    }
    if (fabs(sample - value) > LOWPASS_JUMP) {
        if (++jumps < 3)
            return value;
        value = sample;
    } else {
        value += LOWPASS_ALPHA * (sample - value);
    }
    jumps = 0;
    return value;
}

/* Clicks, double clicks and long presses. `now_ms` may wrap around. */
enum button_event button_step(struct button *b, bool pressed, uint32_t now_ms)
{
    uint32_t elapsed = now_ms - b->since_ms;

    switch (b->state) {
    case BUTTON_IDLE:
        if (pressed) {
            b->state = BUTTON_DOWN;
            b->since_ms = now_ms;
        }
        break;
    case BUTTON_DOWN:
        if (!pressed) {
            b->state = BUTTON_WAIT_SECOND;
            b->since_ms = now_ms;
        } else if (elapsed >= LONG_PRESS_MS) {
            b->state = BUTTON_HELD;
            return EVENT_LONG;
        }
        break;
    case BUTTON_WAIT_SECOND:
        if (pressed) {
            b->state = BUTTON_HELD;
            return EVENT_DOUBLE;
        }
        if (elapsed > DOUBLE_CLICK_MS) {
            b->state = BUTTON_IDLE;
            return EVENT_CLICK;
        }
        break;
    case BUTTON_HELD:
        if (!pressed)
            b->state = BUTTON_IDLE;
        break;
    }
    return EVENT_NONE;
}
