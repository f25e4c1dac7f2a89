// Runs the real mete-agent as a child process and reads its series.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "net/http_client.h"
#include "net/metric_reader.h"
#include "net/metric_selector.h"
#include "support/check.h"
#include "tests/integration/daemon.h"
#include "tests/integration/until.h"

namespace mete {

class RunningAgent {
 public:
  // Its sockets, state and log are in the folder.
  explicit RunningAgent(const std::filesystem::path& folder)
      : folder_(folder),
        agent_({METE_AGENT, "--listen", Here(port_), "--state", folder.string(),
                "--hook-folder", folder.string(), "--app-window", "1s",
                "--max-age", "50ms", "--no-measure", "--user", "root"},
               folder / "agent.log") {
    CHECK(Until([this] { return !Page().metrics.empty(); }))
        << "the agent is silent";
  }

  std::string url() const { return "http://" + Here(port_); }
  std::string socket() const { return (folder_ / "hook.sock").string(); }

  MetricPage Page() const {
    auto page = HttpClient({.host = "127.0.0.1", .port = port_})
                    .Send({.target = "/metrics"});
    return ReadMetricPage(page.ok() ? page->body : "");
  }
  // Returns the value of the selected series; absent while it does not exist.
  std::optional<double> Value(const std::string& selector) const {
    auto chosen = MetricSelector::Parse(selector);
    CHECK(chosen.ok()) << chosen.error().message();
    for (const ReadMetric& metric : Page().metrics) {
      if (chosen->Chooses(metric)) return metric.value;
    }
    return std::nullopt;
  }

 private:
  std::filesystem::path folder_;
  uint16_t port_ = FreePort();
  Daemon agent_;
};

}  // namespace mete
