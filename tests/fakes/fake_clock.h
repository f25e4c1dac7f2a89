// A clock that only advances when a test advances it.
#pragma once

#include <atomic>
#include <chrono>
#include <stop_token>
#include <thread>

#include "support/clock.h"

namespace mete {

class FakeClock final : public Clock {
 public:
  // 2024-05-01T12:30:00Z, so that timestamps in tests are recognizable.
  static constexpr std::chrono::seconds kStart{1714566600};

  // Advances the time, and the CPU time of this process by `cpu`.
  void Advance(std::chrono::nanoseconds by, std::chrono::nanoseconds cpu) {
    now_ += by.count();
    cpu_ += cpu.count();
  }
  void Advance(std::chrono::nanoseconds by) { Advance(by, by); }
  // Every call of Now advances the clock by this much, like a real one.
  void StepPerReading(std::chrono::nanoseconds step) { step_ = step.count(); }

  std::chrono::nanoseconds Now() const override {
    return std::chrono::nanoseconds(now_.fetch_add(step_));
  }
  std::chrono::system_clock::time_point Wall() const override {
    return std::chrono::system_clock::time_point(
        std::chrono::duration_cast<std::chrono::system_clock::duration>(
            kStart + std::chrono::nanoseconds(now_)));
  }
  Seconds ProcessCpu() const override { return std::chrono::nanoseconds(cpu_); }
  // Advances the time and returns at once.
  bool SleepFor(std::chrono::nanoseconds wait, std::stop_token stop) override {
    if (stop.stop_requested()) return false;
    if (sleep_passes_) {
      Advance(wait, std::chrono::nanoseconds(0));
    } else {
      std::this_thread::yield();
    }
    return true;
  }
  // From now on sleeping does not advance the clock. Use it for threads that
  // poll, which would otherwise advance it without end.
  void StandStillInSleep() { sleep_passes_ = false; }

 private:
  mutable std::atomic<int64_t> now_ = 0;
  std::atomic<int64_t> cpu_ = 0;
  std::atomic<int64_t> step_ = 0;
  std::atomic<bool> sleep_passes_ = true;
};

}  // namespace mete
