#ifndef TRIBUTARY_SQLITE_SHIM_H
#define TRIBUTARY_SQLITE_SHIM_H

#include <sqlite3.h>
#include <stddef.h>

/* Swift cannot call variadic functions, nor import macros that are casts. */

static inline int tributary_sqlite_configure(sqlite3 *database, int option, int value) {
    return sqlite3_db_config(database, option, value, (int *)0);
}

static inline int tributary_sqlite_use_directly(sqlite3 *database) {
    return sqlite3_vtab_config(database, SQLITE_VTAB_DIRECTONLY);
}

/* The bytes must stay valid until the statement has been stepped and reset. */
static inline int tributary_sqlite_bind_text_static(sqlite3_stmt *statement, int index, const void *bytes, size_t count) {
    return sqlite3_bind_text64(statement, index, bytes ? (const char *)bytes : "", count, SQLITE_STATIC, SQLITE_UTF8);
}

static inline int tributary_sqlite_bind_blob_static(sqlite3_stmt *statement, int index, const void *bytes, size_t count) {
    return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", count, SQLITE_STATIC);
}

static inline int tributary_sqlite_bind_text(sqlite3_stmt *statement, int index, const void *bytes, size_t count) {
    return sqlite3_bind_text64(statement, index, bytes ? (const char *)bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int tributary_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, size_t count) {
    return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

static inline void tributary_sqlite_result_text(sqlite3_context *context, const void *bytes, size_t count) {
    sqlite3_result_text64(context, bytes ? (const char *)bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/* The bytes must stay valid as long as the query runs. */
static inline void tributary_sqlite_result_text_static(sqlite3_context *context, const void *bytes, size_t count) {
    sqlite3_result_text64(context, bytes ? (const char *)bytes : "", count, SQLITE_STATIC, SQLITE_UTF8);
}

static inline void tributary_sqlite_result_blob_static(sqlite3_context *context, const void *bytes, size_t count) {
    sqlite3_result_blob64(context, bytes ? bytes : "", count, SQLITE_STATIC);
}

#endif
