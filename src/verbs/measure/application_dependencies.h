// The outside as the running of applications sees it; whoever runs them (the
// command line, the job queue) fills it in.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "measure/run_id.h"
#include "ports/app_event_sink.h"
#include "ports/app_listener.h"
#include "ports/host.h"
#include "ports/launchers.h"
#include "ports/machine_probe.h"
#include "support/clock.h"

namespace mete {

// Borrowed for the length of a call. All parts are used by each thread that
// runs an application.
struct ApplicationDependencies {
  Clock& clock;
  Host& host;
  Launchers& launchers;
  std::function<std::unique_ptr<MachineProbe>()> new_machine_probe;
  std::function<Result<std::unique_ptr<AppListener>>(const ListenRequest&,
                                                     AppEventSink&)>
      listen;
  std::function<RunEntropy()> draw_entropy;
};

}  // namespace mete
