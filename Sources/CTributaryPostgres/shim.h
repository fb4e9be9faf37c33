/* Debian keeps the headers in a folder of their own, which only pkg-config knows. */
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif
