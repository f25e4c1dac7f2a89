#include "adapters/sqlite/store_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include "adapters/sqlite/sqlite_job_store.h"
#include "adapters/sqlite/sqlite_run_store.h"
#include "adapters/sqlite/sqlite_sweep_store.h"
#include "support/file.h"
#include "tests/contracts/run_store_contract.h"

namespace mete {
namespace {

using std::filesystem::path;
using std::filesystem::perms;
using testing::HasSubstr;

// Makes a folder read-only for this process: permissions do not stop root, so
// root gets a read-only mount, in a mount namespace that ends with the test.
class ReadOnlyView {
 public:
  ReadOnlyView(const path& folder, const path& view) : view_(view) {
    std::filesystem::create_directory(view);
    if (geteuid() != 0) {
      std::filesystem::remove(view);
      std::filesystem::create_directory_symlink(folder, view);
      std::filesystem::permissions(folder, perms{0555});
      folder_ = folder;
      return;
    }
    mounted_ =
        unshare(CLONE_NEWNS) == 0 &&
        mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
        mount(folder.c_str(), view.c_str(), nullptr, MS_BIND, nullptr) == 0;
    usable_ = mounted_ && mount("none", view.c_str(), nullptr,
                                MS_REMOUNT | MS_BIND | MS_RDONLY, nullptr) == 0;
  }
  ReadOnlyView(const ReadOnlyView&) = delete;
  ReadOnlyView& operator=(const ReadOnlyView&) = delete;
  ~ReadOnlyView() {
    if (mounted_) umount2(view_.c_str(), MNT_DETACH);
    std::error_code ignored;
    if (!folder_.empty()) {
      std::filesystem::permissions(folder_, perms{0755}, ignored);
    }
  }
  bool usable() const { return usable_; }

 private:
  path view_;
  path folder_;  // whose permissions were changed
  bool mounted_ = false;
  bool usable_ = true;
};

class ReadOnlyStore : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(folder);
    auto store = SqliteRunStore::Open(file);
    ASSERT_TRUE(store.ok()) << store.error().message();
    ASSERT_TRUE((*store)->SaveDevice(ExampleDevice("d1", "pi")).ok());
    ASSERT_TRUE((*store)->SaveRun(ExampleRun("r1", 0)).ok());
  }

  ScratchFolder scratch = *ScratchFolder::Create();
  path folder = scratch.path() / "folder";
  path file = folder / "store.db";
  path view = scratch.path() / "view";
  path seen = view / "store.db";
};

#define SKIP_IF_WRITABLE(read_only) \
  if (!(read_only).usable()) GTEST_SKIP() << "cannot mount read-only here"

TEST_F(ReadOnlyStore, IsRead) {
  ReadOnlyView read_only(folder, view);
  SKIP_IF_WRITABLE(read_only);
  auto store = SqliteRunStore::Open(seen);
  ASSERT_TRUE(store.ok()) << store.error().message();
  EXPECT_EQ((*store)->ListDevices()->size(), 1u);
  EXPECT_EQ((*store)->FindRun("r1")->network()->samples.size(), 3u);
  EXPECT_TRUE((*store)->CheckIntegrity().ok());
  EXPECT_TRUE(SqliteSweepStore::Open({.path = seen}).ok());
  EXPECT_TRUE(SqliteJobStore::Open({.path = seen}).ok());
}

TEST_F(ReadOnlyStore, RefusesToSave) {
  ReadOnlyView read_only(folder, view);
  SKIP_IF_WRITABLE(read_only);
  auto store = SqliteRunStore::Open(seen);
  ASSERT_TRUE(store.ok()) << store.error().message();
  Status saved = (*store)->SaveDevice(ExampleDevice("d2", "nano"));
  ASSERT_FALSE(saved.ok());
  EXPECT_EQ(saved.error().code(), ErrorCode::kPermissionDenied);
  EXPECT_THAT(saved.error().message(), HasSubstr("read-only"));
  EXPECT_EQ((*store)->CheckWritable().error().code(),
            ErrorCode::kPermissionDenied);
}

