// Port: observes something that already runs, without owning it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "domain/run.h"
#include "ports/launcher.h"
#include "support/result.h"

namespace mete {

// What to observe: a process with its descendants, or a container.
struct AttachTarget {
  std::optional<int> pid;
  std::string container;  // name, id or its beginning; used without a pid
};

// Something that runs. `application` reports its usage since the attachment.
// Its Terminate and Kill do nothing, and nothing ends when it is destroyed. Its
// outcome has no exit code: only a parent gets one.
struct AttachedService {
  Workload workload;  // of kind kService
  std::unique_ptr<RunningApplication> application;
};

// Fails with kNotFound when nothing like it runs, with kInvalidInput when the
// name is ambiguous, and with kPermissionDenied or kUnsupported when its usage
// cannot be read.
using AttachFunction =
    std::function<Result<AttachedService>(const AttachTarget&)>;

}  // namespace mete
