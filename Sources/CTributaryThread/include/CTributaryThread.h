#ifndef TRIBUTARY_THREAD_H
#define TRIBUTARY_THREAD_H

#include <stddef.h>
#include <stdint.h>

/* What a thread is at. Swift has no variables of a thread, and those of pthread cost a call and a look-up each time. */
struct tributary_thread {
    /* The slot of the property that is initialised next; null unless an object of an entity is being made. */
    const uint16_t *_Nullable slots;
    /* Which property comes next, from 0, while a class is being described. */
    size_t turn;
    /* Who collects what the properties of a class say; not retained. */
    const void *_Nullable collector;
    /* Who collects what a key path reads; not retained. */
    const void *_Nullable trace;
    /* The mark of the queue on which a context runs something here; null elsewhere. */
    const void *_Nullable place;
    /* Which store's connection the thread has, or may ask for; not retained. */
    const void *_Nullable session;
};

extern _Thread_local struct tributary_thread tributary_thread_state;

/* That of the calling thread. */
static inline struct tributary_thread *_Nonnull tributary_thread(void) { return &tributary_thread_state; }

/* Asks for memory that is soon written to, without waiting for it. */
static inline void tributary_prefetch(const void *_Nonnull place) { __builtin_prefetch(place, 1, 3); }

/* Lets large blocks of memory go back to the system as soon as they are freed. glibc keeps up to 64 MiB of them for each
   thread once it has seen some come and go; others do nothing here. */
void tributary_return_memory(void);

#endif
