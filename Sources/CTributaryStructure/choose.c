#include "CTributaryStructure.h"

#include <string.h>

void tributary_scan_array_portable(struct tributary_scan *, const uint8_t *, size_t, int64_t);
void tributary_scan_lines_portable(struct tributary_scan *, const uint8_t *, size_t, int64_t);

#if defined(__x86_64__)

void tributary_scan_array_fast(struct tributary_scan *, const uint8_t *, size_t, int64_t);
void tributary_scan_lines_fast(struct tributary_scan *, const uint8_t *, size_t, int64_t);

#define CHOOSE(name, ...) (is_portable ? name##_portable(__VA_ARGS__) : name##_fast(__VA_ARGS__))

bool tributary_scan_is_portable(void)
{
    return !(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("popcnt")
             && __builtin_cpu_supports("bmi"));
}

#else

#define CHOOSE(name, ...) ((void)is_portable, name##_portable(__VA_ARGS__))

bool tributary_scan_is_portable(void) { return true; }

#endif

/* Fills the last block with blanks, which change nothing. */
static void complete(uint8_t *bytes, size_t count)
{
    if (count % 64) memset(bytes + count, ' ', 64 - count % 64);
}

void tributary_scan_array(struct tributary_scan *scan, uint8_t *bytes, size_t count, int64_t offset, bool is_portable)
{
    complete(bytes, count);
    CHOOSE(tributary_scan_array, scan, bytes, count, offset);
}

void tributary_scan_lines(struct tributary_scan *scan, uint8_t *bytes, size_t count, int64_t offset, bool is_portable)
{
    complete(bytes, count);
    CHOOSE(tributary_scan_lines, scan, bytes, count, offset);
}
