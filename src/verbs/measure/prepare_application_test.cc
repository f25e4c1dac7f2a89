#include "measure/prepare_application.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "measure/application_bounds.h"
#include "support/file.h"
#include "tests/fakes/fake_dependencies.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A spec on fakes. Tests change its settings before calling Prepare.
struct Stage {
  FakeDependencies platform;
  ApplicationSpec spec{.command = {"/opt/app", "two words"}};
  RunContext context{.device = {.id = "d1", .name = "box"},
                     .mete_version = "1.2"};

  Result<PreparedApplication> Prepare() {
    return PrepareApplication(spec, context, platform.Get(), {}, {});
  }
  std::string Complaint() {
    auto prepared = Prepare();
    return prepared.ok() ? "" : prepared.error().message();
  }
};

TEST(PrepareApplication, ProcessIsACommandOnThisDevice) {
  Stage stage;
  auto prepared = stage.Prepare();
  ASSERT_TRUE(prepared.ok());
  EXPECT_EQ(prepared->launcher, &stage.platform.launcher);
  EXPECT_EQ(prepared->workload.kind, WorkloadKind::kCommand);
  EXPECT_EQ(prepared->workload.name, "app");
  EXPECT_EQ(prepared->workload.source, "/opt/app 'two words'");
  EXPECT_EQ(prepared->device_id, "d1");
  EXPECT_THAT(stage.platform.containers.fetched, IsEmpty());
}

TEST(PrepareApplication, PullsAnImageAndNamesItByItsContent) {
  Stage stage;
  stage.spec.container = ContainerSettings{.image = "my/app:1"};
  stage.spec.pull = PullPolicy::kAlways;
  auto prepared = stage.Prepare();
  ASSERT_TRUE(prepared.ok());
  EXPECT_THAT(stage.platform.containers.fetched, ElementsAre("my/app:1"));
  EXPECT_EQ(stage.platform.containers.last_policy, PullPolicy::kAlways);
  EXPECT_EQ(prepared->workload.kind, WorkloadKind::kImage);
  EXPECT_EQ(prepared->workload.name, "my/app:1");
  EXPECT_EQ(prepared->workload.sha256, "feed");
  EXPECT_EQ(prepared->engine.name, "docker");
  EXPECT_EQ(prepared->engine.version, "24.0");
  EXPECT_EQ(prepared->launcher, &stage.platform.containers);
}

TEST(PrepareApplication, RefusesMorePrivilegesUnlessAllowed) {
  Stage stage;
  stage.spec.container = ContainerSettings{.image = "my/app:1",
                                           .privileges = {.privileged = true}};
  EXPECT_THAT(stage.Complaint(),
              HasSubstr("use --allow-privileged to allow it"));
  EXPECT_THAT(stage.platform.containers.fetched, IsEmpty());
  stage.context.allow_privileged = true;
  EXPECT_EQ(stage.Complaint(), "");
}

TEST(PrepareApplication, TheDatasetOfAnImageNeedsThePrivilegesOfAMount) {
  Stage stage;
  stage.spec.container = ContainerSettings{.image = "my/app:1"};
  stage.spec.dataset = "/etc";
  EXPECT_THAT(stage.Complaint(), HasSubstr("/etc shows passwords or keys"));
  stage.spec.dataset = "/run/../run/";
  EXPECT_THAT(stage.Complaint(), HasSubstr("container engine's socket"));
  stage.spec.dataset = "/usr/share";
  EXPECT_EQ(stage.Complaint(), "");
  stage.spec.dataset = "/etc";
  stage.context.allow_privileged = true;
  EXPECT_EQ(stage.Complaint(), "");
}

TEST(PrepareApplication, RefusesUnreadablePaths) {
  Stage dataset;
  dataset.spec.dataset = "/nowhere/data";
  EXPECT_EQ(dataset.Complaint(),
            "dataset /nowhere/data: no such file or folder");
  Stage mount;
  mount.spec.container = ContainerSettings{
      .image = "my/app:1", .mounts = {{"/nowhere/data", "/data", true}}};
  EXPECT_EQ(mount.Complaint(), "mount /nowhere/data: no such file or folder");
  Stage image;
  image.spec.container = ContainerSettings{.image = "missing"};
  EXPECT_EQ(image.Complaint(), "image missing: not found");
  Stage nothing;
  nothing.spec.command.clear();
  EXPECT_EQ(nothing.Complaint(), "neither a command nor an image is given");
}

