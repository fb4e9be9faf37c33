#include "collector.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yajl/yajl_parse.h>

enum { BUFFER = 64 * 1024, ADDRESS = 100 };

static char *room(collector *c, size_t more) {
    batch *b = c->batch;
    if (b->length + more > b->capacity) {
        b->capacity = b->capacity * 2 + more;
        b->text = realloc(b->text, b->capacity);
    }
    return b->text + b->length;
}

static void put(collector *c, char byte) { *room(c, 1) = byte, c->batch->length++; }

/* Appends a string of JSON. */
static void put_quoted(collector *c, const unsigned char *bytes, size_t length) {
    static const char digits[] = "0123456789abcdef";
    put(c, '"');
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] < 32) {
            memcpy(room(c, 6), "\\u00", 4);
            c->batch->length += 4;
            put(c, digits[bytes[i] >> 4]);
            put(c, digits[bytes[i] & 15]);
            continue;
        }
        if (bytes[i] == '"' || bytes[i] == '\\') put(c, '\\');
        put(c, (char)bytes[i]);
    }
    put(c, '"');
}

batch *twin_make_batch(void) {
    batch *b = calloc(1, sizeof(batch));
    b->rows = malloc(sizeof(row) * BATCH);
    b->capacity = BATCH * 320;
    b->text = malloc(b->capacity);
    return b;
}

void twin_free_batch(batch *b) {
    free(b->rows);
    free(b->text);
    free(b);
}

static void set_text(collector *c, unsigned offset, unsigned length) {
    row *r = &c->batch->rows[c->batch->count];
    r->type[c->column] = IS_TEXT;
    r->value[c->column].text.offset = offset;
    r->value[c->column].text.length = length;
    c->column = NONE;
}

static int wanted(collector *c) { return c->column >= 0 && c->column < COLUMNS && c->depth > 0; }

static int on_null(void *context) {
    collector *c = context;
    if (wanted(c)) c->batch->rows[c->batch->count].type[c->column] = IS_NULL, c->column = NONE;
    return 1;
}

static int on_integer(void *context, long long value) {
    collector *c = context;
    if (!wanted(c)) return 1;
    if (c->column == ID) c->result.checksum += value;
    c->batch->rows[c->batch->count].type[c->column] = IS_INTEGER;
    c->batch->rows[c->batch->count].value[c->column].integer = value;
    c->column = NONE;
    return 1;
}

static int on_boolean(void *context, int value) {
    collector *c = context;
    if (!wanted(c)) return 1;
    c->batch->rows[c->batch->count].type[c->column] = IS_INTEGER;
    c->batch->rows[c->batch->count].value[c->column].integer = value;
    c->column = NONE;
    return 1;
}

static int on_double(void *context, double value) {
    collector *c = context;
    if (!wanted(c)) return 1;
    c->batch->rows[c->batch->count].type[c->column] = IS_DOUBLE;
    c->batch->rows[c->batch->count].value[c->column].number = value;
    c->column = NONE;
    return 1;
}

static int on_string(void *context, const unsigned char *bytes, size_t length) {
    collector *c = context;
    if (c->in_tags) {
        if (c->tag_count++) put(c, ',');
        put_quoted(c, bytes, length);
    } else if (wanted(c)) {
        unsigned offset = (unsigned)c->batch->length;
        memcpy(room(c, length), bytes, length);
        c->batch->length += length;
        set_text(c, offset, (unsigned)length);
    }
    return 1;
}

static enum column find(collector *c, const char *key, size_t length) {
    static const struct {
        const char *name;
        size_t length;
        int column;
    } outer[] = {{"id", 2, ID}, {"name", 4, NAME}, {"email", 5, EMAIL}, {"age", 3, AGE}, {"balance", 7, BALANCE},
                 {"active", 6, ACTIVE}, {"created", 7, CREATED}, {"bio", 3, BIO}, {"address", 7, ADDRESS}, {"tags", 4, TAGS}},
      inner[] = {{"street", 6, STREET}, {"city", 4, CITY}, {"zip", 3, ZIP}};
    if (c->in_address) {
        for (int i = 0; i < 3; i++)
            if (inner[i].length == length && !memcmp(inner[i].name, key, length)) return inner[i].column;
    } else {
        for (int i = 0; i < 10; i++)
            if (outer[i].length == length && !memcmp(outer[i].name, key, length)) return outer[i].column;
    }
    return NONE;
}

