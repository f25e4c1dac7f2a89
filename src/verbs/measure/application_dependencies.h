// The ports needed to run applications, filled in by the caller (the command
// line or the job queue).
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "measure/network_process.h"
#include "measure/run_id.h"
#include "measure/torch_program.h"
#include "ports/app_event_sink.h"
#include "ports/app_listener.h"
#include "ports/host.h"
#include "ports/launchers.h"
#include "ports/machine_probe.h"
#include "support/clock.h"

namespace mete {

// Borrowed for the duration of a call. Every thread that runs an application
// uses all of them.
struct ApplicationDependencies {
  Clock& clock;
  Host& host;
  Launchers& launchers;
  std::function<std::unique_ptr<MachineProbe>()> new_machine_probe;
  std::function<Result<std::unique_ptr<AppListener>>(const ListenRequest&,
                                                     AppEventSink&)>
      listen;
  std::function<RunEntropy()> draw_entropy;
  NetworkRunner networks{};  // for applications that are networks
  TorchPlaces torch{};       // for commands that run mete-torch
};

}  // namespace mete
