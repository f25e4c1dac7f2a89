// Workloads for tests of the controller, pinned to the first core:
//   control_workload app   10 ms of work every 40 ms, reported through the hook
//   control_workload hog   twelve threads that use the whole core; SIGUSR1
//                          pauses and resumes them
#include "mete/hook.h"

#include <sched.h>
#include <sys/prctl.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>
#include <vector>

namespace {

using std::chrono::milliseconds;

std::atomic<bool> busy = true;  // for the signal handler

void Toggle(int) { busy = !busy; }

void PinToFirstCore() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(0, &cores);
  sched_setaffinity(0, sizeof cores, &cores);
}

// Burns CPU time of the calling thread, however long that takes.
void Work(milliseconds amount) {
  auto used = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) +
           std::chrono::nanoseconds(time.tv_nsec);
  };
  for (auto end = used() + amount; used() < end;) {
  }
}

[[noreturn]] void RunApp() {
  while (true) {
    auto next = std::chrono::steady_clock::now() + milliseconds(40);
    {
      mete::hook::Timer timer("step");
      Work(milliseconds(10));
    }
    std::this_thread::sleep_until(next);
  }
}

[[noreturn]] void Hog() {
  while (true) {
    if (busy) {
      Work(milliseconds(5));
    } else {
      std::this_thread::sleep_for(milliseconds(20));
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool app = argc > 1 && std::strcmp(argv[1], "app") == 0;
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // a crashed test leaves no hog behind
  PinToFirstCore();
  if (app) RunApp();
  signal(SIGUSR1, Toggle);
  busy = argc > 2 && std::strcmp(argv[2], "busy") == 0;
  prctl(PR_SET_NAME, "mete-test-hog");
  std::vector<std::jthread> threads;
  for (int i = 0; i < 11; ++i) threads.emplace_back(Hog);
  Hog();
}
