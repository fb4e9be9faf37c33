#ifndef TRIBUTARY_ZLIB_SHIM_H
#define TRIBUTARY_ZLIB_SHIM_H

#include <zlib.h>

// inflateInit2() is a macro, which Swift does not import. 16 asks for a gzip header and trailer, checked.
static inline int tributary_gzip_begin(z_stream *stream) {
    return inflateInit2(stream, 16 + MAX_WBITS);
}

#endif
