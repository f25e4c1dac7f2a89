#include "measure/container_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/container_privilege.h"
#include "support/file.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;
using testing::StartsWith;

ContainerOptions Read(const std::vector<std::string>& arguments) {
  ContainerOptions options;
  Status read = ReadContainerOptions(arguments, "/project", options);
  EXPECT_TRUE(read.ok()) << read.error().message();
  return options;
}

std::string OptionsComplaint(const std::vector<std::string>& arguments) {
  ContainerOptions options;
  Status read = ReadContainerOptions(arguments, "/project", options);
  return read.ok() ? "" : read.error().message();
}

TEST(ContainerOptions, ReadsMountsInBothSpellings) {
  EXPECT_THAT(Read({"-v", "data:/data:ro", "--volume=/a:/b", "--mount",
                    "type=bind,source=/c,target=/d,readonly"})
                  .settings.mounts,
              ElementsAre(Mount{"/project/data", "/data", true},
                          Mount{"/a", "/b", false}, Mount{"/c", "/d", true}));
}

TEST(ContainerOptions, ReadsVariablesDevicesAndTheOtherSettings) {
  ContainerOptions options =
      Read({"-e", "A=1=2", "--env=B=", "--device", "/dev/video0", "--device",
            "/dev/a:/dev/b:r", "--runtime", "nvidia", "--network=host", "-u",
            "1000:1000", "--shm-size", "1Gi", "-it", "--rm"});
  EXPECT_THAT(options.environment,
              ElementsAre(Pair("A", "1=2"), Pair("B", "")));
  EXPECT_THAT(options.settings.devices,
              ElementsAre(DeviceNode{"/dev/video0", "/dev/video0", "rwm"},
                          DeviceNode{"/dev/a", "/dev/b", "r"}));
  EXPECT_EQ(options.settings.runtime, "nvidia");
  EXPECT_EQ(options.settings.network, "host");
  EXPECT_EQ(options.settings.user, "1000:1000");
  EXPECT_EQ(options.settings.shared_memory, Gibibytes(1));
  EXPECT_EQ(WidenedPrivilege(options.settings), std::nullopt);
}

TEST(ContainerOptions, ReadsWhatElseUsersNeed) {
  ContainerOptions options =
      Read({"--entrypoint", "/bin/sh", "-w", "/app", "--env-file=vars",
            "--gpus", "all", "--tmpfs", "/run:size=64m", "--tmpfs=/tmp",
            "--ulimit", "nofile=1024:2048", "--ulimit=core=0", "--ipc=private",
            "--group-add", "video", "--group-add=44"});
  const ContainerSettings& settings = options.settings;
  EXPECT_EQ(settings.entrypoint, "/bin/sh");
  EXPECT_EQ(options.folder, "/app");
  EXPECT_THAT(options.environment_files, ElementsAre("/project/vars"));
  EXPECT_EQ(settings.gpus, GpuChoice{.count = GpuChoice::kAll});
  EXPECT_THAT(settings.temporary_folders,
              ElementsAre(TemporaryFolder{"/run", "size=64m"},
                          TemporaryFolder{"/tmp", ""}));
  EXPECT_THAT(settings.process_limits,
              ElementsAre(ProcessLimit{"nofile", 1024, 2048},
                          ProcessLimit{"core", 0, 0}));
  EXPECT_EQ(settings.ipc, "private");
  EXPECT_THAT(settings.groups, ElementsAre("video", "44"));
  EXPECT_EQ(WidenedPrivilege(settings), std::nullopt);
  EXPECT_EQ(Read({"--entrypoint="}).settings.entrypoint, "");
}

TEST(ContainerOptions, ReadsGpusAsDockerDoes) {
  auto gpus = [](const char* text) {
    return *Read({"--gpus", text}).settings.gpus;
  };
  EXPECT_EQ(gpus("2"), GpuChoice{.count = 2});
  EXPECT_EQ(gpus("device=0,GPU-3a"), (GpuChoice{.devices = {"0", "GPU-3a"}}));
  EXPECT_EQ(gpus("\"device=1\""), GpuChoice{.devices = {"1"}});
  for (const char* text : {"all", "2", "device=0,1"}) {
    EXPECT_EQ(FormatGpus(gpus(text)), text);
  }
  for (const char* text : {"", "0", "-1", "some", "device=", "device=0,"}) {
    EXPECT_THAT(OptionsComplaint({"--gpus", text}),
                HasSubstr("is not all, a number or device=ID"))
        << text;
  }
}

