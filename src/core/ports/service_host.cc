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

}  // namespace mete
