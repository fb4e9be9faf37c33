#include "CTributaryTwins.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Writes the pages of a table and of its unique index without SQLite: leaves in the order of the rows, the index sorted.
   Rows are short and keys are positive, so that there are no overflow pages; the file stays below 1 GiB. */

enum { PAGE = 8192, COLUMNS = 14 };

typedef struct {
    unsigned char bytes[PAGE];
    int count, top, header;
} page;

typedef struct {
    uint32_t page;
    int64_t key, row;
} child;

typedef struct {
    int file;
    uint32_t next;
    unsigned char *buffer;
    size_t used;
    int failed;
} output;

enum { BUFFER = 1 << 20 };

static void flush(output *out) {
    off_t end = (off_t)(out->next - 1) * PAGE;
    if (out->used && pwrite(out->file, out->buffer, out->used, end - (off_t)out->used) != (ssize_t)out->used) out->failed = 1;
    out->used = 0;
}

static void big(unsigned char *place, uint64_t value, int bytes) {
    while (bytes--) {
        place[bytes] = (unsigned char)value;
        value >>= 8;
    }
}

static int varint(unsigned char *place, uint64_t value) {
    unsigned char reversed[10];
    int count = 0, index;
    do reversed[count++] = value & 127;
    while (value >>= 7);
    for (index = 0; index < count; index++) place[index] = reversed[count - 1 - index] | (index + 1 < count ? 128 : 0);
    return count;
}

/* The type of a number in a record, and its size. */
static int type(int64_t value, int *size) {
    uint64_t bits = (uint64_t)(value < 0 ? ~value : value);
    if (value == 0 || value == 1) return *size = 0, 8 + (int)value;
    if (bits < 1u << 7) return *size = 1, 1;
    if (bits < 1u << 15) return *size = 2, 2;
    if (bits < 1u << 23) return *size = 3, 3;
    if (bits < 1ul << 31) return *size = 4, 4;
    if (bits < 1ul << 47) return *size = 6, 5;
    return *size = 8, 6;
}

static void begin(page *one, int kind) {
    one->bytes[0] = (unsigned char)kind;
    one->header = kind == 2 || kind == 5 ? 12 : 8;
    one->count = 0;
    one->top = PAGE;
}

static unsigned char *cell(page *one, int size) {
    if (one->header + 2 * (one->count + 1) + size > one->top) return 0;
    one->top -= size;
    big(one->bytes + one->header + 2 * one->count++, (uint64_t)one->top, 2);
    return one->bytes + one->top;
}

static void complete(page *one, uint32_t right) {
    int start = one->header + 2 * one->count;
    big(one->bytes + 1, 0, 2);
    big(one->bytes + 3, (uint64_t)one->count, 2);
    big(one->bytes + 5, (uint64_t)one->top, 2);
    one->bytes[7] = 0;
    if (one->header == 12) big(one->bytes + 8, right, 4);
    memset(one->bytes + start, 0, (size_t)(one->top - start));
}

static uint32_t append(output *out, page *one, uint32_t right) {
    complete(one, right);
    if (out->used + PAGE > BUFFER) flush(out);
    memcpy(out->buffer + out->used, one->bytes, PAGE);
    out->used += PAGE;
    return out->next++;
}

static int entry(unsigned char *place, int64_t key, int64_t row) {
    int first, second, types = type(key, &first), others = type(row, &second);
    place[0] = (unsigned char)(3 + first + second);
    place[1] = 3;
    place[2] = (unsigned char)types;
    place[3] = (unsigned char)others;
    big(place + 4, (uint64_t)key, first);
    big(place + 4 + first, (uint64_t)row, second);
    return 4 + first + second;
}

/* Writes the levels above; the divider of a table is the key of its left child, that of an index an entry. */
static void levels(output *out, child *children, size_t count, int kind, uint32_t root) {
    page *one = malloc(sizeof *one);
    while (count > 1) {
        size_t from = 0, made = 0;
        while (from < count) {
            size_t to = from;
            begin(one, kind);
            while (to + 1 < count) {
                unsigned char bytes[32], *place;
                int size = kind == 5 ? varint(bytes, (uint64_t)children[to].key)
                                     : entry(bytes, children[to].key, children[to].row);
                // The last page of a level needs a cell of its own.
                if (to + 3 == count && one->count > 300) break;
                if (!(place = cell(one, 4 + size))) break;
                big(place, children[to].page, 4);
                memcpy(place + 4, bytes, (size_t)size);
                to++;
            }
            if (from == 0 && to + 1 == count) {
                flush(out);
                complete(one, children[to].page);
                if (pwrite(out->file, one->bytes, PAGE, (off_t)(root - 1) * PAGE) != PAGE) out->failed = 1;
                count = made = 1;
                break;
            }
            children[to].page = append(out, one, children[to].page);
            children[made++] = children[to];
            from = to + 1;
        }
        count = made;
    }
    free(one);
}

static int64_t key_of(long number) { return number ^ 0x5A5A5; }

static int by_key(const void *one, const void *other) {
    int64_t left = ((const child *)one)->key, right = ((const child *)other)->key;
    return left < right ? -1 : left > right;
}

