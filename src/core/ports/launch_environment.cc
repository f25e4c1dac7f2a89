#include "ports/launch_environment.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace mete {
namespace {

// Libraries that by default start one thread per core; with a smaller quota
// these wait for each other.
constexpr std::array kThreadHints = {
    "OMP_NUM_THREADS",        "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",       "NUMEXPR_NUM_THREADS",  "VECLIB_MAXIMUM_THREADS",
    "TF_NUM_INTRAOP_THREADS", "GOMAXPROCS",           "RAYON_NUM_THREADS"};

std::optional<int64_t> ThreadsFor(const Limits& limits) {
  if (limits.threads) return *limits.threads;
  if (!limits.cpus) return std::nullopt;
  return std::max<int64_t>(1, (limits.cpus->count + 999) / 1000);
}

}  // namespace

std::vector<std::string> EnvironmentFor(const LaunchRequest& request,
                                        const std::vector<std::string>& own) {
  std::map<std::string, std::string> values;
  for (const std::string& entry : own) {
    size_t equals = entry.find('=');
    if (equals == std::string::npos) continue;
    values[entry.substr(0, equals)] = entry.substr(equals + 1);
  }
  for (const auto& [name, value] : request.environment) values[name] = value;
  if (auto threads = ThreadsFor(request.limits)) {
    for (const char* name : kThreadHints) {
      values.try_emplace(name, std::to_string(*threads));
    }
  }
  std::vector<std::string> entries;
  for (const auto& [name, value] : values)
    entries.push_back(name + "=" + value);
  return entries;
}

}  // namespace mete
