/* The C half of a program of two languages: both must share one sender. */
#include "mete/hook.h"

void RecordFromC(void) { mete_number("from_c", 1); }
