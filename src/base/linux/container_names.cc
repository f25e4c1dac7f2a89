#include "linux/container_names.h"

#include <filesystem>
#include <utility>
#include <vector>

#include "support/json.h"
#include "support/text.h"

namespace mete {
namespace {

// Kubernetes' own names are far shorter; other files in a folder must not fill
// the page.
constexpr size_t kLongestName = 253;

bool AreNames(const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    if (part.empty() || part.size() > kLongestName) return false;
  }
  return parts.size() == 3;
}

}  // namespace

void ContainerNames::Refresh() {
  pods_.clear();
  // "NAMESPACE_POD_UID"; names contain no underscores.
  for (const std::string& folder : root_.Names("/var/log/pods")) {
    std::vector<std::string> parts = SplitAt(folder, '_');
    if (!AreNames(parts)) continue;
    pods_[parts[2]] = {.pod_name = parts[1], .pod_namespace = parts[0]};
  }
  containers_.clear();
  // "POD_NAMESPACE_CONTAINER-ID.log".
  for (const std::string& link : root_.Names("/var/log/containers")) {
    std::vector<std::string> parts = SplitAt(link, '_');
    if (!AreNames(parts) || !parts[2].ends_with(".log")) continue;
    parts[2].resize(parts[2].size() - 4);
    size_t dash = parts[2].rfind('-');
    if (dash == std::string::npos) continue;
    containers_[parts[2].substr(dash + 1)] = {.name = parts[2].substr(0, dash),
                                              .pod_name = parts[0],
                                              .pod_namespace = parts[1]};
  }
}

ContainerName ContainerNames::Of(const ContainerIdentity& container) const {
  if (container.pod.empty()) {
    return container.runtime == ContainerRuntime::kDocker
               ? ContainerName{.name = NameInDocker(container.id)}
               : ContainerName{};
  }
  auto known = containers_.find(container.id);
  if (known != containers_.end()) return known->second;
  auto pod = pods_.find(container.pod);
  return pod == pods_.end() ? ContainerName{} : pod->second;
}

// Docker's files put a slash before the name.
std::string ContainerNames::NameInDocker(const std::string& id) const {
  constexpr uintmax_t kLargest = 1 << 20;
  const auto file = std::filesystem::path("/var/lib/docker/containers") / id /
                    "config.v2.json";
  std::error_code error;
  const uintmax_t size = std::filesystem::file_size(root_.Locate(file), error);
  if (error || size > kLargest) return "";
  auto config = ParseJson(root_.TextOrNone(file));
  if (!config.ok() || !config->is_object()) return "";
  auto name = config->find("Name");
  if (name == config->end() || !name->is_string()) return "";
  std::string text = name->get<std::string>();
  if (text.starts_with('/')) text.erase(0, 1);
  return text.size() > kLongestName ? "" : text;
}

}  // namespace mete
