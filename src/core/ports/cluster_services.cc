#include "ports/cluster_services.h"

#include "support/units.h"

namespace mete {
namespace {

using std::chrono::nanoseconds;

std::string Progress(const ClusterServiceStatus& status) {
  std::string text = std::to_string(status.ready) + " of " +
                     std::to_string(status.instances) + " instances serve";
  if (status.problem) text += "; " + status.problem->message();
  return text;
}

}  // namespace

Result<ClusterServiceStatus> AwaitService(ClusterServices& services,
                                          Clock& clock, const std::string& name,
                                          const ServicePatience& patience,
                                          std::stop_token stop) {
  const std::string act = "start service " + name;
  const nanoseconds started = clock.Now();
  nanoseconds fits = started;  // when a node seemed to fit last
  while (true) {
    auto status = services.Get(name, stop);
    if (!status.ok()) return status.error().While(act);
    if (status->Available()) return status;
    const nanoseconds now = clock.Now();
    const bool unfit =
        status->problem && status->problem->code() == ErrorCode::kUnsupported;
    if (!unfit) fits = now;
    const bool final =
        status->problem && (!unfit || now - fits >= patience.unschedulable);
    if (final) return status->problem->While(act);
    if (now - started >= patience.start) {
      return Error(ErrorCode::kTimeout,
                   act + ": not ready after " +
                       FormatSeconds(Seconds(patience.start)) + ": " +
                       Progress(*status));
    }
    if (!clock.SleepFor(patience.look_every, stop)) {
      return Error(ErrorCode::kInterrupted, act + ": interrupted");
    }
  }
}

}  // namespace mete