static int on_key(void *context, const unsigned char *key, size_t length) {
    collector *c = context;
    c->column = find(c, (const char *)key, length);
    return 1;
}

static int on_start_map(void *context) {
    collector *c = context;
    if (++c->depth == 1) memset(c->batch->rows[c->batch->count].type, IS_NULL, COLUMNS);
    else if (c->column == ADDRESS) c->in_address = 1;
    c->column = NONE;
    return 1;
}

static int on_end_map(void *context) {
    collector *c = context;
    c->in_address = 0;
    c->column = NONE;
    if (--c->depth == 0) {
        c->result.records++;
        if (++c->batch->count < (c->full ? c->full : BATCH)) return 1;
        if (c->hand_on) return (c->batch = c->hand_on(c->owner, c->batch)) != NULL;
        c->batch->count = 0, c->batch->length = 0;
    }
    return 1;
}

static int on_start_array(void *context) {
    collector *c = context;
    if (c->depth == 1 && c->column == TAGS) {
        c->in_tags = 1;
        c->tag_count = 0;
        c->tags_start = (unsigned)c->batch->length;
        put(c, '[');
    }
    return 1;
}

static int on_end_array(void *context) {
    collector *c = context;
    if (c->in_tags) {
        c->in_tags = 0;
        put(c, ']');
        c->column = TAGS;
        set_text(c, c->tags_start, (unsigned)(c->batch->length - c->tags_start));
    }
    return 1;
}

static int ignore(void *context) { return context != NULL; }
static int ignore_boolean(void *context, int value) { return (void)value, context != NULL; }
static int ignore_number(void *context, const char *text, size_t length) { return (void)text, (void)length, context != NULL; }
static int ignore_string(void *context, const unsigned char *text, size_t length) {
    return (void)text, (void)length, context != NULL;
}

static twin_result run(const char *path, const yajl_callbacks *callbacks, int many_values, collector *c) {
    twin_result *result = &c->result;
    unsigned char *buffer = malloc(BUFFER);
    int file = open(path, O_RDONLY);
    yajl_handle handle = callbacks ? yajl_alloc(callbacks, NULL, c) : NULL;
    if (handle && many_values) yajl_config(handle, yajl_allow_multiple_values, 1);
    ssize_t count = file < 0 || lseek(file, c->start, SEEK_SET) < 0 ? -1 : 1;
    long long left = c->stop ? c->stop - c->start : LLONG_MAX;
    while (count > 0 && left > 0 && (count = read(file, buffer, left < BUFFER ? (size_t)left : BUFFER)) > 0) {
        left -= count;
        result->bytes += (size_t)count;
        if (handle && yajl_parse(handle, buffer, (size_t)count) != yajl_status_ok) count = -1;
    }
    if (count >= 0 && handle && yajl_complete_parse(handle) != yajl_status_ok) count = -1;
    result->failed = count < 0;
    if (handle) yajl_free(handle);
    if (file >= 0) close(file);
    free(buffer);
    return *result;
}

twin_result twin_read(const char *path) {
    collector c = {0};
    return run(path, NULL, 0, &c);
}

twin_result twin_parse(const char *path, int many_values) {
    static const yajl_callbacks callbacks = {ignore, ignore_boolean, NULL, NULL, ignore_number, ignore_string, ignore,
                                             ignore_string, ignore, ignore, ignore};
    collector c = {0};
    return run(path, &callbacks, many_values, &c);
}

twin_result twin_collect_into(const char *path, int many_values, collector *c) {
    static const yajl_callbacks callbacks = {on_null, on_boolean, on_integer, on_double, NULL, on_string, on_start_map,
                                             on_key, on_end_map, on_start_array, on_end_array};
    c->column = NONE;
    return run(path, &callbacks, many_values, c);
}

twin_result twin_collect(const char *path, int many_values) {
    collector c = {0};
    c.batch = twin_make_batch();
    twin_result result = twin_collect_into(path, many_values, &c);
    twin_free_batch(c.batch);
    return result;
}
