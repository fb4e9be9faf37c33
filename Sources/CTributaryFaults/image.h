#ifndef TRIBUTARY_FAULTS_IMAGE_H
#define TRIBUTARY_FAULTS_IMAGE_H

/* What of a file is on the disk for certain: its bytes at the last sync, and whether its name is. */
typedef struct image image;

/* The image of the file at `path`; a new file is not on the disk. */
image *image_of(const char *path, int is_new);

/* From now on: all files known are on the disk as they are. */
void images_begin(void);

/* The file has reached the disk as it is now. */
void image_sync(image *file);

/* The file is gone for certain. */
void image_forget(const char *path);

/* Leaves of all files what a loss of power might. */
void images_lose_power(unsigned long long seed);

#endif
