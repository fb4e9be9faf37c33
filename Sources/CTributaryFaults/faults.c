#include "CTributaryFaults.h"

#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calls.h"
#include "image.h"

/* A file of SQLite, which wraps a file of the system's VFS. */
typedef struct {
    sqlite3_file base;
    image *image; /* what a loss of power may leave of it; NULL for a file without a path */
    int syncs_folder; /* the first sync of a journal or log syncs its folder as well */
    sqlite3_file *real;
} fault_file;

static sqlite3_vfs shim;
static sqlite3_vfs *real_vfs;
static sqlite3_io_methods methods;

static struct {
    int mode;
    long point;
    int stays;
    int counted; /* kinds of calls */
    _Atomic long count;
    _Atomic long counts[FAULTS_STATEMENTS + 1]; /* by kind */
    unsigned long long seed;
} fault = {.counted = FAULTS_SQLITE};

/* Whether this thread is in a call of SQLite, whose calls of the system are part of it. */
static _Thread_local int is_in_sqlite;

/* Lets SQLite make calls of the system, and returns the result of `call`. */
#define REAL(call) (is_in_sqlite++, leave_sqlite(call))

static int leave_sqlite(int result) {
    is_in_sqlite--;
    return result;
}

static sqlite3_file *real(sqlite3_file *file) { return ((fault_file *)file)->real; }

static int loses_power(void) { return fault.mode == FAULTS_POWER || fault.mode == FAULTS_POWER_LIES; }

static void die(void) {
    if (loses_power()) images_lose_power(fault.seed);
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

/* Counts a call of a kind; true if it must fail. */
static int is_kind_due(int kind) {
    fault.counts[kind]++;
    if (!(fault.counted & kind)) return 0;
    long number = ++fault.count;
    if (fault.mode == FAULTS_NONE) return 0;
    return fault.stays ? number >= fault.point : number == fault.point;
}

static int is_due(void) { return is_kind_due(FAULTS_SQLITE); }

int is_call_due(void) {
    return !is_in_sqlite && is_kind_due(FAULTS_SYSTEM);
}

int is_statement_due(void) { return is_kind_due(FAULTS_STATEMENTS); }

void folder_is_synced(void) {
    if (fault.mode == FAULTS_POWER) images_sync_folder();
}

int faults_tears(void) { return fault.mode == FAULTS_TEAR; }

/* The result of a failing call, unless the mode kills the process. */
static int outcome(int io, int full) {
    if (fault.mode == FAULTS_IO) return io;
    if (fault.mode == FAULTS_FULL) return full;
    die();
    return io;
}

// MARK: Files

static int close_file(sqlite3_file *file) { return REAL(real(file)->pMethods->xClose(real(file))); }

static int read_file(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    return real(file)->pMethods->xRead(real(file), bytes, count, offset);
}

static int write_file(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    if (is_due()) {
        if (fault.mode == FAULTS_TEAR) REAL(real(file)->pMethods->xWrite(real(file), bytes, count / 2, offset));
        return outcome(SQLITE_IOERR_WRITE, SQLITE_FULL);
    }
    return REAL(real(file)->pMethods->xWrite(real(file), bytes, count, offset));
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) {
    if (is_due()) return outcome(SQLITE_IOERR_TRUNCATE, SQLITE_FULL);
    return REAL(real(file)->pMethods->xTruncate(real(file), size));
}

static int sync_file(sqlite3_file *file, int flags) {
    if (is_due()) return outcome(SQLITE_IOERR_FSYNC, SQLITE_IOERR_FSYNC);
    int result = REAL(real(file)->pMethods->xSync(real(file), flags));
    if (result == SQLITE_OK && fault.mode == FAULTS_POWER) {
        image_sync(((fault_file *)file)->image);
        if (((fault_file *)file)->syncs_folder) images_sync_folder();
        ((fault_file *)file)->syncs_folder = 0;
    }
    return result;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
    return real(file)->pMethods->xFileSize(real(file), size);
}

static int lock_file(sqlite3_file *file, int level) { return real(file)->pMethods->xLock(real(file), level); }

static int unlock_file(sqlite3_file *file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }

static int check_lock(sqlite3_file *file, int *is_reserved) {
    return real(file)->pMethods->xCheckReservedLock(real(file), is_reserved);
}

static int control_file(sqlite3_file *file, int code, void *argument) {
    return REAL(real(file)->pMethods->xFileControl(real(file), code, argument));
}

static int sector_size(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }

static int characteristics(sqlite3_file *file) { return real(file)->pMethods->xDeviceCharacteristics(real(file)); }

static int map_memory(sqlite3_file *file, int page, int size, int extends, void volatile **memory) {
    if (extends && is_due()) return outcome(SQLITE_IOERR_SHMSIZE, SQLITE_IOERR_SHMSIZE);
    return REAL(real(file)->pMethods->xShmMap(real(file), page, size, extends, memory));
}

static int lock_memory(sqlite3_file *file, int offset, int count, int flags) {
    return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }

static int unmap_memory(sqlite3_file *file, int deletes) {
    return REAL(real(file)->pMethods->xShmUnmap(real(file), deletes));
}

// MARK: The file system

static int open_file(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *given) {
    (void)vfs;
    fault_file *opened = (fault_file *)file;
    opened->base.pMethods = NULL;
    opened->real = (sqlite3_file *)(opened + 1);
    opened->image = NULL;
    opened->syncs_folder = flags & SQLITE_OPEN_CREATE
        && flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL);
    opened->real->pMethods = NULL;
    int creates = path && (flags & SQLITE_OPEN_CREATE) && access(path, F_OK) != 0;
    if (creates && is_due()) return outcome(SQLITE_CANTOPEN, SQLITE_FULL);
    int result = REAL(real_vfs->xOpen(real_vfs, path, opened->real, flags, given));
    // SQLite closes a file that has methods, even if it could not be opened.
    if (opened->real->pMethods) opened->base.pMethods = &methods;
    if (path && result == SQLITE_OK) opened->image = image_of(path, creates);
    return result;
}

