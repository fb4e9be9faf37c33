#include "CTributaryTwins.h"

/* The import of lines into a table of PostgreSQL as a C program does it. A first one copies into a table that has no
   index yet. Any other copies into a temporary table, 100,000 rows in a transaction and in the order of their keys, which
   makes all of it faster; one statement writes from there what is new or differs. */

#if __has_include(<libpq-fe.h>)

#include "collector.h"

#include <libpq-fe.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { CONNECTIONS = 8, PIECE = 64 * 1024, FEW_ROWS = 250, TRANSACTION_ROWS = 100000 };

#define OTHERS(t) \
    t "name, " t "email, " t "age, " t "balance, " t "active, " t "created, " t "bio, " t "street, " t "city, " t "zip, " t "tags"
#define ALL(t) t "id, " OTHERS(t)
#define SET(name) name " = EXCLUDED." name
#define DEFINITIONS \
    "id bigint NOT NULL, name text, email text, age bigint, balance double precision, active boolean," \
    " created timestamptz, bio text, street text, city text, zip text, tags jsonb"

static const char write_sql[] =
    "WITH w AS (INSERT INTO \"User\" AS u (" ALL("") ") SELECT " ALL("s.")
    " FROM pg_temp.stage s LEFT JOIN \"User\" o ON o.id = s.id"
    " WHERE o.id IS NULL OR ROW(" OTHERS("o.") ") IS DISTINCT FROM ROW(" OTHERS("s.") ")"
    " ON CONFLICT (id) DO UPDATE SET " SET("name") ", " SET("email") ", " SET("age") ", " SET("balance") ", "
    SET("active") ", " SET("created") ", " SET("bio") ", " SET("street") ", " SET("city") ", " SET("zip") ", "
    SET("tags") " WHERE ROW(" OTHERS("u.") ") IS DISTINCT FROM ROW(" OTHERS("EXCLUDED.") ")"
    " RETURNING (xmax = 0) AS is_new)"
    " SELECT count(*) FILTER (WHERE is_new), count(*) FILTER (WHERE NOT is_new) FROM w";

/* A row in the buffer of a writer. */
typedef struct {
    long long key;
    size_t offset, length;
} place;

/* The work of one connection on its part of the file. */
typedef struct {
    const char *path, *address;
    int is_first, is_copying, failed;
    PGconn *connection;
    collector collector;
    char *out;
    size_t length, capacity;
    /* The rows of a transaction, and a buffer for sending them in the order of their keys; NULL if it is as in the file. */
    place *places;
    char *sorted;
    long rows;
    twin_written result;
} writer;

/* The result of a statement, or NULL and a message. */
static PGresult *ask(writer *w, const char *sql) {
    PGresult *result = PQexec(w->connection, sql);
    ExecStatusType status = PQresultStatus(result);
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_COPY_IN) return result;
    fprintf(stderr, "the twin: %s", PQerrorMessage(w->connection));
    PQclear(result);
    w->failed = 1;
    return NULL;
}

static int run(writer *w, const char *sql) {
    PGresult *result = ask(w, sql);
    PQclear(result);
    return result != NULL;
}

static int connect_to(writer *w) {
    w->connection = PQconnectdb(w->address);
    if (PQstatus(w->connection) == CONNECTION_OK) return run(w, "SET client_min_messages = warning");
    fprintf(stderr, "the twin: %s", PQerrorMessage(w->connection));
    w->failed = 1;
    return 0;
}

/* MARK: The binary format */

static char *room(writer *w, size_t more) {
    if (w->length + more > w->capacity) {
        w->capacity = w->capacity * 2 + more;
        w->out = realloc(w->out, w->capacity);
    }
    return w->out + w->length;
}

static char *put_number(char *at, uint64_t value, int bytes) {
    for (int i = bytes - 1; i >= 0; i--) *at++ = (char)(value >> (8 * i));
    return at;
}

static long long digits(const char *text, int count) {
    long long value = 0;
    for (int i = 0; i < count; i++) value = value * 10 + (text[i] - '0');
    return value;
}

