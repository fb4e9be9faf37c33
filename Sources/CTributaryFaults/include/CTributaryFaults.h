#ifndef TRIBUTARY_FAULTS_H
#define TRIBUTARY_FAULTS_H

/* A file system of SQLite that goes wrong at a chosen call. It becomes the default one of the process, so that it
   belongs into a child process that nothing else runs in.

   Counted are the calls that change files: write, truncate, sync, delete, create, and growing the shared memory of a
   log. */

enum {
    FAULTS_NONE = 0,
    FAULTS_KILL = 1,       /* SIGKILL in place of the call */
    FAULTS_TEAR = 2,       /* SIGKILL when half of a write is done */
    FAULTS_POWER = 3,      /* SIGKILL, and what was not synced is lost, kept or mixed by sectors of 512 bytes */
    FAULTS_POWER_LIES = 4, /* the same with a disk whose syncs do nothing, as under `synchronous = OFF` */
    FAULTS_IO = 5,         /* the call fails with SQLITE_IOERR */
    FAULTS_FULL = 6        /* a write, a truncate or a create fails with SQLITE_FULL, other calls with SQLITE_IOERR */
};

/* Registers it; an SQLite result code. */
int faults_install(void);

/* From now on counts anew, and lets the call number `point`, the first being 1, go wrong; and all after it if `stays`.
   `seed` decides what a loss of power leaves. Call it while no thread uses SQLite. */
void faults_arm(int mode, long point, int stays, unsigned long long seed);

/* SIGKILL now, with the loss of power that was asked for. */
void faults_strike(void);

/* Calls counted since, of which none goes wrong any more. */
long faults_disarm(void);

#endif
