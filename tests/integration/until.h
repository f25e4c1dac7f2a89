// Waits for what another thread or process is about to do.
#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace mete {

// Whether it came to hold within a minute: only a failing test waits that long.
inline bool Until(const std::function<bool()>& holds) {
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

}  // namespace mete
