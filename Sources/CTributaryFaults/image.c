#include "image.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { sector = 512 };

struct image {
    char *path;
    char *bytes; /* NULL if the file is not on the disk */
    long size;
    int is_other; /* the file was deleted and created again since the last sync */
    image *next;
};

static image *images;
static int is_recording;

/* The bytes of a file, NULL if there is none. */
static char *contents(const char *path, long *size) {
    // Closing a descriptor of an open database drops the locks of SQLite, which no other process needs here.
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat about;
    *size = 0;
    if (file < 0) return NULL;
    if (fstat(file, &about) != 0) abort();
    char *bytes = malloc((size_t)about.st_size + 1);
    if (!bytes) abort();
    while (*size < about.st_size) {
        ssize_t count = pread(file, bytes + *size, (size_t)(about.st_size - *size), *size);
        if (count <= 0) break;
        *size += count;
    }
    close(file);
    return bytes;
}

image *image_of(const char *path, int is_new) {
    // The library writes the file of a load without SQLite, so only its own syncs tell what is durable there.
    size_t length = strlen(path);
    if (length > 5 && strcmp(path + length - 5, "-load") == 0) return NULL;
    image *found = images;
    while (found && strcmp(found->path, path) != 0) found = found->next;
    if (found && is_new) found->is_other = found->bytes != NULL;
    if (found) return found;
    image *made = calloc(1, sizeof(image));
    if (!made || !(made->path = strdup(path))) abort();
    if (is_recording && !is_new) image_sync(made);
    made->next = images;
    images = made;
    return made;
}

void images_begin(void) {
    is_recording = 1;
    for (image *file = images; file; file = file->next) image_sync(file);
}

void image_sync(image *file) {
    if (!file) return;
    free(file->bytes);
    file->bytes = contents(file->path, &file->size);
    file->is_other = 0;
}

void images_sync_folder(void) {
    for (image *file = images; file; file = file->next) {
        if (!file->is_other && access(file->path, F_OK) == 0) continue;
        // A file that was deleted does not come back; the contents of one that was created again are not synced.
        free(file->bytes);
        file->bytes = NULL;
        file->size = 0;
        file->is_other = 0;
    }
}

static unsigned long long next_number(unsigned long long *state) {
    unsigned long long mixed = *state += 0x9E3779B97F4A7C15ULL;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ULL;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBULL;
    return mixed ^ (mixed >> 31);
}

/* Simulates a loss of power: the writes since the last sync are kept, lost, or kept in some sectors. */
static void lose(image *file, unsigned long long *state) {
    unsigned long long kind = next_number(state) % 4;
    if (kind == 0) return;
    long size = 0;
    char *now = contents(file->path, &size);
    if (!file->bytes && !now) return;
    // A deleted file may come back as it was; its sectors never mix with a new file of the same name.
    if (!now) kind = 1;
    if (file->is_other && now) {
        if (next_number(state) % 2) {
            kind = 1;
        } else {
            free(file->bytes);
            file->bytes = NULL;
            file->size = 0;
        }
    }
    int keeps_size = kind > 1 && next_number(state) % 2;
    int is_there = file->bytes || (kind > 1 && next_number(state) % 2);
    long left = keeps_size ? size : file->size;
    char *bytes = calloc(1, (size_t)left + sector);
    if (!bytes) abort();
    for (long start = 0; start < left; start += sector) {
        int keeps = kind > 1 && next_number(state) % 2;
        const char *source = keeps ? now : file->bytes;
        long length = (keeps ? size : file->size) - start;
        if (length > left - start) length = left - start;
        if (length > sector) length = sector;
        // Bytes that were never written are zero.
        if (source && length > 0) memcpy(bytes + start, source + start, (size_t)length);
    }
    if (!is_there) {
        unlink(file->path);
    } else {
        int opened = open(file->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        if (opened < 0 || ftruncate(opened, left) != 0 || pwrite(opened, bytes, (size_t)left, 0) != left) abort();
        close(opened);
    }
    free(bytes);
    free(now);
}

void images_lose_power(unsigned long long seed) {
    unsigned long long state = seed;
    for (image *file = images; file; file = file->next) lose(file, &state);
}
