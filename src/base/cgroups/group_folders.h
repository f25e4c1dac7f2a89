// cgroups as folders: names that identify their creator, members, removal, and
// where we can create a cgroup.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "linux/system_root.h"
#include "support/result.h"

namespace mete {

// All paths are paths on the machine; `root` locates its file tree.

// "PID-START-NAMESPACE" of this process; unique even after it has ended.
std::string OwnTag(const SystemRoot& root);
// True if the process of a tag is known to have ended. False for anything that
// is not a tag, and for tags of another pid namespace, whose pids mean nothing
// here.
bool OwnerIsGone(const SystemRoot& root, std::string_view tag);
// True if it is known to run. Both are false if /proc cannot be read.
bool OwnerRuns(const SystemRoot& root, std::string_view tag);

// "mete-app-TAG-N": unique, and shows who created it even after its end.
std::string NewGroupName(const SystemRoot& root);

std::vector<pid_t> ReadMembers(const SystemRoot& root,
                               const std::filesystem::path& folder);

// Removes the cgroup and its children. Waits for the moment that the kernel
// keeps a cgroup busy after its last member has ended.
void RemoveGroup(const SystemRoot& root, const std::filesystem::path& folder);

// Kills the members of cgroups whose mete process has ended, and removes these
// cgroups.
void RemoveLeftoverGroups(const SystemRoot& root);

// cgroup v2: the nearest folder at or above mete's `own` cgroup in which a
// cgroup with memory and cpu can be created. Fails when there is none.
Result<std::filesystem::path> UnifiedBase(const SystemRoot& root,
                                          const std::filesystem::path& own);

// cgroup v2: enables memory, cpu and all other available controllers for the
// children of `folder`, which must have no members.
Status PassOn(const SystemRoot& root, const std::filesystem::path& folder);

// Writes a value into a control file.
Status WriteControl(const std::filesystem::path& file,
                    const std::string& value);

}  // namespace mete
