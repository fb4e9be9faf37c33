#include "CTributaryTwins.h"

#include <sqlite3.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Writes and reads the same rows with the same pragmas, as a C program would. */

static int run(sqlite3 *database, const char *sql) { return sqlite3_exec(database, sql, 0, 0, 0) == SQLITE_OK; }

static sqlite3 *open_store(const char *path) {
    sqlite3 *database = 0;
    if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, 0) != SQLITE_OK
        || !run(database, "PRAGMA mmap_size = 0") || !run(database, "PRAGMA cell_size_check = ON")
        || !run(database, "PRAGMA cache_size = -65536") || !run(database, "PRAGMA foreign_keys = ON")
        || !run(database, "PRAGMA journal_mode = WAL") || !run(database, "PRAGMA synchronous = NORMAL")) {
        sqlite3_close(database);
        return 0;
    }
    return database;
}

static void bind_text(sqlite3_stmt *statement, int index, const char *text) {
    sqlite3_bind_text(statement, index, text, (int)strlen(text), SQLITE_STATIC);
}

twin_result twin_save(const char *path, long count, long batch) {
    twin_result result = {0};
    sqlite3 *database = open_store(path);
    sqlite3_stmt *insert = 0;
    if (!database
        || !run(database,
                "CREATE TABLE \"Customer\" (\"_pk\" INTEGER PRIMARY KEY, \"_version\" INTEGER NOT NULL DEFAULT 1,"
                "\"id\" INTEGER, \"age\" INTEGER, \"rank\" INTEGER, \"score\" INTEGER, \"balance\" REAL, \"weight\" REAL,"
                "\"name\" TEXT, \"email\" TEXT, \"city\" TEXT, \"street\" TEXT, \"zip\" TEXT, \"note\" TEXT)")
        || sqlite3_prepare_v2(database, "INSERT INTO \"Customer\" VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)", -1, &insert, 0)
               != SQLITE_OK) {
        result.failed = 1;
    }
    for (long number = 0; !result.failed && number < count; number++) {
        if (number % batch == 0 && !run(database, "BEGIN IMMEDIATE")) result.failed = 1;
        sqlite3_bind_int64(insert, 1, number + 1);
        sqlite3_bind_int64(insert, 2, 1);
        sqlite3_bind_int64(insert, 3, number);
        sqlite3_bind_int64(insert, 4, number & 127);
        sqlite3_bind_int64(insert, 5, number >> 3);
        sqlite3_bind_int64(insert, 6, -number);
        sqlite3_bind_double(insert, 7, (double)number * 0.5);
        sqlite3_bind_double(insert, 8, (double)number * 0.25);
        bind_text(insert, 9, "a short name");
        bind_text(insert, 10, "a@example.org");
        bind_text(insert, 11, "Somewhere");
        bind_text(insert, 12, "First Street");
        bind_text(insert, 13, "12345");
        bind_text(insert, 14, "nothing");
        if (sqlite3_step(insert) != SQLITE_DONE) result.failed = 1;
        sqlite3_reset(insert);
        result.checksum += number;
        result.records++;
        if (((number + 1) % batch == 0 || number + 1 == count) && !run(database, "COMMIT")) result.failed = 1;
    }
    sqlite3_finalize(insert);
    sqlite3_close(database);
    return result;
}

