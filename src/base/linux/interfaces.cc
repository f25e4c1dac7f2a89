#include "linux/interfaces.h"

#include <array>

#include "linux/numbers.h"
#include "linux/scan.h"

namespace mete {

bool InterfaceReader::IsPhysical(std::string_view name) {
  auto known = physical_.find(name);
  if (known != physical_.end()) return known->second;
  const std::filesystem::path folder = "/sys/class/net";
  const bool physical = root_.Exists(folder / name / "device");
  physical_.emplace(name, physical);
  return physical;
}

// "  eth0: bytes packets errs drop fifo frame compressed multicast bytes …":
// eight received counters, then eight sent ones. No blank is guaranteed after
// the colon.
std::vector<InterfaceBytes> InterfaceReader::Read() {
  std::vector<InterfaceBytes> interfaces;
  std::string_view text = counters_.TextOrNone();
  while (auto line = TakeLine(text)) {
    // The last colon: an alias is named "eth0:1".
    const size_t colon = line->rfind(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view name = Trimmed(line->substr(0, colon));
    std::array<std::string_view, 16> words;
    const size_t found = FirstWords(line->substr(colon + 1), words);
    if (name == "lo" || found < words.size()) continue;
    auto received = ToBytes(WholeNumber(words[0]));
    auto sent = ToBytes(WholeNumber(words[8]));
    if (!received || !sent) continue;
    interfaces.push_back({.name = std::string(name),
                          .physical = IsPhysical(name),
                          .received = *received,
                          .sent = *sent});
  }
  return interfaces;
}

}  // namespace mete
