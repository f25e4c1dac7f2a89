// Series from any PromQL query, from Prometheus or a compatible server.
#pragma once

#include <string>
#include <vector>

#include "adapters/prometheus/prometheus_client.h"
#include "ports/series_source.h"

namespace mete {

// Prometheus itself decides when a value is too old to return (five minutes by
// default); ages are not known here.
class PrometheusSeries final : public SeriesSource {
 public:
  PrometheusSeries(std::string name, PrometheusPlace place)
      : name_(std::move(name)), client_(std::move(place)) {}

  std::string name() const override { return name_; }
  // Accepts everything: only Prometheus can check PromQL.
  Status Check(const std::string& selector) const override;
  // One query per selector, all within two seconds.
  std::vector<Result<SeriesValues>> Ask(
      const std::vector<std::string>& selectors, std::stop_token stop) override;

 private:
  std::string name_;
  PrometheusClient client_;
};

}  // namespace mete
