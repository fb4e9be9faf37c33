#ifndef TRIBUTARY_STRUCTURE_H
#define TRIBUTARY_STRUCTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The state of a scan that finds borders between records: commas between the elements of one array, or the line feeds
   of NDJSON. Offsets are those of the source. The scan is exact for valid JSON. */
struct tributary_scan {
    /* All ones inside a string, else 0. */
    uint64_t inside;
    /* 1 if a backslash escapes the next byte, else 0. */
    uint64_t escaped;
    /* The number of open containers inside the array. */
    int64_t depth;
    /* Whether the current line has a byte that is not blank. */
    bool has_contents;

    /* The borders so far. */
    int64_t borders;
    /* The line feeds so far, and the offset of the last one, or -1. */
    int64_t line_feeds, last_line_feed;

    /* The first border, or -1; the line feeds before it, and the offset of the last of these, or -1. */
    int64_t first, first_line_feeds, first_last_line_feed;
    /* The offset of the bracket that ends the array, or -1. */
    int64_t end;
};

/* Whether this processor lacks the instructions of the fast form. */
bool tributary_scan_is_portable(void);

/* Scan the `count` bytes at `offset` of the source. Only the last part of a text may have a length that is not a
   multiple of 64; up to 63 bytes after it are overwritten. Both forms have the same results. */
void tributary_scan_array(
    struct tributary_scan *_Nonnull scan, uint8_t *_Nonnull bytes, size_t count, int64_t offset, bool is_portable);
void tributary_scan_lines(
    struct tributary_scan *_Nonnull scan, uint8_t *_Nonnull bytes, size_t count, int64_t offset, bool is_portable);

#endif
