// Removes what killed processes of mete have left behind.
#pragma once

namespace mete {

// Temporary folders and cgroups of this user whose process has ended, with the
// processes in those cgroups. Containers are removed when their engine is next
// used.
void RemoveLeftovers();

}  // namespace mete
