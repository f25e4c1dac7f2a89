// An application under test. Runs the scenario named by its first argument and
// returns 0 if it sees no error.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/time.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "mete/hook.h"

extern "C" void RecordFromC(void);

namespace {

using mete::hook::Number;
using mete::hook::Rate;
using mete::hook::Timer;

// Blocks until the test closes our standard input.
void WaitForTest() {
  std::puts("ready");
  std::fflush(stdout);
  while (std::getchar() != EOF) {
  }
}

int Basics() {
  for (int i = 0; i < 10; ++i) {
    Timer timer("step");
    Rate("frame");
    Number("level", i);
  }
  return 0;
}

int TwoLanguages() {
  Number("from_cc", 1);
  RecordFromC();
  return 0;
}

int Threads() {
  std::vector<std::jthread> threads;
  threads.reserve(4);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([] {
      for (int i = 0; i < 250; ++i) {
        Timer outer("step");
        Timer inner("step");
        Rate("frame");
      }
    });
  }
  return 0;
}

// Starts a timer and stops it in another thread, while others of that name run.
int TimersTravel() {
  mete_timer first = mete_timer_start("travel");
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  mete_timer second = mete_timer_start("travel");
  std::jthread([first] { mete_timer_stop(first); }).join();
  mete_timer_stop(second);
  return 0;
}

int OddInput() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Number("number", nan);
  Number("number", -std::numeric_limits<double>::infinity());
  Number("number", 1);
  Number(nullptr, 1);
  Number("", 1);
  Rate("frame", 0);
  Number(std::string(5000, 'x').c_str(), 1);
  // 62 bytes, then a character of two bytes, which must not be cut in half.
  Number((std::string(62, 'y') + "\xC3\xA4 and on").c_str(), 1);
  mete_timer_stop(mete_timer{0, 0});
  mete_timer_stop(mete_timer{1, 0xFFFFFFFF});
  return 0;
}

int ManyNames() {
  for (int i = 0; i < 1000; ++i) Rate(("name_" + std::to_string(i)).c_str());
  return 0;
}

// Records more than the queue and the kernel can hold, then waits for the test.
int Burst() {
  for (int i = 0; i < 100000; ++i) Rate("burst");
  WaitForTest();
  return 0;
}

int Fork() {
  Number("parent", 1);
#ifdef __SANITIZE_ADDRESS__
  // The sanitizer's allocator does not survive a fork while the hook's thread
  // starts, so wait until it has started.
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
#endif
  std::vector<pid_t> children;
  for (int i = 0; i < 3; ++i) {
    pid_t child = fork();
    if (child == 0) {
      for (int n = 0; n < 10; ++n) Number("child", n);
      std::exit(0);
    }
    children.push_back(child);
  }
  int bad = 0;
  for (pid_t child : children) {
    int status = 0;
    if (waitpid(child, &status, 0) != child || status != 0) bad = 1;
  }
  Number("parent", 2);
  return bad;
}

int FlushThenEndAtOnce() {
  Rate("frame", 5);
  mete_hook_flush();
  _exit(0);
}

// Like a daemon, closes every descriptor and opens others, which reuse the
// number of the hook's. The hook must not write to them.
int ClosesDescriptors() {
  Number("level", 1);
  mete_hook_flush();
  for (int number = 3; number < 64; ++number) close(number);
  std::array<int, 2> pair{};
  std::vector<int> mine;
  for (int i = 0; i < 8; ++i) {
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair.data()) != 0) {
      return 1;
    }
    mine.insert(mine.end(), pair.begin(), pair.end());
  }
  for (int i = 0; i < 100; ++i) {
    Number("level", 2);
    mete_hook_flush();
  }
  for (int socket : mine) {
    char byte = 0;
    if (read(socket, &byte, 1) >= 0 || errno != EAGAIN) return 2;
  }
  return 0;
}

volatile std::sig_atomic_t signals_taken = 0;

int Signals() {
  Rate("frame");
  struct sigaction action {};
  action.sa_handler = [](int) {
    Rate("signal");
    signals_taken = signals_taken + 1;
  };
  sigaction(SIGALRM, &action, nullptr);
  itimerval every{{0, 200}, {0, 200}};
  setitimer(ITIMER_REAL, &every, nullptr);
  while (signals_taken < 200) Rate("frame");
  every = {};
  setitimer(ITIMER_REAL, &every, nullptr);
  mete_hook_flush();  // makes room, since this loop is faster than any receiver
  Number("signals", signals_taken);
  return 0;
}

// Reads the status of the hook's thread from the kernel.
int TakesNoSignals() {
  Rate("frame");
  for (const auto& task :
       std::filesystem::directory_iterator("/proc/self/task")) {
    if (task.path().filename() == std::to_string(getpid())) continue;
    std::ifstream status(task.path() / "status");
    std::string line;
    while (std::getline(status, line) && !line.starts_with("SigBlk:")) {
    }
    const uint64_t blocked = std::stoull(line.substr(7), nullptr, 16);
    return blocked >> (SIGUSR1 - 1) & 1 ? 0 : 1;
  }
  return 2;
}

int KeepsErrno() {
  errno = 1234;
  Rate("frame");
  for (int i = 0; i < 5000; ++i) Rate("frame");
  mete_hook_flush();
  return errno == 1234 ? 0 : 1;
}

int Plugin(const char* path) {
  for (int i = 0; i < 3; ++i) {
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) return 1;
    reinterpret_cast<void (*)()>(dlsym(library, "RecordFromPlugin"))();
    dlclose(library);
    // Longer than the hook's thread sleeps: if it still existed, it would run
    // unloaded code.
    std::this_thread::sleep_for(std::chrono::milliseconds(120));
  }
  if (dlopen(path, RTLD_NOW | RTLD_NOLOAD)) return 2;
  // fork() must not call unloaded code either.
  pid_t child = fork();
  if (child == 0) _exit(0);
  int status = 0;
  return waitpid(child, &status, 0) == child && status == 0 ? 0 : 3;
}

// Records continuously until the test closes our standard input.
int UntilTold() {
  std::jthread recorder([](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      Rate("frame");
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  WaitForTest();
  return 0;
}

// Records 30 frames per second with two metrics each, for two seconds.
int Paced() {
  auto next = std::chrono::steady_clock::now();
  for (int frame = 0; frame <= 60; ++frame) {
    std::this_thread::sleep_until(next);
    {
      Timer timer("inference");
      Rate("frame");
    }
    next += std::chrono::nanoseconds(1000000000 / 30);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, int (*)()> scenarios = {
      {"basics", Basics},
      {"two_languages", TwoLanguages},
      {"threads", Threads},
      {"timers_travel", TimersTravel},
      {"odd_input", OddInput},
      {"many_names", ManyNames},
      {"burst", Burst},
      {"fork", Fork},
      {"flush_then_end", FlushThenEndAtOnce},
      {"closes_descriptors", ClosesDescriptors},
      {"signals", Signals},
      {"keeps_errno", KeepsErrno},
      {"takes_no_signals", TakesNoSignals},
      {"until_told", UntilTold},
      {"paced", Paced}};
  const std::string scenario = argc > 1 ? argv[1] : "";
  if (scenario == "plugin" && argc > 2) return Plugin(argv[2]);
  auto found = scenarios.find(scenario);
  return found == scenarios.end() ? 99 : found->second();
}
