/* The form for x86-64 with AVX2, which takes 32 bytes at a time and multiplies without carries. */

#if defined(__x86_64__)

#include <immintrin.h>
#include <stdint.h>

#define FORM fast
#define TARGET __attribute__((target("avx2,pclmul,popcnt,bmi")))

static inline TARGET uint64_t equal(const uint8_t *block, uint8_t byte, uint8_t fold)
{
    uint64_t mask = 0;
    for (int i = 0; i < 64; i += 32) {
        __m256i bytes = _mm256_loadu_si256((const __m256i *)(block + i));
        __m256i folded = _mm256_or_si256(bytes, _mm256_set1_epi8((char)fold));
        __m256i equals = _mm256_cmpeq_epi8(folded, _mm256_set1_epi8((char)byte));
        mask |= (uint64_t)(uint32_t)_mm256_movemask_epi8(equals) << i;
    }
    return mask;
}

static inline TARGET uint64_t high(const uint8_t *block)
{
    uint64_t mask = 0;
    for (int i = 0; i < 64; i += 32) {
        mask |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_loadu_si256((const __m256i *)(block + i))) << i;
    }
    return mask;
}

static inline TARGET uint64_t parity(uint64_t bits)
{
    __m128i product = _mm_clmulepi64_si128(_mm_set_epi64x(0, (long long)bits), _mm_set1_epi8((char)0xFF), 0);
    return (uint64_t)_mm_cvtsi128_si64(product);
}

#include "scan.h"

#endif
