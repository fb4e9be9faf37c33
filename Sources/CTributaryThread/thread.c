#define _GNU_SOURCE
#include "CTributaryThread.h"

#ifdef __linux__
#include <sched.h>
#endif
#include <pthread.h>
#include <unistd.h>

_Thread_local struct tributary_thread tributary_thread_state;

#ifdef __GLIBC__
#include <malloc.h>

void tributary_return_memory(void) {
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
    mallopt(M_TRIM_THRESHOLD, 1 << 20);
}
#else
void tributary_return_memory(void) {}
#endif

int tributary_processors(void) {
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return CPU_COUNT(&set);
#endif
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (int)count : 1;
}

void tributary_name_thread(const char *name) {
#ifdef __APPLE__
    pthread_setname_np(name);
#else
    pthread_setname_np(pthread_self(), name);
#endif
}
