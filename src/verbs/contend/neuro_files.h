// Writes a measured mix as the files that NeuRO's experiments leave behind, so
// that its data processing can read them.
#pragma once

#include <filesystem>
#include <string>

#include "contend/measure_mix.h"
#include "support/result.h"

namespace mete {

// In the folder, which is created: tenant_requests.json, tenant-<id>.csv with
// the times of all replicas, and proc_metrics/tenant_<id>/<pid>.parsed.csv with
// one line for each counter and second. Tenants are numbered from 0. Counters
// that the kernel refuses have no lines; what mete does not have, such as
// payments, is left out.
Status WriteNeuroFiles(const MixMeasurement& measured,
                       const std::filesystem::path& folder);

// The texts of these files.
std::string NeuroRequestsJson(const MixMeasurement& measured);
std::string NeuroTimesCsv(const TenantMeasurement& tenant);
std::string NeuroCountersCsv(const InstanceMeasurement& instance);

}  // namespace mete