static int delete_file(sqlite3_vfs *vfs, const char *path, int syncs_folder) {
    (void)vfs;
    if (is_due()) return outcome(SQLITE_IOERR_DELETE, SQLITE_IOERR_DELETE);
    int result = REAL(real_vfs->xDelete(real_vfs, path, syncs_folder));
    if (result == SQLITE_OK && syncs_folder && fault.mode == FAULTS_POWER) images_sync_folder();
    return result;
}

int faults_install(void) {
    real_vfs = sqlite3_vfs_find(NULL);
    if (!real_vfs) return SQLITE_ERROR;
    methods = (sqlite3_io_methods){
        .iVersion = 2,
        .xClose = close_file,
        .xRead = read_file,
        .xWrite = write_file,
        .xTruncate = truncate_file,
        .xSync = sync_file,
        .xFileSize = file_size,
        .xLock = lock_file,
        .xUnlock = unlock_file,
        .xCheckReservedLock = check_lock,
        .xFileControl = control_file,
        .xSectorSize = sector_size,
        .xDeviceCharacteristics = characteristics,
        .xShmMap = map_memory,
        .xShmLock = lock_memory,
        .xShmBarrier = barrier,
        .xShmUnmap = unmap_memory,
    };
    shim = *real_vfs;
    shim.zName = "tributary-faults";
    shim.szOsFile = real_vfs->szOsFile + (int)sizeof(fault_file);
    shim.xOpen = open_file;
    shim.xDelete = delete_file;
    return sqlite3_vfs_register(&shim, 1);
}

void faults_arm(int mode, long point, int stays, unsigned long long seed) {
    fault.mode = mode;
    fault.point = point;
    fault.stays = stays;
    fault.seed = seed;
    fault.count = 0;
    for (int kind = 0; kind <= FAULTS_STATEMENTS; kind++) fault.counts[kind] = 0;
    if (loses_power()) images_begin();
}

void faults_strike(void) { die(); }

void faults_count(int kinds) { fault.counted = kinds; }

long faults_calls(int kind) { return kind != FAULTS_SQLITE && !counts_calls ? -1 : fault.counts[kind]; }

long faults_disarm(void) {
    fault.mode = FAULTS_NONE;
    return fault.count;
}
