#include "collect/load_burner.h"

#include <sys/prctl.h>
#include <time.h>

#include <algorithm>
#include <istream>
#include <ostream>

#include "collect/worker_protocol.h"
#include "support/json.h"

namespace mete {
namespace {

// Shorter than most inferences, so that they see an even load. Long enough to
// make the cost of context switches negligible.
constexpr double kSlice = 0.0003;
// A thread that was kept from working makes up for at most this much lost time.
constexpr double kMemory = 0.2;
// How soon an idle thread notices a new share or a stop.
constexpr double kLongestSleep = 0.02;

double Read(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) +
         static_cast<double>(time.tv_nsec) * 1e-9;
}

double ThreadTime() { return Read(CLOCK_THREAD_CPUTIME_ID); }
double WallTime() { return Read(CLOCK_MONOTONIC); }

void Sleep(double seconds) {
  double bounded = std::clamp(seconds, 0.00005, kLongestSleep);
  timespec wait{.tv_sec = 0, .tv_nsec = static_cast<long>(bounded * 1e9)};
  nanosleep(&wait, nullptr);
}

// Arithmetic that the compiler cannot optimize away.
void Spin() {
  volatile double value = 1.0001;
  for (int i = 0; i < 400; ++i) value = value * 1.0001 + 0.5;
}

}  // namespace

LoadBurner::LoadBurner(int cores)
    : count_(static_cast<size_t>(std::max(1, cores) * kThreadsPerCore)) {
  for (size_t i = 0; i < count_; ++i) {
    threads_.emplace_back([this, i](std::stop_token stop) { Work(i, stop); });
  }
}

void LoadBurner::Burn(double cpus) {
  {
    std::lock_guard lock(mutex_);
    share_ = std::clamp(cpus / static_cast<double>(count_), 0.0, 1.0);
  }
  changed_.notify_all();
}

void LoadBurner::Rest(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, stop, [this] { return share_ > 0; });
}

void LoadBurner::Work(size_t index, const std::stop_token& stop) {
  prctl(PR_SET_TIMERSLACK, 1000);  // nanoseconds; the default wakes 50 us late
  double share = 0;
  double due = 0;  // CPU time still to use
  double then = WallTime();
  double used = ThreadTime();
  while (!stop.stop_requested()) {
    double now = WallTime();
    double cpu = ThreadTime();
    due += (now - then) * share - (cpu - used);
    due = std::clamp(due, -kMemory * share, std::max(kSlice, kMemory * share));
    then = now;
    used = cpu;
    if (double asked = share_; asked != share) {
      share = asked;
      // Staggers the threads: each starts at a different point of its first
      // slice.
      due = kSlice * (static_cast<double>(index) / static_cast<double>(count_));
    }
    if (share <= 0) {
      Rest(stop);
      then = WallTime();
      used = ThreadTime();
    } else if (share < 1 && due < kSlice) {
      Sleep((kSlice - due) / share);
    } else {
      double until = cpu + kSlice;
      while (ThreadTime() < until) Spin();
    }
  }
}

std::string LoadBurner::Answer(const std::string& line) {
  Result<Json> order = ParseJson(line);
  if (!order.ok()) return ToLine(ErrorReply(order.error()));
  bool burn = order->is_object() && order->contains("cpus") &&
              order->at("cpus").is_number();
  if (!burn) {
    return ToLine(ErrorReply(InvalidInput("expected an order to burn CPUs")));
  }
  double cpus = order->at("cpus").get<double>();
  Burn(cpus);
  Json reply;
  reply["burning"] = cpus;
  return ToLine(reply);
}

void LoadBurner::Serve(std::istream& input, std::ostream& output) {
  std::string line;
  while (std::getline(input, line)) {
    output << Answer(line) + "\n" << std::flush;
  }
}

}  // namespace mete
