// How busy this machine is right now.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include "ports/machine_probe.h"
#include "support/clock.h"

namespace mete {

// The share of all cores that was in use during half a second, 0 to 1. Absent
// when the machine does not report the time of its cores, or when stopped.
std::optional<double> ReadCpuLoad(MachineProbe& probe, Clock& clock,
                                  std::stop_token stop);

// Keeps this number of threads of our own busy until the result is destroyed.
using Compete = std::function<std::shared_ptr<void>(int threads)>;
std::shared_ptr<void> KeepThreadsBusy(int threads);

// How to read the load beside an engine. Borrows the probe and the clock.
struct LoadQuestion {
  MachineProbe& probe;
  Clock& clock;
  int threads = 1;  // of the engine
  Compete compete = KeepThreadsBusy;
};

// The load, and whether busy threads of our own were needed to read it.
struct LoadReading {
  double load = 0;
  bool competed = false;
};

// The share of all cores that others will use while an engine with this
// number of threads runs, 0 to 1. The scheduler is fair: programs that use
// every core while nothing else runs leave a newcomer its share, and how much
// that is depends on their threads, priorities and groups. So a busy machine is
// watched for another half a second while as many threads of our own compete.
// Absent as in ReadCpuLoad.
std::optional<LoadReading> ReadLoadBeside(const LoadQuestion& question,
                                          const std::stop_token& stop);

}  // namespace mete
