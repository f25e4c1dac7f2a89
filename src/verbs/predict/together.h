// Predicts what services see side by side on one device, and which of them
// disturbs the others most.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "contention/predictor_document.h"
#include "domain/mix.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// "APP", "APP:INSTANCES", "APP@RATE" or "APP:INSTANCES@RATE"; one instance and
// one request per second are the default. Parts are separated by commas. Fails
// with kInvalidInput and what is wrong.
Result<std::vector<Tenant>> ParseTenants(const std::string& text);

// What one tenant sees.
struct TenantAnswer {
  Tenant tenant;
  TenantTimes together;
  TenantTimes alone;  // the same instances and rate, without the others
  // Mean service time together over alone.
  std::optional<double> slowdown;
};

// Which tenant's removal helps the others most.
struct Bully {
  size_t tenant = 0;
  // By this factor, the geometric mean of the others' mean service times falls.
  double relief = 1;
};

// The answer for one device.
struct TogetherAnswer {
  std::string device;
  std::string method;
  std::optional<double> median_error;  // of service times, on held-out mixes
  std::vector<TenantAnswer> tenants;
  std::optional<Bully> bully;  // absent for a single tenant
};

// Fails as ContentionPredictor::Predict does, and with kCorrupt when the
// predictor is damaged.
Result<TogetherAnswer> PredictTogether(const ContentionDocument& document,
                                       const std::vector<Tenant>& tenants);

std::string TogetherText(const TogetherAnswer& answer);
std::string TogetherCsv(const TogetherAnswer& answer);
Json TogetherToJson(const TogetherAnswer& answer);

}  // namespace mete
