#include "watch/fit_annotations.h"

#include <algorithm>

namespace mete {
namespace {

size_t SizeOf(const LabelMap::value_type& entry) {
  return entry.first.size() + entry.second.size();
}

// The size of the object's annotations once ours are written.
size_t SizeAfter(const LabelMap& existing, const LabelMap& ours) {
  size_t size = 0;
  for (const auto& entry : ours) size += SizeOf(entry);
  for (const auto& entry : existing) {
    if (!ours.contains(entry.first)) size += SizeOf(entry);
  }
  return size;
}

}  // namespace

std::vector<std::string> FitAnnotations(const LabelMap& existing,
                                        const std::vector<std::string>& first,
                                        LabelMap& ours, size_t limit) {
  std::vector<std::string> removed;
  LabelMap others = existing;
  auto drop = [&](const std::string& key) {
    if (ours.erase(key) == 0) return;
    others.erase(key);
    removed.push_back(key);
  };
  for (const std::string& key : first) {
    if (SizeAfter(others, ours) <= limit) return removed;
    drop(key);
  }
  while (!ours.empty() && SizeAfter(others, ours) > limit) {
    auto largest = std::ranges::max_element(
        ours, {}, [](const auto& entry) { return SizeOf(entry); });
    drop(std::string(largest->first));
  }
  return removed;
}

}  // namespace mete
