#include "linux/interfaces.h"

#include <array>

#include "linux/numbers.h"
#include "linux/scan.h"

namespace mete {
namespace {

// One line of /proc/net/dev: "  eth0: bytes packets errs drop fifo frame
// compressed multicast bytes …", eight received counters, then eight sent ones.
// No blank is guaranteed after the colon. Absent for lo and other lines.
struct InterfaceLine {
  std::string_view name;
  NetworkTraffic traffic;
};
std::optional<InterfaceLine> ParseInterface(std::string_view line) {
  // The last colon: an alias is named "eth0:1".
  const size_t colon = line.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view name = Trimmed(line.substr(0, colon));
  std::array<std::string_view, 16> words;
  const size_t found = FirstWords(line.substr(colon + 1), words);
  if (name == "lo" || found < words.size()) return std::nullopt;
  auto received = ToBytes(WholeNumber(words[0]));
  auto sent = ToBytes(WholeNumber(words[8]));
  if (!received || !sent) return std::nullopt;
  return InterfaceLine{name, {.received = *received, .sent = *sent}};
}

// Identifies the network namespace of a process: "net:[4026531840]".
std::optional<std::string> ReadNamespace(const SystemRoot& root,
                                         const std::string& process) {
  std::error_code error;
  auto target = std::filesystem::read_symlink(
      root.Locate("/proc/" + process + "/ns/net"), error);
  if (error) return std::nullopt;
  return target.string();
}

}  // namespace

std::optional<NetworkTraffic> ReadOwnTraffic(const SystemRoot& root, int pid) {
  const std::string process = std::to_string(pid);
  auto its = ReadNamespace(root, process);
  auto own = ReadNamespace(root, "self");
  if (!its || !own || *its == *own) return std::nullopt;
  auto counters = root.Text("/proc/" + process + "/net/dev");
  if (!counters.ok()) return std::nullopt;
  NetworkTraffic sum;
  std::string_view text = *counters;
  while (auto line = TakeLine(text)) {
    auto parsed = ParseInterface(*line);
    if (!parsed) continue;
    sum.received.count += parsed->traffic.received.count;
    sum.sent.count += parsed->traffic.sent.count;
  }
  return sum;
}

bool InterfaceReader::IsPhysical(std::string_view name) {
  auto known = physical_.find(name);
  if (known != physical_.end()) return known->second;
  const std::filesystem::path folder = "/sys/class/net";
  const bool physical = root_.Exists(folder / name / "device");
  physical_.emplace(name, physical);
  return physical;
}

std::vector<InterfaceBytes> InterfaceReader::Read() {
  std::vector<InterfaceBytes> interfaces;
  std::string_view text = counters_.TextOrNone();
  while (auto line = TakeLine(text)) {
    auto parsed = ParseInterface(*line);
    if (!parsed) continue;
    interfaces.push_back({.name = std::string(parsed->name),
                          .physical = IsPhysical(parsed->name),
                          .received = parsed->traffic.received,
                          .sent = parsed->traffic.sent});
  }
  return interfaces;
}

}  // namespace mete
