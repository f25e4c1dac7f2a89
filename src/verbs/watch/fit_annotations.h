// Keeps the annotations of an object within the limit of Kubernetes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "domain/cluster_object.h"

namespace mete {

// Kubernetes limits all annotations of an object together.
inline constexpr size_t kLargestAnnotations = size_t{256} * 1024;

// Removes keys of `ours` until they fit beside the annotations of others:
// `first` go first, in this order, then the largest. Returns what was removed.
std::vector<std::string> FitAnnotations(const LabelMap& existing,
                                        const std::vector<std::string>& first,
                                        LabelMap& ours,
                                        size_t limit = kLargestAnnotations);

}  // namespace mete
