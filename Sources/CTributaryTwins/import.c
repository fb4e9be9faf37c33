#include "collector.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

/* The import of a file into a table as a C program does it: one thread parses with yajl, another one writes row after
   row with INSERT … ON CONFLICT DO UPDATE, many rows in a transaction. */

enum { BATCHES = 3 };

/* The batches that the two threads exchange: full ones one way, empty ones back. */
typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    batch *full[BATCHES], *empty[BATCHES];
    int full_count, empty_count, is_read, is_over;
    const char *path;
    collector collector;
} exchange;

static batch *hand_on(void *owner, batch *b) {
    exchange *x = owner;
    batch *next = NULL;
    pthread_mutex_lock(&x->lock);
    x->full[x->full_count++] = b;
    pthread_cond_signal(&x->changed);
    while (!x->empty_count && !x->is_over) pthread_cond_wait(&x->changed, &x->lock);
    if (!x->is_over) next = x->empty[--x->empty_count];
    pthread_mutex_unlock(&x->lock);
    return next;
}

static void *read_all(void *owner) {
    exchange *x = owner;
    collector *c = &x->collector;
    c->hand_on = hand_on;
    c->owner = x;
    c->batch = twin_make_batch();
    c->result = twin_collect_into(x->path, 0, c);
    pthread_mutex_lock(&x->lock);
    /* There is room, because this batch was one of the empty ones. */
    if (c->batch && x->full_count < BATCHES) x->full[x->full_count++] = c->batch;
    x->is_read = 1;
    pthread_cond_signal(&x->changed);
    pthread_mutex_unlock(&x->lock);
    return NULL;
}

static batch *take(exchange *x, batch *done) {
    batch *next = NULL;
    pthread_mutex_lock(&x->lock);
    if (done) {
        done->count = 0, done->length = 0;
        x->empty[x->empty_count++] = done;
        pthread_cond_signal(&x->changed);
    }
    while (!x->full_count && !x->is_read) pthread_cond_wait(&x->changed, &x->lock);
    if (x->full_count) {
        next = x->full[0];
        x->full_count--;
        for (int i = 0; i < x->full_count; i++) x->full[i] = x->full[i + 1];
    }
    pthread_mutex_unlock(&x->lock);
    return next;
}

static int run(sqlite3 *database, const char *sql) { return sqlite3_exec(database, sql, 0, 0, 0) == SQLITE_OK; }

static int prepare_table(sqlite3 *database, int index_count, sqlite3_stmt **insert) {
    return run(database, "PRAGMA journal_mode = WAL") && run(database, "PRAGMA synchronous = NORMAL")
        && run(database, "PRAGMA cache_size = -65536")
        && run(database,
               "CREATE TABLE IF NOT EXISTS \"User\" (\"_pk\" INTEGER PRIMARY KEY, \"id\" INTEGER, \"name\" TEXT, \"email\" TEXT,"
               "\"age\" INTEGER, \"balance\" REAL, \"active\" INTEGER, \"created\" TEXT, \"bio\" TEXT, \"street\" TEXT,"
               "\"city\" TEXT, \"zip\" TEXT, \"tags\" TEXT)")
        && run(database, "CREATE UNIQUE INDEX IF NOT EXISTS \"by_id\" ON \"User\" (\"id\")")
        && (index_count < 3
            || (run(database, "CREATE INDEX IF NOT EXISTS \"by_email\" ON \"User\" (\"email\")")
                && run(database, "CREATE INDEX IF NOT EXISTS \"by_created\" ON \"User\" (\"created\")")))
        && sqlite3_prepare_v3(
               database,
               "INSERT INTO \"User\" (id, name, email, age, balance, active, created, bio, street, city, zip, tags)"
               " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) ON CONFLICT (id) DO UPDATE SET"
               " name = excluded.name, email = excluded.email, age = excluded.age, balance = excluded.balance,"
               " active = excluded.active, created = excluded.created, bio = excluded.bio, street = excluded.street,"
               " city = excluded.city, zip = excluded.zip, tags = excluded.tags",
               -1, SQLITE_PREPARE_PERSISTENT, insert, 0)
               == SQLITE_OK;
}

static int write_row(sqlite3_stmt *insert, const batch *b, const row *r) {
    for (int i = 0; i < COLUMNS; i++) {
        switch (r->type[i]) {
        case IS_NULL: sqlite3_bind_null(insert, i + 1); break;
        case IS_INTEGER: sqlite3_bind_int64(insert, i + 1, r->value[i].integer); break;
        case IS_DOUBLE: sqlite3_bind_double(insert, i + 1, r->value[i].number); break;
        default:
            sqlite3_bind_text(insert, i + 1, b->text + r->value[i].text.offset, (int)r->value[i].text.length, SQLITE_STATIC);
        }
    }
    int is_done = sqlite3_step(insert) == SQLITE_DONE;
    return sqlite3_reset(insert) == SQLITE_OK && is_done;
}

twin_result twin_import(const char *path, const char *database_path, int index_count, long transaction_rows) {
    exchange x = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .path = path};
    sqlite3 *database = NULL;
    sqlite3_stmt *insert = NULL;
    pthread_t reader;
    long open_rows = 0;
    int is_well = sqlite3_open_v2(database_path, &database,
                                  SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, 0) == SQLITE_OK
        && prepare_table(database, index_count, &insert);
    for (int i = 1; i < BATCHES; i++) x.empty[x.empty_count++] = twin_make_batch();
    int is_reading = is_well && pthread_create(&reader, NULL, read_all, &x) == 0;
    is_well = is_reading;
    batch *b = NULL;
    while (is_well && (b = take(&x, b))) {
        if (!open_rows) is_well = run(database, "BEGIN IMMEDIATE");
        for (int i = 0; is_well && i < b->count; i++) is_well = write_row(insert, b, &b->rows[i]);
        open_rows += b->count;
        if (is_well && open_rows >= transaction_rows) is_well = run(database, "COMMIT"), open_rows = 0;
    }
    if (is_well && open_rows) is_well = run(database, "COMMIT");
    pthread_mutex_lock(&x.lock);
    x.is_over = 1;
    pthread_cond_signal(&x.changed);
    pthread_mutex_unlock(&x.lock);
    if (is_reading) pthread_join(reader, NULL);
    sqlite3_finalize(insert);
    is_well = sqlite3_close(database) == SQLITE_OK && is_well;
    twin_result result = x.collector.result;
    /* The batch that was written last is in no list and leaks, but the process ends soon. */
    for (int i = 0; i < x.empty_count; i++) twin_free_batch(x.empty[i]);
    result.failed = result.failed || !is_well;
    return result;
}
