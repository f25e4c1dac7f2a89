// Emulated devices as cgroups of this machine: device/{workload,load}, with the
// device's limits on the outer one.
#pragma once

#include <map>
#include <string>

#include "linux/system_root.h"
#include "ports/workbench.h"

namespace mete {

// Creates workbenches from cgroups.
class ProcessWorkbenchMaker final : public WorkbenchMaker {
 public:
  // `program` is the executable of the processes (mete itself); `environment`
  // is added to theirs.
  ProcessWorkbenchMaker(std::string program,
                        std::map<std::string, std::string> environment,
                        SystemRoot root = SystemRoot());

  ~ProcessWorkbenchMaker() override;

  // First removes cgroups left behind by mete processes that have ended.
  Result<std::unique_ptr<Workbench>> Open(const BenchRequest& request) override;
  Result<std::filesystem::path> Folder() override;

 private:
  std::string program_;
  std::map<std::string, std::string> environment_;
  SystemRoot root_;
  std::filesystem::path folder_;  // empty until first used
};

}  // namespace mete
