// What the commands that measure on this machine need, taken from the parts of
// the system.
#pragma once

#include "cli/bench_command.h"
#include "cli/jobs_command.h"
#include "cli/serve_command.h"
#include "cli/services.h"
#include "jobs/work_off.h"
#include "measure/measure_and_store_network.h"
#include "measure/measure_application.h"
#include "measure/run_session.h"
#include "sweep/sweep_workload.h"

namespace mete {

// Each borrows from `system`, and fails when a store cannot be opened.
Result<MeasureNetworkDependencies> ForNetworks(Services& system);
Result<MeasureApplicationDependencies> ForApplications(Services& system);
Result<SessionDependencies> ForSessions(Services& system);
Result<SweepDependencies> ForSweeps(Services& system);
Result<JobsDependencies> ForJobs(Services& system);
Result<WorkOffDependencies> ForWorkers(Services& system);
Result<ServeDependencies> ForServer(Services& system);
BenchDependencies ForBenches(Services& system);

}  // namespace mete
