// Tests the real mete-agent with a real Prometheus, promtool, an application
// with the hook, and hostile clients.
#include <mete/hook.h>  // first: it asks libc for what it needs

#include <crypt.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <thread>

#include "net/http_client.h"
#include "support/file.h"
#include "support/json.h"
#include "tests/fakes/certificates.h"
#include "tests/fakes/hostile_bytes.h"
#include "tests/fakes/raw_caller.h"
#include "tests/integration/daemon.h"
#include "tests/integration/until.h"

namespace mete {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kPrometheus = "/usr/bin/prometheus";
constexpr const char* kPromtool = "/usr/bin/promtool";

std::string HashWithBcrypt(const std::string& password) {
  crypt_data room{};
  const char* hash =
      crypt_r(password.c_str(), "$2y$04$abcdefghijklmnopqrstuu", &room);
  CHECK(hash != nullptr);
  return hash;
}

class AgentTest : public testing::Test {
 protected:
  void Launch(const std::vector<std::string>& more, const std::string& user) {
    std::vector<std::string> arguments{METE_AGENT,
                                       "--listen",
                                       Here(port_),
                                       "--node",
                                       "edge \"one\"",
                                       "--state",
                                       (folder_.path() / "state").string(),
                                       "--hook-folder",
                                       (folder_.path() / "hooks").string(),
                                       "--max-age",
                                       "1ms",
                                       "--no-measure",
                                       "--user",
                                       user};
    arguments.insert(arguments.end(), more.begin(), more.end());
    agent_ = std::make_unique<Daemon>(arguments, Log());
  }
  void Start(const std::vector<std::string>& more = {},
             const std::string& user = "root") {
    Launch(more, user);
    ASSERT_TRUE(Until([this] { return Page().size() > 1000; })) << Said();
  }
  std::filesystem::path Log() const { return folder_.path() / "agent.log"; }
  std::string Said() const { return *ReadFile(Log()); }

  Result<HttpResponse> Get(const std::string& target,
                           const HttpFields& fields = {}) {
    return HttpClient({.host = "127.0.0.1", .port = port_})
        .Send({.target = target, .fields = fields});
  }
  std::string Page() {
    auto page = Get("/metrics");
    return page.ok() ? page->body : page.error().message();
  }
  // Returns the value of one series; -1 while it does not exist.
  double Value(const std::string& series) {
    std::string page = Page();
    size_t found = page.find("\n" + series + " ");
    if (found == std::string::npos) return -1;
    return std::stod(page.substr(found + series.size() + 2));
  }
  double ResidentMegabytes() {
    return Value("process_resident_memory_bytes") / 1e6;
  }

  // Returns promtool's complaints about a page; "" if there are none.
  std::string Judge(const std::string& page) {
    const auto file = folder_.path() / "page.txt";
    const auto verdict = folder_.path() / "verdict.txt";
    CHECK(WriteFileAtomically(file, page).ok());
    std::filesystem::remove(verdict);
    Daemon promtool(
        {"sh", "-c",
         std::string(kPromtool) + " check metrics < " + file.string() + " > " +
             verdict.string() + " 2>&1; echo $? >> " + verdict.string()},
        "/dev/null");
    CHECK(Until([&] {
      auto said = ReadFile(verdict);
      return said.ok() && said->find('\n') != std::string::npos;
    }));
    std::string said = *ReadFile(verdict);
    return said == "0\n" ? "" : said;
  }

