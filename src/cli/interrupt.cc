#include "cli/interrupt.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "cli/exit_code.h"

namespace mete {
namespace {

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
  while (true) {
    int signal = 0;
    sigwait(&signals, &signal);
    if (ending_) return;
    if (!honoured_ || stop_.stop_requested()) {
      _exit(static_cast<int>(ExitCode::kInterrupted));
    }
    stop_.request_stop();
  }
}

}  // namespace mete
