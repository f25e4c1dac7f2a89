// Tests mete place with the real program: a network is started where it is
// predicted to run best, answers clients of the KServe protocol, outlives the
// command, and leaves nothing when it is stopped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "net/endpoint.h"
#include "net/http_client.h"
#include "support/file.h"
#include "support/json.h"
#include "support/parse_number.h"
#include "support/scratch_folder.h"
#include "support/text.h"
#include "tests/integration/daemon.h"
#include "tests/integration/mete_program.h"
#include "tests/integration/until.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// The output and exit code of one command.
struct Ended {
  int code = 0;
  std::string out;
};

// Also if its parent, the first process of the machine, has not noticed yet.
bool HasEnded(pid_t pid) {
  auto stat = ReadFile("/proc/" + std::to_string(pid) + "/stat");
  return !stat.ok() || stat->find(") Z ") != std::string::npos;
}

class PlaceTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(Mete("zoo build nets --only lenet5").code, 0);
    network_ = folder_.path() / "nets" / "lenet5.onnx";
    ASSERT_TRUE(std::filesystem::exists(network_));
  }
  void TearDown() override { Mete("place stop --all"); }

  Ended Mete(const std::string& arguments) {
    const std::string command = "cd " + folder_.path().string() +
                                " && METE_STATE=state " METE_PROGRAM
                                " --store sqlite:store.db " +
                                arguments + " 2>err.txt";
    FILE* pipe = popen(command.c_str(), "r");
    Ended ended;
    std::array<char, 4096> buffer{};
    while (size_t n = fread(buffer.data(), 1, buffer.size(), pipe)) {
      ended.out.append(buffer.data(), n);
    }
    const int status = pclose(pipe);
    ended.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    return ended;
  }
  std::string Messages() {
    return ReadFile(folder_.path() / "err.txt").value();
  }
  Json Read(const Ended& ended) {
    auto json = ParseJson(ended.out);
    EXPECT_TRUE(json.ok()) << ended.out << Messages();
    return json.ok() ? *json : Json();
  }
  static HttpResponse Ask(const std::string& url, HttpRequest request) {
    auto parsed = ParseUrl(url);
    EXPECT_TRUE(parsed.ok());
    const HttpClient client(parsed->endpoint);
    request.target = parsed->path;
    auto response = client.Send(request);
    return response.ok() ? *response : HttpResponse{.status = 0};
  }
  std::vector<std::filesystem::path> ServiceFilesLeft() {
    auto files = FilesIn(folder_.path() / "state" / "services");
    return files.ok() ? *files : std::vector<std::filesystem::path>();
  }
  // The pid in the record's tag PID-START-NAMESPACE.
  pid_t KeeperPid(const std::string& id) {
    auto text =
        ReadFile(folder_.path() / "state" / "services" / (id + ".json"));
    EXPECT_TRUE(text.ok());
    const std::string tag = ParseJson(*text)->at("keeper").get<std::string>();
    return ParseNumber<pid_t>(SplitAt(tag, '-').front()).value_or(0);
  }

  ScratchFolder folder_ = ScratchFolder::Create().value();
  std::filesystem::path network_;
};

TEST_F(PlaceTest, StartsANetworkThatAnswersAndLeavesNothingBehind) {
  Ended placed = Mete("place nets/lenet5.onnx -o json");
  ASSERT_EQ(placed.code, 0) << Messages();
  const Json answer = Read(placed);
  const Json& service = answer.at("service");
  EXPECT_GT(answer.at("chosen").at("seconds").get<double>(), 0);
  const auto url = service.at("url").get<std::string>();

  EXPECT_EQ(Ask(url + "/v2/health/ready", {}).status, 200);
  const HttpResponse inferred =
      Ask(url + "/request-static",
          {.method = "POST",
           .fields = {{"content-type", "application/json"}},
           .body = R"({"batch_size":1})"});
  EXPECT_EQ(inferred.status, 200) << inferred.body;
  const HttpResponse described = Ask(url + "/v2/models/lenet5", {});
  EXPECT_EQ(described.status, 200);
  auto inputs = ParseJson(described.body);
  ASSERT_TRUE(inputs.ok()) << described.body;
  Json input = inputs->at("inputs").at(0);
  size_t count = 1;
  for (Json& size : input.at("shape")) {
    if (size.get<int64_t>() < 1) size = 1;
    count *= size.get<size_t>();
  }
  input["data"] = std::vector<double>(count, 0);
  const HttpResponse answered =
      Ask(service.at("infer_url").get<std::string>(),
          {.method = "POST",
           .fields = {{"content-type", "application/json"}},
           .body = Json{{"inputs", Json::array({input})}}.dump()});
  EXPECT_EQ(answered.status, 200) << answered.body;
  EXPECT_THAT(answered.body, HasSubstr("outputs"));

  EXPECT_THAT(Mete("place list").out, HasSubstr(url));
  const pid_t keeper = KeeperPid(service.at("id").get<std::string>());
  ASSERT_EQ(kill(keeper, 0), 0);
  ASSERT_EQ(Mete("place stop lenet5").code, 0) << Messages();
  EXPECT_TRUE(HasEnded(keeper));
  EXPECT_EQ(Ask(url + "/v2/health/ready", {}).status, 0);
  EXPECT_THAT(ServiceFilesLeft(), IsEmpty());
}

