#ifndef TRIBUTARY_MICROHTTPD_SHIM_H
#define TRIBUTARY_MICROHTTPD_SHIM_H

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <microhttpd.h>

/* A socket that listens on a port of 127.0.0.1, or on a free one for 0, which *port then has; else -1 and errno. */
static inline int tributary_microhttpd_listen(uint16_t *port, int backlog) {
    int descriptor = socket(AF_INET, SOCK_STREAM, 0), on = 1, error;
    struct sockaddr_in address;
    socklen_t size = sizeof(address);
    if (descriptor < 0) return -1;
    memset(&address, 0, sizeof(address));
    address.sin_family = AF_INET;
    address.sin_port = htons(*port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    /* Connections of an earlier server that the system still remembers do not hold the port. */
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 && fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0
        && bind(descriptor, (struct sockaddr *)&address, size) == 0 && listen(descriptor, backlog) == 0
        && getsockname(descriptor, (struct sockaddr *)&address, &size) == 0) {
        *port = ntohs(address.sin_port);
        return descriptor;
    }
    error = errno;
    close(descriptor);
    errno = error;
    return -1;
}

/* The library would decode a path in place, and end it at %00. */
static inline size_t tributary_microhttpd_keep(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return strlen(text);
}

/* Swift cannot call variadic functions. The server owns the socket, and closes it even if it does not start. With epoll
   the library misses the end of a connection that comes together with its last bytes, until the time-out. */
static inline struct MHD_Daemon *tributary_microhttpd_start(
    int listening, unsigned threads, unsigned connections, unsigned seconds, size_t memory, size_t stack, void *context,
    MHD_AccessHandlerCallback handle, void *(*begin)(void *, const char *, struct MHD_Connection *),
    MHD_RequestCompletedCallback end) {
    return MHD_start_daemon(
        MHD_USE_POLL_INTERNAL_THREAD, 0, NULL, NULL, handle, context, MHD_OPTION_LISTEN_SOCKET, listening,
        MHD_OPTION_THREAD_POOL_SIZE, threads, MHD_OPTION_CONNECTION_LIMIT, connections, MHD_OPTION_CONNECTION_TIMEOUT,
        seconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory, MHD_OPTION_THREAD_STACK_SIZE, stack,
        MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_UNESCAPE_CALLBACK, &tributary_microhttpd_keep, NULL,
        MHD_OPTION_URI_LOG_CALLBACK, begin, context, MHD_OPTION_NOTIFY_COMPLETED, end, context, MHD_OPTION_END);
}

#endif
