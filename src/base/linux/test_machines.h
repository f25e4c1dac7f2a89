// Machines for the tests of this folder: recorded ones, and an empty one to
// which a test adds files.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "linux/system_root.h"
#include "support/file.h"

namespace mete {

// One of the trees in tests/fixtures/root.
inline SystemRoot Recorded(const std::string& machine) {
  return SystemRoot(std::string(METE_FIXTURES) + "/root/" + machine);
}

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
