#include "measure/pin.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/core_list.h"

namespace mete {

Status CheckPin(const std::string& pin, Host& host) {
  ASSIGN_OR_RETURN(std::vector<int> wanted, ListCores(pin));
  const std::vector<int> usable = host.UsableCpus();
  for (int cpu : wanted) {
    if (std::ranges::binary_search(usable, cpu)) continue;
    return InvalidInput(
        fmt::format("CPU {} does not exist or is not allowed here; usable: {}",
                    cpu, FormatCores(usable)));
  }
  return {};
}

std::string DescribePin(const std::string& pin) {
  auto cpus = ListCores(pin);
  bool one = cpus.ok() && cpus->size() == 1;
  return (one ? "pinned to CPU " : "pinned to CPUs ") + pin;
}

Result<PinnedThread> PinnedThread::Pin(const std::optional<std::string>& pin,
                                       Host& host) {
  if (!pin) return PinnedThread(host, {});
  RETURN_IF_ERROR(CheckPin(*pin, host).While("--pin"));
  ASSIGN_OR_RETURN(std::vector<int> wanted, ListCores(*pin));
  std::vector<int> before = host.UsableCpus();
  RETURN_IF_ERROR(host.PinThread(wanted).While("--pin"));
  return PinnedThread(host, std::move(before));
}

PinnedThread::~PinnedThread() {
  if (before_.empty()) return;
  // They were allowed before; if they no longer are, nothing is lost.
  static_cast<void>(host_.PinThread(before_).ok());
}

}  // namespace mete
