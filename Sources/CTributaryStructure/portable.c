/* The form for any processor, which takes eight bytes at a time. */

#include <stdint.h>
#include <string.h>

#define FORM portable
#define TARGET

static inline uint64_t equal(const uint8_t *block, uint8_t byte, uint8_t fold)
{
    const uint64_t ones = 0x0101010101010101, low = 0x7F7F7F7F7F7F7F7F;
    uint64_t mask = 0;
    for (int i = 0; i < 64; i += 8) {
        uint64_t word;
        memcpy(&word, block + i, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        word = __builtin_bswap64(word);
#endif
        uint64_t difference = (word | ones * fold) ^ ones * byte;
        /* The high bit of each byte that is 0. */
        uint64_t zeros = ~(((difference & low) + low) | difference | low);
        mask |= ((zeros >> 7) * 0x0102040810204080 >> 56) << i;
    }
    return mask;
}

static inline uint64_t high(const uint8_t *block)
{
    uint64_t mask = 0;
    for (int i = 0; i < 64; i++) mask |= (uint64_t)(block[i] >> 7) << i;
    return mask;
}

static inline uint64_t parity(uint64_t bits)
{
    for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
    return bits;
}

#include "scan.h"
