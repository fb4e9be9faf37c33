#include "CTributaryStructure.h"

#define DECLARE(form)                                                                                                    \
    void tributary_scan_items_##form(struct tributary_scan *, const uint8_t *, size_t, int64_t);                         \
    void tributary_scan_lines_##form(struct tributary_scan *, const uint8_t *, size_t, int64_t);                         \
    void tributary_scan_values_##form(struct tributary_scan *, const uint8_t *, size_t, int64_t);                        \
    size_t tributary_first_suspect_##form(const uint8_t *, size_t);                                                      \
    size_t tributary_line_feeds_##form(const uint8_t *, size_t)

DECLARE(portable);

#if defined(__x86_64__)

DECLARE(fast);

#define CHOOSE(name) (is_portable ? name##_portable : name##_fast)

bool tributary_scan_is_portable(void)
{
    return !(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("popcnt")
             && __builtin_cpu_supports("bmi"));
}

#else

#define CHOOSE(name) ((void)is_portable, name##_portable)

bool tributary_scan_is_portable(void) { return true; }

#endif

void tributary_scan_items(
    struct tributary_scan *scan, const uint8_t *bytes, size_t count, int64_t offset, bool is_portable)
{
    CHOOSE(tributary_scan_items)(scan, bytes, count, offset);
}

void tributary_scan_lines(
    struct tributary_scan *scan, const uint8_t *bytes, size_t count, int64_t offset, bool is_portable)
{
    CHOOSE(tributary_scan_lines)(scan, bytes, count, offset);
}

void tributary_scan_values(
    struct tributary_scan *scan, const uint8_t *bytes, size_t count, int64_t offset, bool is_portable)
{
    CHOOSE(tributary_scan_values)(scan, bytes, count, offset);
}

size_t tributary_first_suspect(const uint8_t *bytes, size_t count, bool is_portable)
{
    return CHOOSE(tributary_first_suspect)(bytes, count);
}

size_t tributary_line_feeds(const uint8_t *bytes, size_t count, bool is_portable)
{
    return CHOOSE(tributary_line_feeds)(bytes, count);
}
