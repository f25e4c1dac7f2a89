#include "cli/zoo_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/test_command.h"
#include "support/file.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// Writes the name of the graph instead of the network.
class NameWriter final : public GraphWriter {
 public:
  Status Write(const NetworkDraft&,
               const std::filesystem::path& path) override {
    return WriteFileAtomically(path, path.stem().string());
  }
};

CommandRun Zoo(std::vector<std::string> arguments) {
  NameWriter writer;
  arguments.insert(arguments.begin(), "zoo");
  return RunCommand(arguments, [&](Command root, Verbs& verbs) {
    AddZooCommand(root, verbs, [&]() -> Result<ZooDependencies> {
      return ZooDependencies{.writer = writer};
    });
  });
}

TEST(ZooCommand, ListNamesTheNetworks) {
  CommandRun run = Zoo({"list", "-o", "csv"});
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.out, StartsWith("name,kind,input_shape,"));
  EXPECT_THAT(run.out, HasSubstr("\nlenet5,CNN,"));
}

TEST(ZooCommand, ListShowsParametersAndFlopsOfApplications) {
  CommandRun run = Zoo({"list", "-o", "csv"});
  EXPECT_THAT(run.out, HasSubstr("\niclf-mnet,CNN,batchx3x224x224,5483032,"));
  EXPECT_THAT(run.out, HasSubstr("\ntext-bert-small,Transformer,batchx128,"));
}

TEST(ZooCommand, BuildWritesTheNamedNetworksAndPrintsTheirFiles) {
  ScratchFolder folder = ScratchFolder::Create().value();
  CommandRun run =
      Zoo({"build", folder.path().string(), "--only", "lenet5", "-o", "csv"});
  EXPECT_EQ(run.code, 0) << run.err;
  std::filesystem::path file = folder.path() / "lenet5.onnx";
  EXPECT_THAT(run.out, HasSubstr("\nlenet5," + file.string() + ",6,"));
  EXPECT_EQ(ReadFile(file).value(), "lenet5");
}

TEST(ZooCommand, AnUnknownNetworkIsAnErrorWithTheNearestName) {
  ScratchFolder folder = ScratchFolder::Create().value();
  CommandRun run = Zoo({"build", folder.path().string(), "--only", "lenet"});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.err,
            "mete zoo build: --only: network 'lenet' is not in the zoo; did "
            "you mean 'lenet5'?\n");
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(Zoo({"build", folder.path().string(), "--only", "nope"}).err,
              HasSubstr("list them with mete zoo list"));
}

TEST(ZooCommand, SampleWritesTheRequestedNumber) {
  ScratchFolder folder = ScratchFolder::Create().value();
  CommandRun run =
      Zoo({"sample", folder.path().string(), "--count", "2", "-o", "json"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(FilesIn(folder.path()).value().size(), 2u);
}

}  // namespace
}  // namespace mete
