#include "domain/mix.h"

#include <array>
#include <utility>

namespace mete {
namespace {

constexpr std::array<std::pair<MixKind, std::string_view>, 4> kMixKinds{{
    {MixKind::kBaseline, "baseline"},
    {MixKind::kPairwise, "pairwise"},
    {MixKind::kRandom, "random"},
    {MixKind::kActive, "active"},
}};

}  // namespace

std::string_view MixKindName(MixKind kind) {
  for (const auto& [value, name] : kMixKinds) {
    if (value == kind) return name;
  }
  return "unknown";
}

Result<MixKind> ParseMixKind(std::string_view name) {
  for (const auto& [value, known] : kMixKinds) {
    if (known == name) return value;
  }
  return InvalidInput("unknown kind of mix '" + std::string(name) +
                      "'; there are baseline, pairwise, random and active");
}

}  // namespace mete
