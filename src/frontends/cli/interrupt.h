// Handles Ctrl-C: the first makes the verb save and stop, the second ends the
// program at once.
#pragma once

#include <atomic>
#include <stop_token>
#include <thread>

namespace mete {

// Waits for SIGINT and SIGTERM on its own thread. Construct it before any other
// thread starts, so that all threads inherit the blocked signals.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  std::stop_token token() const { return stop_.get_token(); }
  bool interrupted() const { return stop_.stop_requested(); }
  // From now on the first signal only requests a stop. Before this call it ends
  // the program.
  void HonourStop() { honoured_ = true; }

 private:
  void Wait();

  std::stop_source stop_;
  std::atomic<bool> honoured_ = false;
  std::atomic<bool> ending_ = false;
  std::jthread thread_;
};

}  // namespace mete
