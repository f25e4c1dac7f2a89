#include "cli/interrupt.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>

#include "flags/exit_code.h"

namespace mete {
namespace {

// timeout(1) and others signal a process and then its process group. Two
// signals within this time count as one: nobody presses Ctrl-C that fast.
constexpr std::chrono::milliseconds kSameSignal{50};

sigset_t WatchedSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}

}  // namespace

InterruptWatch::InterruptWatch() {
  sigset_t signals = WatchedSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  thread_ = std::jthread([this] { Wait(); });
}

InterruptWatch::~InterruptWatch() {
  ending_ = true;
  pthread_kill(thread_.native_handle(), SIGTERM);
}

void InterruptWatch::Wait() {
  sigset_t signals = WatchedSignals();
  std::chrono::steady_clock::time_point first;
  while (true) {
    int signal = 0;
    sigwait(&signals, &signal);
    if (ending_) return;
    auto now = std::chrono::steady_clock::now();
    bool second = stop_.stop_requested() && now - first > kSameSignal;
    if (!honoured_ || second) {
      _exit(static_cast<int>(ExitCode::kInterrupted));
    }
    if (!stop_.stop_requested()) first = now;
    stop_.request_stop();
  }
}

}  // namespace mete
