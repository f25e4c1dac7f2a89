#include "measure/run_id.h"

#include <string_view>

namespace mete {
namespace {

// Without I, L, O and U, so that nobody confuses I with 1 or O with 0.
constexpr std::string_view kDigits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

// The lowest `digits` groups of five bits, most significant first.
std::string Base32(uint64_t bits, int digits) {
  std::string text(static_cast<size_t>(digits), '0');
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit) {
    *digit = kDigits[bits & 31];
    bits >>= 5;
  }
  return text;
}

}  // namespace

std::string MakeRunId(std::chrono::system_clock::time_point started,
                      const RunEntropy& entropy) {
  auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(
      started.time_since_epoch());
  uint64_t time = static_cast<uint64_t>(milliseconds.count());
  // 80 bits as 16 digits: 40 bits each.
  uint64_t upper = (uint64_t{entropy.high} << 24) | (entropy.low >> 40);
  return Base32(time & ((uint64_t{1} << 48) - 1), 10) + Base32(upper, 8) +
         Base32(entropy.low, 8);
}

}  // namespace mete
