#include "doctor/diagnose.h"

#include "doctor/machine_findings.h"

namespace mete {

std::vector<Finding> Diagnose(const DoctorRequest& request,
                              SystemProbes& probes) {
  const SystemRoot root(request.root);
  std::vector<Finding> findings = {
      FindSystem(root),
      FindProcessor(root, request.cores),
      FindCgroups(root),
      FindPerfCounters(root, probes),
      FindRapl(root),
      FindNvidia(root, probes),
      FindDocker(root, request.environment, probes),
      FindPodman(root, request.environment, probes),
      FindPrometheus(request.environment, probes),
      FindKubernetes(root, request.environment),
  };
  findings.insert(findings.end(), request.more.begin(), request.more.end());
  findings.push_back(FindStore(root, request.store));
  return findings;
}

}  // namespace mete
