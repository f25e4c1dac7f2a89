// Series straight from who measures them: a mete-agent, or any exporter with a
// page of metrics.
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

class AgentSeries final : public SeriesSource {
 public:
  // The page is /metrics unless the address names another. A name and password
  // in it are sent along, but are no part of the source's name. Fails with
  // kInvalidInput.
  static Result<std::unique_ptr<AgentSeries>> Open(const std::string& url,
                                                   const Clock& clock);

  std::string name() const override { return name_; }
  // Only `name{label="value"}`; what needs a history, Prometheus has.
  Status Check(const std::string& selector) const override;
  // One request for all.
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
