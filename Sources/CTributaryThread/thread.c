#include "CTributaryThread.h"

_Thread_local struct tributary_thread tributary_thread_state;
