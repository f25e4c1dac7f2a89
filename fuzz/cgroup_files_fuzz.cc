// Reads the cgroups of a machine whose files have arbitrary contents. Nothing
// may crash, hang or overflow.
#include "fuzz/input.h"
#include "fuzz/machine_files.h"
#include "linux/cgroup_facts.h"
#include "linux/cgroup_limits.h"
#include "linux/cgroup_paths.h"
#include "linux/cgroup_trees.h"
#include "linux/cgroup_usage.h"
#include "linux/container_groups.h"
#include "linux/mount_table.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  const std::string_view text = fuzz::ToText(bytes, size);
  mete::ParseMemoryLimit(text);
  mete::ParseCores(text);
  if (auto container = mete::IdentifyContainer(text)) container->ShortName();

  const mete::MachineFiles machine(text);
  const mete::SystemRoot& root = machine.root();
  mete::ReadMounts(root);
  const mete::CgroupFacts facts = mete::ReadCgroups(root);
  mete::ReadCpuLimit(root, facts);
  mete::ReadMemoryLimit(root, facts);
  mete::ReadCgroupUsage(root, mete::FindCgroupPaths(root, 4242));
  const mete::CgroupTrees trees(root);
  for (const mete::ContainerIdentity& found : mete::FindContainers(trees)) {
    mete::FindElsewhere(root, trees, found);
  }
  mete::ContainerOfProcess(root, 4242);
  return 0;
}
