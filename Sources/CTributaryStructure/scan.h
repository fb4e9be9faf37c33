/* The scan itself, included once for each form. A form defines FORM, its suffix, TARGET, an attribute of its functions,
   and three functions: `equal`, which makes the mask of the bytes of a block that are equal to a byte once the bits of
   `fold` are set, `high`, which makes the mask of the bytes with the highest bit, and `parity`, in which each bit says
   whether the number of bits up to it is odd.

   In a mask of a block of 64 bytes, bit n stands for byte n. */

#include "CTributaryStructure.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline)) TARGET
#define JOINED(name, form) name##_##form
#define NAMED(name, form) JOINED(name, form)

INLINE int lowest(uint64_t bits) { return __builtin_ctzll(bits); }
INLINE int highest(uint64_t bits) { return 63 - __builtin_clzll(bits); }
INLINE int number_of(uint64_t bits) { return __builtin_popcountll(bits); }
INLINE uint64_t below(int bit) { return ((uint64_t)1 << bit) - 1; }

/* The block at `bytes`; one that is shorter, at their end, is completed with blanks. */
INLINE const uint8_t *whole_block(const uint8_t *bytes, size_t count, uint8_t *copy)
{
    if (count >= 64) return bytes;
    memset(copy, ' ', 64);
    return memcpy(copy, bytes, count);
}

/* The bytes that a backslash escapes; `carry` says so for the first byte, and then for the one after the `count` bytes.

   A run of backslashes escapes every other byte after its first one. Adding the first bit of a run that begins at an odd
   bit carries through the run, which inverts the choice among the odd and the even bits after it. No branch depends on
   the text, since a wrong prediction takes as long as a block. */
INLINE uint64_t escaped_bytes(uint64_t backslashes, uint64_t *carry, size_t count)
{
    const uint64_t even = 0x5555555555555555;
    backslashes &= ~*carry;
    uint64_t after = backslashes << 1 | *carry;
    uint64_t starts = backslashes & ~even & ~after, sum;
    uint64_t overflow = __builtin_add_overflow(starts, backslashes, &sum);
    uint64_t escaped = (even ^ sum << 1) & after;
    *carry = count < 64 ? escaped >> count & 1 : overflow;
    return escaped;
}

/* The bytes of strings, opening quotes included, closing quotes excluded. */
INLINE uint64_t string_bytes(struct tributary_scan *scan, const uint8_t *block, size_t count)
{
    uint64_t escaped = escaped_bytes(equal(block, '\\', 0), &scan->escaped, count);
    uint64_t strings = parity(equal(block, '"', 0) & ~escaped) ^ scan->inside;
    scan->inside = 0 - (strings >> 63);
    return strings;
}

/* Adds borders and line feeds in a block. */
INLINE void add_borders(struct tributary_scan *scan, uint64_t borders, uint64_t feeds, int64_t offset)
{
    if (scan->first < 0 && borders) {
        int place = lowest(borders);
        uint64_t before = feeds & below(place);
        scan->first = offset + place;
        scan->first_line_feeds = scan->line_feeds + number_of(before);
        scan->first_last_line_feed = before ? offset + highest(before) : scan->last_line_feed;
    }
    scan->borders += number_of(borders);
    scan->line_feeds += number_of(feeds);
    scan->last_line_feed = feeds ? offset + highest(feeds | 1) : scan->last_line_feed;
}

/* The commas between the items of the container in a block in which the depth may be 0. */
INLINE uint64_t outer_commas(struct tributary_scan *scan, uint64_t commas, uint64_t open, uint64_t close, int64_t offset)
{
    uint64_t borders = 0;
    int64_t depth = scan->depth;
    for (uint64_t brackets = open | close; brackets; brackets &= brackets - 1) {
        int place = lowest(brackets);
        if (depth == 0) borders |= commas & below(place);
        commas &= ~below(place);
        if (open >> place & 1) {
            depth++;
        } else if (depth == 0) {
            scan->end = offset + place;
            return borders;
        } else {
            depth--;
        }
    }
    scan->depth = depth;
    return depth == 0 ? borders | commas : borders;
}