  ScratchFolder folder_ = *ScratchFolder::Create();
  uint16_t port_ = FreePort();
  std::unique_ptr<Daemon> agent_;
};

TEST_F(AgentTest, PromtoolFindsNoProblem) {
  if (!std::filesystem::exists(kPromtool)) {
    GTEST_SKIP() << kPromtool << " is missing; apt-get install prometheus";
  }
  Start();
  EXPECT_EQ(Judge(Page()), "");
  EXPECT_NE(Judge("x_total 1\nx_total 1\n"), "") << "promtool judges nothing";
}

TEST_F(AgentTest, SupportsOpenMetrics) {
  Start();
  auto page = Get("/metrics", {{"accept", "application/openmetrics-text"}});
  ASSERT_TRUE(page.ok());
  EXPECT_THAT(page->fields.at("content-type"),
              HasSubstr("application/openmetrics-text"));
  EXPECT_TRUE(page->body.ends_with("# EOF\n"));
}

TEST_F(AgentTest, IsScrapedByPrometheusAndAnswersPromQl) {
  if (!std::filesystem::exists(kPrometheus)) {
    GTEST_SKIP() << kPrometheus << " is missing; apt-get install prometheus";
  }
  Start();
  const uint16_t prometheus_port = FreePort();
  const auto config = folder_.path() / "prometheus.yml";
  ASSERT_TRUE(WriteFileAtomically(config,
                                  "global:\n  scrape_interval: 500ms\n"
                                  "scrape_configs:\n- job_name: agent\n"
                                  "  static_configs:\n  - targets: ['" +
                                      Here(port_) + "']\n")
                  .ok());
  Daemon prometheus(
      {kPrometheus, "--config.file=" + config.string(),
       "--storage.tsdb.path=" + (folder_.path() / "tsdb").string(),
       "--web.listen-address=" + Here(prometheus_port)},
      folder_.path() / "prometheus.log");
  auto ask = [&](const std::string& promql) -> Json {
    auto answer =
        HttpClient({.host = "127.0.0.1", .port = prometheus_port})
            .Send({.target = "/api/v1/query?query=" + PercentEncode(promql)});
    if (!answer.ok() || answer->status != 200) return Json::array();
    return ParseJson(answer->body)->at("data").at("result");
  };
  auto answers = [&](const std::string& promql) {
    return Until([&] { return ask(promql).size() == 1; });
  };
  EXPECT_TRUE(answers("up == 1"));
  EXPECT_TRUE(answers("char_node_cpu_total_cores{char_node_bits=\"64\"} > 0"));
  EXPECT_TRUE(answers("mete_device_info{node=\"edge \\\"one\\\"\"}"));
  EXPECT_TRUE(answers("sum(rate(mete_device_cpu_seconds_total[10s])) > 0.5"));
  EXPECT_TRUE(
      answers("mete_agent_collector_success{collector=\"device\"} == "
              "1"));
  EXPECT_EQ(ask("mete_agent_collector_success == 0").size(), 0u);
}

TEST_F(AgentTest, ExposesMetricsOfAnApplicationUntilItExpires) {
  Start({"--app-expiry", "2s", "--app-window", "3s"});
  setenv("METE_HOOK_SOCKET", (folder_.path() / "hooks/hook.sock").c_str(), 1);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(4);
  for (int i = 0; std::chrono::steady_clock::now() < end; ++i) {
    hook::Timer timer("infer");
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    hook::Rate("frame");
    hook::Number("queue_length", i);
  }
  const std::string app =
      "{node=\"edge \\\"one\\\"\",app=\"agent_test\",container=\"\",metric=\"";
  const double rate = Value("mete_app_rate_hertz" + app + "frame\"}");
  EXPECT_GT(rate, 5);
  EXPECT_LE(rate, 50.5) << "a frame takes 20 ms";
  EXPECT_GE(Value("mete_app_recent_duration_seconds" + app +
                  "infer\",quantile=\"0.5\"}"),
            0.02);
  EXPECT_GT(Value("mete_app_value" + app + "queue_length\"}"), 20);
  EXPECT_EQ(Value("mete_app_dropped_events_total" + app + "frame\"}"), 0);
  // The application is silent now.
  EXPECT_TRUE(Until(
      [this] { return Value("mete_apps{node=\"edge \\\"one\\\"\"}") == 0; }));
  EXPECT_THAT(Page(), Not(HasSubstr("agent_test")));
}

TEST_F(AgentTest, IsSmallWhenIdle) {
  Start();
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers use additional memory";
#endif
  for (int i = 0; i < 20; ++i) Page();
  EXPECT_LT(ResidentMegabytes(), 12);
}

TEST_F(AgentTest, HasTheSameUuidAfterARestart) {
  auto uuid = [this] {
    std::string page = Page();
    return page.substr(page.find("uuid=\""), 42);
  };
  Start();
  const std::string before = uuid();
  int status = agent_->End(SIGTERM);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << Said();
  Start();
  EXPECT_EQ(uuid(), before);
}

// The command of a new user, except for the port.
TEST_F(AgentTest, RootCanStartItWithoutFlags) {
  if (geteuid() != 0) GTEST_SKIP() << "the default folders need root";
  for (const char* folder : {"/run/mete", "/var/lib/mete-agent"}) {
    if (std::filesystem::exists(folder)) {
      GTEST_SKIP() << folder << " exists: an agent may be running";
    }
  }
  agent_ = std::make_unique<Daemon>(
      std::vector<std::string>{METE_AGENT, "--listen", Here(port_)}, Log());
  EXPECT_TRUE(Until([this] { return Page().size() > 1000; })) << Said();
  EXPECT_THAT(Said(), HasSubstr("METE_HOOK_SOCKET=/run/mete/hook.sock"));
  agent_.reset();
  std::filesystem::remove_all("/run/mete");
  std::filesystem::remove_all("/var/lib/mete-agent");
}

TEST_F(AgentTest, DropsRootPrivileges) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root";
  // Others must be able to reach the folder.
  std::filesystem::permissions(folder_.path(), std::filesystem::perms(0755));
  Start({}, "nobody");
  auto status =
      ReadFile("/proc/" + std::to_string(agent_->process()) + "/status");
  ASSERT_TRUE(status.ok());
  EXPECT_THAT(*status, AllOf(HasSubstr("\nUid:\t65534\t65534\t65534\t65534\n"),
                             HasSubstr("\nGroups:\t \n"),
                             HasSubstr("\nCapEff:\t0000000000000000\n"),
                             HasSubstr("\nCapPrm:\t0000000000000000\n"),
                             HasSubstr("\nNoNewPrivs:\t1\n")));
}

