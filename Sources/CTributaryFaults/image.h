#ifndef TRIBUTARY_FAULTS_IMAGE_H
#define TRIBUTARY_FAULTS_IMAGE_H

/* The state of a file that is certain to be on the disk: its bytes at the last sync, and whether it exists. */
typedef struct image image;

/* The image of the file at `path`; a new file is not on the disk. */
image *image_of(const char *path, int is_new);

/* Starts recording, with all known files on the disk as they are now. */
void images_begin(void);

/* Records that the file is on the disk as it is now. */
void image_sync(image *file);

/* Records that all deletions of files are on the disk, since their folder is synced. */
void images_sync_folder(void);

/* Changes all files to a state that a loss of power could leave. */
void images_lose_power(unsigned long long seed);

#endif
