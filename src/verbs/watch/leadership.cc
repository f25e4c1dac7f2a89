#include "watch/leadership.h"

#include <utility>

namespace mete {
namespace {

std::chrono::nanoseconds InNanoseconds(Seconds time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time);
}

}  // namespace

Leadership::Leadership(Cluster& cluster, LeaseRequest lease, Clock& clock,
                       std::function<void(bool, const std::string&)> changed)
    : cluster_(cluster),
      lease_(std::move(lease)),
      clock_(clock),
      changed_(std::move(changed)),
      thread_([this](std::stop_token stop) { Renew(stop); }) {}

Leadership::~Leadership() {
  thread_.request_stop();
  thread_.join();
  if (held_) static_cast<void>(cluster_.ReleaseLease(lease_));
}

bool Leadership::leads() const {
  auto since = clock_.Now() - std::chrono::nanoseconds(renewed_);
  return held_ && since < InNanoseconds(lease_.duration * 2 / 3);
}

void Leadership::Renew(std::stop_token stop) {
  std::string last = "unknown";
  do {
    // The time before the call counts: the server may answer late.
    auto asked = clock_.Now();
    auto state = cluster_.AcquireLease(lease_, stop);
    if (!state.ok()) continue;
    if (state->held) renewed_ = asked.count();
    if (!state->held) held_ = false;
    if (std::exchange(last, state->holder) != state->holder && changed_) {
      changed_(state->held, state->holder);
    }
    held_ = state->held;  // after the announcement, so that it precedes a round
  } while (clock_.SleepFor(InNanoseconds(lease_.duration / 3), stop));
}

}  // namespace mete
