// What tegrastats, the monitor of NVIDIA Jetson boards, tells about a machine.
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

struct TegrastatsRequest {
  std::string program = "tegrastats";  // searched in PATH
  // The tool reads for some milliseconds each time.
  std::chrono::milliseconds interval{500};
};

// One process for the whole life of the source, ended and waited for with it.
// A thread reads its lines; a sample gets the latest one, or nothing when that
// is older than a few seconds.
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
  std::mutex mutex_;  // the two below
  std::optional<Tegrastats> latest_;
  std::chrono::nanoseconds read_at_{0};
  std::jthread reader_;
};

// The parts of a line that a sample has a place for: load of the GPU and of the
// memory bus, rails, the hottest sensor.
void AddTegrastats(const Tegrastats& line, MachineSample& sample);

}  // namespace mete
