#ifndef TRIBUTARY_STRUCTURE_H
#define TRIBUTARY_STRUCTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The state of a scan that finds borders between records: commas between the items of one container, line feeds of NDJSON,
   or blanks after top-level values. Offsets are those of the source. The scan is exact for valid JSON. */
struct tributary_scan {
    /* All ones inside a string, else 0. */
    uint64_t inside;
    /* 1 if a backslash escapes the next byte, else 0. */
    uint64_t escaped;
    /* The number of open containers inside the container, or at the top. */
    int64_t depth;
    /* Whether the latest byte ended a top-level value. */
    bool is_after_value;
    /* Whether the current line has a byte that is not blank. */
    bool has_contents;

    /* The borders so far. */
    int64_t borders;
    /* The line feeds so far, and the offset of the last one, or -1. */
    int64_t line_feeds, last_line_feed;

    /* The first border, or -1; the line feeds before it, and the offset of the last of these, or -1. */
    int64_t first, first_line_feeds, first_last_line_feed;
    /* The offset of the bracket that ends the container, or -1. */
    int64_t end;
};

/* Whether this processor lacks the instructions of the fast form. */
bool tributary_scan_is_portable(void);

/* Scan the `count` bytes at `offset` of the source. Both forms have the same results. */
void tributary_scan_items(
    struct tributary_scan *_Nonnull scan, const uint8_t *_Nonnull bytes, size_t count, int64_t offset,
    bool is_portable);
void tributary_scan_lines(
    struct tributary_scan *_Nonnull scan, const uint8_t *_Nonnull bytes, size_t count, int64_t offset,
    bool is_portable);
void tributary_scan_values(
    struct tributary_scan *_Nonnull scan, const uint8_t *_Nonnull bytes, size_t count, int64_t offset,
    bool is_portable);

/* The index of the first byte that is not ASCII, a backslash, a vertical tab or a form feed; `count` if there is none. */
size_t tributary_first_suspect(const uint8_t *_Nonnull bytes, size_t count, bool is_portable);

/* The number of line feeds. */
size_t tributary_line_feeds(const uint8_t *_Nonnull bytes, size_t count, bool is_portable);

#endif
