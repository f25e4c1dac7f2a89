// Random predictors for property tests: any numbers that training could learn.
#pragma once

#include <string>
#include <vector>

#include "contention/pressure_predictor.h"
#include "support/random.h"

namespace mete {

inline ServiceHead RandomHead(Random& random, size_t pressures,
                              const ServiceHead* below) {
  ServiceHead head{.offset = below == nullptr
                                 ? random.Normal() - 4
                                 : below->offset + random.Uniform() / 4};
  for (size_t j = 0; j < 3; ++j) {
    PressurePiece piece = below == nullptr
                              ? PressurePiece{.constant = random.Normal() - 1}
                              : below->pieces[j];
    piece.constant += random.Uniform() / 4;
    piece.own += random.Uniform() / 4;
    for (size_t k = 0; k < pressures; ++k) {
      piece.slope.parts[k] += random.Uniform();
    }
    head.pieces.push_back(piece);
  }
  return head;
}

inline PressureApplication RandomApplication(Random& random, size_t pressures) {
  PressureApplication application{.service_alone =
                                      0.002 + random.Uniform() / 10};
  for (size_t k = 0; k < pressures; ++k) {
    for (double& weight : application.weights[k]) weight = random.Uniform();
  }
  for (size_t s = 0; s < kTimeStatistics; ++s) {
    // The mean and the median begin; the other quantiles lie above the median.
    application.service[s] = RandomHead(
        random, pressures, s < 2 ? nullptr : &application.service[s - 1]);
    application.sojourn_offsets[s] =
        (s < 2 ? 0 : application.sojourn_offsets[s - 1]) +
        random.Uniform() / 10;
  }
  return application;
}

inline PressurePredictor RandomPressurePredictor(uint64_t seed,
                                                 size_t pressures) {
  Random random(seed);
  PressurePredictor::Parts parts;
  parts.network.pressures = pressures;
  parts.network.gamma = 0.05 + 0.95 * random.Uniform();
  parts.network.stable_utilisation = 0.7 + 0.25 * static_cast<double>(seed % 2);
  parts.network.largest_slowdown = 1 + 2 * random.Uniform();
  for (size_t s = 0; s < kTimeStatistics; ++s) {
    SojournCurve& curve = parts.network.sojourn[s];
    if (s >= 2) curve = parts.network.sojourn[s - 1];
    curve.kappa += random.Uniform() / 4;
    double rise = 0;
    for (double& value : curve.values) {
      value += rise;
      rise += random.Uniform() / 4;
    }
  }
  for (const char* name : {"alpha", "beta", "gamma"}) {
    parts.applications.emplace_back(name);
    parts.network.applications.push_back(RandomApplication(random, pressures));
    parts.margins.emplace_back();
  }
  parts.margins[1].fill(LogMargin{.low = -0.2, .high = 0.3});
  return PressurePredictor(std::move(parts));
}

// One to four tenants of the applications above.
inline std::vector<Tenant> RandomTenants(Random& random) {
  const std::string names[] = {"alpha", "beta", "gamma"};
  std::vector<Tenant> tenants;
  const uint64_t count = 1 + random.Below(4);
  for (uint64_t i = 0; i < count; ++i) {
    tenants.push_back({.application = names[random.Below(3)],
                       .instances = static_cast<int>(1 + random.Below(4)),
                       .rate = 0.5 + 40 * random.Uniform()});
  }
  return tenants;
}

}  // namespace mete
