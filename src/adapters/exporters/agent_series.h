// Series directly from where they are measured: a mete-agent, or any exporter
// with a page of metrics.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "net/endpoint.h"
#include "net/http_client.h"
#include "net/url_login.h"
#include "ports/series_source.h"
#include "support/clock.h"

namespace mete {

// A page of metrics as a source of series.
class AgentSeries final : public SeriesSource {
 public:
  // Reads /metrics unless the URL has another path. A user name and password in
  // it are sent, but are not part of the source's name. Fails with
  // kInvalidInput.
  static Result<std::unique_ptr<AgentSeries>> Open(const std::string& url,
                                                   const Clock& clock);

  std::string name() const override { return name_; }
  // Only `name{label="value"}`; anything that needs history needs Prometheus.
  Status Check(const std::string& selector) const override;
  // One request for all selectors.
  std::vector<Result<SeriesValues>> Ask(
      const std::vector<std::string>& selectors, std::stop_token stop) override;

 private:
  AgentSeries(LoginUrl login, Url url, const Clock& clock);

  Result<std::string> Page(std::stop_token stop) const;

  std::string name_;
  std::string target_;
  HttpFields fields_;
  HttpClient client_;
  const Clock& clock_;
};

}  // namespace mete
