// One at a time, and few waiting: for work that takes much memory.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>

namespace mete {

// Hands out turns. Thread-safe.
class Turns {
 public:
  // A turn lasts until it is destroyed.
  using Turn = std::unique_lock<std::mutex>;

  // Waits for the turn. Absent if somebody is waiting already: every waiting
  // request blocks a thread.
  std::optional<Turn> Take() {
    Turn free(working_, std::try_to_lock);
    if (free.owns_lock()) return free;
    {
      std::lock_guard lock(counting_);
      if (waiting_ > 0) return std::nullopt;
      ++waiting_;
    }
    Turn turn(working_);
    std::lock_guard lock(counting_);
    --waiting_;
    return turn;
  }

  size_t waiting() const {
    std::lock_guard lock(counting_);
    return waiting_;
  }

 private:
  mutable std::mutex counting_;  // guards the next one
  size_t waiting_ = 0;
  std::mutex working_;
};

}  // namespace mete
