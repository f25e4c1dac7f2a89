#include "predict/fastest_device.h"

#include <algorithm>
#include <map>
#include <vector>

#include "support/random.h"

namespace mete {
namespace {

struct Timed {
  double measured = 0;
  double predicted = 0;
};

// Runs of one network, by device.
using ByDevice = std::map<std::string, std::vector<Timed>>;

std::vector<Timed> Draw(const ByDevice& devices, Random& random) {
  std::vector<Timed> drawn;
  for (const auto& [name, runs] : devices) {
    drawn.push_back(runs[random.Below(runs.size())]);
  }
  return drawn;
}

void Judge(std::vector<Timed> drawn, double margin, FastestDevice& judged) {
  auto predicted =
      std::ranges::min_element(drawn, {}, &Timed::predicted)->measured;
  std::ranges::sort(drawn, {}, &Timed::measured);
  if (drawn[1].measured <= drawn[0].measured * (1 + margin)) return;
  ++judged.cases;
  if (predicted == drawn[0].measured) ++judged.right;
}

}  // namespace

FastestDevice JudgeFastest(std::span<const LatencyRow> rows,
                           const HeldOut& held,
                           const FastestDeviceRequest& request) {
  std::map<std::string, ByDevice> networks;
  for (size_t i = 0; i < held.rows.size(); ++i) {
    const LatencyRow& row = rows[held.rows[i]];
    networks[NetworkKey(row)][row.device].push_back(
        {held.truth[i], held.predicted[i]});
  }
  Random random(DeriveSeed(request.seed, "fastest device"));
  FastestDevice judged;
  for (const auto& [name, devices] : networks) {
    if (devices.size() < 2) continue;
    for (size_t i = 0; i < request.draws; ++i) {
      Judge(Draw(devices, random), request.margin, judged);
    }
  }
  return judged;
}

}  // namespace mete
