/* Conversions of raw ADC readings for the sensor board. */
#include "sensors.h"

#include <math.h>
#include <stddef.h>

#define NTC_PULLUP_OHMS 10000.0
#define NTC_R25_OHMS 10000.0
#define NTC_BETA 3950.0
#define KELVIN 273.15

#define CVD_A 3.9083e-3
#define CVD_B -5.775e-7

static int near_rail(uint16_t raw)
{
    if (raw < 8)
        return -1;
    if (raw > ADC_MAX - 8)
        return 1;
    return 0;
}

/* Temperature of a 10k NTC (B = 3950) in a divider with 10k to the reference.
 * `out` must not be NULL; it is written only if the status is SENSOR_OK. */
enum sensor_status ntc_celsius(uint16_t raw, double *out)
{
    switch (near_rail(raw)) {
    case -1:
        return SENSOR_SHORT;
    case 1:
        return SENSOR_OPEN;
    default:
        break;
    }

    double ohms = NTC_PULLUP_OHMS * raw / (ADC_MAX - raw);
    double inverse = 1.0 / (25.0 + KELVIN) + log(ohms / NTC_R25_OHMS) / NTC_BETA;
    double celsius = 1.0 / inverse - KELVIN;
    if (celsius < -40.0 || celsius > 125.0)
        return SENSOR_RANGE;
    *out = celsius;
    return SENSOR_OK;
}

/* Millivolts at the input pin. Rounds to nearest. */
enum sensor_status adc_to_millivolts(const struct adc_channel *ch, uint16_t raw, int32_t *mv)
{
    if (ch == NULL || mv == NULL)
        return SENSOR_RANGE;
    if (raw > ADC_MAX)
        return SENSOR_RANGE;
    if (ch->gain == 0 || ch->gain > 128)
        return SENSOR_RANGE;

    int32_t counts = (int32_t)raw - ch->offset;
    if (counts < 0)
        counts = 0;
    if (counts > ADC_MAX)
        counts = ADC_MAX;
    int32_t scale = ADC_MAX * ch->gain;
    *mv = (counts * ch->vref_mv + scale / 2) / scale;
    return SENSOR_OK;
}

/* Callendar-Van Dusen for a Pt100, 0 to 850 degrees; below zero a quadratic that is good to 0.3 K. */
enum sensor_status pt100_celsius(double ohms, double *celsius)
{
    if (!isfinite(ohms))
        return SENSOR_RANGE;
    if (ohms < 18.0)
        return SENSOR_SHORT;
    if (ohms > 391.0)
        return SENSOR_OPEN;

    if (ohms >= 100.0) {
        double discriminant = CVD_A * CVD_A - 4.0 * CVD_B * (1.0 - ohms / 100.0);
        *celsius = (-CVD_A + sqrt(discriminant)) / (2.0 * CVD_B);
    } else {
        *celsius = -242.02 + ohms * (2.2228 + ohms * 2.5859e-3);
        if (*celsius < -200.0)
            *celsius = -200.0;
    }
    return SENSOR_OK;
}
