// Makes the dependencies of the commands that measure on this machine.
#pragma once

#include "cli/bench_command.h"
#include "cli/jobs_command.h"
#include "cli/load_command.h"
#include "cli/serve_command.h"
#include "cli/service_command.h"
#include "jobs/work_off.h"
#include "measure/measure_and_store_network.h"
#include "measure/measure_application.h"
#include "measure/observe_service.h"
#include "measure/run_session.h"
#include "sweep/sweep_workload.h"
#include "wiring/system.h"

namespace mete {

// Each borrows from `system` and fails if a store cannot be opened.
Result<MeasureNetworkDependencies> ForNetworks(System& system);
Result<MeasureApplicationDependencies> ForApplications(System& system);
Result<ObserveDependencies> ForServices(System& system);
Result<SessionDependencies> ForSessions(System& system);
Result<SweepDependencies> ForSweeps(System& system);
Result<JobsDependencies> ForJobs(System& system);
Result<WorkOffDependencies> ForWorkers(System& system);
Result<ServeDependencies> ForServer(System& system);
ServiceCommandDependencies ForServing(System& system);
LoadCommandDependencies ForLoading(System& system);
BenchDependencies ForBenches(System& system);

}  // namespace mete
