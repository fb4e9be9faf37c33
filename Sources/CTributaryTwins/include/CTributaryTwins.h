#ifndef TRIBUTARY_TWINS_H
#define TRIBUTARY_TWINS_H

// The simplest C that does the same work as a benchmark case, for comparison in the same run.

#include <stddef.h>

typedef struct {
    long records;
    long checksum;  // the sum of all ids, to compare a case with its twin
    size_t bytes;
    int failed;
} twin_result;

// Reads the file and does nothing else, 64 KiB at a time.
twin_result twin_read(const char *path);

// Lets yajl parse the file, with callbacks that do nothing.
twin_result twin_parse(const char *path, int many_values);

// Lets yajl parse the file and copies twelve columns of each user into a row, numbers as numbers and text as bytes.
twin_result twin_collect(const char *path, int many_values);

/* Makes `count` objects of twelve values and frees them. */
twin_result twin_create(long count);

/* Reads two values of each of `count` objects, `rounds` times. */
twin_result twin_read_properties(long count, long rounds);

/* Writes two values of each of `count` objects, `rounds` times. */
twin_result twin_write_properties(long count, long rounds);

/* Inserts `count` rows of twelve values into a new database, `batch` rows in a transaction. */
twin_result twin_save(const char *path, long count, long batch);

/* Inserts `count` rows with three indexes, and changes one of their columns ten times, in a transaction each. */
twin_result twin_change(const char *path, long count);

/* Writes `count` rows and their unique index as pages of a new database, without SQLite. */
twin_result twin_load(const char *path, long count);

/* Copies all rows of such a database into memory and reads every value. */
twin_result twin_fetch(const char *path);

/* Imports the users of a file into the table "User" of a database: one thread parses, another one writes. `index_count`
   is 1 (the key) or 3. */
twin_result twin_import(const char *path, const char *database_path, int index_count, long transaction_rows);

/* What became of the records of an import. */
typedef struct {
    long read, inserted, updated;
    int failed;
} twin_written;

/* Imports a file with a user on each line into the table "User" of a database of PostgreSQL. The first import, through one
   connection, creates the table, and its unique index at the end. Others compare with what it holds; each of at most 8
   connections writes a part of the file. `failed` is 2 if this was built without libpq. */
twin_written twin_postgres(const char *path, const char *address, int connections, int is_first);

/* Runs SQL in one transaction of a database, without foreign keys; 0 if all of it succeeds. */
int twin_execute(const char *path, const char *sql);

/* The exit code of a process, its time and its memory. */
typedef struct {
    int code;
    double seconds, processor_seconds;
    long peak_bytes;
} twin_child;

/* Runs a program to its end, with its standard output in a file; code -1 if it cannot be started. */
twin_child twin_run_child(const char *program, char *const arguments[], const char *output);

#endif
