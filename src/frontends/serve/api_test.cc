// Tests the API with a real in-memory store, without a socket.
#include "serve/api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "serve/log_events.h"
#include "serve/openapi.h"
#include "support/file.h"
#include "support/json.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fixed_nodes.h"
#include "tests/fakes/memory_job_store.h"
#include "tests/fakes/memory_run_store.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::UnorderedElementsAreArray;

class NoReader final : public GraphReader {
 public:
  Result<Network> ReadWithin(const std::filesystem::path&,
                             const GraphLimits&) override {
    return Unavailable("none here");
  }
};

class Api : public testing::Test {
 protected:
  Router Make() {
    return MakeApi(
        {.jobs = store_,
         .clock = clock_,
         .device_id = "device",
         .access = access_,
         .allow_privileged = allow_privileged_,
         .images_only = images_only_,
         .other_user = other_user_,
         .private_paths = private_paths_,
         .entropy =
             [this] {
               return RunEntropy{++drawn_, 7};
             }},
        {.jobs = store_, .runs = runs_, .access = access_},
        {.predictors = []() -> Result<std::shared_ptr<const PredictorSet>> {
           return Unavailable("none here");
         },
         .nodes = nodes_,
         .reader = reader_,
         .access = access_},
        metrics_);
  }

  HttpReply Ask(const std::string& method, const std::string& target,
                const std::string& body = "",
                const std::string& type = "application/json") {
    return Make().Route(
        {.method = method,
         .target = target,
         .fields = {{"host", "localhost:7001"}, {"content-type", type}},
         .body = body});
  }

  Json AskJson(const std::string& method, const std::string& target,
               const std::string& body = "") {
    return *ParseJson(Ask(method, target, body).response.body);
  }

  std::string Submit() {
    return AskJson("POST", "/api/v1/jobs",
                   R"({"name":"n","application":{"command":["true"]}})")
        .at("job_id");
  }

  std::string WholeLog(const std::string& id) {
    HttpReply reply = Ask("GET", "/api/v1/jobs/" + id + "/logs?follow=false");
    EXPECT_EQ(reply.response.status, 200);
    EXPECT_EQ(reply.response.fields.at("content-type"),
              "text/plain; charset=utf-8");
    std::string text;
    while (auto piece = reply.pieces()) {
      EXPECT_FALSE(piece->empty());
      text += *piece;
    }
    return text;
  }

  MemoryJobStore store_;
  MemoryRunStore runs_;
  FakeClock clock_;
  FixedNodes nodes_;
  NoReader reader_;
  ServerMetrics metrics_{clock_, nodes_};
  AccessRule access_;
  bool allow_privileged_ = false;
  bool images_only_ = false;
  bool other_user_ = false;
  std::vector<std::filesystem::path> private_paths_;
  uint16_t drawn_ = 0;
};

TEST_F(Api, EveryRouteIsInTheOpenApiDescription) {
  std::vector<std::string> described;
  Json document = *ParseJson(kOpenApi);
  for (const auto& [path, methods] : document.at("paths").items()) {
    for (const auto& [method, description] : methods.items()) {
      std::string upper = method;
      std::ranges::transform(upper, upper.begin(), [](char c) {
        return static_cast<char>(c - 'a' + 'A');
      });
      upper += " ";
      described.push_back(upper + path);
    }
  }
  EXPECT_THAT(Make().Routes(), UnorderedElementsAreArray(described));
}

TEST_F(Api, EveryRouteHasARole) {
  EXPECT_THAT(Make().Routes(), UnorderedElementsAreArray(RoutesWithRoles()));
}

