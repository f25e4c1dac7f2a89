/* A program in plain C11 that uses the hook. The header must compile
   without warnings and link with libc alone. */
#include "mete/hook.h"

int main(void) {
  int i;
  for (i = 0; i < 3; ++i) {
    mete_timer outer = mete_timer_start("frame");
    mete_timer inner = mete_timer_start("decode");
    mete_timer_stop(inner);
    mete_number("queue", i);
    mete_timer_stop(outer);
    mete_rate("frames");
  }
  mete_rate_n("tokens", 12);
  return 0;
}
