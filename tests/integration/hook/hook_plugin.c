/* A library that is loaded, used and unloaded again. */
#include "mete/hook.h"

void RecordFromPlugin(void) { mete_number("from_plugin", 1); }
