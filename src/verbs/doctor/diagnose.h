// What this machine can do: every part mete can use, found or not, with what
// to do when it is missing.
#pragma once

#include <filesystem>
#include <vector>

#include "doctor/finding.h"
#include "doctor/service_findings.h"
#include "ports/system_probes.h"

namespace mete {

struct DoctorRequest {
  std::filesystem::path root = "/";
  VariableLookup environment;
  int cores = 0;  // usable by this process; 0: not known
  std::filesystem::path store;
  // What only the caller can find out, such as ONNX Runtime; listed before
  // the store.
  std::vector<Finding> more;
};

// Reads and asks, changes nothing. Takes a few seconds at worst.
std::vector<Finding> Diagnose(const DoctorRequest& request,
                              SystemProbes& probes);

}  // namespace mete
