// Implements SystemProbes for the real machine.
#pragma once

#include <chrono>
#include <functional>
#include <utility>

#include "ports/system_probes.h"

namespace mete {

// Thread-safe.
class HostProbes final : public SystemProbes {
 public:
  // Queries NVML, which belongs to another adapter.
  using NvidiaQuestion = std::function<Result<NvidiaAnswer>()>;
  // A second is long for a local service and short for a person.
  explicit HostProbes(
      NvidiaQuestion ask_nvidia,
      std::chrono::milliseconds patience = std::chrono::seconds(1))
      : ask_nvidia_(std::move(ask_nvidia)), patience_(patience) {}

  Status TryPerfCounter() override;
  Result<NvidiaAnswer> AskNvidia() override { return ask_nvidia_(); }
  Status Connect(const ProbeTarget& endpoint) override;
  Result<HttpAnswer> HttpGet(const ProbeTarget& endpoint,
                             const std::string& target) override;

 private:
  NvidiaQuestion ask_nvidia_;
  std::chrono::milliseconds patience_;
};

}  // namespace mete
