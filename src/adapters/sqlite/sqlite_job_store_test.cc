#include "adapters/sqlite/sqlite_job_store.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adapters/sqlite/sqlite_run_store.h"
#include "support/file.h"
#include "tests/contracts/job_store_contract.h"

namespace mete {
namespace {

struct SqliteJobStoreMaker {
  std::unique_ptr<JobStore> Make() {
    auto store = SqliteJobStore::Open(folder.path() / "store.db");
    if (!store.ok()) return nullptr;
    return *std::move(store);
  }
  ScratchFolder folder = *ScratchFolder::Create();
};
INSTANTIATE_TYPED_TEST_SUITE_P(Sqlite, JobStoreContract, SqliteJobStoreMaker);

class SqliteJobStoreTest : public testing::Test {
 protected:
  ScratchFolder folder = *ScratchFolder::Create();
  std::filesystem::path file = folder.path() / "store.db";
};

// Claims until nothing is left and writes the ids into a file.
int ClaimAll(const std::filesystem::path& store_file,
             const std::filesystem::path& result, const std::string& worker) {
  auto store = SqliteJobStore::Open(store_file);
  if (!store.ok()) return 1;
  std::string ids;
  while (true) {
    auto job = (*store)->ClaimJob({.device_id = "d1",
                                   .worker = worker,
                                   .parallel = 1000,
                                   .now = JobTime(1)});
    if (!job.ok()) return 2;
    if (!*job) break;
    ids += (*job)->id + "\n";
  }
  return WriteFileAtomically(result, ids).ok() ? 0 : 3;
}

TEST_F(SqliteJobStoreTest, ProcessesThatClaimAtOnceGetDifferentJobs) {
  constexpr int kJobs = 60;
  {  // No connection may be carried over a fork.
    auto store = SqliteJobStore::Open(file);
    for (int i = 0; i < kJobs; ++i) {
      std::string id = "j" + std::to_string(100 + i);
      ASSERT_TRUE((*store)->SubmitJob(ExampleJob(id)).ok());
    }
  }
  std::vector<pid_t> workers;
  for (int i = 0; i < 3; ++i) {
    std::string name = "w" + std::to_string(i);
    pid_t process = fork();
    ASSERT_GE(process, 0);
    if (process == 0) _exit(ClaimAll(file, folder.path() / name, name));
    workers.push_back(process);
  }
  for (pid_t process : workers) {
    int status = 0;
    ASSERT_EQ(waitpid(process, &status, 0), process);
    ASSERT_EQ(status, 0);
  }
  std::string all;
  for (int i = 0; i < 3; ++i) {
    all += *ReadFile(folder.path() / ("w" + std::to_string(i)));
  }
  auto store = SqliteJobStore::Open(file);
  for (const std::string& id : IdsOfJobs(*(*store)->ListJobs({}))) {
    size_t first = all.find(id + "\n");
    ASSERT_NE(first, std::string::npos) << id << " was not claimed";
    EXPECT_EQ(all.find(id + "\n", first + 1), std::string::npos)
        << id << " was claimed twice";
  }
}

TEST_F(SqliteJobStoreTest, SharesItsFileWithTheRuns) {
  auto runs = SqliteRunStore::Open(file);
  auto jobs = SqliteJobStore::Open(file);
  ASSERT_TRUE(runs.ok());
  ASSERT_TRUE(jobs.ok()) << jobs.error().message();
  ASSERT_TRUE((*jobs)->SubmitJob(ExampleJob("j1")).ok());
  EXPECT_TRUE((*runs)->ListDevices()->empty());
  EXPECT_TRUE((*runs)->CheckIntegrity().ok());
}

TEST_F(SqliteJobStoreTest, KeepsJobsWhenReopened) {
  ASSERT_TRUE((*SqliteJobStore::Open(file))->SubmitJob(ExampleJob("j1")).ok());
  EXPECT_EQ((*SqliteJobStore::Open(file))->FindJob("j1")->name, "nightly");
}

TEST_F(SqliteJobStoreTest, ReadsWithoutWaitingForAWriter) {
  auto store = SqliteJobStore::Open({.path = file, .patience = {}});
  ASSERT_TRUE((*store)->SubmitJob(ExampleJob("j1")).ok());
  ASSERT_TRUE(
      (*store)
          ->ClaimJob({.device_id = "d1", .worker = "w1", .now = JobTime(1)})
          .ok());
  Database other = *Database::Open(file, std::chrono::milliseconds(0));
  auto writing = Transaction::Begin(other);
  ASSERT_TRUE(writing.ok());
  EXPECT_TRUE((*store)->UpdateJob("j1", "w1", {}).ok());
  EXPECT_TRUE((*store)->InterruptStaleJobs("d1", JobTime(0)).ok());
  EXPECT_TRUE(
      (*store)
          ->ClaimJob({.device_id = "d1", .worker = "w2", .now = JobTime(1)})
          .ok());
  EXPECT_EQ(
      (*store)->UpdateJob("j1", "w1", {.heartbeat = JobTime(2)}).error().code(),
      ErrorCode::kUnavailable);
}

// Reading would still work: the file exists as long as it is open.
TEST(SqliteJobStore, IsNotUsableOnceItsFileIsRemoved) {
  ScratchFolder folder = *ScratchFolder::Create();
  const std::filesystem::path file = folder.path() / "mete.db";
  auto store = SqliteJobStore::Open(file);
  ASSERT_TRUE(store.ok()) << store.error().message();
  EXPECT_TRUE((*store)->CheckUsable().ok());
  std::filesystem::rename(file, folder.path() / "moved.db");
  Status usable = (*store)->CheckUsable();
  ASSERT_FALSE(usable.ok());
  EXPECT_NE(usable.error().message().find("removed or replaced"),
            std::string::npos);
  // Another file of the same name is not the store that was opened.
  auto other = SqliteJobStore::Open(file);
  ASSERT_TRUE(other.ok());
  EXPECT_TRUE((*other)->CheckUsable().ok());
  EXPECT_FALSE((*store)->CheckUsable().ok());
}

}  // namespace
}  // namespace mete
