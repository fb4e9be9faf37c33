#ifndef TRIBUTARY_FAULTS_H
#define TRIBUTARY_FAULTS_H

/* A VFS of SQLite that fails at a chosen call. It becomes the default VFS of the process, so use it only in a child
   process that does nothing else.

   It counts the calls that change files: write, truncate, sync, delete, create, and growing the shared memory of a
   write-ahead log. If it is asked to, on Linux, it also counts statements, and such calls of the system, with rename
   and link, that the library makes without SQLite. */

enum {
    FAULTS_NONE = 0,
    FAULTS_KILL = 1,       /* SIGKILL instead of the call */
    FAULTS_TEAR = 2,       /* SIGKILL after half of a write */
    FAULTS_POWER = 3,      /* SIGKILL, and unsynced writes are lost, kept or mixed by sectors of 512 bytes */
    FAULTS_POWER_LIES = 4, /* like FAULTS_POWER, with a disk whose syncs do nothing, as with `synchronous = OFF` */
    FAULTS_IO = 5,         /* the call fails with SQLITE_IOERR */
    FAULTS_FULL = 6        /* a write, a truncate or a create fails with SQLITE_FULL, other calls with SQLITE_IOERR */
};

/* The calls that are counted. Only those of SQLite can fail; at the others the process is killed in each mode. */
enum { FAULTS_SQLITE = 1, FAULTS_SYSTEM = 2, FAULTS_STATEMENTS = 4 };

/* Registers the VFS; returns an SQLite result code. */
int faults_install(void);

/* Restarts the count, and lets the call number `point`, from 1, fail; if `stays` is set, all later calls fail too.
   `seed` determines the state after a loss of power. Call it while no thread uses SQLite. */
void faults_arm(int mode, long point, int stays, unsigned long long seed);

/* Counts calls of these kinds from now on, those of SQLite if it is never called. */
void faults_count(int kinds);

/* Sends SIGKILL now, with a loss of power in such a mode. */
void faults_strike(void);

/* The number of calls of a kind since `faults_arm`; negative where such calls are not counted. */
long faults_calls(int kind);

/* Ends the faults; returns the number of calls since `faults_arm`. */
long faults_disarm(void);

#endif