TEST_F(AgentTest, KeepsReadingEnergyCountersThatOnlyRootCanOpen) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root to open them";
  const auto root = folder_.path() / "root";
  std::filesystem::copy(METE_FIXTURES "/root/x86", root,
                        std::filesystem::copy_options::recursive);
  std::filesystem::permissions(folder_.path(), std::filesystem::perms(0755));
  std::filesystem::permissions(
      root / "sys/class/powercap/intel-rapl:0/energy_uj",
      std::filesystem::perms(0400));
  Start({"--root", root.string()}, "nobody");
  const std::string series =
      "mete_device_energy_joules_total{node=\"edge \\\"one\\\"\","
      "source=\"rapl/package-0\"}";
  EXPECT_EQ(Value(series), 0);
  // By then the agent has searched for sensors again.
  std::this_thread::sleep_for(std::chrono::seconds(6));
  EXPECT_EQ(Value(series), 0);
}

// Opening a pipe without a writer hangs, like reading from a broken driver.
TEST_F(AgentTest, AnswersWhileACollectorHangs) {
  const auto root = folder_.path() / "root";
  std::filesystem::copy(METE_FIXTURES "/root/x86", root,
                        std::filesystem::copy_options::recursive);
  std::filesystem::remove(root / "proc/loadavg");
  ASSERT_EQ(mkfifo((root / "proc/loadavg").c_str(), 0644), 0);
  Start({"--root", root.string(), "--collector-timeout", "200ms"});
  EXPECT_EQ(Value("mete_agent_collector_success{collector=\"device\"}"), 0);
  EXPECT_TRUE(Until([this] {
    return Value("mete_agent_collector_success{collector=\"self\"}") == 1 &&
           Page().find("char_node_device_model{") != std::string::npos;
  }));
  EXPECT_THAT(Said(), HasSubstr("collector device: did not finish in time"));
  int status = agent_->End(SIGTERM);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0)
      << "it waits for the reader at its end";
}