TEST_F(Api, ATokenAllowsWhatItsRoleAllows) {
  const std::string job = "/api/v1/jobs/" + Submit();
  access_.tokens = {{Role::kRead, "reader"}, {Role::kSubmit, "submitter"}};
  auto ask = [this](const char* token, const char* method,
                    const std::string& target, const char* body = "{}") {
    return Make()
        .Route({.method = method,
                .target = target,
                .fields = {{"authorization", std::string("Bearer ") + token},
                           {"content-type", "application/json"}},
                .body = body})
        .response.status;
  };
  const char* work = R"({"application":{"command":["true"]}})";
  EXPECT_EQ(ask("reader", "GET", job), 200);
  EXPECT_EQ(ask("reader", "POST", "/api/v1/jobs", work), 403);
  EXPECT_EQ(ask("reader", "POST", "/api/v1/predict"), 403);
  EXPECT_EQ(ask("reader", "POST", "/job/x/buildWithParameters?app_name=a"),
            403);
  EXPECT_EQ(ask("submitter", "GET", job), 200);
  EXPECT_EQ(ask("submitter", "POST", "/api/v1/jobs", work), 201);
  EXPECT_EQ(ask("submitter", "DELETE", job), 403);
  EXPECT_EQ(ask("nobody", "GET", job), 401);
}

TEST_F(Api, OnlyAdminsSubmitPrivilegedJobs) {
  access_.tokens = {{Role::kSubmit, "s"}, {Role::kAdmin, "a"}};
  allow_privileged_ = true;
  auto submit = [this](const char* token) {
    return Make()
        .Route({.method = "POST",
                .target = "/api/v1/jobs",
                .fields = {{"authorization", std::string("Bearer ") + token},
                           {"content-type", "application/json"}},
                .body = R"({"application":{"command":["true"]},)"
                        R"("allow_privileged":true})"})
        .response.status;
  };
  EXPECT_EQ(submit("s"), 403);
  EXPECT_EQ(submit("a"), 201);
  const std::string build =
      "/job/x/buildWithParameters?app_name=app&app_docker_args=--privileged"
      "&token=";
  EXPECT_EQ(Ask("POST", build + "s").response.status, 400);
  EXPECT_EQ(Ask("POST", build + "a").response.status, 201);
}

TEST_F(Api, IsNotReadyWhileItsStoreIsUnusable) {
  EXPECT_EQ(Ask("GET", "/readyz").response.status, 200);
  store_.usable = Unavailable("no space left");
  HttpReply reply = Ask("GET", "/readyz");
  EXPECT_EQ(reply.response.status, 503);
  EXPECT_THAT(reply.response.body, HasSubstr("no space left"));
  EXPECT_EQ(Ask("GET", "/healthz").response.status, 200);
}

TEST_F(Api, ASubmittedJobIsQueued) {
  HttpReply reply =
      Ask("POST", "/api/v1/jobs",
          R"({"name":"night","application":{"command":["sleep","1"]}})");
  ASSERT_EQ(reply.response.status, 201) << reply.response.body;
  Json job = *ParseJson(reply.response.body);
  EXPECT_EQ(job.at("state"), "queued");
  EXPECT_EQ(job.at("name"), "night");
  std::string id = job.at("job_id");
  EXPECT_EQ(reply.response.fields.at("location"), "/api/v1/jobs/" + id);
  EXPECT_EQ(AskJson("GET", "/api/v1/jobs/" + id).at("job_id"), id);
  EXPECT_EQ(AskJson("GET", "/api/v1/jobs?state=queued").at("jobs").size(), 1u);
}

TEST_F(Api, JobsAreListedInPagesNewestPageFirst) {
  std::vector<std::string> submitted;
  for (int i = 0; i < 5; ++i) {
    submitted.push_back(Submit());
    clock_.Advance(std::chrono::seconds(1));
  }
  std::vector<std::string> listed;
  std::string cursor;
  int pages = 0;
  do {
    Json page = AskJson("GET", "/api/v1/jobs?limit=2" + cursor);
    std::vector<std::string> ids;
    for (const Json& job : page.at("jobs")) ids.push_back(job.at("job_id"));
    listed.insert(listed.begin(), ids.begin(), ids.end());
    cursor = page.contains("cursor")
                 ? "&cursor=" + page.at("cursor").get<std::string>()
                 : "";
    ++pages;
  } while (!cursor.empty() && pages < 10);
  EXPECT_EQ(pages, 3);
  EXPECT_EQ(listed, submitted);
  EXPECT_EQ(AskJson("GET", "/api/v1/jobs?last=3").at("jobs").size(), 3u);
  EXPECT_EQ(AskJson("GET", "/api/v1/jobs?limit=0").at("jobs").size(), 5u);
  EXPECT_FALSE(AskJson("GET", "/api/v1/jobs").contains("cursor"));
  EXPECT_EQ(Ask("GET", "/api/v1/jobs?limit=x").response.status, 400);
}

