// SystemProbes on the real machine.
#pragma once

#include <chrono>

#include "ports/system_probes.h"

namespace mete {

// Safe to call from any thread.
class HostProbes final : public SystemProbes {
 public:
  // A second is long for a neighbour and short for a person.
  explicit HostProbes(
      std::chrono::milliseconds patience = std::chrono::seconds(1))
      : patience_(patience) {}

  Status TryPerfCounter() override;
  Result<NvidiaAnswer> AskNvidia() override;
  Status Connect(const ProbeTarget& endpoint) override;
  Result<HttpAnswer> HttpGet(const ProbeTarget& endpoint,
                             const std::string& target) override;

 private:
  std::chrono::milliseconds patience_;
};

}  // namespace mete
