// SystemProbes on the real machine.
#pragma once

#include <chrono>
#include <functional>
#include <utility>

#include "ports/system_probes.h"

namespace mete {

// Safe to call from any thread.
class HostProbes final : public SystemProbes {
 public:
  // Asks NVIDIA's management library, which is another adapter's to know.
  using NvidiaQuestion = std::function<Result<NvidiaAnswer>()>;
  // A second is long for a neighbour and short for a person.
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