TEST_F(Api, AListOfJobsIsNeverLongerThanAPage) {
  for (int i = 0; i < 101; ++i) Submit();
  Json page = AskJson("GET", "/api/v1/jobs");
  EXPECT_EQ(page.at("jobs").size(), 100u);
  EXPECT_EQ(page.at("cursor"), page.at("jobs").at(0).at("job_id"));
}

TEST_F(Api, InvalidSubmissionsAreRejectedInOneLine) {
  for (const char* body :
       {"", "[]", "{}", R"({"application":{}})", R"({"application":{"x":1}})",
        R"({"application":{"command":"not a list"}})",
        R"({"application":{"command":["true"],"timeout_seconds":0}})",
        R"({"name":3,"application":{"command":["true"]}})"}) {
    HttpReply reply = Ask("POST", "/api/v1/jobs", body);
    EXPECT_EQ(reply.response.status, 400) << body << reply.response.body;
  }
  EXPECT_TRUE(store_.ListJobs({})->empty());
}

TEST_F(Api, ANetworkIsAnAbsolutePathOfARegularFile) {
  auto submit = [this](const std::string& path) {
    return Ask("POST", "/api/v1/jobs",
               R"({"application":{"network":{"path":")" + path + R"("}}})")
        .response;
  };
  EXPECT_EQ(submit("net.onnx").status, 400);
  EXPECT_EQ(submit("/dev/zero").status, 400);
  EXPECT_EQ(submit("/no/such.onnx").status, 404);
  ScratchFolder scratch = ScratchFolder::Create().value();
  const auto file = scratch.path() / "net.onnx";
  ASSERT_TRUE(WriteFileAtomically(file, "x").ok());
  EXPECT_EQ(submit(file.string()).status, 201);
  EXPECT_EQ(store_.ListJobs({})->front().name, "net");
}

