// Emulated devices as cgroups of this machine: device/{workload,load}, with the
// device's limits on the outer one.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "linux/system_root.h"
#include "ports/testbed.h"
#include "support/scratch_folder.h"

namespace mete {

// Creates testbeds from cgroups.
class ProcessTestbedFactory final : public TestbedFactory {
 public:
  // `program` is the executable of the processes (mete itself); `environment`
  // is added to theirs.
  ProcessTestbedFactory(std::string program,
                        std::map<std::string, std::string> environment,
                        SystemRoot root = SystemRoot());

  // First removes cgroups left behind by mete processes that have ended.
  Result<std::unique_ptr<Testbed>> Open(const TestbedRequest& request) override;
  Result<std::filesystem::path> Folder() override;

 private:
  std::string program_;
  std::map<std::string, std::string> environment_;
  SystemRoot root_;
  std::optional<ScratchFolder> folder_;  // from its first use
};

}  // namespace mete
