#include "CTributaryThread.h"

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