TEST_F(PlaceTest, ListsAServiceWhoseKeeperWasKilledAsGone) {
  const Json answer = Read(Mete("place nets/lenet5.onnx -o json"));
  const Json& service = answer.at("service");
  const auto url = service.at("url").get<std::string>();
  kill(KeeperPid(service.at("id").get<std::string>()), SIGKILL);
  // The service ends with its keeper.
  for (int i = 0; i < 500; ++i) {
    if (Ask(url + "/v2/health/ready", {}).status == 0) break;
    usleep(20'000);
  }
  EXPECT_EQ(Ask(url + "/v2/health/ready", {}).status, 0);
  EXPECT_THAT(Mete("place list").out, HasSubstr("gone"));
  EXPECT_EQ(Mete("place stop lenet5").code, 0);
  EXPECT_THAT(ServiceFilesLeft(), IsEmpty());
}

TEST_F(PlaceTest, StartsNothingInADryRun) {
  Ended dry = Mete("place nets/lenet5.onnx --dry-run -o json");
  ASSERT_EQ(dry.code, 0) << Messages();
  EXPECT_FALSE(Read(dry).contains("service"));
  EXPECT_THAT(ServiceFilesLeft(), IsEmpty());
}

// A server with a token for each role.
class PlaceServerTest : public PlaceTest {
 protected:
  void SetUp() override {
    PlaceTest::SetUp();
    const auto tokens = folder_.path() / "tokens";
    ASSERT_TRUE(
        WriteFileAtomically(tokens, "read:looks\nsubmit:asks\nadmin:rules\n")
            .ok());
    std::filesystem::permissions(tokens, std::filesystem::perms::owner_read);
    setenv("METE_STATE", (folder_.path() / "state").c_str(), 1);
    setenv("METE_STORE",
           ("sqlite:" + (folder_.path() / "store.db").string()).c_str(), 1);
    server_.emplace(
        std::vector<std::string>{METE_PROGRAM, "serve", "--listen", Here(port_),
                                 "--token-file", tokens},
        folder_.path() / "serve.log");
    ASSERT_TRUE(Until([&] { return Ask(At("/healthz"), {}).status == 200; }));
  }
  void TearDown() override {
    server_.reset();
    unsetenv("METE_STATE");
    unsetenv("METE_STORE");
    PlaceTest::TearDown();
  }

  std::string At(const std::string& path) {
    return "http://" + Here(port_) + path;
  }
  HttpResponse Call(const std::string& method, const std::string& path,
                    const std::string& token, std::string body = "",
                    const std::string& type = "application/json") {
    HttpRequest request{.method = method,
                        .fields = {{"content-type", type}},
                        .body = std::move(body)};
    if (!token.empty()) request.fields["authorization"] = "Bearer " + token;
    return Ask(At(path), std::move(request));
  }
  HttpResponse Upload(const std::string& token, const std::string& more = "") {
    return Call("POST", "/api/v1/place", token,
                "--B\r\nContent-Disposition: form-data; name=\"file\"; "
                "filename=\"digits.onnx\"\r\n\r\n" +
                    ReadFile(network_).value() + "\r\n" + more + "--B--\r\n",
                "multipart/form-data; boundary=B");
  }
  std::string ByPath(const std::filesystem::path& file) {
    return Json{{"path", file.string()}}.dump();
  }

  uint16_t port_ = FreePort();
  std::optional<Daemon> server_;
};

TEST_F(PlaceServerTest, ServesAnUploadAndRemovesItWhenItIsStopped) {
  const HttpResponse placed = Upload("asks");
  ASSERT_EQ(placed.status, 201) << placed.body;
  const Json answer = ParseJson(placed.body).value();
  const Json& chosen = answer.at("chosen");
  EXPECT_LE(chosen.at("low").get<double>(), chosen.at("seconds").get<double>());
  EXPECT_GE(chosen.at("high").get<double>(),
            chosen.at("seconds").get<double>());
  EXPECT_EQ(answer.at("ranking").at(0).at("device"), chosen.at("device"));
  const Json& service = answer.at("service");
  EXPECT_EQ(service.at("app"), "digits");
  const auto url = service.at("url").get<std::string>();
  const HttpResponse inferred =
      Ask(url + "/request-static",
          {.method = "POST",
           .fields = {{"content-type", "application/json"}},
           .body = R"({"batch_size":1})"});
  EXPECT_EQ(inferred.status, 200) << inferred.body;

  EXPECT_THAT(Call("GET", "/api/v1/place", "looks").body, HasSubstr(url));
  const std::string one =
      "/api/v1/place/" + service.at("id").get<std::string>();
  // Whoever may start a service may not end those of others.
  EXPECT_EQ(Call("DELETE", one, "asks").status, 403);
  EXPECT_EQ(Call("DELETE", one, "rules").status, 200);
  EXPECT_EQ(Ask(url + "/v2/health/ready", {}).status, 0);
  EXPECT_EQ(Call("DELETE", one, "rules").status, 404);
  EXPECT_THAT(ServiceFilesLeft(), IsEmpty());
  EXPECT_FALSE(
      std::filesystem::exists(service.at("network").get<std::string>()));
}

TEST_F(PlaceServerTest, RequiresATokenThatMayStartPrograms) {
  EXPECT_EQ(Upload("").status, 401);
  EXPECT_EQ(Upload("wrong").status, 401);
  EXPECT_EQ(Upload("looks").status, 403);
  EXPECT_EQ(Call("GET", "/api/v1/place", "").status, 401);
  EXPECT_THAT(ServiceFilesLeft(), IsEmpty());
}

TEST_F(PlaceServerTest, TakesAPathOnTheServerAndRefusesWhatIsNoNetwork) {
  const HttpResponse placed =
      Call("POST", "/api/v1/place", "asks", ByPath(network_));
  ASSERT_EQ(placed.status, 201) << placed.body;
  const auto id =
      ParseJson(placed.body)->at("service").at("id").get<std::string>();
  EXPECT_EQ(Call("DELETE", "/api/v1/place/" + id, "rules").status, 200);
  // The file is the user's.
  EXPECT_TRUE(std::filesystem::exists(network_));

  const auto pipe = folder_.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::filesystem::path& file :
       {std::filesystem::path("/etc/passwd"),
        std::filesystem::path("/dev/zero"),
        std::filesystem::path("/nowhere.onnx"), folder_.path(), pipe}) {
    const HttpResponse refused =
        Call("POST", "/api/v1/place", "asks", ByPath(file));
    EXPECT_EQ(refused.status, 422) << file << refused.body;
    EXPECT_THAT(refused.body, HasSubstr("\"field\": \"path\"")) << file;
    EXPECT_THAT(refused.body, testing::Not(HasSubstr("root:"))) << file;
  }
  EXPECT_EQ(Call("DELETE", "/api/v1/place/..%2f..%2fstore.db", "rules").status,
            404);
  EXPECT_THAT(ServiceFilesLeft(), IsEmpty());
}

