// Machines for the tests of this folder: recorded file trees, and an empty one
// to which a test adds files.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "linux/system_root.h"
#include "support/file.h"

namespace mete {

// A container and its pod, with ids as the runtimes write them.
inline const std::string kTestContainerId(64, 'a');
inline const std::string kTestPodUid = "1f0c7a52-9d3e-4b6a-8c21-0e5f4d3b2a19";
inline const std::string kTestPodUidInSlice =
    "1f0c7a52_9d3e_4b6a_8c21_0e5f4d3b2a19";

// One of the trees in tests/fixtures/root.
inline SystemRoot Recorded(const std::string& machine) {
  return SystemRoot(std::string(METE_FIXTURES) + "/root/" + machine);
}

// Fixture with an empty file tree.
class EmptyMachine : public testing::Test {
 protected:
  void Put(const std::string& path, const std::string& content) {
    auto file = root.Locate(path);
    std::filesystem::create_directories(file.parent_path());
    ASSERT_TRUE(WriteFileAtomically(file, content).ok());
  }

  ScratchFolder folder = *ScratchFolder::Create();
  SystemRoot root{folder.path()};
};

}  // namespace mete