TEST_F(Api, ADeeplyNestedBodyIsRejected) {
  std::string body = R"({"name":)" + std::string(400'000, '[');
  EXPECT_EQ(Ask("POST", "/api/v1/jobs", body).response.status, 400);
}

TEST_F(Api, OnlyJsonIsAccepted) {
  HttpReply reply =
      Ask("POST", "/api/v1/jobs", R"({"application":{"command":["true"]}})",
          "text/plain");
  EXPECT_EQ(reply.response.status, 400);
}

TEST_F(Api, PrivilegedJobsAreRejectedUnlessAllowed) {
  const char* body =
      R"({"application":{"command":["true"]},"allow_privileged":true})";
  EXPECT_EQ(Ask("POST", "/api/v1/jobs", body).response.status, 403);
  allow_privileged_ = true;
  EXPECT_EQ(Ask("POST", "/api/v1/jobs", body).response.status, 201);
}

TEST_F(Api, CommandsAreRejectedIfOnlyImagesAreAllowed) {
  images_only_ = true;
  ScratchFolder scratch = ScratchFolder::Create().value();
  const auto file = scratch.path() / "net.onnx";
  ASSERT_TRUE(WriteFileAtomically(file, "x").ok());
  auto submit = [this](const std::string& application) {
    return Ask("POST", "/api/v1/jobs", R"({"application":)" + application + "}")
        .response;
  };
  EXPECT_EQ(submit(R"({"command":["true"]})").status, 403);
  EXPECT_EQ(submit(R"({"container":{"image":"app"},"command":["-x"]})").status,
            201);
  const std::string network =
      R"({"network":{"path":")" + file.string() + R"("})";
  EXPECT_EQ(submit(network + "}").status, 201);
  EXPECT_EQ(
      submit(network + R"(,"environment":{"LD_PRELOAD":"/x.so"}})").status,
      403);
  EXPECT_EQ(
      Ask("POST", "/job/x/buildWithParameters?app_name=app").response.status,
      201);
}

// They hold the tokens of others, wherever the operator keeps them.
TEST_F(Api, JobsCannotMountTheFilesOfTheServer) {
  ScratchFolder scratch = ScratchFolder::Create().value();
  const auto state = scratch.path() / "state";
  const auto other = scratch.path() / "other";
  ASSERT_TRUE(MakeFolder(state / "uploads").ok());
  ASSERT_TRUE(MakeFolder(other).ok());
  std::filesystem::create_directory_symlink(state, scratch.path() / "link");
  private_paths_ = {state};
  auto status = [this](const std::filesystem::path& source,
                       const std::string& more = "") {
    return Ask("POST", "/api/v1/jobs",
               R"({"application":{"container":{"image":"i","mounts":[{)"
               R"("source":")" +
                   source.string() + R"(","target":"/m","read_only":true}]}})" +
                   more + "}")
        .response.status;
  };
  EXPECT_EQ(status(state), 403);
  EXPECT_EQ(status(state / "uploads"), 403);
  EXPECT_EQ(status(scratch.path()), 403);
  EXPECT_EQ(status(scratch.path() / "link"), 403);
  EXPECT_EQ(status(other / ".." / "state"), 403);
  EXPECT_EQ(status(other), 201);
  EXPECT_EQ(Ask("POST", "/api/v1/jobs",
                R"({"application":{"container":{"image":"i"},"dataset":")" +
                    state.string() + R"("}})")
                .response.status,
            403);
  allow_privileged_ = true;
  EXPECT_EQ(status(state), 403);
  EXPECT_EQ(status(state, R"(,"allow_privileged":true)"), 201);
}

TEST_F(Api, VariablesOfANetworkCannotCircumventTheUserOfJobs) {
  ScratchFolder scratch = ScratchFolder::Create().value();
  const auto file = scratch.path() / "net.onnx";
  ASSERT_TRUE(WriteFileAtomically(file, "x").ok());
  const std::string body = R"({"application":{"network":{"path":")" +
                           file.string() +
                           R"("},"environment":{"LD_PRELOAD":"/x.so"}}})";
  EXPECT_EQ(Ask("POST", "/api/v1/jobs", body).response.status, 201);
  other_user_ = true;
  EXPECT_EQ(Ask("POST", "/api/v1/jobs", body).response.status, 403);
}

TEST_F(Api, DeletingAJobCancelsIt) {
  std::string id = Submit();
  EXPECT_EQ(AskJson("DELETE", "/api/v1/jobs/" + id).at("state"), "cancelled");
  EXPECT_EQ(Ask("DELETE", "/api/v1/jobs/" + id).response.status, 400);
  EXPECT_EQ(AskJson("POST", "/api/v1/jobs/" + id + "/resume").at("state"),
            "queued");
}

TEST_F(Api, AnUnknownJobIsNotFound) {
  for (const char* method : {"GET", "DELETE"}) {
    EXPECT_EQ(Ask(method, "/api/v1/jobs/none").response.status, 404) << method;
  }
  EXPECT_EQ(Ask("GET", "/api/v1/jobs/none/logs").response.status, 404);
}

TEST_F(Api, TheTokenIsCheckedFirst) {
  access_.tokens = {{Role::kAdmin, "secret"}};
  EXPECT_EQ(Ask("GET", "/api/v1/jobs").response.status, 401);
  EXPECT_EQ(Ask("POST", "/api/v1/jobs", "{}").response.status, 401);
  EXPECT_EQ(Ask("GET", "/healthz").response.status, 200);
}

