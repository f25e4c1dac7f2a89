// Adds the current load of this machine to the nodes of another source, for
// machines that no Prometheus watches.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "devices/cpu_load.h"
#include "ports/machine_probe.h"
#include "ports/node_source.h"
#include "support/clock.h"

namespace mete {

// The nodes of `source`, with the load of this machine as it is now. Borrows
// the source and the clock.
class HereNodes final : public NodeSource {
 public:
  HereNodes(NodeSource& source, std::string device_id,
            std::unique_ptr<MachineProbe> probe, Clock& clock,
            Compete compete = KeepThreadsBusy)
      : source_(source),
        device_id_(std::move(device_id)),
        probe_(std::move(probe)),
        clock_(clock),
        compete_(std::move(compete)) {}

  // Takes up to a second longer than the source (see ReadLoadBeside), unless
  // the load was read within the last second; on a busy machine, where reading
  // it uses CPU time, within the last 30 s.
  Result<std::shared_ptr<const NodeSnapshot>> Nodes() override;

 private:
  // A load and when it was read.
  struct Reading {
    std::optional<LoadReading> reading;
    std::chrono::nanoseconds at{};
  };

  std::optional<double> Load(int cores);

  NodeSource& source_;
  const std::string device_id_;
  // Held while the load is read: callers that wait for it share the result.
  std::mutex mutex_;
  std::unique_ptr<MachineProbe> probe_;
  std::optional<Reading> last_;
  Clock& clock_;
  Compete compete_;
};

// The load of a reading, if there is one.
std::optional<double> ToLoad(const std::optional<LoadReading>& reading);

// Sets the load of the node with this id. Emulated devices keep theirs: each
// has its own quota, which others do not use.
void SetLoad(const std::string& device_id, std::optional<double> load,
             NodeSnapshot& nodes);

}  // namespace mete
