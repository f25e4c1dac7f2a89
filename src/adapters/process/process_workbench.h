// Devices to measure on as control groups of this machine:
// device/{workload,load}, with the device's limits on the outer one.
#pragma once

#include <map>
#include <string>

#include "linux/system_root.h"
#include "ports/workbench.h"

namespace mete {

class ProcessWorkbenchMaker final : public WorkbenchMaker {
 public:
  // `program` is what processes execute (mete itself), `environment` is added
  // to theirs.
  ProcessWorkbenchMaker(std::string program,
                        std::map<std::string, std::string> environment,
                        SystemRoot root = SystemRoot());

  ~ProcessWorkbenchMaker() override;

  // Groups that a mete left behind that is no more are removed first.
  Result<std::unique_ptr<Workbench>> Open(const BenchRequest& request) override;
  Result<std::filesystem::path> Folder() override;

 private:
  std::string program_;
  std::map<std::string, std::string> environment_;
  SystemRoot root_;
  std::filesystem::path folder_;  // empty until it is asked for
};

}  // namespace mete
