#ifndef TRIBUTARY_YAJL_SHIM_H
#define TRIBUTARY_YAJL_SHIM_H

#include <yajl/yajl_parse.h>

// yajl_config() takes variable arguments, which Swift cannot call.
static inline int tributary_yajl_enable(yajl_handle handle, yajl_option option) {
    return yajl_config(handle, option, 1);
}

#endif
