#include "wiring/leftovers.h"

#include "cgroups/group_folders.h"
#include "linux/system_root.h"
#include "support/scratch_folder.h"

namespace mete {

void RemoveLeftovers() {
  ScratchFolder::RemoveAbandoned();
  RemoveLeftoverGroups(SystemRoot());
}

}  // namespace mete
