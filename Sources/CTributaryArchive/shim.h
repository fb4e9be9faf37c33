#ifndef TRIBUTARY_ARCHIVE_SHIM_H
#define TRIBUTARY_ARCHIVE_SHIM_H

#include <archive.h>
#include <archive_entry.h>

#endif
