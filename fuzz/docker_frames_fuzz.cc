// Decodes arbitrary bytes as the output of a container and as the progress of a
// pull. It must not matter in which pieces they arrive.
#include "adapters/docker/output_frames.h"
#include "adapters/docker/pull_progress.h"
#include "fuzz/input.h"
#include "support/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  std::string_view text = fuzz::ToText(bytes, size);
  mete::OutputFrames frames;
  const auto whole = frames.Take(text);
  std::string in_parts;
  bool valid = true;
  mete::OutputFrames partial;
  mete::PullProgress progress([](const std::string&) {});
  for (size_t length = 1; !text.empty(); length = length % 7 + 1) {
    const std::string_view piece = text.substr(0, length);
    progress.Take(piece);
    if (valid) {
      auto taken = partial.Take(piece);
      valid = taken.ok();
      if (valid) in_parts += *taken;
    }
    text.remove_prefix(piece.size());
  }
  CHECK(valid == whole.ok());
  if (valid) CHECK(in_parts == *whole);
  static_cast<void>(progress.status().ok());
  return 0;
}
