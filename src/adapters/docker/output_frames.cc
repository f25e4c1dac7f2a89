#include "adapters/docker/output_frames.h"

#include <algorithm>

namespace mete {
namespace {

constexpr size_t kHeadSize = 8;
constexpr unsigned char kLastStream = 2;  // stdin, stdout, stderr

uint64_t ReadLength(const std::string& head) {
  uint64_t length = 0;
  for (size_t at = 4; at < kHeadSize; ++at) {
    length = length << 8 | static_cast<unsigned char>(head[at]);
  }
  return length;
}

bool IsHead(const std::string& head) {
  return static_cast<unsigned char>(head[0]) <= kLastStream && head[1] == 0 &&
         head[2] == 0 && head[3] == 0;
}

}  // namespace

Result<std::string> OutputFrames::Take(std::string_view piece) {
  std::string text;
  while (!piece.empty()) {
    if (left_ > 0) {
      size_t length = std::min<uint64_t>(left_, piece.size());
      text += piece.substr(0, length);
      piece.remove_prefix(length);
      left_ -= length;
      continue;
    }
    size_t missing = std::min(kHeadSize - head_.size(), piece.size());
    head_ += piece.substr(0, missing);
    piece.remove_prefix(missing);
    if (head_.size() < kHeadSize) break;
    if (!IsHead(head_)) return Corrupt("the output is not framed");
    left_ = ReadLength(head_);
    head_.clear();
  }
  return text;
}

}  // namespace mete
