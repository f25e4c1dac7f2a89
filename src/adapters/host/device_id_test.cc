#include "adapters/host/device_id.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <thread>
#include <vector>

#include "support/file.h"
#include "support/sha256.h"

namespace mete {
namespace {

class DeviceId : public testing::Test {
 protected:
  void Put(const std::string& path, const std::string& content) {
    auto file = root.Locate(path);
    std::filesystem::create_directories(file.parent_path());
    ASSERT_TRUE(WriteFileAtomically(file, content).ok());
  }
  std::string Id() { return *ReadDeviceId(root, state); }

  ScratchFolder folder = *ScratchFolder::Create();
  SystemRoot root{folder.path()};
  std::filesystem::path state = folder.path() / "state" / "mete";
};

TEST_F(DeviceId, IsAHashThatHidesTheMachineId) {
  Put("/etc/machine-id", "0123456789abcdef0123456789abcdef\n");
  std::string hash =
      ComputeSha256("mete device 0123456789abcdef0123456789abcdef");
  EXPECT_EQ(Id(), hash.substr(0, 16));
}

TEST_F(DeviceId, DiffersBetweenMachines) {
  Put("/etc/machine-id", "0123456789abcdef0123456789abcdef\n");
  std::string one = Id();
  Put("/etc/machine-id", "1123456789abcdef0123456789abcdef\n");
  EXPECT_NE(Id(), one);
}

TEST_F(DeviceId, IsStoredWithoutAMachineId) {
  Put("/etc/machine-id", "uninitialized\n");
  std::string first = Id();
  EXPECT_EQ(first.size(), 16u);
  EXPECT_EQ(Id(), first);
  EXPECT_TRUE(std::filesystem::exists(state / "device-id"));
}

TEST_F(DeviceId, StaysTheSameWhenTheMainboardIsReadableLater) {
  std::string first = Id();
  Put("/sys/class/dmi/id/product_uuid",
      "4c4c4544-0042-3510-8058-b4c04f4d3132\n");
  EXPECT_EQ(Id(), first);
}

TEST_F(DeviceId, ComesFromTheMainboardWithoutAMachineId) {
  Put("/sys/class/dmi/id/product_uuid",
      "4c4c4544-0042-3510-8058-b4c04f4d3132\n");
  EXPECT_EQ(Id(),
            ComputeSha256("mete device 4c4c4544-0042-3510-8058-b4c04f4d3132")
                .substr(0, 16));
  EXPECT_FALSE(std::filesystem::exists(state));
}

TEST_F(DeviceId, FailsWhereItCannotBeStored) {
  Put("/blocked", "a file where the folder should be");
  auto id = ReadDeviceId(root, folder.path() / "blocked");
  ASSERT_FALSE(id.ok());
  EXPECT_EQ(id.error().message().find("create an id for this device"), 0u);
}

TEST_F(DeviceId, SeveralProcessesThatStartAtOnceAgree) {
  for (int round = 0; round < 50; ++round) {
    ScratchFolder bare = *ScratchFolder::Create();  // no machine-id, no board
    ScratchFolder kept = *ScratchFolder::Create();
    std::array<std::string, 4> ids;
    {
      std::vector<std::jthread> starting;
      for (std::string& id : ids) {
        starting.emplace_back([&] {
          auto read = ReadDeviceId(SystemRoot(bare.path()), kept.path());
          id = read.ok() ? *read : read.error().message();
        });
      }
    }
    EXPECT_THAT(ids, testing::Each(ids[0]));
    EXPECT_EQ(ids[0].size(), 16u) << ids[0];
  }
}

}  // namespace
}  // namespace mete
