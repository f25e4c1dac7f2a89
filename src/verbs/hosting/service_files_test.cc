#include "hosting/service_files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/file.h"
#include "support/json.h"
#include "support/scratch_folder.h"

namespace mete {
namespace {

HostedService Example(const std::string& id) {
  return {
      .id = id,
      .order = {.app = "lenet5",
                .network = "/nets/lenet5.onnx",
                .device = "half",
                .limits = {.memory = Mebibytes(512), .cpus = Millicores{500}},
                .threads = 2,
                .launcher = "docker",
                .image = "mete:1",
                .plan = "plan.json"},
      .state = HostedService::State::kRunning,
      .url = "http://127.0.0.1:4000",
      .keeper = "12-34-56",
      .boot = "b",
      .started_at = std::chrono::system_clock::from_time_t(1'700'000'000),
      .log = "x.log"};
}

TEST(ServiceFiles, ReadWhatTheyWrote) {
  auto scratch = ScratchFolder::Create().value();
  const ServiceFiles files(scratch.path() / "services");
  ASSERT_TRUE(files.Write(Example("a1")).ok());
  auto read = files.Read("a1");
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(DumpJson(HostedServiceToJson(*read)),
            DumpJson(HostedServiceToJson(Example("a1"))));
}

TEST(ServiceFiles, ListOnlyRecordsOldestFirst) {
  auto scratch = ScratchFolder::Create().value();
  const ServiceFiles files(scratch.path());
  HostedService old = Example("b2");
  old.started_at -= std::chrono::hours(1);
  ASSERT_TRUE(files.Write(Example("a1")).ok());
  ASSERT_TRUE(files.Write(old).ok());
  ASSERT_TRUE(WriteFileAtomically(scratch.path() / "c3.json", "{}").ok());
  auto all = files.ReadAll();
  ASSERT_TRUE(all.ok());
  ASSERT_EQ(all->size(), 2u);
  EXPECT_EQ(all->front().id, "b2");
}

TEST(ServiceFiles, AcceptNoIdThatIsAPath) {
  auto scratch = ScratchFolder::Create().value();
  ASSERT_TRUE(WriteFileAtomically(scratch.path() / "x.json", "{}").ok());
  const ServiceFiles files(scratch.path() / "services");
  EXPECT_EQ(files.Read("../x").error().code(), ErrorCode::kNotFound);
  files.Remove("../x");
  EXPECT_TRUE(std::filesystem::exists(scratch.path() / "x.json"));
}

// A record says what to stop and to remove, so it must be that of its name.
TEST(ServiceFiles, RefuseARecordOfAnotherId) {
  auto scratch = ScratchFolder::Create().value();
  const ServiceFiles files(scratch.path());
  for (const char* id : {"b2", "../b2", ""}) {
    ASSERT_TRUE(WriteFileAtomically(files.RecordFile("a1"),
                                    DumpJson(HostedServiceToJson(Example(id))))
                    .ok());
    EXPECT_EQ(files.Read("a1").error().code(), ErrorCode::kCorrupt) << id;
    EXPECT_TRUE(files.ReadAll()->empty());
  }
}

// With the state folder of another user, root must not end the processes or
// remove the files that this user names.
TEST(ServiceFiles, RefuseTheRecordOfAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  auto scratch = ScratchFolder::Create().value();
  const ServiceFiles files(scratch.path());
  ASSERT_TRUE(files.Write(Example("a1")).ok());
  constexpr uid_t kSomebody = 12345;
  ASSERT_EQ(chown(files.RecordFile("a1").c_str(), kSomebody, kSomebody), 0);
  EXPECT_EQ(files.Read("a1").error().code(), ErrorCode::kPermissionDenied);
  EXPECT_TRUE(files.ReadAll()->empty());
}

TEST(ServiceFiles, RefuseARecordThatIsALinkOrAPipe) {
  auto scratch = ScratchFolder::Create().value();
  const ServiceFiles files(scratch.path());
  ASSERT_TRUE(files.Write(Example("a1")).ok());
  const auto elsewhere = scratch.path() / "elsewhere";
  std::filesystem::rename(files.RecordFile("a1"), elsewhere);
  std::filesystem::create_symlink(elsewhere, files.RecordFile("a1"));
  EXPECT_FALSE(files.Read("a1").ok());
  ASSERT_EQ(mkfifo(files.RecordFile("b2").c_str(), 0600), 0);
  EXPECT_FALSE(files.Read("b2").ok());
}

TEST(ServiceFiles, RemoveEverythingOfAService) {
  auto scratch = ScratchFolder::Create().value();
  const ServiceFiles files(scratch.path());
  ASSERT_TRUE(files.Write(Example("a1")).ok());
  ASSERT_TRUE(WriteFileAtomically(files.LogFile("a1"), "x").ok());
  ASSERT_TRUE(MakeFolder(files.RunFolder("a1")).ok());
  ASSERT_TRUE(WriteFileAtomically(files.PortFile("a1"), "1\n").ok());
  ASSERT_TRUE(WriteFileAtomically(scratch.path() / "other", "stays").ok());
  // A container may leave anything there.
  std::filesystem::create_symlink(scratch.path() / "other",
                                  files.RunFolder("a1") / "link");
  files.Remove("a1");
  EXPECT_EQ(FilesIn(scratch.path()).value(),
            std::vector{scratch.path() / "other"});
}

}  // namespace
}  // namespace mete
