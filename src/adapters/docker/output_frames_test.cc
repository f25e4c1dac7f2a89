#include "adapters/docker/output_frames.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

std::string Frame(char stream, const std::string& text) {
  std::string frame = {stream, 0, 0, 0, 0, 0};
  frame += static_cast<char>(text.size() >> 8);
  frame += static_cast<char>(text.size() & 255);
  return frame + text;
}

TEST(OutputFrames, JoinsBothOutputsInTheirOrder) {
  OutputFrames frames;
  EXPECT_EQ(
      *frames.Take(Frame(1, "out\n") + Frame(2, "err\n") + Frame(1, "again\n")),
      "out\nerr\nagain\n");
}

TEST(OutputFrames, PiecesMayBreakAnywhere) {
  std::string all = Frame(1, std::string(300, 'a')) + Frame(2, "b");
  OutputFrames frames;
  std::string text;
  for (char byte : all) text += *frames.Take({&byte, 1});
  EXPECT_EQ(text, std::string(300, 'a') + "b");
}

TEST(OutputFrames, IgnoresAnEmptyFrame) {
  OutputFrames frames;
  EXPECT_EQ(*frames.Take(Frame(1, "") + Frame(1, "x")), "x");
}

TEST(OutputFrames, UnframedOutputIsCorrupt) {
  OutputFrames frames;
  EXPECT_EQ(frames.Take("plain text without head").error().code(),
            ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace mete
