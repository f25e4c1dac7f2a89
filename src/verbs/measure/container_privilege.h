// Whether a container could do more to the machine than an ordinary one.
#pragma once

#include <optional>
#include <string>

#include "domain/container.h"

namespace mete {

// One sentence on what gives the container more power over the machine than an
// ordinary one has; absent when nothing does. Follows symbolic links, so that
// a link to an engine's socket is seen through. docs/reference/session.md has
// the list.
std::optional<std::string> WidenedPrivilege(const ContainerSettings& settings);

}  // namespace mete
