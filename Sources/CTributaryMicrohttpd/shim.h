#ifndef TRIBUTARY_MICROHTTPD_SHIM_H
#define TRIBUTARY_MICROHTTPD_SHIM_H

#include <sys/socket.h>
#include <microhttpd.h>

#endif