TEST_F(Api, LinesAreSentAsEventsUntilTheJobEnds) {
  ScratchFolder folder = *ScratchFolder::Create();
  std::string id = Submit();
  auto claimed = store_.ClaimJob(
      {.device_id = "device", .worker = "w", .now = clock_.Wall()});
  ASSERT_TRUE(claimed.ok() && *claimed);
  ASSERT_TRUE(
      store_.UpdateJob(id, "w", {.folder = folder.path().string()}).ok());
  std::filesystem::create_directories(folder.path() / "1");
  ASSERT_TRUE(
      WriteFileAtomically(folder.path() / "1" / "app.log", "one\r\ntwo\nhal")
          .ok());
  HttpReply reply = Ask("GET", "/api/v1/jobs/" + id + "/logs");
  EXPECT_EQ(reply.response.fields.at("content-type"), "text/event-stream");
  EXPECT_EQ(*reply.pieces(), "id: 5\ndata: one\n\nid: 9\ndata: two\n\n");
  EXPECT_EQ(*reply.pieces(), "");  // nothing new
  ASSERT_TRUE(store_.UpdateJob(id, "w", {.state = JobState::kCompleted}).ok());
  EXPECT_EQ(*reply.pieces(),
            "id: 12\ndata: hal\n\nevent: end\ndata: "
            "{\"state\":\"completed\"}\n\n");
  EXPECT_FALSE(reply.pieces().has_value());
  EXPECT_EQ(WholeLog(id), "one\r\ntwo\nhal");
}

TEST_F(Api, AWholeLogIsSentInPieces) {
  ScratchFolder folder = *ScratchFolder::Create();
  std::string id = Submit();
  EXPECT_EQ(WholeLog(id), "");  // it has no folder yet
  ASSERT_TRUE(store_.ClaimJob({.device_id = "device", .worker = "w"}).ok());
  ASSERT_TRUE(
      store_.UpdateJob(id, "w", {.folder = folder.path().string()}).ok());
  std::filesystem::create_directories(folder.path() / "1");
  const std::string log(1'000'000, 'x');
  ASSERT_TRUE(WriteFileAtomically(folder.path() / "1" / "app.log", log).ok());
  HttpReply reply = Ask("GET", "/api/v1/jobs/" + id + "/logs?follow=false");
  EXPECT_EQ(reply.response.body, "");
  ASSERT_TRUE(reply.pieces);
  EXPECT_LE(reply.pieces()->size(), JobLog::kMost);
  EXPECT_EQ(WholeLog(id), log);
}