TEST_F(PlaceTest, AppliesAPlanAndMeasuresIt) {
  ASSERT_TRUE(
      WriteFileAtomically(folder_.path() / "apps.yaml",
                          "apps:\n  - {name: digits, application: lenet, "
                          "network: nets/lenet5.onnx, rate: 20, memory: 512Mi, "
                          "slo: p95=2s}\n")
          .ok());
  ASSERT_TRUE(WriteFileAtomically(
                  folder_.path() / "servers.yaml",
                  "servers:\n  - {name: here, memory: 2Gi, costs: c.yaml}\n")
                  .ok());
  ASSERT_TRUE(WriteFileAtomically(
                  folder_.path() / "c.yaml",
                  "pressures: [cpu]\napplications:\n  lenet:\n    service:\n"
                  "      p95: {alone: 5ms}\n")
                  .ok());
  ASSERT_EQ(Mete("place --apps apps.yaml --servers servers.yaml "
                 "--plan plan.json")
                .code,
            0)
      << Messages();
  Ended verified = Mete("place verify plan.json --duration 5s -o json");
  EXPECT_EQ(verified.code, 0) << Messages();
  const Json row = Read(verified).at("placements").at(0);
  EXPECT_EQ(row.at("met"), true);
  EXPECT_GT(row.at("measured_s").get<double>(), 0);
  EXPECT_GT(row.at("requests").get<int>(), 50);
  EXPECT_THAT(ServiceFilesLeft(), IsEmpty());
}

