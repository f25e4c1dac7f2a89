// Tests that a store survives killed and concurrent writers.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <set>

#include "adapters/sqlite/sqlite_run_store.h"
#include "support/file.h"
#include "support/random.h"

namespace mete {
namespace {

using std::chrono::microseconds;
using std::chrono::steady_clock;

// A kill_test_writer and the pipe for its output.
class Writer {
 public:
  Writer(const std::filesystem::path& store, const std::string& prefix,
         int count) {
    std::array<int, 2> ends{};
    CHECK(pipe2(ends.data(), O_CLOEXEC) == 0) << "pipe";
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    std::string program = METE_WRITER;
    std::string file = store.string();
    std::string name = prefix;
    std::string number = std::to_string(count);
    std::array<char*, 5> arguments = {program.data(), file.data(), name.data(),
                                      number.data(), nullptr};
    int error = posix_spawn(&process_, program.c_str(), &actions, nullptr,
                            arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    CHECK(error == 0) << "start " << program;
    close(ends[1]);
    pipe_ = ends[0];
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer() {
    close(pipe_);
    if (process_ > 0) Kill();
  }

  // Reads the writer's output until the given time or its end.
  void ListenUntil(steady_clock::time_point moment) {
    while (true) {
      auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(
          moment - steady_clock::now());
      if (left.count() <= 0) return;
      timespec wait{.tv_sec = left.count() / 1000000000,
                    .tv_nsec = left.count() % 1000000000};
      pollfd source{.fd = pipe_, .events = POLLIN, .revents = 0};
      if (ppoll(&source, 1, &wait, nullptr) > 0 && !TakeIn()) return;
    }
  }
  void ListenForFirst() {
    while (said_.find('\n') == std::string::npos && TakeIn()) {
    }
  }
  void ListenToEnd() {
    while (TakeIn()) {
    }
  }

  // Returns the wait status.
  int Kill() {
    kill(process_, SIGKILL);
    return Wait();
  }
  int Wait() {
    int status = 0;
    CHECK(waitpid(process_, &status, 0) == process_) << "waitpid";
    process_ = 0;
    return status;
  }

  // The ids reported as saved. A line truncated by the kill does not count.
  std::vector<std::string> Acknowledged() const {
    std::vector<std::string> ids;
    size_t start = 0;
    for (size_t end = said_.find('\n'); end != std::string::npos;
         start = end + 1, end = said_.find('\n', start)) {
      ids.push_back(said_.substr(start, end - start));
    }
    return ids;
  }

 private:
  // Returns false at the end of the output.
  bool TakeIn() {
    std::array<char, 4096> buffer;
    ssize_t got = read(pipe_, buffer.data(), buffer.size());
    if (got > 0) said_.append(buffer.data(), static_cast<size_t>(got));
    return got > 0;
  }

  pid_t process_ = 0;
  int pipe_ = -1;
  std::string said_;
};

std::set<std::string> StoredIds(RunStore& store) {
  auto runs = store.ListRuns({});
  std::set<std::string> ids;
  if (!runs.ok()) {
    ADD_FAILURE() << runs.error().message();
    return ids;
  }
  for (const auto& run : *runs) ids.insert(run.id);
  return ids;
}

TEST(StoreUnderKill, LosesAtMostTheRunInFlightAndStaysConsistent) {
  ScratchFolder folder = *ScratchFolder::Create();
  const auto file = folder.path() / "store.db";
  Random random(20240501);
  std::set<std::string> acknowledged;
  size_t in_flight = 0;  // saved, but killed before reporting it
  for (int round = 0; round < 50; ++round) {
    Writer writer(file, fmt::format("k{:02}", round), 1000000);
    // Every other writer may still be opening the store when it is killed.
    if (round % 2 == 0) writer.ListenForFirst();
    writer.ListenUntil(steady_clock::now() + microseconds(random.Below(30000)));
    int status = writer.Kill();
    ASSERT_TRUE(WIFSIGNALED(status)) << "the writer ended by itself";
    writer.ListenToEnd();
    for (const auto& id : writer.Acknowledged()) acknowledged.insert(id);

    auto store = SqliteRunStore::Open(file);
    ASSERT_TRUE(store.ok()) << store.error().message();
    Status whole = (*store)->CheckIntegrity();
    ASSERT_TRUE(whole.ok()) << whole.error().message();
    std::set<std::string> stored = StoredIds(**store);
    for (const auto& id : acknowledged) {
      ASSERT_EQ(stored.count(id), 1u) << id << " was lost in round " << round;
    }
    ASSERT_LE(stored.size(), acknowledged.size() + 1);
    if (stored.size() > acknowledged.size()) ++in_flight;
    acknowledged = std::move(stored);
    if (acknowledged.empty()) continue;
    auto last = (*store)->FindRun(*acknowledged.rbegin());
    ASSERT_TRUE(last.ok()) << last.error().message();
    EXPECT_EQ(last->network()->samples.size(), 2000u);
  }
  EXPECT_GE(acknowledged.size(), 25u);
  fmt::print("{} runs kept over 50 kills, {} of them unannounced\n",
             acknowledged.size(), in_flight);
}

TEST(StoreUnderConcurrency, TwoWritersLoseNoRun) {
  ScratchFolder folder = *ScratchFolder::Create();
  const auto file = folder.path() / "store.db";  // both also create it
  Writer one(file, "one", 50);
  Writer two(file, "two", 50);
  one.ListenToEnd();
  two.ListenToEnd();
  EXPECT_EQ(one.Wait(), 0);
  EXPECT_EQ(two.Wait(), 0);
  EXPECT_EQ(one.Acknowledged().size(), 50u);
  EXPECT_EQ(two.Acknowledged().size(), 50u);
  auto store = SqliteRunStore::Open(file);
  ASSERT_TRUE(store.ok());
  EXPECT_EQ(StoredIds(**store).size(), 100u);
  EXPECT_TRUE((*store)->CheckIntegrity().ok());
}

TEST(StoreUnderConcurrency, EightProcessesCanCreateItAtOnce) {
  ScratchFolder folder = *ScratchFolder::Create();
  const auto file = folder.path() / "store.db";
  std::vector<std::unique_ptr<Writer>> writers;
  for (int i = 0; i < 8; ++i) {
    writers.push_back(std::make_unique<Writer>(file, fmt::format("w{}", i), 1));
  }
  for (auto& writer : writers) {
    writer->ListenToEnd();
    EXPECT_EQ(writer->Wait(), 0);
  }
  auto store = SqliteRunStore::Open(file);
  ASSERT_TRUE(store.ok());
  EXPECT_EQ(StoredIds(**store).size(), 8u);
}

}  // namespace
}  // namespace mete
