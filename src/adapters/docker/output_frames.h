// The two outputs of a container as an engine sends them over one connection:
// frames of an 8-byte head (stream, three zeros, big-endian length) and text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "support/result.h"

namespace mete {

// Takes the bytes in whatever pieces they arrive and gives back the text as the
// engine put it in order; between stdout and stderr that is approximate.
class OutputFrames {
 public:
  // The text contained in this piece. Fails with kCorrupt when a head is none;
  // nothing sensible can follow then.
  Result<std::string> Take(std::string_view piece);

 private:
  std::string head_;
  uint64_t left_ = 0;  // of the frame that is being read
};

}  // namespace mete
