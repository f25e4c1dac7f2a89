// Control groups as folders: names that tell their maker, members, removal, and
// where a group of ours can be made.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "linux/system_root.h"
#include "support/result.h"

namespace mete {

// Paths are the machine's; `root` says where that lies.

// "PID-START-NAMESPACE" of this process: names it for good, also after its end.
std::string OwnTag(const SystemRoot& root);
// Whether the process of a tag is no more. False for what is no tag, and for
// those of another pid namespace, whose processes have other numbers here.
bool OwnerIsGone(const SystemRoot& root, std::string_view tag);

// "mete-app-TAG-N": unique, and who made it can be told after its end.
std::string NewGroupName(const SystemRoot& root);

std::vector<pid_t> ReadMembers(const SystemRoot& root,
                               const std::filesystem::path& folder);

// With the groups in it. The kernel keeps a group busy for a moment after its
// last member has ended; that is waited for.
void RemoveGroup(const SystemRoot& root, const std::filesystem::path& folder);

// Ends the members of groups whose mete is no more, and removes them.
void RemoveLeftoverGroups(const SystemRoot& root);

// Version 2: the nearest folder at or above mete's `own` group below which a
// group can be made that has memory and cpu. Fails when there is none.
Result<std::filesystem::path> UnifiedBase(const SystemRoot& root,
                                          const std::filesystem::path& own);

// Version 2: gives groups below `folder`, which must have no members, memory
// and cpu, and what else there is.
Status PassOn(const SystemRoot& root, const std::filesystem::path& folder);

// Writes a value into a control file.
Status WriteControl(const std::filesystem::path& file,
                    const std::string& value);

}  // namespace mete
