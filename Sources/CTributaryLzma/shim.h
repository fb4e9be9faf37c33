#ifndef TRIBUTARY_LZMA_SHIM_H
#define TRIBUTARY_LZMA_SHIM_H

#include <lzma.h>

// LZMA_STREAM_INIT is an initialiser macro, which Swift does not import.
static inline lzma_stream tributary_lzma_stream(void) {
    lzma_stream stream = LZMA_STREAM_INIT;
    return stream;
}

#endif
