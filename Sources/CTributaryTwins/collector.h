#ifndef TRIBUTARY_TWINS_COLLECTOR_H
#define TRIBUTARY_TWINS_COLLECTOR_H

/* Twelve columns of each user, collected in batches. */

#include "CTributaryTwins.h"

enum { BATCH = 10000, COLUMNS = 12 };
enum column { ID, NAME, EMAIL, AGE, BALANCE, ACTIVE, CREATED, BIO, STREET, CITY, ZIP, TAGS, NONE = -1 };
enum type { IS_NULL, IS_INTEGER, IS_DOUBLE, IS_TEXT };

typedef struct {
    unsigned char type[COLUMNS];
    union {
        long long integer;
        double number;
        struct {
            unsigned offset, length;
        } text;
    } value[COLUMNS];
} row;

typedef struct {
    row *rows;
    int count;
    char *text;
    size_t length, capacity;
} batch;

typedef struct {
    batch *batch;
    /* Passes a full batch on and returns an empty one; NULL ends the reading. Without it, batches are dropped. */
    batch *(*hand_on)(void *owner, batch *full);
    void *owner;
    /* The part of the file, in bytes; a `stop` of 0 is its end. The rows of a full batch; 0 is BATCH. */
    long long start, stop;
    int full;
    int depth, in_address, in_tags, tag_count;
    unsigned tags_start;
    int column;
    twin_result result;
} collector;

batch *twin_make_batch(void);
void twin_free_batch(batch *b);

/* Lets yajl parse the file into the batches of a collector; the last batch is not full. */
twin_result twin_collect_into(const char *path, int many_values, collector *c);

#endif
