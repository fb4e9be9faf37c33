/* Statements, and calls of the system that the library makes without SQLite, also through Foundation: the definitions
   of a program take precedence over those of other libraries. Without this, as with a sanitizer, only the calls that
   SQLite makes are counted. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED
#endif
#endif

#define _GNU_SOURCE
#include "calls.h"

#if !defined(__linux__) || defined(IS_SANITIZED)
const int counts_calls = 0;
#else
const int counts_calls = 1;

#include <dlfcn.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CTributaryFaults.h"

static int (*real_step)(sqlite3_stmt *);

__attribute__((constructor)) static void find_step(void) {
    real_step = (int (*)(sqlite3_stmt *))dlsym(RTLD_NEXT, "sqlite3_step");
}

int sqlite3_step(sqlite3_stmt *statement) {
    if (!sqlite3_stmt_busy(statement) && is_statement_due()) faults_strike();
    return real_step(statement);
}

/* The other descriptors are pipes and terminals of the tests. */
static int is_file(int file) {
    struct stat about;
    return fstat(file, &about) == 0 && (S_ISREG(about.st_mode) || S_ISDIR(about.st_mode));
}

int rename(const char *from, const char *to) {
    if (is_call_due()) faults_strike();
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int link(const char *from, const char *to) {
    if (is_call_due()) faults_strike();
    return (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int unlink(const char *path) {
    if (is_call_due()) faults_strike();
    return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

int ftruncate(int file, off_t size) {
    if (is_call_due()) faults_strike();
    return (int)syscall(SYS_ftruncate, file, size);
}

int fsync(int file) {
    if (is_call_due()) faults_strike();
    int result = (int)syscall(SYS_fsync, file);
    struct stat about;
    if (result == 0 && fstat(file, &about) == 0 && S_ISDIR(about.st_mode)) folder_is_synced();
    return result;
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    // A file that is opened without being created has no mode.
    int mode = flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(rest, int) : 0;
    va_end(rest);
    if (flags & O_CREAT && access(path, F_OK) != 0 && is_call_due()) faults_strike();
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

ssize_t write(int file, const void *bytes, size_t count) {
    if (is_file(file) && is_call_due()) {
        if (faults_tears()) syscall(SYS_write, file, bytes, count / 2);
        faults_strike();
    }
    return syscall(SYS_write, file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    if (is_file(file) && is_call_due()) {
        // A signal does not interrupt the kernel within a page.
        if (faults_tears()) syscall(SYS_pwrite64, file, bytes, count / 2 & ~(size_t)4095, offset);
        faults_strike();
    }
    return syscall(SYS_pwrite64, file, bytes, count, offset);
}
#endif
