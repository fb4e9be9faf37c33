#include "CTributaryTwins.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Twelve attributes as a C program would store them, with numbers and short text in place. */
typedef struct {
    int64_t id, age, rank, score;
    double balance, weight;
    char name[16], email[16], city[16], street[16], zip[16], note[16];
} twin_object;

static void fill(twin_object *object, int64_t number) {
    object->id = number;
    object->age = number & 127;
    object->rank = number >> 3;
    object->score = -number;
    object->balance = (double)number * 0.5;
    object->weight = (double)number * 0.25;
    memcpy(object->name, "a short name", 13);
    memcpy(object->email, "a@example.org", 14);
    memcpy(object->city, "Somewhere", 10);
    memcpy(object->street, "First Street", 13);
    memcpy(object->zip, "12345", 6);
    memcpy(object->note, "nothing", 8);
}

twin_result twin_create(long count) {
    twin_result result = {0};
    twin_object **objects = malloc(sizeof(*objects) * (size_t)count);
    if (!objects) { result.failed = 1; return result; }
    for (long index = 0; index < count; index++) {
        objects[index] = malloc(sizeof(twin_object));
        if (!objects[index]) { result.failed = 1; break; }
        fill(objects[index], index);
    }
    for (long index = 0; index < count && objects[index]; index++) {
        result.checksum += objects[index]->id + objects[index]->name[0];
        result.records++;
        free(objects[index]);
    }
    free(objects);
    return result;
}

static twin_object *make_objects(long count) {
    twin_object *objects = calloc((size_t)count, sizeof(twin_object));
    for (long index = 0; objects && index < count; index++) fill(&objects[index], index);
    return objects;
}

twin_result twin_read_properties(long count, long rounds) {
    twin_result result = {0};
    twin_object *objects = make_objects(count);
    if (!objects) { result.failed = 1; return result; }
    for (long round = 0; round < rounds; round++) {
        for (long index = 0; index < count; index++) {
            /* `volatile` keeps the compiler from optimizing the loops as a whole. */
            twin_object *volatile object = &objects[index];
            result.checksum += object->id + object->age + object->rank + object->score;
            result.checksum += (int64_t)object->balance + (int64_t)object->weight;
            result.records += 6;
        }
    }
    free(objects);
    return result;
}

twin_result twin_write_properties(long count, long rounds) {
    twin_result result = {0};
    twin_object *objects = make_objects(count);
    if (!objects) { result.failed = 1; return result; }
    for (long round = 0; round < rounds; round++) {
        for (long index = 0; index < count; index++) {
            twin_object *volatile object = &objects[index];
            object->id = index + round;
            object->age = index;
            object->rank = round;
            object->score = -round;
            object->balance = (double)(index + round);
            object->weight = (double)round;
            result.records += 6;
        }
    }
    for (long index = 0; index < count; index++) result.checksum += objects[index].id + (int64_t)objects[index].balance;
    free(objects);
    return result;
}
