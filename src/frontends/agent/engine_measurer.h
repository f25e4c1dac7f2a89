// Measures the inference engine on this device: once, when the device is idle,
// and again on request. The program mete does the measuring, so the agent
// itself does not link an engine.
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

// What to run, where to keep the result and when the device counts as idle.
struct EngineMeasurerRequest {
  std::string program;           // path of mete
  std::filesystem::path folder;  // for its store and the result
  std::function<void(const std::string&)> report = [](const std::string&) {};
  // CPU load, 0 to 1, above which the device is not idle.
  double most_load = 0.2;
  // Time over which the load is averaged.
  std::chrono::milliseconds look_for = std::chrono::seconds(10);
  std::chrono::seconds try_again{600};
};

// Waits for `time` and returns the CPU load of the machine meanwhile, 0 to 1.
double LoadDuring(std::chrono::milliseconds time, Clock& clock);

// The file of the result: the output of `mete devices show -o json`.
std::filesystem::path EngineSpeedsFile(const std::filesystem::path& folder);

// Runs mete and keeps its output. Takes about 15 s. Fails with kNotFound if the
// program does not exist, otherwise with the message of the program.
Status MeasureEngine(const EngineMeasurerRequest& request, Clock& clock,
                     const std::stop_token& stop);

// Waits on its own thread until the device is idle, then measures.
class EngineMeasurer {
 public:
  // `clock` must outlive it.
  EngineMeasurer(EngineMeasurerRequest request, const SystemRoot& root,
                 Clock& clock);

  // Requests another measurement when the device is next idle. Thread-safe.
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