TEST(ContainerOptions, OptionsThatReachOutOfTheContainerArePrivileged) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--ipc=host"},
        {"--ipc=container:db"},
        {"--ulimit", "rtprio=99"},
        {"--ulimit", "nice=40"}}) {
    EXPECT_TRUE(WidenedPrivilege(Read(arguments).settings).has_value())
        << arguments.back();
  }
}

TEST(ContainerOptions, VariablesOfFilesDoNotOverrideGivenOnes) {
  ScratchFolder folder = ScratchFolder::Create().value();
  const auto file = folder.path() / "vars";
  ASSERT_TRUE(
      WriteFileAtomically(file, "# comment\nA=file\r\n\nB=b=c d\nC=\n").ok());
  ContainerOptions options = Read({"--env-file", file.string(), "-e", "A=own"});
  ASSERT_TRUE(ReadEnvironmentFiles(options).ok());
  EXPECT_THAT(options.environment,
              ElementsAre(Pair("A", "own"), Pair("B", "b=c d"), Pair("C", "")));
}

TEST(ContainerOptions, AnErrorInAFileOfVariablesDoesNotQuoteIt) {
  ScratchFolder folder = ScratchFolder::Create().value();
  const auto file = folder.path() / "vars";
  ASSERT_TRUE(WriteFileAtomically(file, "A=1\nsecret\n").ok());
  ContainerOptions options = Read({"--env-file", file.string()});
  Status read = ReadEnvironmentFiles(options);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().message(), file.string() + ":2: expected NAME=VALUE");
  options = Read({"--env-file", "/nowhere/vars"});
  EXPECT_FALSE(ReadEnvironmentFiles(options).ok());
}

TEST(ContainerOptions, RefusesAnUnknownOptionAndListsTheSupportedOnes) {
  // The nearest name would be --volume.
  EXPECT_THAT(OptionsComplaint({"--volumes-from", "db"}),
              StartsWith("unknown container option '--volumes-from'; "
                         "supported: -v/--volume, --mount, -e/--env, "));
  EXPECT_THAT(OptionsComplaint({"--volumes-from", "db"}),
              Not(HasSubstr("did you mean")));
  EXPECT_THAT(OptionsComplaint({"image"}), HasSubstr("unknown"));
}

TEST(ContainerOptions, RefusesInvalidValues) {
  EXPECT_EQ(OptionsComplaint({"-v"}), "-v requires a value");
  EXPECT_THAT(OptionsComplaint({"-v", "data"}), HasSubstr("data:/data:ro"));
  EXPECT_THAT(OptionsComplaint({"-v", "/a:b"}), HasSubstr("absolute target"));
  EXPECT_THAT(OptionsComplaint({"-v", "/a:/b:rq"}), HasSubstr("not ro or rw"));
  EXPECT_THAT(OptionsComplaint({"--mount", "type=tmpfs,target=/x"}),
              HasSubstr("type=bind"));
  EXPECT_THAT(OptionsComplaint({"-e", "HOME"}), HasSubstr("NAME=VALUE"));
  EXPECT_THAT(OptionsComplaint({"--device", "video0"}),
              HasSubstr("/dev/video0"));
  EXPECT_THAT(OptionsComplaint({"--pid=container:x"}),
              HasSubstr("only 'host'"));
  EXPECT_THAT(OptionsComplaint({"--tmpfs", "run"}), HasSubstr("/run:size=64m"));
  EXPECT_THAT(OptionsComplaint({"--ulimit", "nofile"}),
              HasSubstr("nofile=1024"));
  EXPECT_THAT(OptionsComplaint({"--ulimit", "files=1"}),
              HasSubstr("'files' is not a resource"));
  EXPECT_THAT(OptionsComplaint({"--ulimit", "nofile=9:1"}),
              HasSubstr("soft limit is above"));
  EXPECT_THAT(OptionsComplaint({"--ipc=public"}), HasSubstr("shareable"));
  EXPECT_THAT(OptionsComplaint({"-w", "app"}), HasSubstr("absolute"));
  EXPECT_EQ(OptionsComplaint({"--privileged=maybe"}),
            "--privileged takes no value");
}

}  // namespace
}  // namespace mete
