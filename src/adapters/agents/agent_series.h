// Series straight from who measures them: a mete-agent, or any exporter with a
// page of metrics.
#pragma once

#include <string>
#include <vector>

#include "net/endpoint.h"
#include "net/http_client.h"
#include "ports/series_source.h"
#include "support/clock.h"

namespace mete {

class AgentSeries final : public SeriesSource {
 public:
  // The page is /metrics unless the address names another.
  AgentSeries(std::string name, Url url, const Clock& clock);

  std::string name() const override { return name_; }
  // Only `name{label="value"}`; what needs a history, Prometheus has.
  Status Check(const std::string& selector) const override;
  // One request for all.
  std::vector<Result<SeriesValues>> Ask(
      const std::vector<std::string>& selectors, std::stop_token stop) override;

 private:
  Result<std::string> Page(std::stop_token stop) const;

  std::string name_;
  std::string target_;
  HttpClient client_;
  const Clock& clock_;
};

}  // namespace mete
