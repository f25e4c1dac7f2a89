// Waits for another thread or process.
#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace mete {

// Returns whether the condition becomes true within a minute. Only a failing
// test waits that long.
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
