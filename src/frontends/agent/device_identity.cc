#include "agent/device_identity.h"

#include <fmt/format.h>

#include "support/sha256.h"

namespace mete {

const char* DeviceIdentity::Class() const {
  return kind == MachineKind::kVirtual ? "VM" : "Computer";
}

std::string MakeUuid(const std::string& device_id) {
  std::string digits = ComputeSha256("mete uuid " + device_id).substr(0, 32);
  digits[12] = '8';  // the version
  // Two bits encode the variant: 8, 9, a or b.
  constexpr std::string_view kVariant = "89ab";
  size_t low = static_cast<unsigned char>(digits[16]) & 3u;
  digits[16] = kVariant[low];
  return fmt::format("{}-{}-{}-{}-{}", digits.substr(0, 8), digits.substr(8, 4),
                     digits.substr(12, 4), digits.substr(16, 4),
                     digits.substr(20));
}

}  // namespace mete
