#include "linux/program_name.h"

#include <gtest/gtest.h>

#include "linux/test_machines.h"

namespace mete {
namespace {

using namespace std::string_literals;

class ProgramNames : public EmptyMachine {
 protected:
  std::string FindName(const std::string& command) {
    Put("/proc/7/cmdline", command);
    Put("/proc/7/comm", "kernel-name\n");
    return ProgramName(root, 7);
  }
};

TEST_F(ProgramNames, IsTheFileOfTheProgram) {
  EXPECT_EQ(FindName("/opt/bin/detector\0--fps\0"
                     "30\0"s),
            "detector");
}

TEST_F(ProgramNames, IsTheScriptOfAnInterpreter) {
  EXPECT_EQ(FindName("/usr/bin/python3.11\0-u\0/opt/app/detector.py\0"s),
            "detector");
  EXPECT_EQ(FindName("python3\0-m\0detector.main\0"s), "detector.main");
  EXPECT_EQ(FindName("/bin/sh\0-c\0while true; do :; done\0"s), "sh");
}

TEST_F(ProgramNames, IsTheKernelsNameWhenTheCommandLineIsHidden) {
  EXPECT_EQ(FindName(""), "kernel-name");
}

TEST_F(ProgramNames, IsEmptyOnceItHasEnded) {
  EXPECT_EQ(ProgramName(root, 8), "");
}

TEST_F(ProgramNames, IsTheScriptThatFollowsTheInterpreter) {
  EXPECT_EQ(FindName("python3\0app.py\0-x\0"s), "app");
  EXPECT_EQ(FindName("python3\0-u\0"s), "python3");
  EXPECT_EQ(FindName("python3\0-m\0"s), "python3");
  EXPECT_EQ(FindName("python3\0\0app.py\0"s), "app");
}

TEST_F(ProgramNames, ThatBeginWithADigitAreNoInterpreters) {
  EXPECT_EQ(FindName("/usr/bin/7z\0archive.zip\0"s), "7z");
}

TEST_F(ProgramNames, IsTheKernelsNameWhenTheFirstArgumentIsEmpty) {
  EXPECT_EQ(FindName("\0x\0"s), "kernel-name");
}

TEST_F(ProgramNames, NeedsNoNulAtTheEnd) {
  EXPECT_EQ(FindName("/opt/detector\0--fps"s), "detector");
}

}  // namespace
}  // namespace mete