TEST_F(AgentTest, PrintsOneLineIfItCannotListen) {
  Start();
  Daemon second({METE_AGENT, "--listen", Here(port_), "--no-hooks", "--state",
                 folder_.path().string(), "--user", "root"},
                folder_.path() / "second.log");
  EXPECT_TRUE(Until([this] {
    auto said = ReadFile(folder_.path() / "second.log");
    return said.ok() && said->find("address already in use") != said->npos;
  }));
}

TEST_F(AgentTest, RequiresAPasswordOverTlsIfConfigured) {
  Identity identity("IP:127.0.0.1");
  const auto certificate = folder_.path() / "cert.pem";
  identity.WriteCertificate(certificate);
  identity.WriteKey(folder_.path() / "key.pem");
  // "secret", with the lowest cost.
  const auto config = folder_.path() / "web.yml";
  ASSERT_TRUE(
      WriteFileAtomically(
          config,
          "tls_server_config:\n  cert_file: cert.pem\n  key_file: key.pem\n"
          "basic_auth_users:\n  scraper: " +
              HashWithBcrypt("secret") + "\n")
          .ok());
  Launch({"--web-config", config.string()}, "root");
  const HttpClient client({.host = "127.0.0.1", .port = port_, .tls = true},
                          {.ca_file = certificate.string()});
  auto status = [&](const HttpFields& fields) {
    auto answer = client.Send({.target = "/metrics", .fields = fields});
    return answer.ok() ? answer->status : 0;
  };
  ASSERT_TRUE(Until([&] { return status({}) == 401; })) << Said();
  // It answers 503 while it starts.
  EXPECT_TRUE(Until([&] {
    return status({{"authorization", "Basic c2NyYXBlcjpzZWNyZXQ="}}) == 200;
  })) << Said();
}

// Repeats the hostile requests of the unit tests with the whole program.
TEST_F(AgentTest, SurvivesHostileClientsWithConstantMemory) {
  Start();
  HostileBytes requests(
      7, {"GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n",
          "POST /metrics HTTP/1.1\r\ncontent-length: 5\r\n\r\nhello",
          "GET / HTTP/1.1\r\naccept: application/openmetrics-text\r\n\r\n",
          "PUT /x HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n"
          "5\r\nhello\r\n0\r\n\r\n"});
  HostileBytes datagrams(8, {std::string("METE\1\0\1\0", 8) +
                             std::string(24, '\3') + std::string(30, 'x')});
  Descriptor hooks(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_un place{};
  place.sun_family = AF_UNIX;
  const std::string path = (folder_.path() / "hooks/hook.sock").string();
  std::ranges::copy(path, place.sun_path);
  ASSERT_EQ(connect(hooks.number(), reinterpret_cast<sockaddr*>(&place),
                    sizeof place),
            0);
  auto annoy = [&](int times) {
    for (int i = 0; i < times; ++i) {
      RawCaller caller({.host = "127.0.0.1", .port = port_});
      caller.Send(requests.Next());
      caller.End();
      caller.ReadAll();
      const std::string bytes = datagrams.Next();
      send(hooks.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    }
  };
  annoy(2'000);  // until every buffer has reached its size
  const double before = ResidentMegabytes();
  annoy(10'000);
  EXPECT_GT(Value("mete_agent_hook_refused_total{reason=\"malformed\"}"), 1000);
  if (kMemoryIsMeaningful) {
    EXPECT_LT(ResidentMegabytes(), before + 1);
  }
}

}  // namespace
}  // namespace mete
