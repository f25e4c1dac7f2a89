// tegrastats, the monitor of NVIDIA Jetson boards, as a source of samples.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "linux/tegrastats.h"
#include "ports/machine_probe.h"
#include "support/clock.h"
#include "support/descriptor.h"
#include "support/result.h"

namespace mete {

// How to run the tool.
struct TegrastatsRequest {
  std::string program = "tegrastats";  // searched in PATH
  // Each reading takes the tool some milliseconds.
  std::chrono::milliseconds interval{500};
};

// Runs one process for the lifetime of the source and waits for its end. A
// thread reads its lines; a sample gets the latest one, or nothing if that is
// older than a few seconds.
class TegrastatsSource final : public MachineSource {
 public:
  // Fails with kNotFound when the program is not installed. `clock` must
  // outlive the source.
  static Result<std::unique_ptr<TegrastatsSource>> Open(
      const TegrastatsRequest& request, const Clock& clock);
  ~TegrastatsSource() override;

  void AddTo(MachineSample& sample) override;
  pid_t pid() const { return pid_; }

 private:
  TegrastatsSource(pid_t pid, Descriptor lines, const Clock& clock);
  void ReadLines();
  void Take(std::string_view line);

  pid_t pid_;
  Descriptor lines_;
  const Clock& clock_;
  std::mutex mutex_;  // guards the next two
  std::optional<Tegrastats> latest_;
  std::chrono::nanoseconds read_at_{0};
  std::jthread reader_;
};

// Adds the parts of a line that a sample has members for: load of the GPU and
// the memory bus, rails, the hottest sensor.
void AddTegrastats(const Tegrastats& line, MachineSample& sample);

}  // namespace mete
