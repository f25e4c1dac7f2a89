#include "cgroups/group_folders.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "support/file.h"

namespace mete {
namespace {

// A recorded /proc with the process 42, started at 777.
struct OwnerStage {
  ScratchFolder scratch = ScratchFolder::Create().value();
  SystemRoot root{scratch.path()};

  OwnerStage() {
    Put("/proc/self/ns/pid", "");
    PutProcess('S');
  }
  void Put(const std::string& path, const std::string& text) const {
    const auto file = root.Locate(path);
    ASSERT_TRUE(MakeFolder(file.parent_path()).ok());
    ASSERT_TRUE(WriteFileAtomically(file, text).ok());
  }
  void PutProcess(char state) const {
    std::string stat = fmt::format("42 (a b) c) {}", state);
    for (int i = 0; i < 18; ++i) stat += " 0";
    Put("/proc/42/stat", stat + " 777 0\n");
  }
  std::string Tag(const std::string& process) const {
    struct stat space {};
    EXPECT_EQ(stat(root.Locate("/proc/self/ns/pid").c_str(), &space), 0);
    return fmt::format("{}-{}", process, space.st_ino);
  }
  bool Gone(const std::string& tag) const { return OwnerIsGone(root, tag); }
  bool Runs(const std::string& tag) const { return OwnerRuns(root, tag); }
};

TEST(OwnerOfATag, RunsIfPidAndStartAreTheSame) {
  OwnerStage stage;
  EXPECT_TRUE(stage.Runs(stage.Tag("42-777")));
  EXPECT_FALSE(stage.Gone(stage.Tag("42-777")));
}

TEST(OwnerOfATag, IsGoneIfThePidIsFreeOrThatOfALaterProcess) {
  OwnerStage stage;
  for (const char* process : {"42-778", "43-777"}) {
    EXPECT_TRUE(stage.Gone(stage.Tag(process))) << process;
    EXPECT_FALSE(stage.Runs(stage.Tag(process))) << process;
  }
  for (char ended : {'Z', 'X'}) {
    stage.PutProcess(ended);
    EXPECT_TRUE(stage.Gone(stage.Tag("42-777"))) << ended;
  }
}

TEST(OwnerOfATag, IsUnknownForAnythingElse) {
  OwnerStage stage;
  const std::string space = stage.Tag("");  // with a dash before it
  for (const std::string& tag :
       {std::string("42-777-1"), std::string("42-777"), "42" + space,
        "42-777-1" + space, "42-" + space, "-777" + space, "0-777" + space,
        "-42-777" + space, "42x-777" + space, std::string()}) {
    EXPECT_FALSE(stage.Gone(tag)) << tag;
    EXPECT_FALSE(stage.Runs(tag)) << tag;
  }
}

// Its cgroup would be killed and removed.
TEST(OwnerOfATag, IsNotGoneIfItCannotBeRead) {
  OwnerStage stage;
  const auto file = stage.root.Locate("/proc/42/stat");
  std::filesystem::remove(file);
  std::filesystem::create_directory(file);
  EXPECT_FALSE(stage.Gone(stage.Tag("42-777")));
  EXPECT_FALSE(stage.Runs(stage.Tag("42-777")));
}

}  // namespace
}  // namespace mete
