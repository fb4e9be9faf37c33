#ifndef TRIBUTARY_ARCHIVE_SHIM_H
#define TRIBUTARY_ARCHIVE_SHIM_H

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

/* The locale for names in UTF-8, or null. In the locale of a process that never sets one, libarchive has no names of
   other than ASCII characters. */
static inline locale_t _Nullable tributary_utf8_locale(void) {
    locale_t found = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    return found ? found : newlocale(LC_CTYPE_MASK, "en_US.UTF-8", (locale_t)0);
}

#endif