TEST_F(ReadOnlyStore, SeesWhatALiveWriterSaves) {
  auto writer = SqliteRunStore::Open(file);
  ASSERT_TRUE((*writer)->SaveDevice(ExampleDevice("d2", "nano")).ok());
  EXPECT_TRUE((*writer)->CheckWritable().ok());
  ReadOnlyView read_only(folder, view);
  SKIP_IF_WRITABLE(read_only);
  auto store = SqliteRunStore::Open(seen);
  ASSERT_TRUE(store.ok()) << store.error().message();
  EXPECT_EQ((*store)->ListDevices()->size(), 2u);
  ASSERT_TRUE((*writer)->SaveDevice(ExampleDevice("d3", "orin")).ok());
  EXPECT_EQ((*store)->ListDevices()->size(), 3u);
}

// Copies the files of a store whose writer has saved "d2" in the log only.
void CopyWithLog(const path& file, const path& to) {
  auto writer = SqliteRunStore::Open(file);
  ASSERT_TRUE((*writer)->SaveDevice(ExampleDevice("d2", "nano")).ok());
  std::filesystem::create_directory(to);
  for (const char* ending : {"", "-wal", "-shm"}) {
    std::filesystem::copy(file.string() + ending,
                          to / (file.filename().string() + ending));
  }
}

TEST_F(ReadOnlyStore, IsReadWithTheLogOfAKilledWriter) {
  const path copy = scratch.path() / "copy";
  CopyWithLog(file, copy);
  ReadOnlyView read_only(copy, view);
  SKIP_IF_WRITABLE(read_only);
  auto store = SqliteRunStore::Open(seen);
  ASSERT_TRUE(store.ok()) << store.error().message();
  EXPECT_EQ((*store)->ListDevices()->size(), 2u);
}

TEST_F(ReadOnlyStore, IsRefusedIfItsLogCannotBeRead) {
  const path copy = scratch.path() / "copy";
  CopyWithLog(file, copy);
  std::filesystem::remove(copy / "store.db-shm");
  ReadOnlyView read_only(copy, view);
  SKIP_IF_WRITABLE(read_only);
  auto store = SqliteRunStore::Open(seen);
  ASSERT_FALSE(store.ok());
  EXPECT_THAT(store.error().message(),
              HasSubstr("store.db-wal has changes that cannot be read from a "
                        "read-only folder; copy both files"));
}

TEST_F(ReadOnlyStore, OfAnOlderVersionSaysWhatToDo) {
  ASSERT_TRUE(Database::Open(file, std::chrono::milliseconds(0))
                  ->Execute("PRAGMA user_version = 2")
                  .ok());
  ReadOnlyView read_only(folder, view);
  SKIP_IF_WRITABLE(read_only);
  auto store = SqliteRunStore::Open(seen);
  ASSERT_FALSE(store.ok());
  EXPECT_EQ(store.error().code(), ErrorCode::kUnsupported);
  EXPECT_THAT(store.error().message(), HasSubstr("written by an older mete"));
}

TEST_F(ReadOnlyStore, IsNotCreated) {
  ReadOnlyView read_only(folder, view);
  SKIP_IF_WRITABLE(read_only);
  auto store = SqliteRunStore::Open(view / "other.db");
  ASSERT_FALSE(store.ok());
  EXPECT_EQ(store.error().code(), ErrorCode::kPermissionDenied);
}

// 0 if an ordinary user can read, but not change, the store.
int ReadAsNobody(const path& file) {
  constexpr uid_t kNobody = 65534;
  if (setgid(kNobody) != 0 || setuid(kNobody) != 0) return 1;
  auto store = SqliteRunStore::Open(file);
  if (!store.ok() || (*store)->CheckWritable().ok()) return 2;
  auto devices = (*store)->ListDevices();
  return devices.ok() && devices->size() == 1 ? 0 : 3;
}

TEST_F(ReadOnlyStore, OfAnotherUserIsRead) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root to become another user";
  std::filesystem::permissions(scratch.path(), perms{0755});
  std::filesystem::permissions(folder, perms{0755});
  std::filesystem::permissions(file, perms{0644});
  EXPECT_EXIT(_exit(ReadAsNobody(file)), testing::ExitedWithCode(0), "");
  EXPECT_FALSE(std::filesystem::exists(file.string() + "-wal"));
}

}  // namespace
}  // namespace mete
