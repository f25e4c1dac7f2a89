#include "cli/load_command.h"

#include <gtest/gtest.h>

#include <fstream>

#include "cli/test_command.h"
#include "support/file.h"
#include "support/json.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_host.h"
#include "tests/fakes/fake_http_channel.h"

namespace mete {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// A service that mete has started, or that ends at once.
class FakeServiceProcess final : public TestbedProcess {
 public:
  explicit FakeServiceProcess(std::string last_words)
      : last_words_(std::move(last_words)) {}

  Status Send(const std::string&) override { return {}; }
  Result<std::string> Receive(Seconds, std::stop_token) override {
    if (last_words_.empty()) return Error(ErrorCode::kTimeout, "no line");
    return Unavailable("ended");
  }
  ProcessEnding Ending() override { return {}; }
  const std::string& last_output() const override { return last_words_; }

 private:
  std::string last_words_;
};

// mete load against fake services in fake time.
class LoadCommandTest : public testing::Test {
 protected:
  CommandRun Run(const std::vector<std::string>& words) {
    return RunCommand(words, [this](Command root, Verbs& verbs) {
      AddLoadCommand(root, verbs, [this]() -> Result<LoadCommandDependencies> {
        return LoadCommandDependencies{
            .clock = clock_,
            .host = host_,
            .open_channel = [this]() -> Result<std::unique_ptr<HttpChannel>> {
              auto made = std::make_unique<FakeHttpChannel>(clock_, service_);
              channel_ = made.get();
              return std::unique_ptr<HttpChannel>(std::move(made));
            },
            .services = {.start_self =
                             [this](const std::vector<std::string>& given) {
                               return Start(given);
                             },
                         .clock = clock_}};
      });
    });
  }

  Result<std::unique_ptr<TestbedProcess>> Start(
      const std::vector<std::string>& words) {
    started_ = words;
    // As mete service does when it is ready.
    if (last_words_.empty()) std::ofstream(words.back()) << "4711\n";
    return std::unique_ptr<TestbedProcess>(
        std::make_unique<FakeServiceProcess>(last_words_));
  }

