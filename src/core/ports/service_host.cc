#include "ports/service_host.h"

namespace mete {

std::string_view ToString(HostedService::State state) {
  switch (state) {
    case HostedService::State::kStarting:
      return "starting";
    case HostedService::State::kRunning:
      return "running";
    case HostedService::State::kGone:
      return "gone";
  }
  return "";
}

std::optional<std::string> PathInImage(const std::string& network) {
  constexpr std::string_view kPrefix = "image:";
  if (!network.starts_with(kPrefix)) return std::nullopt;
  return network.substr(kPrefix.size());
}

bool IsLocalFile(const std::string& network) {
  return !PathInImage(network) && network.find('/') != std::string::npos;
}

}  // namespace mete
