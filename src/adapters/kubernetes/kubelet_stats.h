// The usage of a pod as its kubelet counts it (/stats/summary).
#pragma once

#include <string>
#include <string_view>

#include "domain/application_details.h"
#include "support/result.h"

namespace mete {

// Fails with kNotFound when the pod with this uid is not in it, with kCorrupt
// when it is not JSON.
Result<ResourceUsage> ParseKubeletStats(std::string_view body,
                                        const std::string& pod_uid);

}  // namespace mete
