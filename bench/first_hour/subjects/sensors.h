/* Conversions of raw ADC readings for the sensor board. */
#ifndef SENSORS_H
#define SENSORS_H

#include <stdint.h>

#define ADC_BITS 12
#define ADC_MAX ((1 << ADC_BITS) - 1)

enum sensor_status {
    SENSOR_OK = 0,
    SENSOR_OPEN,
    SENSOR_SHORT,
    SENSOR_RANGE,
};

struct adc_channel {
    uint16_t vref_mv; /* reference voltage in millivolts */
    uint8_t gain;     /* of the amplifier in front, 1 to 128 */
    int16_t offset;   /* counts, measured with the input shorted */
};

enum sensor_status ntc_celsius(uint16_t raw, double *out);
enum sensor_status adc_to_millivolts(const struct adc_channel *ch, uint16_t raw, int32_t *mv);
enum sensor_status pt100_celsius(double ohms, double *celsius);

#endif
