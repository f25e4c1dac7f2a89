// Tests the queue with real processes: workers that are killed, stopped or
// compete, and running jobs that are cancelled.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <set>
#include <thread>

#include "adapters/sqlite/sqlite_job_store.h"
#include "adapters/sqlite/sqlite_run_store.h"
#include "support/file.h"
#include "tests/integration/mete_program.h"
#include "tests/integration/until.h"

namespace mete {
namespace {

using std::chrono::steady_clock;

class JobsTest : public testing::Test {
 protected:
  void SetUp() override {
    setenv("METE_STATE", folder.path().c_str(), 1);
    setenv("HOME", folder.path().c_str(), 1);
  }

  std::unique_ptr<MeteProgram> Start(std::vector<std::string> arguments) {
    return std::make_unique<MeteProgram>(file, std::move(arguments));
  }
  int Call(std::vector<std::string> arguments) {
    return Start(std::move(arguments))->Wait();
  }
  // Submits a shell command as a job and returns its id.
  std::string Submit(const std::string& shell, int repeat = 1) {
    EXPECT_EQ(Call({"jobs", "submit", "--repeat", std::to_string(repeat), "--",
                    "sh", "-c", shell}),
              0);
    return Jobs().back().id;
  }
  std::vector<Job> Jobs() {
    return *(*SqliteJobStore::Open(file))->ListJobs({});
  }
  Job Find(const std::string& id) {
    return *(*SqliteJobStore::Open(file))->FindJob(id);
  }
  bool UntilExists(const std::string& name) {
    return Until([&] { return std::filesystem::exists(folder.path() / name); });
  }

  ScratchFolder folder = *ScratchFolder::Create();
  std::filesystem::path file = folder.path() / "store.db";
};

TEST_F(JobsTest, AreRunByAWorker) {
  auto worker = Start({"jobs", "run"});
  std::string id = Submit("echo hello", 2);
  EXPECT_EQ(Call({"jobs", "wait", id}), 0);
  Job job = Find(id);
  EXPECT_EQ(job.state, JobState::kCompleted);
  EXPECT_EQ(job.run_ids.size(), 2u);
  EXPECT_EQ(Call({"jobs", "wait", Submit("exit 3")}), 1);
  EXPECT_EQ(worker->End(SIGINT), 0);
}

TEST_F(JobsTest, AreCancelledSoonEvenIfTheyIgnoreSignals) {
  auto worker = Start({"jobs", "run"});
  for (const char* sleeper : {"exec sleep 600", "trap '' TERM; sleep 600"}) {
    std::string mark = (folder.path() / "mark").string();
    std::string id = Submit("touch " + mark + "; " + sleeper);
    ASSERT_TRUE(UntilExists("mark"));
    std::filesystem::remove(mark);
    const auto asked = steady_clock::now();
    EXPECT_EQ(Call({"jobs", "cancel", id}), 0);
    std::chrono::duration<double> took = steady_clock::now() - asked;
    EXPECT_EQ(Find(id).state, JobState::kCancelled);
    // The documentation promises one second. Allow more for a busy machine.
    EXPECT_LT(took.count(), 10);
    fmt::print("cancelled within {:.2f} s: {}\n", took.count(), sleeper);
    RecordProperty("seconds", fmt::format("{:.2f}", took.count()));
  }
}

TEST_F(JobsTest, SurviveAWorkerThatIsKilled) {
  // All runs except the second end by themselves.
  std::string count = (folder.path() / "count").string();
  std::string id = Submit(fmt::format("echo x >> {0}; [ $(wc -l < {0}) -ne 2 ] "
                                      "|| exec sleep 600",
                                      count),
                          3);
  auto worker = Start({"jobs", "run"});
  ASSERT_TRUE(Until([&] {
    return Find(id).run_ids.size() == 1 && *ReadFile(count) == "x\nx\n";
  }));
  EXPECT_EQ(worker->End(SIGKILL), 128 + SIGKILL);
  EXPECT_EQ(Find(id).state, JobState::kRunning);
  ASSERT_TRUE(Until([&] {
    EXPECT_EQ(Call({"jobs", "list"}), 0);
    return Find(id).state == JobState::kInterrupted;
  }));
  EXPECT_EQ(Find(id).run_ids.size(), 1u);
  EXPECT_EQ(Call({"jobs", "resume", id}), 0);
  EXPECT_EQ(Call({"jobs", "run", "--until-empty"}), 0);
  Job job = Find(id);
  EXPECT_EQ(job.state, JobState::kCompleted);
  EXPECT_EQ(job.run_ids.size(), 3u);
  EXPECT_EQ(*ReadFile(count), "x\nx\nx\nx\n");  // the lost run was repeated
}

TEST_F(JobsTest, AreRunOnceByTwoWorkers) {
  constexpr int kJobs = 12;
  // Inspecting the machine takes two seconds the first time. Do it beforehand.
  ASSERT_EQ(Call({"jobs", "run", "--until-empty"}), 0);
  std::string count = (folder.path() / "count").string();
  for (int i = 0; i < kJobs; ++i) {
    Submit(fmt::format("echo {} >> {}; sleep 0.2", i, count));
  }
  // Enough jobs to keep both workers busy.
  auto one = Start({"jobs", "run", "--until-empty", "--parallel", "2"});
  auto two = Start({"jobs", "run", "--until-empty", "--parallel", "4"});
  EXPECT_EQ(one->Wait(), 0);
  EXPECT_EQ(two->Wait(), 0);
  std::set<std::string> workers;
  for (const Job& job : Jobs()) {
    EXPECT_EQ(job.state, JobState::kCompleted) << job.error;
    EXPECT_EQ(job.run_ids.size(), 1u);
    workers.insert(job.worker.substr(0, job.worker.find('/')));
  }
  std::string marks = *ReadFile(count);
  for (int i = 0; i < kJobs; ++i) {
    std::string mark = fmt::format("{}\n", i);
    EXPECT_THAT("\n" + marks, testing::HasSubstr("\n" + mark));
  }
  EXPECT_EQ(std::ranges::count(marks, '\n'), kJobs);
  fmt::print("{} jobs, run by {} of two workers\n", kJobs, workers.size());
}

TEST_F(JobsTest, AreInterruptedWhenTheirWorkerIsStopped) {
  std::string mark = (folder.path() / "mark").string();
  std::string id = Submit("touch " + mark + "; exec sleep 600");
  auto worker = Start({"jobs", "run"});
  ASSERT_TRUE(UntilExists("mark"));
  EXPECT_EQ(worker->End(SIGTERM), 130);
  Job job = Find(id);
  EXPECT_EQ(job.state, JobState::kInterrupted);
  ASSERT_EQ(job.run_ids.size(), 1u);
  auto runs = SqliteRunStore::Open(file);
  EXPECT_EQ((*runs)->FindRun(job.run_ids[0])->outcome.kind,
            OutcomeKind::kInterrupted);
}

}  // namespace
}  // namespace mete