/* Microseconds since 2000, of a text such as 2024-03-18T07:30:00Z. */
static int64_t microseconds(const char *text) {
    long long year = digits(text, 4), month = digits(text + 5, 2), day = digits(text + 8, 2);
    /* The year begins in March, so that a leap day is its last one. */
    if (month < 3) year--;
    long long days = year * 365 + year / 4 - year / 100 + year / 400 + (153 * (month + (month < 3 ? 9 : -3)) + 2) / 5 + day - 1;
    const long long days_until_2000 = 1999 * 365 + 1999 / 4 - 1999 / 100 + 1999 / 400 + (153 * 10 + 2) / 5;
    return (((days - days_until_2000) * 24 + digits(text + 11, 2)) * 3600 + digits(text + 14, 2) * 60 + digits(text + 17, 2))
        * 1000000;
}

static void add(writer *w, const batch *b, const row *r) {
    char *at = put_number(room(w, 2), COLUMNS, 2);
    w->length += 2;
    for (int i = 0; i < COLUMNS; i++) {
        size_t length = r->type[i] == IS_TEXT ? r->value[i].text.length : 8;
        const char *text = b->text + r->value[i].text.offset;
        char *begin = at = room(w, length + 5);
        union {
            double number;
            uint64_t bits;
        } real;
        if (r->type[i] == IS_NULL) {
            at = put_number(at, UINT32_MAX, 4);
        } else if (i == BALANCE) {
            real.number = r->type[i] == IS_DOUBLE ? r->value[i].number : (double)r->value[i].integer;
            at = put_number(put_number(at, 8, 4), real.bits, 8);
        } else if (i == ACTIVE) {
            at = put_number(put_number(at, 1, 4), (uint64_t)r->value[i].integer, 1);
        } else if (i == CREATED) {
            at = put_number(put_number(at, 8, 4), (uint64_t)microseconds(text), 8);
        } else if (r->type[i] == IS_TEXT) {
            at = put_number(at, length + (i == TAGS), 4);
            /* The version of the binary format of jsonb. */
            if (i == TAGS) *at++ = 1;
            memcpy(at, text, length);
            at += length;
        } else {
            at = put_number(put_number(at, 8, 4), (uint64_t)r->value[i].integer, 8);
        }
        w->length += (size_t)(at - begin);
    }
}

/* MARK: Transactions */

static int send(writer *w) {
    int is_sent = !w->length || PQputCopyData(w->connection, w->out, (int)w->length) == 1;
    w->length = 0;
    if (!is_sent) w->failed = 1;
    return is_sent;
}

static int by_key(const void *one, const void *other) {
    long long a = ((const place *)one)->key, b = ((const place *)other)->key;
    return (a > b) - (a < b);
}

/* Sends the rows of a transaction in the order of their keys, many at once. */
static int send_sorted(writer *w) {
    size_t length = 0;
    int is_sent = 1;
    qsort(w->places, (size_t)w->rows, sizeof(place), by_key);
    for (long i = 0; is_sent && i < w->rows; i++) {
        const place *p = &w->places[i];
        if (length + p->length > PIECE) {
            is_sent = PQputCopyData(w->connection, w->sorted, (int)length) == 1;
            length = 0;
        }
        if (p->length > PIECE) {
            is_sent = is_sent && PQputCopyData(w->connection, w->out + p->offset, (int)p->length) == 1;
        } else {
            memcpy(w->sorted + length, w->out + p->offset, p->length);
            length += p->length;
        }
    }
    w->length = 0;
    return is_sent && PQputCopyData(w->connection, w->sorted, (int)length) == 1;
}

static int begin(writer *w) {
    static const char header[19] = "PGCOPY\n\377\r\n";
    if (w->is_copying) return 1;
    if (!w->is_first && !run(w, "BEGIN")) return 0;
    if (!run(w, w->is_first ? "COPY \"User\" (" ALL("") ") FROM STDIN (FORMAT binary)"
                            : "COPY pg_temp.stage (" ALL("") ") FROM STDIN (FORMAT binary)"))
        return 0;
    w->is_copying = 1;
    return PQputCopyData(w->connection, header, sizeof header) == 1;
}

static int end(writer *w) {
    if (!w->is_copying) return 1;
    if (w->places && !send_sorted(w)) w->failed = 1;
    put_number(room(w, 2), UINT16_MAX, 2);
    w->length += 2;
    if (!send(w) || PQputCopyEnd(w->connection, NULL) != 1) w->failed = 1;
    for (PGresult *r; (r = PQgetResult(w->connection)); PQclear(r)) {
        if (PQresultStatus(r) == PGRES_COMMAND_OK) continue;
        fprintf(stderr, "the twin: %s", PQresultErrorMessage(r));
        w->failed = 1;
    }
    w->is_copying = 0;
    w->result.read += w->rows;
    if (w->is_first) w->result.inserted += w->rows;
    w->rows = 0;
    if (w->failed || w->is_first) return !w->failed;
    PGresult *counts = ask(w, write_sql);
    if (counts) {
        w->result.inserted += atol(PQgetvalue(counts, 0, 0));
        w->result.updated += atol(PQgetvalue(counts, 0, 1));
    }
    PQclear(counts);
    return counts && run(w, "COMMIT");
}

