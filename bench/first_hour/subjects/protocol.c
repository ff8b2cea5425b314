/* Framing of the serial link: Modbus CRC, frames, COBS, varints. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define FRAME_SYNC 0xA5u
#define FRAME_MAX_PAYLOAD 16
#define FRAME_OVERHEAD 5 /* sync, type, length, CRC low, CRC high */

enum frame_type { FRAME_DATA = 1, FRAME_ACK = 2, FRAME_NAK = 3 };

enum frame_error {
    FRAME_OK = 0,
    FRAME_SHORT = -1,
    FRAME_BAD_SYNC = -2,
    FRAME_BAD_TYPE = -3,
    FRAME_BAD_LENGTH = -4,
    FRAME_BAD_CRC = -5,
};

struct frame {
    enum frame_type type;
    uint8_t length;
    uint8_t payload[FRAME_MAX_PAYLOAD];
};

/* Modbus RTU: polynomial 0xA001 reflected, start 0xFFFF. `buf` holds `len` bytes. */
uint16_t crc16_modbus(const uint8_t *buf, size_t len)
{
    uint16_t crc = 0xFFFF;
    for (size_t i = 0; i < len; i++) {
        crc ^= buf[i];
        for (int bit = 0; bit < 8; bit++) {
            if (crc & 1)
                crc = (uint16_t)((crc >> 1) ^ 0xA001);
            else
                crc >>= 1;
        }
    }
    return crc;
}

/* Reads one frame from the `len` bytes at `buf` into `out`. */
int frame_parse(const uint8_t *buf, size_t len, struct frame *out)
{
    if (len < FRAME_OVERHEAD)
        return FRAME_SHORT;
    if (buf[0] != FRAME_SYNC)
        return FRAME_BAD_SYNC;

    switch (buf[1]) {
    case FRAME_DATA:
    case FRAME_ACK:
    case FRAME_NAK:
        out->type = (enum frame_type)buf[1];
        break;
    default:
        return FRAME_BAD_TYPE;
    }

    uint8_t length = buf[2];
    if (length > FRAME_MAX_PAYLOAD || (size_t)length + FRAME_OVERHEAD != len)
        return FRAME_BAD_LENGTH;
    uint16_t expected = (uint16_t)(buf[len - 2] | (buf[len - 1] << 8));
    if (crc16_modbus(buf, len - 2) != expected)
        return FRAME_BAD_CRC;

    out->length = length;
    memcpy(out->payload, buf + 3, length);
    return FRAME_OK;
}

/* Undoes consistent overhead byte stuffing of the `len` bytes at `in`.
 * `out` has room for `cap` bytes. Returns how many were written, or -1. */
int cobs_decode(const uint8_t *in, size_t len, uint8_t *out, size_t cap)
{
    size_t read = 0;
    size_t written = 0;

    while (read < len) {
        uint8_t code = in[read++];
        if (code == 0)
            return -1;
        for (uint8_t i = 1; i < code; i++) {
            if (read >= len || in[read] == 0)
                return -1;
            if (written >= cap)
                return -1;
            out[written++] = in[read++];
        }
        if (code != 0xFF && read < len)
            out[written++] = 0;
    }
    return (int)written;
}

/* LEB128, at most five bytes. Returns bytes consumed, 0 if incomplete, -1 if too large. */
int varint_decode(const uint8_t *buf, size_t len, uint32_t *value)
{
    uint32_t result = 0;
    unsigned shift = 0;

    for (size_t i = 0; i < len; i++) {
        uint8_t byte = buf[i];
        if (i == 4 && byte > 0x0F)
            return -1;
        result |= (uint32_t)(byte & 0x7F) << shift;
        if ((byte & 0x80) == 0) {
            *value = result;
            return (int)(i + 1);
        }
        shift += 7;
    }
    return 0;
}