// The message for the spec after `change`; "" if there is none.
std::string ComplaintAfter(
    const std::function<void(ApplicationSpec&)>& change) {
  ApplicationSpec spec{.command = {"./app"}};
  change(spec);
  Status checked = CheckSpec(spec, false);
  return checked.ok() ? "" : checked.error().message();
}

TEST(CheckSpec, LimitsDurations) {
  using Spec = ApplicationSpec;
  const double kNever = std::numeric_limits<double>::infinity();
  for (double seconds : {0.0, -1.0, 1e10, kNever, std::nan("")}) {
    EXPECT_THAT(ComplaintAfter([&](Spec& s) { s.timeout = Seconds(seconds); }),
                HasSubstr("timeout"))
        << seconds;
  }
  for (double seconds : {-1.0, 1e10, kNever, std::nan("")}) {
    EXPECT_THAT(ComplaintAfter([&](Spec& s) { s.grace = Seconds(seconds); }),
                HasSubstr("grace"))
        << seconds;
  }
  EXPECT_EQ(ComplaintAfter([](Spec& s) {
              s.timeout = Seconds(365 * 86400);
              s.grace = Seconds(0);
            }),
            "");
}

TEST(CheckSpec, LimitsRepeatsAndSamplingRate) {
  using Spec = ApplicationSpec;
  for (uint64_t repeat : {uint64_t{0}, uint64_t{10'001}, UINT64_MAX}) {
    EXPECT_THAT(ComplaintAfter([&](Spec& s) { s.repeat = repeat; }),
                HasSubstr("between 1 and 10000"))
        << repeat;
  }
  EXPECT_EQ(ComplaintAfter([](Spec& s) { s.repeat = 10'000; }), "");
  for (double hertz : {0.0, -1.0, 1001.0, std::nan("")}) {
    EXPECT_THAT(ComplaintAfter([&](Spec& s) { s.sample_hertz = hertz; }),
                HasSubstr("samples per second"))
        << hertz;
  }
}

TEST(CheckSpec, RequiresValidLimits) {
  using Spec = ApplicationSpec;
  EXPECT_EQ(ComplaintAfter([](Spec& s) { s.limits.memory = Bytes{0}; }),
            "the memory limit must be positive");
  EXPECT_EQ(ComplaintAfter([](Spec& s) { s.limits.cpus = Millicores{-1}; }),
            "the CPU limit must be positive");
  EXPECT_EQ(ComplaintAfter([](Spec& s) { s.limits.processes = 0; }),
            "the process limit must be positive");
  EXPECT_EQ(ComplaintAfter([](Spec& s) { s.limits.cpuset = "a-b"; }),
            "cpuset: 'a-b' is not a list of cores; write it like 0-2,4");
  EXPECT_EQ(ComplaintAfter([](Spec& s) {
              s.limits.cpuset = "0";
              s.limits.pin = "0";
            }),
            "pin and cpuset cannot be given together");
  EXPECT_EQ(ComplaintAfter([](Spec& s) { s.limits.threads = 0; }),
            "threads: 0 is not between 1 and 1024");
  EXPECT_EQ(ComplaintAfter([](Spec& s) { s.limits.threads = 2000; }),
            "threads: 2000 is not between 1 and 1024");
}

TEST(PrepareApplication, FindsMeteTorchInMetesOwnFolder) {
  Stage stage;
  ScratchFolder scratch = ScratchFolder::Create().value();
  const auto program = scratch.path() / "mete-torch";
  ASSERT_TRUE(WriteFileAtomically(program, "#!/bin/sh\n").ok());
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  stage.spec.command = {"mete-torch", "infer"};
  ApplicationDependencies platform = stage.platform.Get();
  platform.torch = {.beside = scratch.path()};
  auto prepared =
      PrepareApplication(stage.spec, stage.context, platform, {}, {});
  ASSERT_TRUE(prepared.ok()) << prepared.error().message();
  EXPECT_THAT(prepared->launch.command, ElementsAre(program.string(), "infer"));
  EXPECT_EQ(prepared->workload.source, "mete-torch infer");

  std::filesystem::remove(program);
  EXPECT_THAT(PrepareApplication(stage.spec, stage.context, platform, {}, {})
                  .error()
                  .message(),
              HasSubstr("mete-torch is not installed"));
}

}  // namespace
}  // namespace mete
