// Decodes the two outputs of a container that an engine sends over one
// connection: frames of an 8-byte header (stream, three zeros, big-endian
// length) and text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "support/result.h"

namespace mete {

// Takes bytes in pieces of any size and returns the text in the engine's order,
// which is approximate between stdout and stderr.
class OutputFrames {
 public:
  // The text in this piece. Fails with kCorrupt on an invalid header; the rest
  // of the stream is then unusable.
  Result<std::string> Take(std::string_view piece);

 private:
  std::string head_;
  uint64_t left_ = 0;  // bytes left in the current frame
};

}  // namespace mete
