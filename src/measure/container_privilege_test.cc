#include "measure/container_privilege.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/container_options.h"
#include "support/file.h"

namespace mete {
namespace {

using testing::HasSubstr;

// What is said of a container with these options; "" when nothing.
std::string Widened(const std::vector<std::string>& words) {
  ContainerOptions options;
  Status read = ReadContainerOptions(words, "/work", options);
  EXPECT_TRUE(read.ok()) << read.error().message();
  return WidenedPrivilege(options.settings).value_or("");
}

TEST(WidenedPrivilege, NamesEachOptionThatGivesMorePower) {
  EXPECT_THAT(Widened({"--privileged"}), HasSubstr("--privileged"));
  EXPECT_THAT(Widened({"--pid=host"}), HasSubstr("every process"));
  EXPECT_THAT(Widened({"--cap-add", "SYS_ADMIN"}), HasSubstr("SYS_ADMIN"));
  EXPECT_THAT(Widened({"--security-opt", "seccomp=unconfined"}),
              HasSubstr("seccomp=unconfined"));
}

TEST(WidenedPrivilege, SeesSocketsOfEnginesAndTheFoldersThatHoldThem) {
  for (const char* source :
       {"/var/run/docker.sock", "/run/docker.sock", "/run/podman/podman.sock",
        "/run/containerd/containerd.sock", "/run/containerd",
        "/srv/elsewhere/podman.sock", "/run", "/run/", "/var/run", "/var", "/",
        "/run/user/1000", "/run/user/1000/podman"}) {
    // Read-only does not help: one can send to a socket all the same.
    std::string mount = std::string(source) + ":/x:ro";
    EXPECT_THAT(Widened({"-v", mount}), HasSubstr("socket")) << source;
  }
}

TEST(WidenedPrivilege, SeesThroughSymbolicLinks) {
  auto folder = ScratchFolder::Create();
  std::filesystem::create_symlink("/etc", folder->path() / "innocent");
  std::string mount = (folder->path() / "innocent").string() + ":/x";
  EXPECT_THAT(Widened({"-v", mount}), HasSubstr("changes the machine"));
}

TEST(WidenedPrivilege, AWritableMountOfTheSystemIsWider) {
  for (const char* source : {"/etc", "/etc/cron.d", "/proc", "/sys/fs/cgroup",
                             "/dev", "/boot", "/data/../etc"}) {
    EXPECT_THAT(Widened({"-v", std::string(source) + ":/x"}),
                HasSubstr("changes the machine"))
        << source;
    EXPECT_EQ(Widened({"-v", std::string(source) + ":/x:ro"}), "") << source;
  }
  EXPECT_EQ(Widened({"-v", "/dev/shm:/dev/shm"}), "");
  EXPECT_EQ(Widened({"-v", "/home/me/data:/data"}), "");
}

}  // namespace
}  // namespace mete
