/* Byte queue between the UART interrupt and the main loop. */
#include <stdbool.h>
#include <stdint.h>

#define RING_SIZE 8u /* a power of two */
#define RING_MASK (RING_SIZE - 1u)

struct ring {
    uint8_t data[RING_SIZE];
    uint16_t head; /* next to write, below RING_SIZE */
    uint16_t tail; /* next to read, below RING_SIZE */
    uint32_t dropped;
};

static bool ring_full(const struct ring *r)
{
    return ((r->head + 1u) & RING_MASK) == r->tail;
}

/* False, and the byte is counted as dropped, if the queue is full.
 * Head and tail must be below RING_SIZE, which all functions here keep so. */
bool ring_push(struct ring *r, uint8_t byte)
{
    if (ring_full(r)) {
        if (r->dropped < UINT32_MAX)
            r->dropped++;
        return false;
    }
    r->data[r->head & RING_MASK] = byte;
    r->head = (uint16_t)((r->head + 1u) & RING_MASK);
    return true;
}

/* Reads up to `n` bytes into `out`, stops behind a line feed. Returns how many. */
int ring_read_line(struct ring *r, uint8_t *out, int n)
{
    int count = 0;
    while (count < n && r->tail != r->head) {
        uint8_t byte = r->data[r->tail & RING_MASK];
        r->tail = (uint16_t)((r->tail + 1u) & RING_MASK);
        out[count++] = byte;
        if (byte == '\n')
            break;
    }
    return count;
}
