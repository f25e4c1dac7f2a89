// Checks what mete can use on this machine, and what to do about missing parts.
#pragma once

#include <filesystem>
#include <vector>

#include "doctor/finding.h"
#include "doctor/service_findings.h"
#include "ports/system_probes.h"

namespace mete {

// What to check, and findings that the caller made.
struct DoctorRequest {
  std::filesystem::path root = "/";
  VariableLookup environment;
  int cores = 0;  // usable by this process; 0: unknown
  std::filesystem::path store;
  // Findings that only the caller can make, such as ONNX Runtime. Listed before
  // the store.
  std::vector<Finding> more;
};

// Only reads and probes; changes nothing. Takes a few seconds at worst.
std::vector<Finding> Diagnose(const DoctorRequest& request,
                              SystemProbes& probes);

}  // namespace mete