twin_result twin_change(const char *path, long count) {
    twin_result result = {0};
    sqlite3 *database = open_store(path);
    sqlite3_stmt *insert = 0, *update = 0;
    if (!database
        || !run(database,
                "CREATE TABLE \"Account\" (\"_pk\" INTEGER PRIMARY KEY, \"_version\" INTEGER NOT NULL DEFAULT 1,"
                "\"id\" INTEGER, \"age\" INTEGER, \"rank\" INTEGER, \"score\" INTEGER, \"balance\" REAL, \"weight\" REAL,"
                "\"name\" TEXT, \"email\" TEXT, \"city\" TEXT, \"street\" TEXT, \"zip\" TEXT, \"note\" TEXT);"
                "CREATE INDEX \"i1\" ON \"Account\" (\"id\"); CREATE INDEX \"i2\" ON \"Account\" (\"rank\");"
                "CREATE INDEX \"i3\" ON \"Account\" (\"name\"); BEGIN IMMEDIATE")
        || sqlite3_prepare_v2(database,
                "INSERT INTO \"Account\" VALUES (?1, 1, ?2, NULL, ?3, ?4, ?5, ?6, 'a short name', 'a@example.org',"
                "'Somewhere', 'First Street', '12345', 'nothing')", -1, &insert, 0) != SQLITE_OK
        || sqlite3_prepare_v2(database,
                "UPDATE \"Account\" SET \"age\" = ?1, \"_version\" = \"_version\" + 1 WHERE \"_pk\" = ?2 AND \"_version\" = ?3",
                -1, &update, 0) != SQLITE_OK) {
        result.failed = 1;
    }
    for (long number = 0; !result.failed && number < count; number++) {
        sqlite3_bind_int64(insert, 1, number + 1);
        sqlite3_bind_int64(insert, 2, number);
        sqlite3_bind_int64(insert, 3, number >> 3);
        sqlite3_bind_int64(insert, 4, -number);
        sqlite3_bind_double(insert, 5, (double)number * 0.5);
        sqlite3_bind_double(insert, 6, (double)number * 0.25);
        if (sqlite3_step(insert) != SQLITE_DONE) result.failed = 1;
        sqlite3_reset(insert);
    }
    if (!result.failed && !run(database, "COMMIT")) result.failed = 1;
    for (long round = 1; !result.failed && round <= 10; round++) {
        if (!run(database, "BEGIN IMMEDIATE")) result.failed = 1;
        for (long number = 0; !result.failed && number < count; number++) {
            sqlite3_bind_int64(update, 1, round);
            sqlite3_bind_int64(update, 2, number + 1);
            sqlite3_bind_int64(update, 3, round);
            if (sqlite3_step(update) != SQLITE_DONE) result.failed = 1;
            sqlite3_reset(update);
            result.records++;
        }
        result.checksum += round;
        if (!result.failed && !run(database, "COMMIT")) result.failed = 1;
    }
    sqlite3_finalize(insert);
    sqlite3_finalize(update);
    sqlite3_close(database);
    return result;
}

typedef struct {
    int64_t version, numbers[4];
    double fractions[2];
    char *texts[6];
    int lengths[6];
} row;

twin_result twin_fetch(const char *path) {
    twin_result result = {0};
    sqlite3 *database = open_store(path);
    sqlite3_stmt *select = 0;
    row **rows = 0;
    size_t capacity = 0, count = 0;
    if (!database || sqlite3_prepare_v2(database, "SELECT * FROM \"Customer\" ORDER BY \"_pk\"", -1, &select, 0) != SQLITE_OK) {
        result.failed = 1;
    }
    while (!result.failed && sqlite3_step(select) == SQLITE_ROW) {
        if (count == capacity) {
            capacity = capacity ? capacity * 2 : 1024;
            rows = realloc(rows, capacity * sizeof(*rows));
        }
        row *here = malloc(sizeof(row));
        here->version = sqlite3_column_int64(select, 1);
        for (int index = 0; index < 4; index++) here->numbers[index] = sqlite3_column_int64(select, 2 + index);
        for (int index = 0; index < 2; index++) here->fractions[index] = sqlite3_column_double(select, 6 + index);
        for (int index = 0; index < 6; index++) {
            const void *text = sqlite3_column_text(select, 8 + index);
            int length = sqlite3_column_bytes(select, 8 + index);
            here->texts[index] = malloc((size_t)length + 1);
            memcpy(here->texts[index], text, (size_t)length + 1);
            here->lengths[index] = length;
        }
        rows[count++] = here;
    }
    for (size_t place = 0; place < count; place++) {
        row *here = rows[place];
        for (int index = 0; index < 4; index++) result.checksum += here->numbers[index];
        for (int index = 0; index < 2; index++) result.checksum += (int64_t)here->fractions[index];
        for (int index = 0; index < 6; index++) {
            result.checksum += here->lengths[index];
            free(here->texts[index]);
        }
        free(here);
        result.records++;
    }
    free(rows);
    sqlite3_finalize(select);
    sqlite3_close(database);
    return result;
}
