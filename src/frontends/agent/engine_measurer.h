// Has the engine measured on this device: once, when the device is idle, and
// whenever somebody asks. The measuring is done by the program mete, so that
// the agent itself carries no engine.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <thread>

#include "linux/system_root.h"
#include "linux/watched_file.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

struct EngineMeasurerRequest {
  std::string program;           // mete
  std::filesystem::path folder;  // for its store and the result
  std::function<void(const std::string&)> report = [](const std::string&) {};
  // Of the cores: above this the device is not idle.
  double most_load = 0.2;
  // What that is averaged over.
  std::chrono::milliseconds look_for = std::chrono::seconds(10);
  std::chrono::seconds try_again{600};
};

// The share of the cores' time that was used meanwhile, 0 to 1.
double LoadDuring(std::chrono::milliseconds time, Clock& clock);

// Where the result is kept: `mete devices show -o json`, as it stands.
std::filesystem::path EngineSpeedsFile(const std::filesystem::path& folder);

// Runs mete and keeps what it says: about a quarter of a minute. Fails with
// kNotFound without the program, else with its own words.
Status MeasureEngine(const EngineMeasurerRequest& request, Clock& clock,
                     const std::stop_token& stop);

// Waits on a thread of its own for the device to be idle.
class EngineMeasurer {
 public:
  // `clock` outlives it.
  EngineMeasurer(EngineMeasurerRequest request, const SystemRoot& root,
                 Clock& clock);

  // Measures anew at the next idle moment. From any thread.
  void Ask() { asked_ = true; }

 private:
  void Run(const std::stop_token& stop);
  bool IsDue() const;
  bool IsIdle(const std::stop_token& stop);

  const EngineMeasurerRequest request_;
  Clock& clock_;
  WatchedFile stat_;
  std::atomic<bool> asked_ = false;
  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace mete