  FakeClock clock_;
  FakeHost host_;
  FakeService service_{.service_time = [] { return milliseconds(5); }};
  FakeHttpChannel* channel_ = nullptr;
  std::vector<std::string> started_;
  std::string last_words_;
};

TEST_F(LoadCommandTest, PrintsCountsRatesAndQuantiles) {
  CommandRun run = Run({"load", "http://h:1/", "--rate", "100/s", "--duration",
                        "10s", "--arrivals", "constant"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.out.find("http://h:1/: constant 100/s\n"
                         "1,000 sent, 1,000 answered, 0 failed, 0 unanswered"),
            std::string::npos)
      << run.out;
  EXPECT_NE(run.out.find("p99"), std::string::npos);
  EXPECT_NE(run.out.find("5.00 ms"), std::string::npos) << run.out;
}

TEST_F(LoadCommandTest, JsonKeepsSojournAndServiceTime) {
  CommandRun run = Run({"load", "http://h:1/", "--rate", "100", "--duration",
                        "10s", "--seed", "7", "-o", "json"});
  EXPECT_EQ(run.code, 0) << run.err;
  Json json = Json::parse(run.out);
  EXPECT_EQ(json["seed"], 7);
  EXPECT_FALSE(json["machine"]["name"].get<std::string>().empty());
  const Json& target = json["targets"][0];
  EXPECT_EQ(target["arrivals"], "poisson 100/s, seed 7");
  EXPECT_EQ(target["saturated"], false);
  EXPECT_NEAR(target["service_seconds"]["p50"].get<double>(), 0.005, 1e-9);
  EXPECT_GE(target["sojourn_seconds"]["p95_high"].get<double>(), 0.005);
  EXPECT_EQ(target["requests"]["answered"], target["requests"]["planned"]);
}

TEST_F(LoadCommandTest, SaturatedServiceExitsWithFour) {
  service_.service_time = [] { return milliseconds(20); };
  CommandRun run =
      Run({"load", "http://h:1/", "--rate", "100/s", "--duration", "10s"});
  EXPECT_EQ(run.code, 4);
  EXPECT_NE(run.out.find("saturated: "), std::string::npos) << run.out;
}

TEST_F(LoadCommandTest, ObjectiveDecidesTheExitCode) {
  auto code = [&](const char* objective) {
    return Run({"load", "http://h:1/", "--rate", "100/s", "--duration", "10s",
                "--arrivals", "constant", "--slo", objective})
        .code;
  };
  EXPECT_EQ(code("p95=6ms"), 0);
  EXPECT_EQ(code("p95=4ms"), 3);
  EXPECT_EQ(code("p99.9=6ms"), 4);  // needs more requests
}

TEST_F(LoadCommandTest, NothingAnsweredExitsWithOne) {
  service_.status = 404;
  CommandRun run = Run({"load", "http://h:1/nope", "--duration", "2s"});
  EXPECT_EQ(run.code, 1);
  EXPECT_NE(run.out.find("failed requests: status 404"), std::string::npos)
      << run.out;
}

TEST_F(LoadCommandTest, FindsTheHighestRateWithItsInterval) {
  // Constant arrivals and 5 ms: 200/s can be served, and no more.
  CommandRun run =
      Run({"load", "http://h:1/", "--find-rate", "--slo", "p95=50ms",
           "--duration", "10s", "--arrivals", "constant", "-o", "json"});
  EXPECT_EQ(run.code, 0) << run.err;
  Json json = Json::parse(run.out);
  EXPECT_EQ(json["end"], "found");
  EXPECT_LE(json["kept_rate"].get<double>(), 202);
  EXPECT_GE(json["violated_rate"].get<double>(), 200);
  EXPECT_LE(json["violated_rate"].get<double>(),
            1.06 * json["kept_rate"].get<double>());
}

TEST_F(LoadCommandTest, ObjectiveThatNoRateKeepsExitsWithThree) {
  CommandRun run = Run({"load", "http://h:1/", "--find-rate", "--slo",
                        "p95=1ms", "--duration", "20s"});
  EXPECT_EQ(run.code, 3);
  EXPECT_NE(run.out.find("p95=1ms is not kept at any rate that was tried"),
            std::string::npos)
      << run.out;
}

TEST_F(LoadCommandTest, StartsTheServiceOfAnApplication) {
  CommandRun run = Run({"load", "tclf-rf", "--threads", "2", "--batch", "4",
                        "--duration", "1s"});
  EXPECT_EQ(run.code, 0) << run.err;
  ASSERT_GE(started_.size(), 5u);
  EXPECT_EQ(
      std::vector(started_.begin(), started_.begin() + 7),
      (std::vector<std::string>{"service", "tclf-rf", "--threads", "2",
                                "--listen", "127.0.0.1:0", "--port-file"}));
}

TEST_F(LoadCommandTest, ReportsWhyAServiceDoesNotStart) {
  last_words_ = "mete service: no application named 'nope'\n";
  CommandRun run = Run({"load", "nope"});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.err,
            "mete load: start the service of nope: no application named "
            "'nope'\n");
}

TEST_F(LoadCommandTest, RepeatsASavedScheduleExactly) {
  ScratchFolder folder = *ScratchFolder::Create();
  std::string trace = folder.path() / "trace";
  std::string first = folder.path() / "first.csv";
  std::string second = folder.path() / "second.csv";
  EXPECT_EQ(Run({"load", "http://h:1/", "--rate", "50", "--duration", "5s",
                 "--save-arrivals", trace, "--samples", first})
                .code,
            0);
  EXPECT_EQ(Run({"load", "http://h:1/", "--arrivals", trace, "--duration", "5s",
                 "--samples", second})
                .code,
            0);
  EXPECT_EQ(*ReadFile(first), *ReadFile(second));
  EXPECT_TRUE(ReadFile(first)->starts_with("target,replica,outcome,status,"));
}

TEST_F(LoadCommandTest, RefusesArgumentsThatDoNotGoTogether) {
  struct Case {
    std::vector<std::string> words;
    const char* message;
  };
  for (const Case& wrong : {
           Case{{"http://h", "--find-rate"}, "--find-rate needs --slo"},
           Case{{"http://h", "http://i", "--find-rate", "--slo", "p95=1s"},
                "one service at a time"},
           Case{{"http://h", "--rate", "0"}, "the rate must be positive"},
           Case{{"http://h", "--rate", "-1"}, "the rate must be positive"},
           Case{{"http://h", "--rate", "1,2"}, "2 rates for 1 target"},
           Case{{"http://h", "--duration", "0s"},
                "the duration must be positive"},
           Case{{"http://h", "--batch", "2"}, "--batch and --threads are for"},
           Case{{"tclf-rf", "--body", "x"}, "--method, --body and --header"},
           Case{{"localhost:80"}, "write http://localhost:80"},
           Case{{"https://h"}, "https is not supported"},
           Case{{"http://h", "--arrivals", "/none"},
                "expected poisson, constant or a file"},
           Case{{"http://h", "--arrivals", "x", "--rate", "1"},
                "leave out --rate"},
           Case{{"http://h", "--header", "x"}, "is not a header"},
           Case{{"http://h", "--slo", "95"}, "is not an objective"},
       }) {
    std::vector<std::string> words = {"load"};
    words.insert(words.end(), wrong.words.begin(), wrong.words.end());
    CommandRun run = Run(words);
    EXPECT_EQ(run.code, 2) << run.err;
    EXPECT_NE(run.err.find(wrong.message), std::string::npos)
        << wrong.message << " not in " << run.err;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
  }
}

}  // namespace
}  // namespace mete
