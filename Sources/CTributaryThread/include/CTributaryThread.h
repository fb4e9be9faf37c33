#ifndef TRIBUTARY_THREAD_H
#define TRIBUTARY_THREAD_H

#include <stddef.h>
#include <stdint.h>

/* The state of a thread. Swift has no thread-local variables, and those of pthread need a call for each access. */
struct tributary_thread {
    /* The slot of the property that is initialized next; null unless a managed object is being created. */
    const uint16_t *_Nullable slots;
    /* The index of the next property, from 0, while a class is being described. */
    size_t turn;
    /* The collector of the properties of a class that is being described; not retained. */
    const void *_Nullable collector;
    /* The collector of the properties that a key path reads; not retained. */
    const void *_Nullable trace;
    /* The mark of the context queue that this thread runs on; null elsewhere. */
    const void *_Nullable place;
    /* The session of the store whose connection the thread has, or may request; not retained. */
    const void *_Nullable session;
};

extern _Thread_local struct tributary_thread tributary_thread_state;

/* The state of the calling thread. */
static inline struct tributary_thread *_Nonnull tributary_thread(void) { return &tributary_thread_state; }

/* Prefetches memory that is soon written to, without waiting for it. */
static inline void tributary_prefetch(const void *_Nonnull address) { __builtin_prefetch(address, 1, 3); }

/* Returns large blocks of memory to the system as soon as they are freed. By default glibc keeps up to 64 MiB of them
   for each thread after some were freed; with other libraries the function does nothing. */
void tributary_return_memory(void);

/* The number of processors that this process may use, of which a process can be held to a few. */
int tributary_processors(void);

/* Gives the calling thread a name of at most 15 bytes, which tools of the system show. */
void tributary_name_thread(const char *_Nonnull name);

#endif
