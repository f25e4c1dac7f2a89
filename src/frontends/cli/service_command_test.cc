#include "cli/service_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/test_command.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_engine.h"
#include "tests/fakes/fake_graph_writer.h"
#include "tests/fakes/no_images.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

CommandRun Service(std::vector<std::string> arguments) {
  FakeClock clock;
  FakeEngine engine(clock, {});
  FakeGraphWriter writer;
  NoImages images;
  arguments.insert(arguments.begin(), "service");
  return RunCommand(arguments, [&](Command root, Verbs& verbs) {
    AddServiceCommand(root, verbs, [&]() -> Result<ServiceCommandDependencies> {
      return ServiceCommandDependencies{
          .open_engine = [&]() -> Result<Engine*> { return &engine; },
          .writer = writer,
          .images = images,
          .clock = clock,
          .draw_entropy = [] { return RunEntropy{.low = 0x1f}; },
          .networks_folder = "/nonexistent"};
    });
  });
}

TEST(ServiceCommand, RefusesToListenForOtherMachinesUnlessAskedTo) {
  CommandRun run = Service({"mlp", "--listen", "0.0.0.0:8000"});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.err,
            "mete service: --listen 0.0.0.0:8000: other machines can reach "
            "this address, and anybody there could use the service; add "
            "--insecure to accept that\n");
}

TEST(ServiceCommand, AnUnknownNetworkIsAUsageError) {
  CommandRun run = Service({"tclf"});
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, StartsWith("mete service: unknown network 'tclf'; "));
}

TEST(ServiceCommand, AMissingFileIsAnError) {
  CommandRun run = Service({"/nonexistent/net.onnx"});
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.err, HasSubstr("/nonexistent/net.onnx: no such file"));
}

TEST(ServiceCommand, RejectsValuesThatMakeNoSense) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"mlp", "--queue", "0"},
        {"mlp", "--workers", "0"},
        {"mlp", "--threads", "0"},
        {"mlp", "--batch", "0"},
        {"mlp", "--drain", "soon"},
        {"mlp", "--listen", "8000"},
        {}}) {
    EXPECT_EQ(Service(arguments).code, 2);
  }
}

}  // namespace
}  // namespace mete
