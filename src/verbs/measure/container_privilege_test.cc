#include "measure/container_privilege.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "measure/container_options.h"
#include "support/file.h"

namespace mete {
namespace {

using testing::HasSubstr;

// The message for a container with these options; "" if there is none.
std::string Widened(const std::vector<std::string>& arguments) {
  ContainerOptions options;
  Status read = ReadContainerOptions(arguments, "/project", options);
  EXPECT_TRUE(read.ok()) << read.error().message();
  return WidenedPrivilege(options.settings).value_or("");
}

TEST(WidenedPrivilege, NamesEachOptionThatAddsPrivileges) {
  EXPECT_THAT(Widened({"--privileged"}), HasSubstr("--privileged"));
  EXPECT_THAT(Widened({"--pid=host"}), HasSubstr("every process"));
  EXPECT_THAT(Widened({"--cap-add", "SYS_ADMIN"}), HasSubstr("SYS_ADMIN"));
  EXPECT_THAT(Widened({"--security-opt", "seccomp=unconfined"}),
              HasSubstr("seccomp=unconfined"));
}

TEST(WidenedPrivilege, DetectsEngineSocketsAndTheirFolders) {
  for (const char* source :
       {"/var/run/docker.sock", "/run/docker.sock", "/run/podman/podman.sock",
        "/run/containerd/containerd.sock", "/run/containerd",
        "/srv/elsewhere/podman.sock", "/run", "/run/", "/var/run", "/var", "/",
        "/run/user/1000", "/run/user/1000/podman"}) {
    // Read-only does not help: a process can still send to the socket.
    std::string mount = std::string(source) + ":/x:ro";
    EXPECT_THAT(Widened({"-v", mount}), HasSubstr("socket")) << source;
  }
}

TEST(WidenedPrivilege, FollowsSymbolicLinks) {
  auto folder = ScratchFolder::Create();
  std::filesystem::create_symlink("/etc", folder->path() / "innocent");
  std::string mount = (folder->path() / "innocent").string() + ":/x";
  EXPECT_THAT(Widened({"-v", mount}), HasSubstr("could change the machine"));
}

TEST(WidenedPrivilege, WritableMountOfTheSystemAddsPrivileges) {
  for (const char* source : {"/etc", "/etc/cron.d", "/proc", "/sys/fs/cgroup",
                             "/dev", "/boot", "/data/../etc"}) {
    EXPECT_THAT(Widened({"-v", std::string(source) + ":/x"}),
                HasSubstr("could change the machine"))
        << source;
  }
  for (const char* source :
       {"/etc/cron.d", "/etc/localtime", "/proc", "/sys/fs/cgroup", "/boot",
        "/usr", "/root/.bashrc"}) {
    EXPECT_EQ(Widened({"-v", std::string(source) + ":/x:ro"}), "") << source;
  }
}

TEST(WidenedPrivilege, ReadingSecretsAddsPrivileges) {
  for (const char* source :
       {"/etc/shadow", "/etc", "/root/.ssh", "/root/.ssh/id_ed25519", "/root",
        "/home/ada/.ssh", "/home/ada/.local/state/mete",
        "/home/ada/.local/state/mete/token", "/var/lib/mete", "/etc/ssh",
        "/etc/kubernetes/admin.conf", "/var/lib/docker/volumes/db",
        "/var/lib/kubelet", "/home/ada/.kube/config", "/home/ada/.aws",
        "/home/ada/.docker/config.json", "/home/ada/.gnupg"}) {
    EXPECT_THAT(Widened({"-v", std::string(source) + ":/x:ro"}),
                HasSubstr("passwords or keys"))
        << source;
  }
  EXPECT_EQ(Widened({"-v", "/home/ada/data:/x:ro"}), "");
}

TEST(WidenedPrivilege, AnotherContainersNetworkAddsPrivileges) {
  EXPECT_THAT(Widened({"--network", "container:db"}), HasSubstr("traffic"));
  EXPECT_EQ(Widened({"--network", "lab"}), "");
}

TEST(WidenedPrivilege, WritableMountOfProgramsOrAllHomesAddsPrivileges) {
  for (const char* source : {"/usr",
                             "/usr/local/bin",
                             "/lib",
                             "/lib/modules",
                             "/lib64",
                             "/lib32",
                             "/bin",
                             "/sbin/init",
                             "/root",
                             "/root/.bashrc",
                             "/home",
                             "/var/lib/docker",
                             "/var/lib/docker/volumes",
                             "/var/lib/containers",
                             "/var/lib/containerd",
                             "/var/lib",
                             "/run/systemd",
                             "/var/run/dbus",
                             "/var/spool/cron",
                             "/data/../usr"}) {
    EXPECT_THAT(Widened({"-v", std::string(source) + ":/x"}),
                HasSubstr("could change the machine"))
        << source;
  }
}

TEST(WidenedPrivilege, WritableMountOfAUsersKeysAddsPrivileges) {
  for (const char* source :
       {"/home/me", "/home/me/", "/home/me/.ssh", "/srv/people/me/.ssh",
        "/home/me/.ssh/authorized_keys"}) {
    EXPECT_THAT(Widened({"-v", std::string(source) + ":/x"}),
                HasSubstr("could change the machine"))
        << source;
  }
}

TEST(WidenedPrivilege, OrdinaryFoldersMayBeWritable) {
  for (const char* source :
       {"/dev/shm", "/home/me/data", "/home/me/ssh", "/project", "/tmp/x",
        "/srv", "/opt/app", "/mnt/disk", "/media/me/stick", "/data",
        "/var/lib/mine", "/var/tmp", "/usrdata", "/etcetera"}) {
    EXPECT_EQ(Widened({"-v", std::string(source) + ":/x"}), "") << source;
  }
}

TEST(WidenedPrivilege, DiskOrMemoryDeviceAddsPrivileges) {
  for (const char* node :
       {"/dev/mem", "/dev/kmem", "/dev/kmsg", "/dev/port", "/dev/kvm",
        "/dev/uinput", "/dev/../dev/mem", "/dev", "/dev/snapshot",
        "/dev/watchdog", "/dev/watchdog0"}) {
    EXPECT_THAT(Widened({"--device", node}), HasSubstr("--device")) << node;
  }
  // Mapped to another path in the container, read-only or not.
  EXPECT_THAT(Widened({"--device", "/dev/mem:/dev/x:r"}),
              HasSubstr("--device"));
  // None of these need to exist: a job may be meant for another machine.
  for (const char* node :
       {"/dev/sda", "/dev/sdb1", "/dev/nvme0n1", "/dev/nvme0n1p2",
        "/dev/mmcblk0", "/dev/vda", "/dev/dm-0", "/dev/loop3", "/dev/md0",
        "/dev/mapper/root", "/dev/disk/by-id/x", "/dev/char/x", "/dev/input",
        "/dev/input/event3", "/dev/vfio/vfio", "/dev/cpu/0/msr"}) {
    EXPECT_THAT(Widened({"--device", node}), HasSubstr("--device")) << node;
  }
}

TEST(WidenedPrivilege, CamerasAndGpusAreOrdinary) {
  for (const char* node :
       {"/dev/video0", "/dev/nvidia0", "/dev/nvidiactl", "/dev/dri/renderD128",
        "/dev/ttyUSB0", "/dev/i2c-1", "/dev/snd", "/dev/null"}) {
    EXPECT_EQ(Widened({"--device", node}), "") << node;
  }
}

TEST(WidenedPrivilege, DetectsABlockDeviceByAnyName) {
  auto folder = ScratchFolder::Create();
  const std::filesystem::path node = folder->path() / "camera";
  if (mknod(node.c_str(), S_IFBLK | 0600, makedev(7, 0)) != 0) {
    GTEST_SKIP() << "only root makes nodes";
  }
  EXPECT_THAT(Widened({"--device", node.string()}), HasSubstr("--device"));
  std::filesystem::create_symlink(node, folder->path() / "link");
  EXPECT_THAT(Widened({"--device", (folder->path() / "link").string()}),
              HasSubstr("--device"));
}

}  // namespace
}  // namespace mete
