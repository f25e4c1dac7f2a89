#include "measure/application_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "support/check.h"
#include "support/nearest.h"

namespace mete {
namespace {

constexpr std::array<std::pair<PullPolicy, std::string_view>, 3> kPolicies = {
    {{PullPolicy::kMissing, "missing"},
     {PullPolicy::kAlways, "always"},
     {PullPolicy::kNever, "never"}}};

}  // namespace

std::string DisplayName(const ApplicationSpec& spec) {
  if (!spec.name.empty()) return spec.name;
  if (spec.container) return spec.container->image;
  if (spec.network) return spec.network->network.stem().string();
  if (spec.command.empty()) return "";
  return std::filesystem::path(spec.command[0]).filename().string();
}

Result<std::string> ParseLauncher(const std::string& name) {
  if (name == kKubernetesLauncher) return name;
  return InvalidInput("there is no launcher '" + name +
                      "'; the only one to choose is kubernetes");
}

std::string_view ToString(PullPolicy policy) {
  for (const auto& [candidate, name] : kPolicies) {
    if (candidate == policy) return name;
  }
  CHECK(false) << "a policy without a name: " << static_cast<int>(policy);
  return "";
}

Result<PullPolicy> ParsePullPolicy(const std::string& word) {
  std::vector<std::string> names;
  for (const auto& [policy, name] : kPolicies) {
    if (name == word) return policy;
    names.emplace_back(name);
  }
  return InvalidInput(fmt::format("'{}' is not missing, always or never{}",
                                  word, DidYouMean(word, names)));
}

Status AddProbe(const std::string& name, ProbeChoice& probes) {
  const std::vector<std::string> known = {"machine", "hooks", "perf", "gpu",
                                          "tegrastats"};
  if (std::ranges::find(known, name) == known.end()) {
    std::string nearest = DidYouMean(name, known);
    return InvalidInput(fmt::format(
        "unknown probe '{}'{}", name,
        nearest.empty() ? "; expected machine, hooks, perf, gpu or tegrastats"
                        : nearest));
  }
  if (name == "machine") {
    probes.machine = true;
  } else if (name == "hooks") {
    probes.hooks = true;
  } else {
    probes.required.push_back(name);
  }
  return {};
}

Result<std::pair<std::string, std::string>> ParseVariable(
    const std::string& text) {
  size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos) {
    return InvalidInput(fmt::format("'{}' is not NAME=VALUE", text));
  }
  return std::pair(text.substr(0, equals), text.substr(equals + 1));
}

}  // namespace mete