// A search that would take two minutes.
TEST_F(PlaceTest, CtrlCGivesTheBestPlanSoFar) {
  ASSERT_EQ(Mete("place scenario s1 --servers 10 --seed 1 --out s10").code, 0);
  const std::string s10 = (folder_.path() / "s10").string();
  const auto plan = folder_.path() / "plan.json";
  MeteProgram search(folder_.path() / "store.db",
                     {"place", "--apps", s10 + "/apps.yaml", "--servers",
                      s10 + "/servers.yaml", "--gap", "0", "--time-limit",
                      "120s", "--plan", plan.string()});
  std::this_thread::sleep_for(std::chrono::seconds(5));
  EXPECT_EQ(search.End(SIGINT), 130);
  const Json read = ParseJson(ReadFile(plan).value()).value();
  EXPECT_GT(read.at("worth").at("placed").get<int>(), 100);
  EXPECT_EQ(read.at("worth").at("cut_short"), true);
  EXPECT_GE(read.at("worth").at("bound").get<double>(),
            read.at("worth").at("objective").get<double>());
  EXPECT_THAT(read.at("verification").at("violations"), IsEmpty());
}

// Five services on two cores, planned with a predictor that was trained on
// mixes of the same applications. The SLOs are loose, because the machine may
// be busy.
TEST_F(PlaceTest, PlacesWithATrainedPredictorAppliesVerifiesAndStops) {
  ASSERT_EQ(Mete("train contention --from " METE_EXAMPLES
                 "/contention-2core/table.csv.gz")
                .code,
            0)
      << Messages();
  const std::vector<std::string> applications = {
      "tclf-gcn-small", "tclf-rf-small", "tstr-lstm-small", "iclf-mnet-small",
      "text-bert-small"};
  std::string apps = "apps:\n";
  for (const std::string& one : applications) {
    apps += "  - {name: " + one + ", rate: 5, memory: 500Mi, slo: p95=3s}\n";
  }
  ASSERT_TRUE(WriteFileAtomically(folder_.path() / "apps.yaml", apps).ok());
  ASSERT_TRUE(
      WriteFileAtomically(folder_.path() / "servers.yaml",
                          "servers:\n  - {name: here, memory: 4Gi, cores: 2, "
                          "predictor: vm}\n")
          .ok());
  const Json plan = Read(
      Mete("place --apps apps.yaml --servers servers.yaml --plan plan.json "
           "-o json"));
  EXPECT_EQ(plan.at("worth").at("placed"), 5);
  EXPECT_EQ(plan.at("worth").at("optimal"), true);
  EXPECT_THAT(plan.at("verification").at("violations"), IsEmpty());

  const Json applied = Read(Mete("place apply plan.json -o json"));
  ASSERT_EQ(applied.at("services").size(), 5u) << Messages();
  const Json verified =
      Read(Mete("place verify plan.json --duration 5s -o json"));
  ASSERT_EQ(verified.at("placements").size(), 5u) << Messages();
  for (const Json& row : verified.at("placements")) {
    const auto app = row.at("app").get<std::string>();
    EXPECT_GT(row.at("predicted_s").get<double>(), 0) << app;
    EXPECT_GE(row.at("predicted_high_s").get<double>(),
              row.at("predicted_s").get<double>())
        << app;
    EXPECT_GT(row.at("measured_s").get<double>(), 0) << app;
    EXPECT_EQ(row.at("met"), true) << app;
    EXPECT_GT(row.at("requests").get<int>(), 5) << app;
  }
  // It measured the services of apply and left them running.
  const Json left = Read(Mete("place list -o json"));
  EXPECT_EQ(left.at("services").size(), 5u);
  ASSERT_EQ(Mete("place stop --all").code, 0) << Messages();
  for (const Json& one : applied.at("services")) {
    EXPECT_EQ(
        Ask(one.at("url").get<std::string>() + "/v2/health/ready", {}).status,
        0);
  }
  EXPECT_THAT(ServiceFilesLeft(), IsEmpty());
}

}  // namespace
}  // namespace mete
