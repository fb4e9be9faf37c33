#include "CTributaryTwins.h"

#include <sqlite3.h>

static int run(sqlite3 *database, const char *sql) { return sqlite3_exec(database, sql, 0, 0, 0) == SQLITE_OK; }

int twin_execute(const char *path, const char *sql) {
    sqlite3 *database = 0;
    int done = sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, 0) == SQLITE_OK
        && run(database, "PRAGMA mmap_size = 0") && run(database, "PRAGMA cell_size_check = ON")
        && run(database, "PRAGMA cache_size = -65536") && run(database, "PRAGMA foreign_keys = OFF")
        && run(database, "PRAGMA synchronous = NORMAL") && run(database, "BEGIN IMMEDIATE") && run(database, sql)
        && run(database, "COMMIT");
    sqlite3_close(database);
    return done ? 0 : 1;
}
