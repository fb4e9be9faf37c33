#ifndef TRIBUTARY_FAULTS_CALLS_H
#define TRIBUTARY_FAULTS_CALLS_H

/* Counts a call of the system, unless SQLite makes it or such calls do not count; true if the process dies at it. */
int is_call_due(void);

/* Counts a statement, in the same way. */
int is_statement_due(void);

/* Whether calls of the system and statements can be counted here. */
extern const int counts_calls;

/* Records that a folder was synced. */
void folder_is_synced(void);

/* Whether the process dies after half of a write. */
int faults_tears(void);

#endif
