// The predictor of mete: services press on their device, pressures add up, and
// times grow with the sum. docs/internals/contention.md has the mathematics.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contention/contention_predictor.h"
#include "contention/pressure.h"
#include "contention/pressure_network.h"
#include "support/json_fwd.h"

namespace mete {

// Natural logarithms of measured over predicted time: an interval around
// predictions, from mixes that were held out of training.
struct LogMargin {
  double low = 0;   // at most 0
  double high = 0;  // at least 0
};
// Of one application, in the order of AllTimeLabels().
using LogMargins =
    std::array<std::optional<LogMargin>, kTimeKinds * kTimeStatistics>;

// An objective of a tenant: at most `limit`.
struct TimeObjective {
  std::string application;
  double rate = 0;  // requests per second of one instance
  TimeLabel label{};
  Seconds limit{0};
};

// Whether the upper end of the interval has to meet an objective, or the
// predicted time itself.
enum class Margin { kUpperEnd, kNone };

// A network of pressures with the names of its applications and its margins. A
// small value: copy it, keep it in a file.
class PressurePredictor final : public ContentionPredictor {
 public:
  // What a predictor consists of; public for files and tests. The vectors have
  // one entry for each application, sorted by name.
  struct Parts {
    std::vector<std::string> applications;
    PressureNetwork network;
    std::vector<LogMargins> margins;
  };
  explicit PressurePredictor(Parts parts);

  // Fails with kCorrupt when the document is not a predictor.
  static Result<PressurePredictor> FromJson(const Json& json);
  Json ToJson() const;

  // The pressure of one instance at `rate` requests per second. Grows with the
  // rate. Fails with kNotFound for an unknown application.
  Result<PressureVector> PressureOf(std::string_view application,
                                    double rate) const;
  // The sum over all tenants. It depends on numbers of instances only: two
  // tenants of two instances are one tenant of four.
  Result<PressureVector> SumOf(std::span<const Tenant> tenants) const;

  // The region of all sums of pressures, including the tenant's own, in which
  // the predicted time (or the upper end of its interval, if it has one) is at
  // most the limit. Fails as PressureOf does.
  Result<PressureRegion> RegionOf(const TimeObjective& objective,
                                  Margin margin) const;

  // Times of a tenant of this application and rate when the sum of pressures
  // on its device is `sum`.
  Result<TenantTimes> TimesUnder(std::string_view application, double rate,
                                 const PressureVector& sum) const;

  std::string_view method() const override { return "pressure"; }
  std::vector<std::string> Applications() const override {
    return parts_.applications;
  }
  Result<std::vector<TenantTimes>> Predict(
      std::span<const Tenant> tenants) const override;

  const Parts& parts() const { return parts_; }

 private:
  Result<size_t> Find(std::string_view application) const;
  TenantTimes TimesOf(size_t application, double rate,
                      const PressureVector& sum) const;

  Parts parts_;
};

}  // namespace mete
