// Series by any PromQL, from Prometheus or whoever answers as it does.
#pragma once

#include <string>
#include <vector>

#include "adapters/prometheus/prometheus_client.h"
#include "ports/series_source.h"

namespace mete {

// Prometheus itself decides what is too old to be answered (five minutes
// unless it is told otherwise); ages are not known here.
class PrometheusSeries final : public SeriesSource {
 public:
  PrometheusSeries(std::string name, PrometheusPlace place)
      : name_(std::move(name)), client_(std::move(place)) {}

  std::string name() const override { return name_; }
  // Only Prometheus knows its language.
  Status Check(const std::string& selector) const override;
  // One query each, all within two seconds.
  std::vector<Result<SeriesValues>> Ask(
      const std::vector<std::string>& selectors, std::stop_token stop) override;

 private:
  std::string name_;
  PrometheusClient client_;
};

}  // namespace mete
