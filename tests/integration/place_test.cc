// Tests mete place with the real program: a network is started where it is
// predicted to run best, answers clients of the KServe protocol, outlives the
// command, and leaves nothing when it is stopped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <array>
#include <cstdio>
#include <filesystem>

#include "net/endpoint.h"
#include "net/http_client.h"
#include "support/file.h"
#include "support/json.h"
#include "support/parse_number.h"
#include "support/scratch_folder.h"
#include "support/text.h"
#include "tests/integration/mete_program.h"

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

}  // namespace
}  // namespace mete