/* Sorts by bytes of the key, from the lowest one. */
static child *sorted(child *keys, size_t count) {
    child *other = malloc(count * sizeof *other);
    int64_t most = 0;
    if (!other) {
        qsort(keys, count, sizeof *keys, by_key);
        return keys;
    }
    for (size_t index = 0; index < count; index++) most |= keys[index].key;
    for (int shift = 0; shift < 63 && most >> shift; shift += 11) {
        size_t starts[2049] = {0};
        for (size_t index = 0; index < count; index++) starts[(keys[index].key >> shift & 2047) + 1]++;
        for (int digit = 0; digit < 2048; digit++) starts[digit + 1] += starts[digit];
        for (size_t index = 0; index < count; index++) other[starts[keys[index].key >> shift & 2047]++] = keys[index];
        child *swap = keys;
        keys = other;
        other = swap;
    }
    free(other);
    return keys;
}

static int row(unsigned char *bytes, long number) {
    static const char *const texts[] = {"a short name", "a@example.org", "Somewhere", "First Street", "12345", "nothing"};
    int64_t numbers[] = {1, key_of(number), number & 127, number >> 3, -number};
    double fractions[] = {(double)number * 0.5, (double)number * 0.25};
    int sizes[COLUMNS], types[COLUMNS], head = 1, size = 0;
    types[0] = sizes[0] = 0;
    for (int index = 0; index < 5; index++) types[1 + index] = type(numbers[index], &sizes[1 + index]);
    for (int index = 0; index < 2; index++) types[6 + index] = 7, sizes[6 + index] = 8;
    for (int index = 0; index < 6; index++) {
        sizes[8 + index] = (int)strlen(texts[index]);
        types[8 + index] = 13 + 2 * sizes[8 + index];
    }
    for (int index = 0; index < COLUMNS; index++) head += varint(bytes + head, (uint64_t)types[index]);
    bytes[0] = (unsigned char)head;
    for (int index = 0; index < COLUMNS; index++) {
        unsigned char *place = bytes + head + size;
        if (index && index < 6) big(place, (uint64_t)numbers[index - 1], sizes[index]);
        if (index == 6 || index == 7) {
            uint64_t bits;
            memcpy(&bits, &fractions[index - 6], 8);
            big(place, bits, 8);
        }
        if (index > 7) memcpy(place, texts[index - 8], (size_t)sizes[index]);
        size += sizes[index];
    }
    return head + size;
}

twin_result twin_load(const char *path, long count) {
    twin_result result = {0};
    sqlite3 *database = 0;
    if (sqlite3_open(path, &database) != SQLITE_OK
        || sqlite3_exec(database,
                        "PRAGMA page_size = 8192; BEGIN; CREATE TABLE \"Customer\" (\"_pk\" INTEGER PRIMARY KEY,"
                        "\"_version\" INTEGER NOT NULL DEFAULT 1, \"id\" INTEGER, \"age\" INTEGER, \"rank\" INTEGER,"
                        "\"score\" INTEGER, \"balance\" REAL, \"weight\" REAL, \"name\" TEXT, \"email\" TEXT, \"city\" TEXT,"
                        "\"street\" TEXT, \"zip\" TEXT, \"note\" TEXT);"
                        "CREATE UNIQUE INDEX \"Customer_id\" ON \"Customer\" (\"id\"); COMMIT", 0, 0, 0) != SQLITE_OK)
        result.failed = 1;
    sqlite3_close(database);
    output out = {open(path, O_RDWR), 4, malloc(BUFFER), 0, 0};
    page *leaf = malloc(sizeof *leaf);
    child *keys = malloc((size_t)count * sizeof *keys), *leaves = malloc(((size_t)count / 20 + 2) * sizeof *leaves);
    size_t made = 0;
    begin(leaf, 13);
    for (long number = 0; !result.failed && number < count; number++) {
        unsigned char record[256], head[20], *place;
        int size = row(record, number), prefix = varint(head, (uint64_t)size);
        prefix += varint(head + prefix, (uint64_t)number + 1);
        if (!(place = cell(leaf, prefix + size))) {
            leaves[made++] = (child){append(&out, leaf, 0), number, 0};
            begin(leaf, 13);
            place = cell(leaf, prefix + size);
        }
        memcpy(place, head, (size_t)prefix);
        memcpy(place + prefix, record, (size_t)size);
        keys[number] = (child){0, key_of(number), number + 1};
        result.checksum += key_of(number);
        result.records++;
    }
    leaves[made++] = (child){append(&out, leaf, 0), count, 0};
    levels(&out, leaves, made, 5, 2);
    keys = sorted(keys, (size_t)count);
    begin(leaf, 10);
    made = 0;
    for (long index = 0; index < count; index++) {
        unsigned char bytes[32], *place;
        int size = entry(bytes, keys[index].key, keys[index].row);
        if ((place = cell(leaf, size))) {
            memcpy(place, bytes, (size_t)size);
            continue;
        }
        // This entry divides the pages.
        leaves[made++] = (child){append(&out, leaf, 0), keys[index].key, keys[index].row};
        begin(leaf, 10);
    }
    leaves[made++] = (child){append(&out, leaf, 0), 0, 0};
    levels(&out, leaves, made, 2, 3);
    flush(&out);
    unsigned char header[100];
    if (pread(out.file, header, 100, 0) != 100) result.failed = 1;
    uint32_t change = ((uint32_t)header[24] << 24 | header[25] << 16 | header[26] << 8 | header[27]) + 1;
    big(header + 24, change, 4);
    big(header + 28, out.next - 1, 4);
    big(header + 92, change, 4);
    if (pwrite(out.file, header, 100, 0) != 100 || fsync(out.file) != 0 || out.failed) result.failed = 1;
    close(out.file);
    free(out.buffer);
    free(leaf);
    free(keys);
    free(leaves);
    return result;
}
