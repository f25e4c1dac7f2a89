#include "support/clock.h"

#include <fmt/format.h>
#include <time.h>

#include <condition_variable>
#include <cstdio>
#include <mutex>

namespace mete {
namespace {

std::chrono::nanoseconds Read(clockid_t id) {
  timespec time{};
  CHECK(clock_gettime(id, &time) == 0) << "clock_gettime";
  return std::chrono::seconds(time.tv_sec) +
         std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

std::chrono::nanoseconds SystemClock::Now() const {
  return Read(CLOCK_MONOTONIC);
}

std::chrono::system_clock::time_point SystemClock::Wall() const {
  return std::chrono::system_clock::now();
}

Seconds SystemClock::ProcessCpu() const {
  return Read(CLOCK_PROCESS_CPUTIME_ID);
}

bool SystemClock::SleepFor(std::chrono::nanoseconds wait,
                           std::stop_token stop) {
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  wake.wait_for(lock, stop, wait, [] { return false; });
  return !stop.stop_requested();
}

std::string FormatUtc(std::chrono::system_clock::time_point time) {
  std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z",
                     parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min, parts.tm_sec);
}

Result<std::chrono::system_clock::time_point> ParseUtc(std::string_view text) {
  std::tm parts{};
  std::string copy(text);
  char zone = 0;
  int fields = std::sscanf(copy.c_str(), "%4d-%2d-%2dT%2d:%2d:%2d%c",
                           &parts.tm_year, &parts.tm_mon, &parts.tm_mday,
                           &parts.tm_hour, &parts.tm_min, &parts.tm_sec, &zone);
  if (fields != 7 || zone != 'Z') {
    return Corrupt(fmt::format("'{}' is not a UTC time stamp", text));
  }
  // The years that a clock in nanoseconds can hold.
  const bool possible =
      parts.tm_year >= 1970 && parts.tm_year <= 2261 && parts.tm_mon >= 1 &&
      parts.tm_mon <= 12 && parts.tm_mday >= 1 && parts.tm_mday <= 31 &&
      parts.tm_hour >= 0 && parts.tm_hour <= 23 && parts.tm_min >= 0 &&
      parts.tm_min <= 59 && parts.tm_sec >= 0 && parts.tm_sec <= 60;
  if (!possible) {
    return Corrupt(fmt::format("'{}' is not a possible UTC time", text));
  }
  parts.tm_year -= 1900;
  parts.tm_mon -= 1;
  return std::chrono::system_clock::from_time_t(timegm(&parts));
}

}  // namespace mete
