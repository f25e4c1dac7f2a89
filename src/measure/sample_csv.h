// The samples of a run as a table for spreadsheets and plots.
#pragma once

#include <string>
#include <vector>

#include "domain/resource_usage.h"

namespace mete {

// One row for each sample. Columns, in SI units: time_seconds, cpu_seconds (so
// far), cpu_cores (in use since the sample before), throttled_seconds,
// memory_bytes, swap_bytes, minor_faults, major_faults, read_bytes,
// written_bytes, processes; of the whole machine machine_cores (in use since
// the sample before), machine_memory_bytes, machine_received_bytes,
// machine_sent_bytes, machine_read_bytes, machine_written_bytes,
// cpu_stalled_seconds, memory_stalled_seconds, io_stalled_seconds, celsius,
// hertz, energy_joules. What could not be read is an empty cell.
std::string SamplesCsv(const std::vector<UsageSample>& samples);

}  // namespace mete
