#include "measure/container_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/container_privilege.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

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

TEST(ContainerOptions, RefusesUnknownOptionAndSuggestsTheNearest) {
  EXPECT_EQ(OptionsComplaint({"--volumes", "a:/b"}),
            "unknown container option '--volumes'; did you mean '--volume'?");
  EXPECT_THAT(OptionsComplaint({"--ipc=host"}), HasSubstr("unknown"));
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
  EXPECT_EQ(OptionsComplaint({"--privileged=maybe"}),
            "--privileged takes no value");
}

}  // namespace
}  // namespace mete
