#include "collect/network_source.h"

#include <gtest/gtest.h>

#include "support/file.h"

namespace mete {
namespace {

TEST(NetworkSource, SortsTheNetworksOfAFolderByName) {
  ScratchFolder folder = ScratchFolder::Create().value();
  for (const char* name : {"b.onnx", "a.onnx", "notes.txt"}) {
    ASSERT_TRUE(WriteFileAtomically(folder.path() / name, "x").ok());
  }
  auto networks = FindNetworks(folder.path(), 0);
  ASSERT_TRUE(networks.ok()) << networks.error().message();
  ASSERT_EQ(networks->size(), 2u);
  EXPECT_EQ(networks->at(0).name, "a");
  EXPECT_EQ(networks->at(1).source, (folder.path() / "b.onnx").string());
}

TEST(NetworkSource, DistinguishesAnEmptyFolderFromAMissingOne) {
  ScratchFolder folder = ScratchFolder::Create().value();
  EXPECT_EQ(FindNetworks(folder.path(), 0).error().message(),
            "no network (*.onnx) in " + folder.path().string());
  EXPECT_EQ(FindNetworks("/no/such/folder", 0).error().code(),
            ErrorCode::kNotFound);
}

TEST(NetworkSource, SamplesHaveNamesAndReproducibleSources) {
  auto networks = FindNetworks("sample:3", 7).value();
  ASSERT_EQ(networks.size(), 3u);
  EXPECT_EQ(networks[2].source, "sample:2 seed 7");
  EXPECT_NE(networks[2].name.find("0002"), std::string::npos);
  for (const char* bad : {"sample:", "sample:x", "sample:0", "sample:-1"}) {
    EXPECT_EQ(FindNetworks(bad, 0).error().message(),
              std::string(bad) + ": expected a number from 1 to 100000");
    EXPECT_EQ(CheckNetworks(bad).error().code(), ErrorCode::kInvalidInput)
        << bad;
  }
  EXPECT_TRUE(CheckNetworks("sample:3").ok());
  EXPECT_TRUE(CheckNetworks("/no/such/folder").ok());
}

TEST(NetworkSource, ZooIncludesAllItsNetworks) {
  auto networks = FindNetworks("zoo", 0).value();
  EXPECT_GT(networks.size(), 10u);
  EXPECT_EQ(networks[0].source, "zoo:" + networks[0].name + " seed 0");
}

}  // namespace
}  // namespace mete
