// How a thread waits for a moment that it must not miss.
#pragma once

#include <chrono>

namespace mete {

// Waits of fewer spins than this are not worth a sleep: going to sleep and
// waking up take microseconds each, and the kernel may wake a thread late.
inline constexpr int kSpinsWorthSleeping = 4;

// How much of a wait to sleep; the rest is spent in a loop, because a thread
// that sleeps wakes up late. 0: do not sleep. With a spin of 0, the whole wait.
inline std::chrono::nanoseconds TimeToSleep(std::chrono::nanoseconds wait,
                                            std::chrono::nanoseconds spin) {
  if (wait <= kSpinsWorthSleeping * spin) return std::chrono::nanoseconds(0);
  return wait - spin;
}

}  // namespace mete
