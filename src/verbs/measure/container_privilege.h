// Detects containers with more privileges than an ordinary one.
#pragma once

#include <optional>
#include <string>

#include "domain/container.h"
#include "support/result.h"

namespace mete {

// Explains in one sentence which setting gives the container more privileges
// than an ordinary one has. Absent when none does. Follows symbolic links, so
// that a link to an engine's socket is detected. docs/reference/session.md
// lists the settings.
std::optional<std::string> WidenedPrivilege(const ContainerSettings& settings);

// Fails with kInvalidInput if the container has such a setting and it is not
// allowed.
Status CheckPrivileges(const ContainerSettings& settings, bool allowed);

}  // namespace mete