TEST_F(Api, ALongLineIsSentBeforeItEnds) {
  ScratchFolder folder = *ScratchFolder::Create();
  std::string id = Submit();
  ASSERT_TRUE(store_.ClaimJob({.device_id = "device", .worker = "w"}).ok());
  ASSERT_TRUE(
      store_.UpdateJob(id, "w", {.folder = folder.path().string()}).ok());
  std::filesystem::create_directories(folder.path() / "1");
  ASSERT_TRUE(WriteFileAtomically(folder.path() / "1" / "app.log",
                                  std::string(70'000, 'x'))
                  .ok());
  LogEvents events(store_, id, 0);
  EXPECT_GT(events.Next()->size(), 60'000u);
}

TEST_F(Api, AReconnectingClientResumes) {
  ScratchFolder folder = *ScratchFolder::Create();
  std::string id = Submit();
  ASSERT_TRUE(store_.ClaimJob({.device_id = "device", .worker = "w"}).ok());
  ASSERT_TRUE(
      store_.UpdateJob(id, "w", {.folder = folder.path().string()}).ok());
  std::filesystem::create_directories(folder.path() / "1");
  ASSERT_TRUE(
      WriteFileAtomically(folder.path() / "1" / "app.log", "one\ntwo\n").ok());
  LogEvents events(store_, id, 4);
  EXPECT_EQ(events.Next(), "id: 8\ndata: two\n\n");
}

// A run in the store, with a latency for every inference.
Run StoredRun(const std::string& id, const std::string& name) {
  Run run{.id = id,
          .workload = {.name = name},
          .device_id = "device",
          .device_name = "box"};
  run.network()->samples = {0.1, 0.2};
  return run;
}

TEST_F(Api, StoredRunsAreListedNewestFirstAndFiltered) {
  ASSERT_TRUE(runs_.SaveDevice({.id = "device", .name = "box"}).ok());
  for (int i = 0; i < 25; ++i) {
    std::string id = "01" + std::string(1, static_cast<char>('A' + i));
    ASSERT_TRUE(runs_.SaveRun(StoredRun(id, i == 3 ? "lenet" : "vgg")).ok());
  }
  Json all = AskJson("GET", "/api/v1/runs");
  EXPECT_EQ(all.at("runs").size(), 20u);
  EXPECT_EQ(all.at("runs").at(0).at("run_id"), "01Y");
  EXPECT_EQ(AskJson("GET", "/api/v1/runs?limit=0").at("runs").size(), 25u);
  EXPECT_EQ(AskJson("GET", "/api/v1/runs?workload=lenet").at("runs").size(),
            1u);
  EXPECT_EQ(AskJson("GET", "/api/v1/runs?device=box&limit=3").at("runs").size(),
            3u);
  EXPECT_TRUE(AskJson("GET", "/api/v1/runs?device=none").at("runs").empty());
  EXPECT_EQ(Ask("GET", "/api/v1/runs?limit=many").response.status, 400);
  EXPECT_EQ(Ask("GET", "/api/v1/runs?state=done").response.status, 400);
}

TEST_F(Api, AStoredRunIsShownWithItsSamplesOnRequest) {
  ASSERT_TRUE(runs_.SaveDevice({.id = "device", .name = "box"}).ok());
  ASSERT_TRUE(runs_.SaveRun(StoredRun("01AB", "lenet")).ok());
  EXPECT_EQ(AskJson("GET", "/api/v1/runs/01A").at("run_id"), "01AB");
  EXPECT_FALSE(AskJson("GET", "/api/v1/runs/01A").contains("samples"));
  EXPECT_EQ(
      AskJson("GET", "/api/v1/runs/01A?samples=true").at("samples").size(), 2u);
  EXPECT_EQ(Ask("GET", "/api/v1/runs/01A?samples=1").response.status, 400);
  EXPECT_EQ(Ask("GET", "/api/v1/runs/none").response.status, 404);
}

TEST_F(Api, TheResultsOfAJobAreItsProfileSamplesAndReport) {
  ScratchFolder folder = *ScratchFolder::Create();
  ASSERT_TRUE(runs_.SaveDevice({.id = "device", .name = "box"}).ok());
  std::string id = Submit();
  const std::string job = "/api/v1/jobs/" + id;
  EXPECT_EQ(AskJson("GET", job + "/profile").at("job").at("state"), "queued");
  EXPECT_EQ(Ask("GET", job + "/samples").response.status, 404);
  EXPECT_EQ(Ask("GET", job + "/report").response.status, 404);

  mete::Run run{.id = "01RUN",
                .workload = {.kind = WorkloadKind::kCommand, .name = "true"},
                .device_id = "device",
                .device_name = "box",
                .details = ApplicationDetails{.duration = Seconds(2)}};
  run.application()->samples_file = folder.path() / "samples.csv";
  ASSERT_TRUE(WriteFileAtomically(run.application()->samples_file,
                                  "time_seconds\n0.5\n")
                  .ok());
  ASSERT_TRUE(runs_.SaveRun(run).ok());
  ASSERT_TRUE(store_.ClaimJob({.device_id = "device", .worker = "w"}).ok());
  ASSERT_TRUE(store_
                  .UpdateJob(id, "w",
                             {.state = JobState::kCompleted,
                              .run_ids = std::vector<std::string>{"01RUN"}})
                  .ok());
  Json profile = AskJson("GET", job + "/profile");
  EXPECT_EQ(profile.at("job").at("state"), "completed");
  EXPECT_EQ(profile.at("applications").at(0).at("runs").size(), 1u);
  HttpReply samples = Ask("GET", job + "/samples");
  EXPECT_EQ(samples.response.fields.at("content-type"),
            "text/csv; charset=utf-8");
  EXPECT_EQ(samples.response.body,
            "application,run,time_seconds\ntrue,1,0.5\n");
  HttpReply report = Ask("GET", job + "/report");
  EXPECT_EQ(report.response.fields.at("content-type"),
            "text/html; charset=utf-8");
  EXPECT_THAT(report.response.body, HasSubstr("<!doctype html>"));
  EXPECT_EQ(Ask("GET", "/api/v1/jobs/none/report").response.status, 404);
}

TEST_F(Api, ResultsNeedTheToken) {
  std::string id = Submit();
  access_.tokens = {{Role::kAdmin, "secret"}};
  for (const std::string& path :
       {std::string("/api/v1/runs"), std::string("/api/v1/runs/01A"),
        "/api/v1/jobs/" + id + "/profile", "/api/v1/jobs/" + id + "/samples",
        "/api/v1/jobs/" + id + "/report"}) {
    EXPECT_EQ(Ask("GET", path).response.status, 401) << path;
  }
}

TEST_F(Api, AJenkinsBuildQueuesTheSameJob) {
  HttpReply reply =
      Ask("POST",
          "/job/edge-profiling/buildWithParameters?app_name=my%2Fapp%3A1"
          "&app_args=-stream+top+-interval+%22a+b%22"
          "&app_docker_args=--network+host+-e+K%3DV");
  ASSERT_EQ(reply.response.status, 201) << reply.response.body;
  auto jobs = store_.ListJobs({});
  ASSERT_EQ(jobs->size(), 1u);
  const Job& job = jobs->front();
  EXPECT_EQ(reply.response.fields.at("location"),
            "/queue/item/" + job.id + "/");
  EXPECT_EQ(job.name, "edge-profiling");
  auto work = JobWorkFromJson(job.work);
  EXPECT_EQ(work->application.container->image, "my/app:1");
  EXPECT_EQ(work->application.container->network, "host");
  EXPECT_EQ(work->application.command,
            (std::vector<std::string>{"-stream", "top", "-interval", "a b"}));
  EXPECT_EQ(work->application.environment.at("K"), "V");
  Json item = AskJson("GET", "/queue/item/" + job.id + "/api/json");
  EXPECT_EQ(item.at("why"), "waiting for a worker");
  EXPECT_FALSE(item.contains("executable"));
}

TEST_F(Api, JenkinsParametersCanBeAForm) {
  HttpReply reply = Ask("POST", "/job/x/buildWithParameters", "app_name=app",
                        "application/x-www-form-urlencoded");
  EXPECT_EQ(reply.response.status, 201) << reply.response.body;
}

TEST_F(Api, JenkinsClientsCannotRequestPrivileges) {
  for (const char* options :
       {"--privileged", "--pid=host", "-v+/var/run/docker.sock:/s"}) {
    HttpReply reply =
        Ask("POST", std::string("/job/x/buildWithParameters?app_name=app"
                                "&app_docker_args=") +
                        options);
    EXPECT_EQ(reply.response.status / 100, 4) << options;
  }
  EXPECT_TRUE(store_.ListJobs({})->empty());
}

TEST_F(Api, TheJenkinsTokenParameterIsAccepted) {
  access_.tokens = {{Role::kAdmin, "secret"}};
  const std::string call = "/job/x/buildWithParameters?app_name=app&token=";
  EXPECT_EQ(Ask("POST", call + "wrong").response.status, 401);
  EXPECT_EQ(Ask("POST", call + "secret").response.status, 201);
}

}  // namespace
}  // namespace mete
