// Runs a real server of metrics, Prometheus or VictoriaMetrics, as a child
// process of a test.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "net/http_client.h"
#include "support/check.h"
#include "support/file.h"
#include "tests/integration/daemon.h"
#include "tests/integration/until.h"

namespace mete {

enum class MetricServerKind { kPrometheus, kVictoriaMetrics };

// The name of the server in the name of a test.
inline std::string MetricServerName(
    const testing::TestParamInfo<MetricServerKind>& kind) {
  return kind.param == MetricServerKind::kPrometheus ? "Prometheus"
                                                     : "VictoriaMetrics";
}

class MetricServer {
 public:
  // The program, or "" when it is not installed.
  static std::string Program(MetricServerKind kind) {
    std::string path = kind == MetricServerKind::kPrometheus
                           ? "/usr/bin/prometheus"
                           : "/usr/bin/victoria-metrics";
    return std::filesystem::exists(path) ? path : "";
  }

  // Scrapes the targets (host:port) every second. Its data are in the folder.
  MetricServer(MetricServerKind kind, const std::filesystem::path& folder,
               const std::vector<std::string>& targets)
      : kind_(kind), folder_(folder) {
    std::string list;
    for (const std::string& target : targets) list += "'" + target + "',";
    CHECK(WriteFileAtomically(folder_ / "scrape.yml",
                              "global: {scrape_interval: 1s}\n"
                              "scrape_configs:\n"
                              "- job_name: test\n"
                              "  static_configs:\n"
                              "  - targets: [" +
                                  list + "]\n")
              .ok());
    Start();
  }

  std::string url() const { return "http://" + Here(port_); }
  void Kill() {
    process_->End(SIGKILL);
    process_.reset();
  }
  void Start() {
    process_ = std::make_unique<Daemon>(Command(), folder_ / "server.log");
    CHECK(Until([this] { return Ready(); })) << "the server is silent";
  }

 private:
  std::vector<std::string> Command() const {
    const std::string data = (folder_ / "data").string();
    const std::string scrape = (folder_ / "scrape.yml").string();
    if (kind_ == MetricServerKind::kPrometheus) {
      return {Program(kind_), "--config.file=" + scrape,
              "--storage.tsdb.path=" + data,
              "--web.listen-address=" + Here(port_)};
    }
    return {Program(kind_), "-promscrape.config=" + scrape,
            "-storageDataPath=" + data, "-httpListenAddr=" + Here(port_),
            "-search.latencyOffset=1s"};
  }
  bool Ready() const {
    auto reply = HttpClient({.host = "127.0.0.1", .port = port_})
                     .Send({.target = "/api/v1/query?query=1"});
    return reply.ok() && reply->ok();
  }

  MetricServerKind kind_;
  std::filesystem::path folder_;
  uint16_t port_ = FreePort();
  std::unique_ptr<Daemon> process_;
};

}  // namespace mete