static batch *write_batch(void *owner, batch *b) {
    writer *w = owner;
    for (int i = 0; i < b->count; i++) {
        if (!begin(w)) return NULL;
        size_t offset = w->length;
        add(w, b, &b->rows[i]);
        if (w->places) w->places[w->rows] = (place){b->rows[i].value[ID].integer, offset, w->length - offset};
        if (!w->places && w->length >= PIECE && !send(w)) return NULL;
        if (++w->rows == TRANSACTION_ROWS && !w->is_first && !end(w)) return NULL;
    }
    b->count = 0, b->length = 0;
    return b;
}

static void *write_part(void *owner) {
    writer *w = owner;
    collector *c = &w->collector;
    if (!w->is_first
        && (!connect_to(w) || !run(w, "SET enable_hashjoin = off") || !run(w, "SET enable_mergejoin = off")
            || !run(w, "CREATE TEMPORARY TABLE stage (" DEFINITIONS ") ON COMMIT DELETE ROWS")))
        return NULL;
    if (!w->is_first) {
        w->places = malloc(sizeof(place) * TRANSACTION_ROWS);
        w->sorted = malloc(PIECE);
    }
    /* Few rows stay in the cache of the processor between parsing and copying. */
    c->full = FEW_ROWS;
    c->hand_on = write_batch;
    c->owner = w;
    batch *b = c->batch = twin_make_batch();
    if (twin_collect_into(w->path, 1, c).failed || !write_batch(w, b) || !end(w)) w->failed = 1;
    twin_free_batch(b);
    return NULL;
}

/* The place after the line at `place`; the end of the file is also the end of a line. */
static long long end_of_line(FILE *file, long long place) {
    int byte = 0;
    fseeko(file, place, SEEK_SET);
    while ((byte = getc(file)) != EOF && byte != '\n') place++;
    return byte == EOF ? place : place + 1;
}

twin_written twin_postgres(const char *path, const char *address, int connections, int is_first) {
    writer writers[CONNECTIONS] = {0};
    pthread_t threads[CONNECTIONS];
    twin_written result = {0};
    struct stat about;
    FILE *file = fopen(path, "rb");
    if (!file || fstat(fileno(file), &about) || connections < 1 || connections > (is_first ? 1 : CONNECTIONS)) {
        if (file) fclose(file);
        result.failed = 1;
        return result;
    }
    for (int i = 0; i < connections; i++) {
        writer *w = &writers[i];
        w->path = path, w->address = address, w->is_first = is_first;
        w->collector.start = i ? writers[i - 1].collector.stop : 0;
        w->collector.stop = end_of_line(file, (long long)about.st_size * (i + 1) / connections);
    }
    fclose(file);
    if (is_first) {
        writer *w = &writers[0];
        if (connect_to(w) && run(w, "CREATE TABLE \"User\" (" DEFINITIONS ")")) write_part(w);
        if (!w->failed) run(w, "CREATE UNIQUE INDEX \"by_id\" ON \"User\" (id)");
    } else {
        int started = 0;
        while (started < connections && !pthread_create(&threads[started], NULL, write_part, &writers[started])) started++;
        for (int i = 0; i < started; i++) pthread_join(threads[i], NULL);
        if (started < connections) result.failed = 1;
    }
    for (int i = 0; i < connections; i++) {
        result.read += writers[i].result.read;
        result.inserted += writers[i].result.inserted;
        result.updated += writers[i].result.updated;
        if (writers[i].failed) result.failed = 1;
        PQfinish(writers[i].connection);
        free(writers[i].out);
        free(writers[i].places);
        free(writers[i].sorted);
    }
    return result;
}

#else

twin_written twin_postgres(const char *path, const char *address, int connections, int is_first) {
    (void)path, (void)address, (void)connections, (void)is_first;
    return (twin_written){.failed = 2};
}

#endif
