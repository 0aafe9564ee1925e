/* What --self-check and --trace link in beside the runtime defines these again. Weak symbols that nobody
 * defines would not do: gold takes a position-independent program's base for their address. */
#include "runtime/models.h"
#include "runtime/show.h"

const struct shows *const cacheprof_shows __attribute__((weak)) = 0;
const struct watcher *const cacheprof_trace __attribute__((weak)) = 0;
const struct watcher *const cacheprof_selfcheck __attribute__((weak)) = 0;