TARGET void NAMED(tributary_scan_items, FORM)(
    struct tributary_scan *result, const uint8_t *bytes, size_t count, int64_t offset)
{
    struct tributary_scan scan = *result;
    uint8_t copy[64];
    for (size_t i = 0; i < count && scan.end < 0; i += 64) {
        const uint8_t *block = whole_block(bytes + i, count - i, copy);
        uint64_t outside = ~string_bytes(&scan, block, count - i);
        /* With bit 5 set, both kinds of brackets are braces. */
        uint64_t open = equal(block, '{', 0x20) & outside, close = equal(block, '}', 0x20) & outside;
        uint64_t borders = 0;
        if (scan.depth > number_of(close)) {
            scan.depth += number_of(open) - number_of(close);
        } else {
            uint64_t commas = equal(block, ',', 0) & outside;
            borders = outer_commas(&scan, commas, open, close, offset + (int64_t)i);
        }
        add_borders(&scan, borders, equal(block, '\n', 0), offset + (int64_t)i);
    }
    *result = scan;
}

/* The borders are the blanks right after a top-level object or array. */
TARGET void NAMED(tributary_scan_values, FORM)(
    struct tributary_scan *result, const uint8_t *bytes, size_t count, int64_t offset)
{
    struct tributary_scan scan = *result;
    uint8_t copy[64];
    for (size_t i = 0; i < count; i += 64) {
        size_t length = count - i < 64 ? count - i : 64;
        const uint8_t *block = whole_block(bytes + i, length, copy);
        uint64_t outside = ~string_bytes(&scan, block, length);
        uint64_t open = equal(block, '{', 0x20) & outside, close = equal(block, '}', 0x20) & outside;
        uint64_t feeds = equal(block, '\n', 0);
        uint64_t blanks = equal(block, ' ', 0) | equal(block, '\t', 0) | equal(block, '\r', 0) | feeds;
        uint64_t ends = 0, is_after = scan.is_after_value;
        if (scan.depth > number_of(close)) {
            scan.depth += number_of(open) - number_of(close);
        } else {
            for (uint64_t brackets = open | close; brackets; brackets &= brackets - 1) {
                int place = lowest(brackets);
                if (open >> place & 1) {
                    scan.depth++;
                } else if (scan.depth > 0 && --scan.depth == 0) {
                    ends |= (uint64_t)1 << place;
                }
            }
        }
        scan.is_after_value = ends >> (length - 1) & 1;
        if (length < 64) blanks &= below((int)length);
        add_borders(&scan, (ends << 1 | is_after) & blanks, feeds, offset + (int64_t)i);
    }
    *result = scan;
}

TARGET void NAMED(tributary_scan_lines, FORM)(
    struct tributary_scan *result, const uint8_t *bytes, size_t count, int64_t offset)
{
    struct tributary_scan scan = *result;
    uint8_t copy[64];
    for (size_t i = 0; i < count; i += 64) {
        const uint8_t *block = whole_block(bytes + i, count - i, copy);
        uint64_t feeds = equal(block, '\n', 0);
        uint64_t blanks = equal(block, ' ', 0) | equal(block, '\t', 0) | equal(block, '\r', 0);
        uint64_t contents = ~(blanks | feeds), borders = 0;
        for (uint64_t rest = feeds; rest; rest &= rest - 1) {
            int place = lowest(rest);
            if (scan.has_contents || contents & below(place)) borders |= (uint64_t)1 << place;
            scan.has_contents = false;
            contents &= ~below(place);
        }
        scan.has_contents |= contents != 0;
        add_borders(&scan, borders, feeds, offset + (int64_t)i);
    }
    *result = scan;
}

TARGET size_t NAMED(tributary_first_suspect, FORM)(const uint8_t *bytes, size_t count)
{
    uint8_t copy[64];
    for (size_t i = 0; i < count; i += 64) {
        const uint8_t *block = whole_block(bytes + i, count - i, copy);
        uint64_t suspects = high(block) | equal(block, '\\', 0) | equal(block, 0x0B, 0) | equal(block, 0x0C, 0);
        if (suspects) return i + (size_t)lowest(suspects);
    }
    return count;
}

TARGET size_t NAMED(tributary_line_feeds, FORM)(const uint8_t *bytes, size_t count)
{
    uint8_t copy[64];
    size_t total = 0;
    for (size_t i = 0; i < count; i += 64) {
        total += (size_t)number_of(equal(whole_block(bytes + i, count - i, copy), '\n', 0));
    }
    return total;
}
