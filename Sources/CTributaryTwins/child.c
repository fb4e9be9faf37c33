#include "CTributaryTwins.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

twin_child twin_run_child(const char *program, char *const arguments[], const char *output) {
    twin_child result = {.code = -1};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = 0;
    struct rusage usage = {0};
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    double start = now();
    int failure = posix_spawn(&child, program, &actions, 0, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure) return result;
    while (wait4(child, &status, 0, &usage) < 0) {
        if (errno != EINTR) return result;
    }
    result.seconds = now() - start;
    result.processor_seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
#ifdef __APPLE__
    result.peak_bytes = usage.ru_maxrss;
#else
    result.peak_bytes = usage.ru_maxrss * 1024;
#endif
    result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return result;
}
